import type { Cell } from '../cell.ts';
import { bound, join, raw, sql, type Sql } from '../sql.ts';
import type { Arg } from './dialect.ts';

const integer = (of: Sql): Sql =>
  sql`CASE WHEN ${of} BETWEEN -9007199254740991 AND 9007199254740991 THEN to_json(${of}) ELSE to_json(CAST(${of} AS VARCHAR)) END`;

/** Up to 15 digits a double gives back what went in; more are written as text. */
const decimal = (of: Sql): Sql => {
  const text = sql`CAST(${of} AS VARCHAR)`;
  const bare = sql`CASE WHEN contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`;
  return sql`CASE WHEN length(ltrim(replace(replace(${bare}, '.', ''), '-', ''), '0')) <= 15 THEN to_json(CAST(${of} AS DOUBLE)) ELSE to_json(${bare}) END`;
};

const double = (of: Sql): Sql => sql`CASE WHEN isfinite(${of}) THEN to_json(${of}) END`;

const member = (of: Sql, separator: string | null, locale: string): Sql => {
  const name =
    separator === null || separator === '' ? of : sql`string_split(${of}, CAST(${bound(separator)} AS VARCHAR))[-1]`;
  const language = sql`CAST(${bound(locale)} AS VARCHAR)`;
  return sql`CASE WHEN ${of} IS NOT NULL THEN json_object('id', ${of}, 'name', json_object(${language}, ${name})) END`;
};

const edges = (values: readonly Arg[], bins: number): Sql => {
  const [part, low, high] = values.map((value) => sql`CAST(${value.sql} AS DOUBLE)`);
  if (part === undefined || low === undefined || high === undefined) throw new Error('a bin is made of three columns');
  const count = raw(String(bins));
  const edge = (shift: string): Sql => sql`(${low} + (${high} - ${low}) * (${part} + ${raw(shift)}) / ${count})`;
  const last = sql`CASE WHEN ${part} = ${raw(String(bins - 1))} THEN ${high} ELSE ${edge('1')} END`;
  return sql`CASE WHEN ${part} IS NOT NULL THEN json_array(${edge('0')}, ${last}) END`;
};

const number = (value: Arg): Sql => {
  if (value.type === 'integer') return integer(value.sql);
  return value.type === 'decimal' ? decimal(value.sql) : double(value.sql);
};

const written = (cell: Cell, values: readonly Arg[], locale: string): Sql => {
  const [value] = values;
  if (value === undefined) throw new Error('a cell is made of a column');
  switch (cell.kind) {
    case 'member':
      return member(value.sql, cell.separator, locale);
    case 'bin':
      return edges(values, cell.bins);
    case 'datetime':
      return sql`strftime(CAST(${value.sql} AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S.%gZ')`;
    case 'number':
      return number(value);
    case 'text':
    case 'boolean':
      return value.sql;
  }
};

/** A row as the text of a JSON array in wire shape (shapes, section 4); nothing is left to do outside DuckDB. */
export const jsonRow = (
  cells: readonly { readonly cell: Cell; readonly values: readonly Arg[] }[],
  locale: string,
): Sql =>
  sql`CAST(json_array(${join(
    cells.map(({ cell, values }) => written(cell, values, locale)),
    ', ',
  )}) AS VARCHAR)`;
