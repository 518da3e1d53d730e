import { formulaStart, leadingBreak, signedNumber } from '../csv.ts';
import type { Cell } from '../cell.ts';
import { bound, join, raw, sql, type Sql } from '../sql.ts';
import type { Lines } from '../lines.ts';
import type { Arg, WrittenCell } from './dialect.ts';

const integer = (of: Sql): Sql =>
  sql`CASE WHEN ${of} BETWEEN -9007199254740991 AND 9007199254740991 THEN to_json(${of}) ELSE to_json(CAST(${of} AS VARCHAR)) END`;

const bareDigits = (of: Sql): Sql => {
  const text = sql`CAST(${of} AS VARCHAR)`;
  return sql`CASE WHEN contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`;
};

/** Doubles preserve 15 digits, so numbers with more digits become text. */
const decimal = (of: Sql): Sql => {
  const bare = bareDigits(of);
  const digits = sql`length(ltrim(replace(replace(${bare}, '.', ''), '-', ''), '0'))`;
  return sql`CASE WHEN ${digits} <= 15 THEN to_json(CAST(${of} AS DOUBLE)) ELSE to_json(${bare}) END`;
};

const double = (of: Sql): Sql => sql`CASE WHEN isfinite(${of}) THEN to_json(${of}) END`;

const member = (of: Sql, separator: string | null, locale: string): Sql => {
  const name =
    separator === null || separator === '' ? of : sql`string_split(${of}, CAST(${bound(separator)} AS VARCHAR))[-1]`;
  const language = sql`CAST(${bound(locale)} AS VARCHAR)`;
  return sql`CASE WHEN ${of} IS NOT NULL THEN json_object('id', ${of}, 'name', json_object(${language}, ${name})) END`;
};

const edges = (values: readonly Arg[], bins: number, between: (low: Sql, high: Sql) => Sql): Sql => {
  const [part, low, high] = values.map((value) => sql`CAST(${value.sql} AS DOUBLE)`);
  if (part === undefined || low === undefined || high === undefined) throw new Error('a bin is made of three columns');
  const count = raw(String(bins));
  const edge = (shift: string): Sql => sql`(${low} + (${high} - ${low}) * (${part} + ${raw(shift)}) / ${count})`;
  const lastPart = sql`CASE WHEN ${part} = ${raw(String(bins - 1))} THEN ${high} ELSE ${edge('1')} END`;
  return sql`CASE WHEN ${part} IS NOT NULL THEN ${between(edge('0'), lastPart)} END`;
};

const number = (value: Arg): Sql => {
  if (value.type === 'integer') return integer(value.sql);
  return value.type === 'decimal' ? decimal(value.sql) : double(value.sql);
};

const jsonEdges = (low: Sql, high: Sql): Sql => sql`json_array(${double(low)}, ${double(high)})`;
const time = (of: Sql): Sql => sql`strftime(CAST(${of} AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S.%gZ')`;

const writtenCell = (cell: Cell, values: readonly Arg[], locale: string): Sql => {
  const [value] = values;
  if (value === undefined) throw new Error('a cell is made of a column');
  switch (cell.kind) {
    case 'member':
      return member(value.sql, cell.separator, locale);
    case 'bin':
      return edges(values, cell.bins, jsonEdges);
    case 'datetime':
      return time(value.sql);
    case 'number':
      return number(value);
    case 'text':
    case 'boolean':
      return value.sql;
  }
};

/** Writes a row as a JSON array in wire format, so that nothing is left to format outside DuckDB. */
export const jsonRow = (cells: readonly WrittenCell[], locale: string): Sql =>
  sql`CAST(json_array(${join(
    cells.map(({ cell, values }) => writtenCell(cell, values, locale)),
    ', ',
  )}) AS VARCHAR)`;

const pattern = (text: string): Sql => raw(`'${text}'`);

/** Does in SQL what `csvText` does. A cheap first test skips the replacements for most texts. */
const quotedText = (of: Sql): Sql => {
  const looksLikeFormula = sql`regexp_matches(${of}, ${pattern(`${formulaStart}|${leadingBreak}`)})`;
  const isHarmful = sql`${looksLikeFormula} AND NOT regexp_matches(${of}, ${pattern(signedNumber)})`;
  const breakGuard = sql`CASE WHEN regexp_matches(${of}, ${pattern(leadingBreak)}) THEN '''' ELSE '' END`;
  const guardedText = sql`${breakGuard} || regexp_replace(${of}, ${pattern(formulaStart)}, '\\1''\\2', 'g')`;
  return sql`'"' || replace(CASE WHEN ${isHarmful} THEN ${guardedText} ELSE ${of} END, '"', '""') || '"'`;
};

const bareDouble = (of: Sql): Sql => {
  const text = sql`CAST(${of} AS VARCHAR)`;
  return sql`CASE WHEN isfinite(${of}) THEN CASE WHEN ends_with(${text}, '.0') THEN left(${text}, -2) ELSE ${text} END END`;
};

const csvCell = ({ cell, values }: WrittenCell): Sql => {
  const [value] = values;
  if (value === undefined) throw new Error('a cell is made of a column');
  switch (cell.kind) {
    case 'member':
    case 'text':
      return quotedText(value.sql);
    case 'bin':
      return edges(values, cell.bins, (low, high) => sql`CAST(${low} AS VARCHAR) || ' – ' || CAST(${high} AS VARCHAR)`);
    case 'datetime':
      return time(value.sql);
    case 'boolean':
      return sql`CAST(${value.sql} AS VARCHAR)`;
    case 'number':
      if (value.type === 'decimal') return bareDigits(value.sql);
      return value.type === 'integer' ? sql`CAST(${value.sql} AS VARCHAR)` : bareDouble(value.sql);
  }
};

/** Writes a row as a line of a file. The result equals that of `lineRows`. */
export const line = (cells: readonly WrittenCell[], { format, names }: Lines): Sql => {
  if (format === 'csv') return sql`concat(${join(cells.map(csvCell), ", ',', ")}, chr(13), chr(10))`;
  const members = cells.map(({ cell, values }, index) => {
    const [value] = values;
    const of = cell.kind === 'member' && value !== undefined ? value.sql : writtenCell(cell, values, '');
    return sql`CAST(${bound(names[index] ?? '')} AS VARCHAR), ${of}`;
  });
  return sql`concat(CAST(json_object(${join(members, ', ')}) AS VARCHAR), chr(10))`;
};
