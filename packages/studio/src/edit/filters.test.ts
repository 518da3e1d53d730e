import { objectOr, type Json, type JsonObject } from '@inlay/contract';
import { apply, ChangeError, DashboardModel, invert, type Change } from '@inlay/contract/change';
import { expect, it } from 'vitest';
import {
  alternative,
  dashboardFilterAddition,
  dashboardFilters,
  filterReplacement,
  itemFilterAddition,
  itemFilters,
  type FilterNode,
} from './changes/filters.ts';

const on = (columnId: string, value: Json = 1): JsonObject => ({
  expression: '? = ?',
  parameters: [{ dataset_id: 'd', column_id: columnId }, value],
});
const item = (id: string, more: JsonObject = {}): JsonObject => ({ id, type: 'bar-chart', slots: [], ...more });
const modelOf = (views: readonly JsonObject[], more: JsonObject = {}): DashboardModel =>
  DashboardModel.read(JSON.stringify({ views: [...views], ...more }, null, 1));
const view = (screenModus: string, items: readonly JsonObject[], filterGroups: readonly Json[] = []): JsonObject => ({
  screenModus,
  filterGroups: [...filterGroups],
  items: [...items],
});
const ids = (() => {
  let next = 0;
  return () => `new-${(next += 1)}`;
})();
/** Carries out a change, and checks that taking it back gives the text before. */
function after(model: DashboardModel, change: Change): DashboardModel {
  const changed = apply(model, change);
  expect(apply(changed, invert(model, change)).text).toBe(model.text);
  return changed;
}
const shape = ({ join, value, of }: FilterNode): Json =>
  join === null ? (value['parameters'] ?? null) : { [join]: of.map(shape) };
const columnsOf = (nodes: readonly FilterNode[]): string =>
  JSON.stringify(nodes.map(shape)).replaceAll(/\[\{"dataset_id":"d","column_id":"(\w+)"\},\d+\]/gu, '$1');

it('adds filters to an item and to the dashboard, in each view that has items', () => {
  const model = modelOf([view('desktop', [item('a')]), view('tablet', [item('a')]), view('mobile', [])]);
  const one = after(model, itemFilterAddition(model, 'desktop', 'a', on('x'), ids));
  const two = after(one, dashboardFilterAddition(one, 'mobile', on('y'), ids));
  const three = after(two, dashboardFilterAddition(two, 'desktop', on('z'), ids));
  for (const mode of ['desktop', 'tablet', 'mobile'] as const) {
    expect(columnsOf(itemFilters(three, mode, 'a'))).toBe('[x]');
    expect(columnsOf(dashboardFilters(three, mode))).toBe('[y,z]');
  }
  expect(objectOr(three.views[2]?.value)['filterGroups']).toEqual([]);
  const apart = modelOf([view('desktop', [item('a')]), view('tablet', [item('a')])], { syncScreenModes: false });
  const changed = after(apart, dashboardFilterAddition(apart, 'tablet', on('y'), ids));
  expect(columnsOf(dashboardFilters(changed, 'desktop'))).toBe('[]');
});

it('joins alternatives, and changes and removes what is joined', () => {
  const first = modelOf([view('desktop', [item('a', { filters: [on('x')] })])]);
  const nodeAt = (model: DashboardModel, ...path: readonly number[]): FilterNode => {
    const [start = 0, ...rest] = path;
    const top = itemFilters(model, 'desktop', 'a')[start];
    const found = rest.reduce<FilterNode | undefined>((node, index) => node?.of[index], top);
    if (found === undefined) throw new Error('there is no such filter');
    return found;
  };
  const second = after(first, alternative(first, nodeAt(first, 0), on('y'), ids));
  const third = after(second, alternative(second, nodeAt(second, 0), on('z'), ids));
  expect(columnsOf(itemFilters(third, 'desktop', 'a'))).toBe('[{"or":[x,y,z]}]');
  const fourth = after(third, filterReplacement(third, nodeAt(third, 0, 1), on('w')));
  expect(columnsOf(itemFilters(fourth, 'desktop', 'a'))).toBe('[{"or":[x,w,z]}]');
  const fifth = after(fourth, filterReplacement(fourth, nodeAt(fourth, 0, 0), null));
  const sixth = after(fifth, filterReplacement(fifth, nodeAt(fifth, 0, 0), null));
  expect(columnsOf(itemFilters(sixth, 'desktop', 'a'))).toBe('[z]');
  const seventh = after(sixth, filterReplacement(sixth, nodeAt(sixth, 0), null));
  expect(columnsOf(itemFilters(seventh, 'desktop', 'a'))).toBe('[]');
});

it('shows the filters of groups, however they are joined, and removes a group with its last filter', () => {
  const groups = [
    { origin: 'global', condition: 'or', filters: [on('x'), { and: [on('y'), on('z')] }] },
    { origin: 'itemFilter', itemId: 'a', filters: [on('v')] },
    { filters: [on('w')], subGroups: [{ condition: 'or', filters: [on('s'), on('t')] }] },
  ];
  const model = modelOf([view('desktop', [item('a')], groups)]);
  const nodes = dashboardFilters(model, 'desktop');
  expect(columnsOf(nodes)).toBe('[{"or":[x,{"and":[y,z]}]},w,{"or":[s,t]}]');
  expect(columnsOf(itemFilters(model, 'desktop', 'a'))).toBe('[v]');
  const [own] = itemFilters(model, 'desktop', 'a');
  const [either] = nodes;
  if (own === undefined || either === undefined) throw new Error('there are no filters');
  const one = after(model, filterReplacement(model, own, null));
  expect(one.views[0]?.parts.filter(({ kind }) => kind === 'group')).toHaveLength(2);
  // An entry that cannot be read may have been meant to hide rows.
  const unread = modelOf([view('desktop', [item('a')], [{ filters: [on('x'), 'unreadable'] }])]);
  const [readable] = dashboardFilters(unread, 'desktop');
  if (readable === undefined) throw new Error('there is no filter');
  expect(() => apply(unread, filterReplacement(unread, readable, null))).toThrow(ChangeError);
  const two = after(model, alternative(model, either, on('u'), ids));
  expect(columnsOf(dashboardFilters(two, 'desktop').slice(0, 1))).toBe('[{"or":[x,{"and":[y,z]},u]}]');
});
