import type { Control, SizedContext } from '../frame/chart.ts';
import type { Frame } from '../frame/frame.ts';

/**
 * Returns a choice among the distinct members of the first dimension. If the item has a measure, each member has its
 * value.
 */
export function choiceOf(
  frame: Frame,
  context: SizedContext,
  view: Extract<Control, { kind: 'choice' }>['view'],
): Control {
  const field = frame.slot('dimension')[0] ?? null;
  const measure = frame.slot('measure')[0];
  const max = Math.max(
    ...frame.rows.map((row) => (measure === undefined ? 0 : (measure.number(row[measure.index]) ?? 0))),
    0,
  );
  const seenKeys = new Set<string>();
  return {
    kind: 'choice',
    field,
    view,
    many: frame.item.options['multiple'] !== false,
    options: frame.rows.flatMap((row) => {
      const cell = field === null ? null : (row[field.index] ?? null);
      const key = field === null ? '' : field.key(cell);
      if (field === null || seenKeys.has(key)) return [];
      seenKeys.add(key);
      const value = measure === undefined ? null : measure.number(row[measure.index]);
      return [
        {
          key,
          text: field.text(cell) || context.words.empty,
          cell: field.literal(cell),
          measure: measure === undefined ? null : measure.text(row[measure.index]),
          share: value === null || max === 0 ? null : Math.max(0, value) / max,
        },
      ];
    }),
  };
}
