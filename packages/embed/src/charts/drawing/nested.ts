import { hierarchy, type HierarchyNode } from 'd3-hierarchy';
import { memberColor } from '../colors/mark-color.ts';
import { paintsOf, type Paint } from './paint.ts';
import { treeOf, type Branch } from './tree.ts';
import type { SizedContext } from '../frame/chart.ts';
import type { Field, Frame } from '../frame/frame.ts';

/** Nested members, the largest first. Each has the colour of its ancestor on the first level. */
export interface NestedMembers {
  readonly root: HierarchyNode<Branch>;
  readonly paint: (node: HierarchyNode<Branch>) => Paint;
}

const rootBranch = (children: readonly Branch[]): Branch => ({
  name: '',
  value: 0,
  text: '',
  field: null,
  cell: null,
  mark: () => ({ cells: [] }),
  children,
});

/** Converts rows to a hierarchy with one depth per level, under an invisible root. */
export function nested(frame: Frame, levels: readonly Field[], context: SizedContext): NestedMembers {
  const tops = treeOf(frame, levels);
  const paints = paintsOf(context);
  const paintByTop = new Map(
    tops.map((top, index) => [
      top,
      paints(top.field === null ? context.theme.mainColor : memberColor(frame, context, top.field, top.cell), index),
    ]),
  );
  const root = hierarchy(rootBranch(tops), ({ children }) => [...children])
    .sum(({ children, value }) => (children.length === 0 ? value : 0))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  return {
    root,
    paint: (node) => {
      let top = node;
      while (top.parent !== null && top.depth > 1) top = top.parent;
      return paintByTop.get(top.data) ?? paints(context.theme.mainColor, 0);
    },
  };
}

/** ECharts datum of a member: its name, value and mark. */
export const datumOf = ({ data: { name, text, mark }, value = 0 }: HierarchyNode<Branch>): Record<string, unknown> => ({
  name,
  value,
  text,
  mark,
});
