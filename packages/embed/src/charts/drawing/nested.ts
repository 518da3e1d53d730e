import { hierarchy, type HierarchyNode } from 'd3-hierarchy';
import { memberColor } from '../colors/mark-color.ts';
import { paintsOf, type Paint } from './paint.ts';
import { treeOf, type Branch } from './tree.ts';
import type { Look } from '../frame/chart.ts';
import type { Field, Frame } from '../frame/frame.ts';

/** Members in members, the largest first, and how each is painted: as the one of the first level that it belongs to. */
export interface NestedMembers {
  readonly root: HierarchyNode<Branch>;
  readonly paint: (node: HierarchyNode<Branch>) => Paint;
}

const whole = (children: readonly Branch[]): Branch => ({
  name: '',
  value: 0,
  text: '',
  field: null,
  cell: null,
  mark: () => ({ cells: [] }),
  children,
});

/** The rows of an answer as a hierarchy under one root that is not shown, one level for each of `levels`. */
export function nested(frame: Frame, levels: readonly Field[], look: Look): NestedMembers {
  const tops = treeOf(frame, levels);
  const paints = paintsOf(look);
  const painted = new Map(
    tops.map((top, index) => [
      top,
      paints(top.field === null ? look.theme.mainColor : memberColor(frame, look, top.field, top.cell), index),
    ]),
  );
  const root = hierarchy(whole(tops), ({ children }) => [...children])
    .sum(({ children, value }) => (children.length === 0 ? value : 0))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  return {
    root,
    paint: (node) => {
      let top = node;
      while (top.parent !== null && top.depth > 1) top = top.parent;
      return painted.get(top.data) ?? paints(look.theme.mainColor, 0);
    },
  };
}

/** What ECharts is told of a member: how it is called, its value as number and text, and its mark. */
export const datumOf = ({ data: { name, text, mark }, value = 0 }: HierarchyNode<Branch>): Record<string, unknown> => ({
  name,
  value,
  text,
  mark,
});
