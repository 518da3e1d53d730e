import { describe, expect, it } from 'vitest';
import { groupsOf, placedGroups } from '../../item/view-groups.ts';
import type { Json, JsonObject } from '../../json.ts';
import { areReadable, filtersFor, readFilterGroups } from './filter.ts';

const filter = (datasetId: string, columnId: string): JsonObject => ({
  expression: '? = ?',
  parameters: [{ datasetId, columnId }, 1],
});
const asked = (datasetId: string, columnId: string): JsonObject => ({
  expression: '? = ?',
  parameters: [{ dataset_id: datasetId, column_id: columnId }, 1],
});

describe('filters that are stored with a dashboard', () => {
  const narrowing = (groups: readonly JsonObject[], ...datasets: readonly string[]) =>
    filtersFor('item', new Set(datasets), readFilterGroups(groups)).where;

  it('narrow an item by those on its own datasets, where all of them hold', () => {
    const groups = [
      { condition: 'and', filters: [filter('a', 'x'), filter('b', 'y')], subGroups: [{ filters: [filter('a', 'z')] }] },
    ];
    expect(narrowing(groups, 'a')).toEqual([asked('a', 'x'), asked('a', 'z')]);
    expect(narrowing(groups, 'a', 'b')).toHaveLength(3);
    expect(narrowing(groups, 'c')).toEqual([]);
  });

  it('are not taken apart where one of them is enough', () => {
    const groups = [{ condition: 'or', filters: [filter('a', 'x'), filter('b', 'y')] }];
    expect(narrowing(groups, 'a')).toEqual([]);
    expect(narrowing(groups, 'a', 'b')).toEqual([{ or: [asked('a', 'x'), asked('b', 'y')] }]);
  });

  it('are readable only as a whole', () => {
    expect(areReadable([])).toBe(true);
    expect(areReadable([{ filters: [filter('a', 'x')], subGroups: [{ filters: [] }] }])).toBe(true);
    for (const groups of [
      'text',
      [7],
      [{ filters: [7] }],
      [{ filters: [{ ...filter('a', 'x'), expression: 1 }] }],
      [{ subGroups: [{ filters: [{ expression: '? = ?', parameters: [{ datasetId: 'a' }, 1] }] }] }],
      [{ subGroups: 'text' }],
      [{ filters: filter('a', 'x') }],
    ])
      expect(areReadable(groups)).toBe(false);
  });
});

describe('filters that are stored with an item', () => {
  const view = {
    filterGroups: [{ condition: 'and', filters: [filter('a', 'x')] }],
    items: [
      { id: 'one', type: 'bar-chart', filters: [filter('a', 'y'), { or: [filter('a', 'z'), filter('a', 'w')] }] },
      { type: 'bar-chart', filters: [filter('a', 'v')] },
      { id: 'three', type: 'bar-chart', filters: [] },
    ],
  };

  it('narrow that item alone, beside those of the view', () => {
    const of = (id: string) => filtersFor(id, new Set(['a']), readFilterGroups(groupsOf(view))).where;
    expect(of('one')).toEqual([asked('a', 'x'), asked('a', 'y'), { or: [asked('a', 'z'), asked('a', 'w')] }]);
    expect(of('item-1')).toEqual([asked('a', 'x'), asked('a', 'v')]);
    expect(of('three')).toEqual([asked('a', 'x')]);
    expect(placedGroups(view).map(({ path }) => path)).toEqual(['filterGroups[0]', 'items[0]', 'items[1]']);
  });

  it('are readable only as a whole', () => {
    const readable = (filters: Json): boolean => areReadable(groupsOf({ items: [{ id: 'one', filters }] }));
    expect(readable([filter('a', 'x'), { and: [filter('a', 'x'), { or: [filter('a', 'y')] }] }])).toBe(true);
    for (const filters of [
      'text',
      [7],
      [{ or: [] }],
      [{ or: [7] }],
      [{ and: [filter('a', 'x')], or: [filter('a', 'y')] }],
      [{ ...filter('a', 'x'), and: [filter('a', 'y')] }],
    ])
      expect(readable(filters)).toBe(false);
    expect(areReadable(groupsOf({ filterGroups: 'text' }))).toBe(false);
  });
});
