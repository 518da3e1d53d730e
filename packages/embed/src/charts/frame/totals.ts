import { aggregationOf, type Json } from '@inlay/contract';
import type { Field, Frame, Row } from './frame.ts';

type Total = (numbers: readonly number[]) => number;

const sum: Total = (numbers) => numbers.reduce((sumSoFar, number) => sumSoFar + number, 0);
const minimumOf: Total = (numbers) => numbers.reduce((minimum, number) => Math.min(minimum, number));
const maximumOf: Total = (numbers) => numbers.reduce((maximum, number) => Math.max(maximum, number));

/** By aggregation: how the values of groups combine into a total. Other aggregations have no total. */
const totals: Readonly<Record<string, Total>> = { sum, count: sum, min: minimumOf, max: maximumOf };

function totalFor({ kind, placed: { content } }: Field): Total | null {
  if (kind !== 'measure') return null;
  if (content === null) return sum;
  if (content.formulaId !== null || content.formula !== null) return null;
  // An identifier that is not aggregated cannot be summed or counted.
  if (content.subtype === 'identifier' && (content.aggregation ?? 'none') === 'none') return null;
  return totals[aggregationOf(content)] ?? null;
}

export const hasTotal = (field: Field): boolean => totalFor(field) !== null;

/** True if the values of a measure are parts that sum up to a whole. */
export const isSummed = (field: Field): boolean => totalFor(field) === sum;

/** Returns the total of a measure over all rows; null if the measure has no total or no values. */
export function totalOf(field: Field, rows: readonly Row[]): Json {
  const aggregate = totalFor(field);
  if (aggregate === null) return null;
  const values = rows.flatMap((row) => {
    const cell = row[field.index] ?? null;
    const number = field.number(cell);
    return number === null ? [] : [{ cell, number }];
  });
  if (values.length === 0) return null;
  const value = aggregate(values.map(({ number }) => number));
  // Minimum and maximum return the original cell, which may be a time.
  return aggregate === sum ? value : (values.find(({ number }) => number === value)?.cell ?? null);
}

/** True if a table shows totals. Totals of truncated rows would be wrong. */
export const showsTotals = ({ settings, truncated, measures }: Frame): boolean =>
  settings.hasTotals && !truncated && measures.some(hasTotal);
