import type { Item, Json } from '@inlay/contract';
import { createFrame, withComparison, type Frame } from '../charts/index.ts';
import type { Answer } from './card-events.ts';
import type { RenderContext } from './render-context.ts';

/** The data of an item as plain values. */
export interface ShownData {
  readonly columns: readonly string[];
  /** Formatted cells. */
  readonly texts: readonly (readonly string[])[];
  /** Raw cells as sent by the service. */
  readonly values: readonly (readonly Json[])[];
  readonly truncated: boolean;
}

type Rows = Extract<Answer, { kind: 'rows' }>;

/** Returns the frame of an item with the rows of its comparison; null until the rows of the item have arrived. */
export function frameOf(
  item: Item,
  answer: Answer,
  comparison: Answer | null,
  renderContext: RenderContext,
): Frame | null {
  if (answer.kind !== 'rows') return null;
  const frame = createFrame(item, answer.query, answer.rows, { ...renderContext, truncated: answer.truncated });
  return comparison?.kind === 'rows' ? withComparison(frame, comparison) : frame;
}

/** Returns the columns of an answer, and its rows as raw and as formatted cells. */
export function dataOf(item: Item, answer: Rows, renderContext: RenderContext): ShownData {
  const frame = createFrame(item, answer.query, answer.rows, { ...renderContext, truncated: answer.truncated });
  return {
    columns: frame.fields.map(({ label }) => label),
    texts: frame.rows.map((row) => frame.fields.map((field) => field.text(row[field.index]))),
    values: answer.rows,
    truncated: answer.truncated,
  };
}

/**
 * Returns a summary of a chart for screen readers: its name, its columns and the first rows. The table has all rows.
 */
export function summary(frame: Frame, name: string): string {
  const rows = frame.rows
    .slice(0, 5)
    .map((row) => frame.fields.map((field) => field.text(row[field.index])).join(', '));
  const moreRows = frame.rows.length > 5 ? `; … (${frame.rows.length})` : '';
  return `${name}. ${frame.fields.map(({ label }) => label).join(', ')}: ${rows.join('; ')}${moreRows}`;
}
