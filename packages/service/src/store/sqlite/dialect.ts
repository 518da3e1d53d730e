import type { Dialect } from '../dialect.ts';
import { join, name, sql, text } from '../sql.ts';
import { textColumn, textIndexOf } from '../text-columns.ts';

/** Returns a JSON path, which is then bound. Member names may contain any characters. */
const boundPath = (path: readonly string[]): string => ['$', ...path.map((member) => JSON.stringify(member))].join('.');

const quoteTrigram = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/** Number of characters of a trigram. The index cannot find shorter fragments. */
const trigramLength = 3;

/**
 * Maximum number of trigrams to search. More trigrams hardly reduce the candidates, and each one costs an index scan.
 */
const maxTrigrams = 8;
/** Number of characters at the start of a fragment from which trigrams are taken. */
const trigramCharacters = 64;

/** Returns distinct trigrams from the start of a fragment; an empty list if the fragment is too short. */
function trigramsOf(fragment: string): readonly string[] {
  // A character has at most two code units, so the slice contains enough whole characters.
  const characters = Array.from(fragment.slice(0, 2 * trigramCharacters + 1)).slice(0, trigramCharacters);
  const trigrams = new Set(
    characters.slice(trigramLength - 1).map((_, at) => characters.slice(at, at + trigramLength).join('')),
  );
  const step = Math.max(1, trigrams.size / maxTrigrams);
  return [...trigrams].filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

/** Size in bytes from which a record is long: the time limit is then checked before the record is parsed. */
const longRecord = text('131072');

/** The dialect of SQLite. The connection must have the functions of `functions.ts`. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  placeholder: 'question',
  ahead: async (_work, otherwise) => otherwise,
  member: (column, path, holds) => {
    const at = boundPath(path);
    const kind = sql`json_type(${column}, ${at})`;
    return {
      text: () => sql`(case ${kind} when 'text' then ${column} ->> ${at} end)`,
      number: () => sql`(case when ${kind} in ('integer', 'real') then ${column} ->> ${at} end)`,
      boolean: () => sql`(case ${kind} when 'true' then 1 when 'false' then 0 end)`,
    }[holds]();
  },
  picked: (id, column, fields) =>
    sql`json_object(${join(
      [sql`'id', ${id}`, ...fields.map((field) => sql`${field}, ${column} -> ${boundPath([field])}`)],
      ', ',
    )})`,
  isSet: (column, path) => sql`(coalesce(json_type(${column}, ${boundPath(path)}), 'null') <> 'null')`,
  anyValue: (column, path, test) => {
    const value = text('"each_value"."value"');
    return sql`exists (select 1 from json_each(${column}, ${boundPath(path)}) as "each_value"
      where "each_value"."type" = 'text' and typeof("each_value"."key") = 'text' and (${test(value)}))`;
  },
  like: (expression, pattern) => sql`(text_like(${expression}, ${pattern}) = 1)`,
  iLike: (expression, pattern) => sql`(text_like(fold_case(${expression}), fold_case(${pattern})) = 1)`,
  folded: (expression) => sql`fold(${expression})`,
  // Checks the time for one row in 64, because checking every row makes a scan four times as slow. Also checks it for
  // each long record, whose JSON takes about a millisecond to parse.
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
    const fieldConditions = fields.map(
      (field) => sql`has_fragment(${alias}.${name(textColumn(field))}, ${fragment}) = 1`,
    );
    return sql`(${candidates} and (${join(fieldConditions, ' or ')}))`;
  },
  // Searches single trigrams instead of a phrase. For a phrase, the index joins positions for seconds, and nothing can
  // interrupt that.
  candidates: (table, alias, fields, fragment) => {
    if (fields.length === 0 || fragment.includes('\0')) return text('(1 = 0)');
    const trigrams = trigramsOf(fragment);
    if (trigrams.length === 0) {
      const fieldConditions = fields.map((field) => sql`instr(${alias}.${name(textColumn(field))}, ${fragment}) > 0`);
      return sql`(${join(fieldConditions, ' or ')})`;
    }
    const index = textIndexOf(table);
    const matchText = trigrams.map(quoteTrigram).join(' AND ');
    return sql`(${alias}.seq in (select rowid from ${index} where ${index} match ${matchText} and (rowid % 64 <> 0 or in_time())
      union all select w.seq from ${name(table)} w
        where w.seq > (select until from text_indexed where text_table = ${table})))`;
  },
  negated: (condition) => sql`not coalesce(${condition}, 0)`,
  forUpdate: text(''),
  forShare: text(''),
  skipLocked: text(''),
};
