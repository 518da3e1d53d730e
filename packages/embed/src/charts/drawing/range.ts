import type { Control } from '../frame/chart.ts';
import type { Frame } from '../frame/frame.ts';

/** Returns a range control whose ends are the minimum and maximum of the first column. */
export function rangeOf(frame: Frame): Extract<Control, { kind: 'range' }> {
  const [minField, max] = [frame.measures[0], frame.measures[frame.measures.length / 2]];
  const row = frame.rows[0] ?? [];
  const datetime = minField?.placed.content?.type === 'datetime';
  const number = (field: typeof minField): number | null => {
    const cell = field === undefined ? null : (row[field.index] ?? null);
    if (field === undefined || cell === null) return null;
    return datetime && typeof cell === 'string' ? Date.parse(cell) : field.number(cell);
  };
  return {
    kind: 'range',
    field: minField ?? null,
    datetime,
    least: number(minField),
    most: number(max),
    leastText: minField === undefined ? '' : minField.text(row[minField.index]),
    maxText: max === undefined ? '' : max.text(row[max.index]),
  };
}
