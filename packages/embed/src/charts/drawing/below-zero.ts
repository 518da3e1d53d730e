import { chartWordsFor, filledIn } from '../../locale/chart-words.ts';
import type { SizedContext } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';

/** Maximum number of members that the note names. */
const maxNames = 5;

const isBelow = (measure: Field, row: Row): boolean => (measure.number(row[measure.index]) ?? 0) < 0;

/** Returns the names and values of negative numbers, which an area or a length cannot represent. */
function belowZero(frame: Frame): readonly string[] {
  const { dimensions, measures, rows } = frame;
  const nameWithValue = (name: string, measure: Field, row: Row): string =>
    `${name} (${measure.text(row[measure.index])})`;
  if (dimensions.length === 0) {
    const row = rows[0] ?? [];
    return measures.flatMap((field) => (isBelow(field, row) ? [nameWithValue(field.label, field, row)] : []));
  }
  const measure = frame.slot('measure')[0] ?? measures[0];
  if (measure === undefined) return [];
  return rows.flatMap((row) => {
    const name = dimensions.map((field) => field.text(row[field.index])).join(' › ');
    return isBelow(measure, row) ? [nameWithValue(name, measure, row)] : [];
  });
}

export const hasBelowZero = (frame: Frame): boolean => belowZero(frame).length > 0;

/** Returns a note about negative values that the chart cannot draw; null if there are none. */
export function belowZeroNote(frame: Frame, { formats }: SizedContext): string | null {
  const names = belowZero(frame);
  if (names.length === 0) return null;
  const moreNames = names.length > maxNames ? ` … (${formats.number(names.length)})` : '';
  return filledIn(chartWordsFor(formats.locale).belowZero, {
    names: `${names.slice(0, maxNames).join(', ')}${moreNames}`,
  });
}
