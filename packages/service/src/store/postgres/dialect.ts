import type { Dialect } from '../dialect.ts';
import { join, name, sql, text, type Sql } from '../sql.ts';
import { textColumn } from '../text-columns.ts';

/** Returns the JSON at a path. Member names are bound values, so they may contain any characters. */
const at = (column: Sql, path: readonly string[]): Sql =>
  join([sql`(${column})::jsonb`, ...path.map((member) => sql`${member}::text`)], ' -> ');

/** Regular expression for combining marks. */
const marks = text('[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]');

const escapePattern = (fragment: string): string => fragment.replaceAll(/[\\%_]/gu, '\\$&');

/** Number of characters of a fragment with which the index preselects rows. */
const longestCandidate = 64;

/** The dialect of PostgreSQL. It casts bound paths to text, because the server cannot infer their type. */
export const postgresDialect: Dialect = {
  name: 'postgres',
  placeholder: 'dollar',
  isFar: true,
  ahead: (work) => work(),
  member: (column, path, holds) => {
    const value = sql`(${at(column, path)})`;
    const kind = sql`jsonb_typeof${value}`;
    return {
      text: () => sql`(case ${kind} when 'string' then ${value} #>> '{}' end)`,
      number: () => sql`(case ${kind} when 'number' then (${value} #>> '{}')::double precision end)`,
      boolean: () => sql`(case ${kind} when 'boolean' then (${value})::boolean::int end)`,
    }[holds]();
  },
  picked: (id, column, fields) =>
    sql`json_build_object(${join(
      [sql`'id', ${id}`, ...fields.map((field) => sql`${field}::text, (${column})::json -> ${field}::text`)],
      ', ',
    )})::text`,
  isSet: (column, path) => sql`(coalesce(jsonb_typeof(${at(column, path)}), 'null') <> 'null')`,
  anyValue: (column, path, test) => {
    const value = at(column, path);
    const element = text(`("each_value"."value" #>> '{}')`);
    return sql`exists (select 1 from jsonb_each(case jsonb_typeof(${value}) when 'object' then ${value}
      end) as "each_value" where jsonb_typeof("each_value"."value") = 'string' and (${test(element)}))`;
  },
  like: (expression, pattern) => sql`((${expression})::text like ${pattern}::text escape '\\')`,
  inTime: () => text('true'),
  eachInTime: () => text('true'),
  // Uses the collation of the database for lower case, since the C collation would only convert ASCII letters.
  iLike: (expression, pattern) =>
    sql`(lower((${expression})::text collate "default") like lower(${pattern}::text) escape '\\')`,
  folded: (expression) =>
    sql`lower(regexp_replace(normalize((${expression})::text, NFD), '${marks}', '', 'g') collate "default")`,
  // The planner would use the text index for any pattern, and then scan all records of the organization. A subselect
  // hides the expression from the planner. `nullif(x, null)` would not, because PostgreSQL simplifies it.
  unindexed: (expression) => sql`(select ${expression})`,
  listed: (expression) => sql`string_agg(${expression}, ',')`,
  array: (expressions) => sql`json_build_array(${expressions})::text`,
  ordered: (expression) => sql`((${expression}) collate "C")`,
  fragment: (_table, alias, fields, fragment) => {
    if (fields.length === 0 || fragment.includes('\0')) return text('(1 = 0)');
    const fieldConditions = fields.map(
      (field) => sql`${alias}.${name(textColumn(field))} like ${`%${escapePattern(fragment)}%`}::text escape '\\'`,
    );
    return sql`(${join(fieldConditions, ' or ')})`;
  },
  // The first characters of a fragment preselect rows well enough. PostgreSQL takes seconds to compare a long fragment
  // with a long text, and no timeout interrupts it.
  candidates: (table, alias, fields, fragment) =>
    postgresDialect.fragment(table, alias, fields, Array.from(fragment).slice(0, longestCandidate).join('')),
  negated: (condition) => sql`not coalesce(${condition}, false)`,
  forUpdate: text(' for update'),
  forShare: text(' for share'),
  skipLocked: text(' for update skip locked'),
};
