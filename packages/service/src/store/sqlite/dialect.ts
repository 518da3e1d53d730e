import type { Dialect } from '../dialect.ts';
import { join, name, sql, text } from '../sql.ts';
import { textColumn, textIndexOf } from '../text-columns.ts';

/** A JSON path as a bound value; a member's name may be anything. */
const bound = (path: readonly string[]): string => ['$', ...path.map((member) => JSON.stringify(member))].join('.');

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/** The trigram index finds nothing shorter. */
const trigramLength = 3;

/** More of them hardly narrow a search, and each costs a walk through its rows. */
const maxTrigrams = 8;
/** Characters of a fragment whose trigrams are looked for. */
const trigramCharacters = 64;

/** Different trigrams of a fragment, spread over its start; none of a fragment that is shorter than one. */
function trigramsOf(fragment: string): readonly string[] {
  // A character has at most two code units, so none of these is cut.
  const characters = Array.from(fragment.slice(0, 2 * trigramCharacters + 1)).slice(0, trigramCharacters);
  const all = new Set(
    characters.slice(trigramLength - 1).map((_, at) => characters.slice(at, at + trigramLength).join('')),
  );
  const step = Math.max(1, all.size / maxTrigrams);
  return [...all].filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

/** Bytes of a record from which on each is asked whether there is time for it. */
const longRecord = text('131072');

/** SQLite. Needs the functions of `sqlite-functions.ts` on the connection. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  placeholder: 'question',
  ahead: async (_work, otherwise) => otherwise,
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
    const candidates = sqliteDialect.candidates(table, alias, fields, fragment);
    if (trigramsOf(fragment).length === 0) return candidates;
    const holding = fields.map((field) => sql`has_fragment(${alias}.${name(textColumn(field))}, ${fragment}) = 1`);
    return sql`(${candidates} and (${join(holding, ' or ')}))`;
  },
  // Single trigrams, not the phrase of all: a phrase has the index join positions for seconds, and nothing interrupts that.
  candidates: (table, alias, fields, fragment) => {
    if (fields.length === 0 || fragment.includes('\0')) return text('(1 = 0)');
    const trigrams = trigramsOf(fragment);
    if (trigrams.length === 0) {
      const holding = fields.map((field) => sql`instr(${alias}.${name(textColumn(field))}, ${fragment}) > 0`);
      return sql`(${join(holding, ' or ')})`;
    }
    const index = textIndexOf(table);
    const all = trigrams.map(quoted).join(' AND ');
    return sql`(${alias}.seq in (select rowid from ${index} where ${index} match ${all} and (rowid % 64 <> 0 or in_time())
      union all select w.seq from ${name(table)} w
        where w.seq > (select until from text_indexed where text_table = ${table})))`;
  },
  negated: (condition) => sql`not coalesce(${condition}, 0)`,
  forUpdate: text(''),
  forShare: text(''),
  skipLocked: text(''),
};
