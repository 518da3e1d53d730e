import type { SourceColumn, SourceTable } from '../connector.ts';
import { SourceProblem } from '../problem.ts';
import { checkSourceQuery } from '../query/check-query.ts';
import { column } from '../storage-types.ts';
import { tableId, unqualifiedPath } from '../table-id.ts';
import { harmlessTableFunctions, queryRules } from './query-rules.ts';
import type { ClickhouseSession } from './session.ts';
import { clickhouseMeaning, isAggregateState, isNativeText, isNullable } from './types.ts';

const toColumn = (name: string, type: string): SourceColumn =>
  column(name, clickhouseMeaning(type), isNullable(type), type, isNativeText(type));

/** Returns the tables of the account's database that the user may read. */
export async function listTables(session: ClickhouseSession): Promise<readonly SourceTable[]> {
  const sql = `select name, database, engine, total_rows from system.tables
    where database = currentDatabase() and not is_temporary and not startsWith(name, '.inner')
      and name in (select table from system.columns where database = currentDatabase())
    order by name limit 20000`;
  const rows = await session.rows(sql);
  return rows.map(([name, database, engine, rowCount]) => ({
    id: tableId([String(name)]),
    name: String(name),
    schema: String(database),
    kind: String(engine).endsWith('View') ? ('view' as const) : ('table' as const),
    rows: rowCount === null || rowCount === undefined ? null : Number(rowCount),
  }));
}

/** Returns the columns of a table that the user may read. Raises SourceProblem `missing`. */
export async function describeTable(session: ClickhouseSession, id: string): Promise<readonly SourceColumn[]> {
  const sql = `select name, type from system.columns
    where database = currentDatabase() and table = {p1:String} and default_kind <> 'EPHEMERAL'
    order by position`;
  const rows = await session.rows(sql, unqualifiedPath(id));
  if (rows.length === 0)
    throw new SourceProblem('missing', 'There is no table of this name, or the user may not read it.');
  return rows
    .map(([name, type]) => [String(name), String(type)] as const)
    .filter(([, type]) => !isAggregateState(type))
    .map(([name, type]) => toColumn(name, type));
}

/**
 * Lets the server parse a query as a separate statement, but does not run it. Refuses calls of table functions that only
 * this server has.
 */
export async function parsedAlone(session: ClickhouseSession, text: string): Promise<void> {
  const isRefused = (name: string): boolean =>
    session.tableFunctions.has(name.toLowerCase()) && !harmlessTableFunctions.has(name.toLowerCase());
  checkSourceQuery(text, {
    ...queryRules,
    isRefusedFunction: (name) => queryRules.isRefusedFunction(name) || isRefused(name),
  });
  await session.rows(`explain ast ${text}`);
}

/** Returns the columns of a checked query, without running it. */
export async function describeQuery(session: ClickhouseSession, sourceQuery: string): Promise<readonly SourceColumn[]> {
  await parsedAlone(session, sourceQuery);
  const rows = await session.rows(`describe table (${sourceQuery}\n)`);
  const names = rows.map(([name]) => String(name));
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw new SourceProblem('query', `The query gives two columns of the name ${JSON.stringify(duplicate)}.`);
  return rows.map(([name, type]) => toColumn(String(name), String(type)));
}

const quoteRole = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

/** Matches a line of SHOW GRANTS with a privilege to change data. */
const writes = /^GRANT\b(?:(?! ON ).)*\b(?:ALL|INSERT|ALTER|CREATE(?! TEMPORARY)|DROP|TRUNCATE)\b/u;

/** True if the user or one of its roles has any privilege to change data, and its profile does not forbid it. */
export async function mayWrite(session: ClickhouseSession): Promise<boolean> {
  if (session.profile.readonly !== 0) return false;
  const roles = await session.rows('select role_name from system.enabled_roles limit 100');
  const targets = ['', ...roles.map(([name]) => ` for ${quoteRole(String(name))}`)];
  for (const target of targets) {
    const grants = await session.rows(`show grants${target}`);
    if (grants.some(([grant]) => writes.test(String(grant)))) return true;
  }
  return false;
}
