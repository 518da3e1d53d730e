import type { Item, Json } from '@inlay/contract';
import { createFrame, plainTable } from '../charts/index.ts';
import type { Answer } from './card.ts';
import type { Scene } from './look.ts';

/** What an item shows, as plain data. */
export interface ShownData {
  readonly columns: readonly string[];
  /** Cells as a viewer reads them. */
  readonly texts: readonly (readonly string[])[];
  /** Cells as the service answered them. */
  readonly values: readonly (readonly Json[])[];
  readonly truncated: boolean;
}

/** The rows of an answer with their names and texts. */
export function dataOf(item: Item, answer: Extract<Answer, { kind: 'rows' }>, scene: Scene): ShownData {
  const frame = createFrame(item, answer.asked, answer.rows, scene);
  const { body } = plainTable(frame);
  return {
    columns: frame.fields.map(({ label }) => label),
    texts: body.map((row) => row.map(({ text }) => text)),
    values: answer.rows,
    truncated: answer.truncated,
  };
}
