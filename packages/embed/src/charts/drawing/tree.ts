import type { Json } from '@inlay/contract';
import { isSummed } from '../frame/totals.ts';
import type { Mark } from '../frame/mark.ts';
import type { SizedContext } from '../frame/chart.ts';
import { markLater, nameOf, written } from './base.ts';
import { tooltipOf } from './tooltip.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';

/** A node of a tree: a member of a level, and its children. */
export interface Branch {
  readonly name: string;
  readonly field: Field | null;
  readonly cell: Json;
  readonly value: number;
  readonly text: string;
  readonly mark: () => Mark;
  readonly children: readonly Branch[];
}

function branches(
  levels: readonly Field[],
  levelsAbove: readonly Field[],
  rows: readonly Row[],
  measure: Field | undefined,
): readonly Branch[] {
  const [level, ...levelsBelow] = levels;
  if (level === undefined) return [];
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = level.key(row[level.index]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const path = [...levelsAbove, level];
  return [...groups.values()].map((group) => {
    const firstRow = group[0] ?? [];
    const numbers = group.map((row) => (measure === undefined ? 1 : (measure.number(row[measure.index]) ?? 0)));
    const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
    const value = sumOf(numbers.map((number) => Math.max(0, number)));
    // The averages or maximums of rows do not add up to the average or maximum of their group.
    const isKnown = group.length === 1 || measure === undefined || isSummed(measure);
    return {
      name: nameOf(level.text(firstRow[level.index])),
      field: level,
      cell: firstRow[level.index] ?? null,
      value,
      text: isKnown ? written(measure, sumOf(numbers)) : '',
      mark: markLater(path, firstRow),
      children: branches(levelsBelow, path, group, measure),
    };
  });
}

/** Converts rows to a tree with one depth per level. The value of a node is the sum of the values of its rows. */
export const treeOf = (frame: Frame, levels: readonly Field[]): readonly Branch[] =>
  branches(levels, [], frame.rows, frame.slot('measure')[0] ?? frame.measures[0]).filter(({ value }) => value > 0);

export const treeTooltip = (context: SizedContext): Record<string, unknown> =>
  tooltipOf(context, ({ data }: { data: { name?: string; text?: string } | null }) =>
    data?.name === undefined ? null : { title: '', rows: [{ color: null, label: data.name, value: data.text ?? '' }] },
  );
