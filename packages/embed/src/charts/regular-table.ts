import type { TableChart } from './drawing/chart.ts';
import type { Field, Frame } from './drawing/frame.ts';
import { plainTable } from './drawing/table.ts';

/** The columns in the order of the item, whichever of them are dimensions. */
function inOrder(frame: Frame): readonly Field[] {
  const wanted = frame.item.slots.flatMap(({ content }) => content);
  const place = ({ placed }: Field): number =>
    placed.content === null ? wanted.length : wanted.indexOf(placed.content);
  return frame.fields.toSorted((a, b) => place(a) - place(b));
}

export const chart: TableChart = {
  kind: 'table',
  type: 'regular-table',
  table: (frame) => plainTable(frame, inOrder(frame)),
};
