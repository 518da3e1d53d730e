import { chartWordsFor, filledIn } from '../../locale/chart-words.ts';
import type { Look } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';

/** Members that a note names. */
const named = 5;

const isBelow = (measure: Field, row: Row): boolean => (measure.number(row[measure.index]) ?? 0) < 0;

/** The numbers below zero of an answer, each with its name: those that no area or length stands for. */
function belowZero(frame: Frame): readonly string[] {
  const { dimensions, measures, rows } = frame;
  const written = (name: string, measure: Field, row: Row): string => `${name} (${measure.text(row[measure.index])})`;
  if (dimensions.length === 0) {
    const row = rows[0] ?? [];
    return measures.flatMap((one) => (isBelow(one, row) ? [written(one.label, one, row)] : []));
  }
  const measure = frame.slot('measure')[0] ?? measures[0];
  if (measure === undefined) return [];
  return rows.flatMap((row) => {
    const name = dimensions.map((one) => one.text(row[one.index])).join(' › ');
    return isBelow(measure, row) ? [written(name, measure, row)] : [];
  });
}

/** Whether an answer has numbers below zero, which make no whole together with those above. */
export const hasBelowZero = (frame: Frame): boolean => belowZero(frame).length > 0;

/** The note below a chart that cannot draw negative values; null if there are none. */
export function belowZeroNote(frame: Frame, { formats }: Look): string | null {
  const all = belowZero(frame);
  if (all.length === 0) return null;
  const more = all.length > named ? ` … (${formats.number(all.length)})` : '';
  return filledIn(chartWordsFor(formats.locale).belowZero, { names: `${all.slice(0, named).join(', ')}${more}` });
}
