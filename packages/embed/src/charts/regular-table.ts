import type { TableChart } from './frame/chart.ts';
import type { Field, Frame } from './frame/frame.ts';
import { flatTable } from './table/flat.ts';

/** Returns the fields in the order of the item's entries, in which dimensions and measures may be mixed. */
function inOrder(frame: Frame): readonly Field[] {
  const contents = frame.item.slots.flatMap(({ content }) => content);
  const place = ({ placed }: Field): number =>
    placed.content === null ? contents.length : contents.indexOf(placed.content);
  return frame.fields.toSorted((a, b) => place(a) - place(b));
}

export const chart: TableChart = {
  kind: 'table',
  type: 'regular-table',
  table: (frame, context) => flatTable(frame, context, inOrder(frame)),
};
