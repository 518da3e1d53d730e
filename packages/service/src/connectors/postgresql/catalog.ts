import type { Client } from 'pg';
import type { SourceColumn, SourceLink, SourceTable } from '../connector.ts';
import { column } from '../storage-types.ts';
import { SourceProblem } from '../problem.ts';
import { tableId, tablePath } from '../table-id.ts';
import { parsed } from './parsed.ts';
import { isNativeText, postgresqlMeaning } from './types.ts';

type Row = readonly unknown[];

const rowsOf = async (client: Client, text: string, values: unknown[]): Promise<readonly Row[]> =>
  (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows;

const kinds: Readonly<Record<string, SourceTable['kind']>> = { v: 'view', m: 'view' };

/** Returns the tables that the user may read. Includes partitioned tables, but not their partitions. */
export async function listTables(client: Client, schema: string | null): Promise<readonly SourceTable[]> {
  const text = `
    select n.nspname, c.relname, c.relkind::text, c.reltuples::float8
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
      and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      and ($1::text is null or n.nspname = $1)
      and pg_catalog.has_schema_privilege(n.oid, 'USAGE')
      and pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
    order by n.nspname collate "C", c.relname collate "C"
    limit 20000`;
  const rows = await rowsOf(client, text, [schema]);
  return rows.map(([space, name, kind, rowEstimate]) => ({
    id: tableId([String(space), String(name)]),
    name: String(name),
    schema: String(space),
    kind: kinds[String(kind)] ?? 'table',
    rows: typeof rowEstimate === 'number' && rowEstimate >= 0 ? rowEstimate : null,
  }));
}

/** Returns the single-column foreign keys. The user may read both columns of each. */
export async function listForeignKeys(client: Client, schema: string | null): Promise<readonly SourceLink[]> {
  const text = `
    select n.nspname, c.relname, a.attname, m.nspname, t.relname, b.attname, exists (
      select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null
        and i.indnkeyatts = 1 and i.indkey[0] = a.attnum)
    from pg_catalog.pg_constraint k
      join pg_catalog.pg_class c on c.oid = k.conrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
      join pg_catalog.pg_class t on t.oid = k.confrelid
      join pg_catalog.pg_namespace m on m.oid = t.relnamespace
      join pg_catalog.pg_attribute b on b.attrelid = t.oid and b.attnum = k.confkey[1]
    where k.contype = 'f' and array_length(k.conkey, 1) = 1 and k.conparentid = 0
      and ($1::text is null or (n.nspname = $1 and m.nspname = $1))
      and pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
      and pg_catalog.has_column_privilege(t.oid, b.attnum, 'SELECT')
    order by n.nspname collate "C", c.relname collate "C", a.attnum
    limit 20000`;
  const rows = await rowsOf(client, text, [schema]);
  return rows.map(([space, table, name, toSpace, toTable, toName, isUnique]) => ({
    table: tableId([String(space), String(table)]),
    column: String(name),
    toTable: tableId([String(toSpace), String(toTable)]),
    toColumn: String(toName),
    cardinality: isUnique === true ? 'one_to_one' : 'many_to_one',
  }));
}

/** Returns the version that the server reports. */
export async function serverVersion(client: Client): Promise<string> {
  const [row] = await rowsOf(client, 'show server_version', []);
  const [version = ''] = row ?? [];
  return String(version);
}

/** True if the user is a superuser or may change the rows of any table. */
export async function mayWrite(client: Client): Promise<boolean> {
  const text = `
    select pg_catalog.current_setting('is_superuser') = 'on' or exists (
      select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind = any($1::"char"[]) and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
        and pg_catalog.has_schema_privilege(n.oid, 'USAGE')
        and pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'))`;
  const [row] = await rowsOf(client, text, [['r', 'p', 'v', 'f']]);
  return row?.[0] === true;
}

/** Returns the columns of a table that the user may read. Raises SourceProblem `missing`. */
export async function describeTable(client: Client, id: string): Promise<readonly SourceColumn[]> {
  const [space, name, ...more] = tablePath(id);
  if (name === undefined || more.length > 0) throw new SourceProblem('missing', 'There is no table of this name.');
  const text = `
    select a.attname, t.typname, not a.attnotnull, pg_catalog.format_type(a.atttypid, a.atttypmod), b.typname
    from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c on c.oid = a.attrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_type t on t.oid = a.atttypid
      left join pg_catalog.pg_type b on b.oid = t.typbasetype
    where n.nspname = $1 and c.relname = $2 and a.attnum > 0 and not a.attisdropped
      and c.relkind in ('r', 'v', 'm', 'f', 'p')
      and pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
    order by a.attnum`;
  const rows = await rowsOf(client, text, [space, name]);
  if (rows.length === 0)
    throw new SourceProblem('missing', 'There is no table of this name, or the user may not read it.');
  return rows.map(([label, type, nullable, nativeType, base]) => {
    const typeName = String(base ?? type);
    return column(
      String(label),
      postgresqlMeaning(typeName),
      nullable === true,
      String(nativeType),
      isNativeText(typeName),
    );
  });
}

/**
 * Returns the columns of a checked query. First lets the server parse the query as a separate statement. Then runs it
 * in parentheses, with a limit of 0 rows.
 */
export async function describeQuery(client: Client, sourceQuery: string): Promise<readonly SourceColumn[]> {
  await parsed(client, sourceQuery);
  // A bound parameter makes the driver use the extended protocol, which accepts only a single statement.
  const text = `select * from (${sourceQuery}\n) as q limit $1`;
  const { fields } = await client.query({ text, values: [0], rowMode: 'array' });
  const duplicate = fields.find(({ name }, at) => fields.findIndex((other) => other.name === name) !== at);
  if (duplicate !== undefined)
    throw new SourceProblem('query', `The query gives two columns of the name ${JSON.stringify(duplicate.name)}.`);
  const typesQuery = `
    select t.oid, t.typname, b.typname from pg_catalog.pg_type t
      left join pg_catalog.pg_type b on b.oid = t.typbasetype where t.oid = any($1::oid[])`;
  const types = await rowsOf(client, typesQuery, [fields.map(({ dataTypeID }) => dataTypeID)]);
  const byOid = new Map(types.map(([oid, name, base]) => [Number(oid), String(base ?? name)]));
  return fields.map(({ name, dataTypeID }) => {
    const nativeType = byOid.get(dataTypeID) ?? 'unknown';
    return column(name, postgresqlMeaning(nativeType), true, nativeType, isNativeText(nativeType));
  });
}
