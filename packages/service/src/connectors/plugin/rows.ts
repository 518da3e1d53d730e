import { isList, parseTimestamp, type Json } from '@inlay/contract';
import type { ColumnType, Scalar } from '@inlay/query';
import { PluginFault } from './fault.ts';

/** A column of an answer, and the type that its cells must have. */
export interface RowColumn {
  readonly id: string;
  readonly type: ColumnType;
}

/**
 * Reads a time in the format of the protocol: ISO 8601 with a zone, or a date, which stands for midnight in UTC.
 * Returns undefined for any other text.
 */
function timeOf(text: string): string | undefined {
  return parseTimestamp(/^\d{4}-\d{2}-\d{2}$/u.test(text) ? `${text}T00:00:00Z` : text);
}

/**
 * Reads a number. It may be a string with a finite decimal number, which is what database drivers return for long
 * integers and decimals. Returns undefined for any other value.
 */
function numberOf(value: Json): number | undefined {
  const isDecimal = typeof value === 'string' && /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/iu.test(value);
  const number = isDecimal ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Converts a cell to its stored form. Returns undefined if the cell does not have the type of its column. */
const cells: Readonly<Record<ColumnType, (value: Json) => Scalar | undefined>> = {
  numeric: numberOf,
  datetime: (value) => (typeof value === 'string' ? timeOf(value) : undefined),
  hierarchy: (value) => {
    if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  },
  spatial: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
};

const typeNames: Readonly<Record<ColumnType, string>> = {
  numeric: 'a number',
  datetime: 'an ISO 8601 time with a zone',
  hierarchy: 'a text',
  spatial: 'a text or GeoJSON',
};

/**
 * Checks one row of an answer, and converts it to its stored form. Raises PluginFault; its message does not contain the
 * value.
 */
export function rowOf(row: Json, columns: readonly RowColumn[], index: number): readonly Scalar[] {
  if (!isList(row)) throw new PluginFault('shape', `answers row ${index}, which is not a list`);
  if (row.length !== columns.length)
    throw new PluginFault('shape', `answers row ${index} with ${row.length} cells instead of ${columns.length}`);
  return columns.map(({ id, type }, place) => {
    const value = row[place] ?? null;
    const cell = value === null ? null : cells[type](value);
    if (cell === undefined)
      throw new PluginFault(
        'shape',
        `answers row ${index} with a cell of column "${id}" that is not ${typeNames[type]}`,
      );
    return cell;
  });
}
