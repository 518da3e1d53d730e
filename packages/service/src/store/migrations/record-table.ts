import { textColumn, textIndexes } from '../text-columns.ts';

type Columns = Readonly<Record<string, 'text' | 'integer' | 'number'>>;

/** Columns in addition to those of every table; `unique` and `index` refer to columns by name. */
export interface Table {
  readonly columns?: Columns;
  readonly unique?: readonly string[];
  readonly index?: readonly string[];
  /** Columns with a partial index on non-null values, which most writes do not touch. */
  readonly indexWhereSet?: readonly string[];
  /** Fields that also have a column with their folded text, for substring search. */
  readonly searched?: readonly string[];
}

export type DialectName = 'sqlite' | 'postgres';
const words: Readonly<Record<DialectName, Readonly<Record<Columns[string], string>>>> = {
  sqlite: { text: 'text', integer: 'integer', number: 'real' },
  postgres: { text: 'text', integer: 'integer', number: 'double precision' },
};

/** Returns the SQL statements that create the table of a resource, its indexes and its text columns. */
export function tableStatements(dialect: DialectName, name: string, table: Table): readonly string[] {
  const seq = dialect === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key';
  const columns = Object.entries(table.columns ?? {}).map(([column, type]) => `"${column}" ${words[dialect][type]}`);
  const standard = [
    `seq ${seq}`,
    'id text not null',
    'organization_id text',
    'created_at text',
    'updated_at text',
    'deleted_at text',
    'revision integer not null',
    'shape integer not null',
    'secrets text',
    'secret_key text',
    ...columns,
    ...(table.searched ?? []).map((field) => `"${textColumn(field)}" text`),
    // The last column, so that SQLite can read the short columns without reading the long text.
    'record text not null',
  ];
  const index = (column: string, unique: boolean): string =>
    `create ${unique ? 'unique ' : ''}index "${name}__${column}__${unique ? 'unique' : 'index'}" on "${name}" ("${column}")`;
  return [
    `create table "${name}" (${standard.join(', ')})`,
    index('id', true),
    ...(table.unique ?? []).map((column) => index(column, true)),
    ...(table.index ?? []).map((column) => index(column, false)),
    ...(table.indexWhereSet ?? []).map((column) => `${index(column, false)} where "${column}" is not null`),
    `create index "${name}__organization__index" on "${name}" (organization_id, id)`,
    `create index "${name}__secret_key__index" on "${name}" (secret_key) where secret_key is not null`,
    ...(table.searched === undefined ? [] : textIndexes(dialect, name, table.searched)),
  ];
}
