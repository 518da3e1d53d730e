import type { Dialect } from '../dialect.ts';
import { join, name, sql, text, type Sql } from '../sql.ts';
import { textColumn } from '../text-columns.ts';

/** The JSON at a path; each member's name is bound, so it may be anything. */
const at = (column: Sql, path: readonly string[]): Sql =>
  join([sql`(${column})::jsonb`, ...path.map((member) => sql`${member}::text`)], ' -> ');

/** Combining marks, as a regular expression. */
const marks = text('[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]');

const escaped = (fragment: string): string => fragment.replaceAll(/[\\%_]/gu, '\\$&');

/** Characters of a fragment that narrow a search. */
const longestCandidate = 64;

/** PostgreSQL. Every bound path is cast to text: the server could not tell its type otherwise. */
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
    const held = text(`("each_value"."value" #>> '{}')`);
    return sql`exists (select 1 from jsonb_each(case jsonb_typeof(${value}) when 'object' then ${value}
      end) as "each_value" where jsonb_typeof("each_value"."value") = 'string' and (${test(held)}))`;
  },
  like: (expression, pattern) => sql`((${expression})::text like ${pattern}::text escape '\\')`,
  inTime: () => text('true'),
  eachInTime: () => text('true'),
  // In the letters of the database: what is ordered by bytes would be folded as ASCII.
  iLike: (expression, pattern) =>
    sql`(lower((${expression})::text collate "default") like lower(${pattern}::text) escape '\\')`,
  folded: (expression) =>
    sql`lower(regexp_replace(normalize((${expression})::text, NFD), '${marks}', '', 'g') collate "default")`,
  // Planned for any pattern, a search in texts would be led through all records of the organization.
  // PostgreSQL sees through `nullif(x, null)`, and read all people of an organization to find those of a name.
  unindexed: (expression) => sql`(select ${expression})`,
  listed: (expression) => sql`string_agg(${expression}, ',')`,
  array: (expressions) => sql`json_build_array(${expressions})::text`,
  ordered: (expression) => sql`((${expression}) collate "C")`,
  fragment: (_table, alias, fields, fragment) => {
    if (fields.length === 0 || fragment.includes('\0')) return text('(1 = 0)');
    const holding = fields.map(
      (field) => sql`${alias}.${name(textColumn(field))} like ${`%${escaped(fragment)}%`}::text escape '\\'`,
    );
    return sql`(${join(holding, ' or ')})`;
  },
  // A part narrows as well. PostgreSQL compares a long one with a long text for seconds, and no timeout interrupts that.
  candidates: (table, alias, fields, fragment) =>
    postgresDialect.fragment(table, alias, fields, Array.from(fragment).slice(0, longestCandidate).join('')),
  negated: (condition) => sql`not coalesce(${condition}, false)`,
  forUpdate: text(' for update'),
  forShare: text(' for share'),
  skipLocked: text(' for update skip locked'),
};
