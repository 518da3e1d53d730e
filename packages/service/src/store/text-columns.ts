import type { Dialect } from './dialect.ts';
import { join, name, render, sql, text, type Sql } from './sql.ts';

/** Returns the name of the column with the folded text of a field. */
export const textColumn = (field: string): string => `${field}_text`;

/** Returns the name of the SQLite index over the text columns of a table. */
export const textIndexOf = (table: string): Sql => name(`${table}_text_index`);

/**
 * Creates and fills the trigram index of a table. The index has no positions: it cannot search phrases, which would
 * take seconds.
 */
const filledIndex = (table: string, fields: readonly string[]): readonly Sql[] => {
  const [rows, index] = [name(table), textIndexOf(table)];
  const columns = join(fields.map(textColumn).map(name), ', ');
  const trigrams = sql`detail = none, columnsize = 0, tokenize = 'trigram case_sensitive 1'`;
  return [
    sql`create virtual table ${index} using fts5(${columns}, content = ${rows}, content_rowid = 'seq', ${trigrams})`,
    sql`insert into ${index} (${index}) values ('rebuild')`,
  ];
};

/**
 * SQLite updates the index in batches: `text_indexed` has the number of the last indexed row, and searches scan the
 * rows after it. Triggers update the index when an indexed row changes. New rows always get the highest number, so
 * inserts need no trigger.
 */
function sqliteIndex(table: string, fields: readonly string[]): readonly Sql[] {
  const [rows, index] = [name(table), textIndexOf(table)];
  const columns = fields.map((field) => name(textColumn(field)));
  const names = join(columns, ', ');
  const of = (row: string): Sql =>
    join(
      columns.map((column) => sql`${text(row)}.${column}`),
      ', ',
    );
  const isIndexed = sql`old.seq <= (select until from text_indexed where text_table = ${text(`'${table}'`)})`;
  const lastSeq = sql`(select coalesce(max(seq), 0) from ${rows})`;
  const resetIndex = sql`update text_indexed set until = ${lastSeq} where text_table = ${text(`'${table}'`)} and until > ${lastSeq};`;
  const take = sql`insert into ${index} (${index}, rowid, ${names}) select 'delete', old.seq, ${of('old')} where ${isIndexed};`;
  const insertText = sql`insert into ${index} (rowid, ${names}) values (new.seq, ${of('new')});`;
  const trigger = (event: string, triggerEvent: Sql, work: Sql): Sql =>
    sql`create trigger ${name(`${table}__text_${event}`)} after ${triggerEvent} begin ${work} end`;
  return [
    sql`create table if not exists text_indexed (text_table text primary key, until integer not null) without rowid`,
    ...filledIndex(table, fields),
    sql`insert into text_indexed (text_table, until) select ${text(`'${table}'`)}, ${lastSeq}`,
    trigger('update', sql`update of ${names} on ${rows} when ${isIndexed}`, sql`${take} ${insertText}`),
    trigger('delete', sql`delete on ${rows}`, sql`${take} ${resetIndex}`),
  ];
}

const postgresIndexes = (table: string, fields: readonly string[]): readonly Sql[] => [
  text('create extension if not exists pg_trgm'),
  ...fields.map(textColumn).map((column) => {
    const index = name(`${table}__${column}__fragments`);
    return sql`create index ${index} on ${name(table)} using gin (${name(column)} gin_trgm_ops)`;
  }),
];

const inlineText = (statement: Sql): string => render(statement, 'question');

/**
 * Returns the SQL statements that add, for each field, a column with its folded text. The table must have the key
 * `seq`.
 */
export const textColumns = (table: string, fields: readonly string[]): readonly string[] =>
  fields.map((field) => inlineText(sql`alter table ${name(table)} add column ${name(textColumn(field))} text`));

/**
 * Returns the SQL statements that make the text columns searchable for fragments. In SQLite, inserts into the table
 * must not use `on conflict` afterwards.
 */
export const textIndexes = (dialect: Dialect['name'], table: string, fields: readonly string[]): readonly string[] =>
  (dialect === 'sqlite' ? sqliteIndex(table, fields) : postgresIndexes(table, fields)).map(inlineText);

/**
 * Returns the SQL statements that add the empty text of a field to a table whose texts of the fields `before` are
 * already searchable.
 */
export function addedTextColumn(
  dialect: Dialect['name'],
  table: string,
  before: readonly string[],
  field: string,
): readonly string[] {
  const column = name(textColumn(field));
  const added = [...textColumns(table, [field]), inlineText(sql`update ${name(table)} set ${column} = ${text("''")}`)];
  if (dialect === 'postgres') return [...added, ...textIndexes(dialect, table, [field])];
  const dropped = [
    sql`drop trigger ${name(`${table}__text_update`)}`,
    sql`drop trigger ${name(`${table}__text_delete`)}`,
    sql`drop table ${textIndexOf(table)}`,
    sql`delete from text_indexed where text_table = ${text(`'${table}'`)}`,
  ].map(inlineText);
  return [...dropped, ...added, ...textIndexes(dialect, table, [...before, field])];
}

/** Returns the SQL statements that rebuild the text index of a table in SQLite. The triggers of the index remain. */
export const rebuiltTextIndex = (table: string, fields: readonly string[]): readonly string[] =>
  [
    sql`drop table ${textIndexOf(table)}`,
    ...filledIndex(table, fields),
    sql`update text_indexed set until = (select coalesce(max(seq), 0) from ${name(table)})
      where text_table = ${text(`'${table}'`)}`,
  ].map(inlineText);
