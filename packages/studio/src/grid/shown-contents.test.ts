import type { JsonObject } from '@inlay/contract';
import { DashboardModel } from '@inlay/contract/change';
import { expect, it } from 'vitest';
import { rowKeysIn, ShownContents, StoredItems } from './shown-contents.ts';

const none: ReadonlyMap<string, string> = new Map();
const item = (id: string, columnId: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'bar-chart',
  slots: [{ name: 'y-axis', content: [{ columnId, datasetId: 'sales', ...more }] }],
});
const contents = (...items: readonly JsonObject[]): JsonObject => ({ views: [{ screenModus: 'desktop', items }] });
const model = (...items: readonly JsonObject[]): DashboardModel =>
  DashboardModel.read(JSON.stringify(contents(...items)));
const labelOf = (shown: JsonObject, index: number): unknown =>
  JSON.parse(JSON.stringify(shown)).views[0].items[index].slots[0].content[0].label;

it('finds what the service filled in by the id of an item, wherever it stands', () => {
  const edited = model(item('a', 'region'), item('b', 'product'));
  const answer = contents(item('b', 'product', { label: 'Product' }), item('a', 'region', { label: 'Region' }));
  const shown = new ShownContents(edited, answer, false);
  expect(shown.covers(edited, none)).toBe(true);
  expect([0, 1].map((index) => labelOf(shown.contents(edited, none), index))).toEqual(['Region', 'Product']);
});

it('does not show an item with the columns that somebody else has given it since', () => {
  const edited = model(item('a', 'region'));
  const answer = contents(item('a', 'product', { label: 'Product' }));
  const shown = new ShownContents(edited, answer, false);
  expect(shown.covers(edited, none)).toBe(false);
  expect(labelOf(shown.contents(edited, none), 0)).toBeUndefined();
  const stored = new StoredItems(edited, answer);
  const keyOf = (shownItem: JsonObject): string => rowKeysIn({ items: [shownItem] }).get('a') ?? '';
  expect(stored.idOf('a', keyOf(item('a', 'region')), none)).toBeNull();
  expect(stored.idOf('a', keyOf(item('a', 'product', { label: 'Product' })), none)).toBe('a');
});

it('shows an item as it is written until the service has filled in what changed', () => {
  const edited = model(item('a', 'region'));
  const shown = new ShownContents(edited, contents(item('a', 'region', { label: 'Region' })), true);
  const changed = model(item('a', 'product'));
  expect(shown.covers(changed, none)).toBe(false);
  expect(labelOf(shown.contents(changed, none), 0)).toBeUndefined();
  const copied = model(item('a', 'region'), item('copy', 'region'));
  expect(shown.covers(copied, new Map([['copy', 'a']]))).toBe(true);
  expect(labelOf(shown.contents(copied, new Map([['copy', 'a']])), 1)).toBe('Region');
});
