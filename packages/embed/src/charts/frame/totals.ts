import { aggregationOf, type Json } from '@inlay/contract';
import type { Field, Frame, Row } from './frame.ts';

type Total = (numbers: readonly number[]) => number;

const sum: Total = (numbers) => numbers.reduce((so, number) => so + number, 0);
const least: Total = (numbers) => numbers.reduce((so, number) => Math.min(so, number));
const most: Total = (numbers) => numbers.reduce((so, number) => Math.max(so, number));

/** How the numbers of groups give that of all of them, by aggregation; others do not. */
const totals: Readonly<Record<string, Total>> = { sum, count: sum, min: least, max: most };

function totalFor({ kind, placed: { content } }: Field): Total | null {
  if (kind !== 'measure') return null;
  if (content === null) return sum;
  if (content.formulaId !== null || content.formula !== null) return null;
  // Rows that show an identifier as it is: nobody adds or counts it there.
  if (content.subtype === 'identifier' && (content.aggregation ?? 'none') === 'none') return null;
  return totals[aggregationOf(content)] ?? null;
}

/** Whether the values of a measure have a total. */
export const hasTotal = (field: Field): boolean => totalFor(field) !== null;

/** Whether the values of a measure are parts of a whole, which is their sum. */
export const isSummed = (field: Field): boolean => totalFor(field) === sum;

/** The cell of all rows together; null where there is none. */
export function totalOf(field: Field, rows: readonly Row[]): Json {
  const total = totalFor(field);
  if (total === null) return null;
  const found = rows.flatMap((row) => {
    const cell = row[field.index] ?? null;
    const number = field.number(cell);
    return number === null ? [] : [{ cell, number }];
  });
  if (found.length === 0) return null;
  const value = total(found.map(({ number }) => number));
  // The least and the greatest stay as they are written, such as times.
  return total === sum ? value : (found.find(({ number }) => number === value)?.cell ?? null);
}

/** Whether a table has a row of totals; rows that were left off would be missing in it. */
export const showsTotals = ({ settings, truncated, measures }: Frame): boolean =>
  settings.hasTotals && !truncated && measures.some(hasTotal);
