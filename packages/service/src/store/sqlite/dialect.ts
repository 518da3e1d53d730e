import type { Dialect } from '../dialect.ts';
import { join, name, sql, text, type Sql } from '../sql.ts';
import { textColumn, textIndexOf } from '../text-columns.ts';

/** A JSON path as a bound value; a member's name may be anything. */
const bound = (path: readonly string[]): string => ['$', ...path.map((member) => JSON.stringify(member))].join('.');

const quoted = (phrase: string): string => `"${phrase.replaceAll('"', '""')}"`;

/** The trigram index finds nothing shorter. */
const indexed = 3;

/** Bytes of a record from which on each is asked whether there is time for it. */
const longRecord = text('131072');

/** SQLite. Needs the functions of `sqlite-functions.ts` on the connection. */
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
  picked: (id, column, fields) =>
    sql`json_object(${join(
      [sql`'id', ${id}`, ...fields.map((field) => sql`${field}, ${column} -> ${bound([field])}`)],
      ', ',
    )})`,
  isSet: (column, path) => sql`(coalesce(json_type(${column}, ${bound(path)}), 'null') <> 'null')`,
  anyValue: (column, path, test) => {
    const value = text('"each_value"."value"');
    return sql`exists (select 1 from json_each(${column}, ${bound(path)}) as "each_value"
      where "each_value"."type" = 'text' and typeof("each_value"."key") = 'text' and (${test(value)}))`;
  },
  like: (expression, pattern) => sql`(text_like(${expression}, ${pattern}) = 1)`,
  iLike: (expression, pattern) => sql`(text_like(fold_case(${expression}), fold_case(${pattern})) = 1)`,
  folded: (expression) => sql`fold(${expression})`,
  // Asked of one row in 64, or a scan would take four times as long, and of each whose JSON takes a millisecond to read.
  inTime: (alias, readsRecords) =>
    readsRecords
      ? sql`((${alias}.seq % 64 <> 0 and octet_length(${alias}.record) < ${longRecord}) or in_time())`
      : sql`(${alias}.seq % 64 <> 0 or in_time())`,
  eachInTime: (alias) => sql`(${alias}.seq < 0 or in_time())`,
  unindexed: (expression) => sql`+${expression}`,
  listed: (expression) => sql`group_concat(${expression})`,
  array: (expressions) => sql`json_array(${expressions})`,
  ordered: (expression) => expression,
  fragment: (table, alias, fields, fragment) => {
    if (fields.length === 0 || fragment.includes('\0')) return text('(1 = 0)');
    const columns = fields.map((field) => textColumn(field));
    const holding = (row: Sql): Sql =>
      join(
        columns.map((column) => sql`instr(${row}.${name(column)}, ${fragment}) > 0`),
        ' or ',
      );
    if (Array.from(fragment).length < indexed) return sql`(${holding(alias)})`;
    const index = textIndexOf(table);
    const phrase = `{${columns.map(quoted).join(' ')}} : ${quoted(fragment)}`;
    const isWaiting = sql`w.seq > (select until from text_indexed where text_table = ${table})`;
    return sql`(${alias}.seq in (select rowid from ${index} where ${index} match ${phrase} union all
      select w.seq from ${name(table)} w where ${isWaiting} and (${holding(text('w'))})))`;
  },
  forUpdate: text(''),
  forShare: text(''),
};
