import type { Dialect } from './dialect.ts';
import { join, name, sql, text } from './sql.ts';
import { textIndexOf } from './text-table.ts';

/** A JSON path as a bound value; a member's name may be anything. */
const bound = (path: readonly string[]): string => ['$', ...path.map((member) => JSON.stringify(member))].join('.');

const quoted = (phrase: string): string => `"${phrase.replaceAll('"', '""')}"`;

/** The trigram index finds nothing shorter. */
const indexed = 3;

/** SQLite. Needs `fold_case` and `case_sensitive_like` on the connection. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  placeholder: 'question',
  member: (column, path, holds) => {
    const at = bound(path);
    const kind = sql`json_type(${column}, ${at})`;
    return {
      text: () => sql`(case ${kind} when 'text' then ${column} ->> ${at} end)`,
      number: () => sql`(case when ${kind} in ('integer', 'real') then ${column} ->> ${at} end)`,
      boolean: () => sql`(case ${kind} when 'true' then 1 when 'false' then 0 end)`,
    }[holds]();
  },
  isSet: (column, path) => sql`(coalesce(json_type(${column}, ${bound(path)}), 'null') <> 'null')`,
  anyValue: (column, path, test) => {
    const value = text('"each_value"."value"');
    return sql`exists (select 1 from json_each(${column}, ${bound(path)}) as "each_value" where "each_value"."type" = 'text' and typeof("each_value"."key") = 'text' and (${test(value)}))`;
  },
  like: (expression, pattern) => sql`(${expression} like ${pattern} escape '\\')`,
  iLike: (expression, pattern) => sql`(fold_case(${expression}) like fold_case(${pattern}) escape '\\')`,
  unindexed: (expression) => sql`+${expression}`,
  listed: (expression) => sql`group_concat(${expression})`,
  array: (expressions) => sql`json_array(${expressions})`,
  ordered: (expression) => expression,
  fragment: (textTable, columns, fragment) => {
    const table = name(textTable);
    const names = columns.map(name);
    if (names.length === 0 || fragment.includes('\0')) return sql`(select rowid from ${table} where 1 = 0)`;
    const holding = join(
      names.map((column) => sql`instr(${column}, ${fragment}) > 0`),
      ' or ',
    );
    if (Array.from(fragment).length < indexed) return sql`(select rowid from ${table} where ${holding})`;
    const index = textIndexOf(textTable);
    const phrase = `{${columns.map(quoted).join(' ')}} : ${quoted(fragment)}`;
    const isWaiting = sql`rowid > (select until from text_indexed where text_table = ${textTable})`;
    return sql`(select rowid from ${index} where ${index} match ${phrase} union all select rowid from ${table} where ${isWaiting} and (${holding}))`;
  },
  forUpdate: text(''),
  forShare: text(''),
};
