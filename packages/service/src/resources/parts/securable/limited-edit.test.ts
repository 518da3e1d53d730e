import type { JsonObject } from '@inlay/contract';
import { expect, it } from 'vitest';
import { changedFormulas, editedParts, hasTooManyObjects, type EditedPart } from './limited-edit.ts';

/** Contents with many items, at a column and with a legend. */
const contents = (col: number, legend: string): JsonObject => ({
  version: '0.1.99',
  views: [
    {
      screenModus: 'desktop',
      items: Array.from({ length: 200 }, (_, index) => ({
        id: `item-${index}`,
        type: 'bar-chart',
        position: { col, row: index * 8, sizeX: 12, sizeY: 8 },
        options: { legend },
        slots: [{ name: 'measure', content: [{ id: 'entry', columnId: `column-${index}`, datasetId: 'sales' }] }],
      })),
    },
  ],
});
const partsOf = (stored: JsonObject, sent: JsonObject): readonly EditedPart[] => {
  const both = { stored, sent };
  return editedParts(both, both);
};

it('tells the place of each item that one gesture moves, however many they are', () => {
  const parts = partsOf(contents(0, 'auto'), contents(1, 'auto'));
  expect(parts).toHaveLength(200);
  expect(parts.every((part) => part.class === 'layout')).toBe(true);
  expect(parts[7]?.path).toBe('.views[0].items[7].position');
});

it('takes a change that is too large to be compared for one of everything', () => {
  const [part, ...others] = partsOf(contents(0, 'auto'), contents(1, 'none'));
  expect(others).toEqual([]);
  expect(part).toMatchObject({ class: 'formula', path: '' });
  expect(part?.unread).toContain('too much at once');
});

it('names each formula that contents gain or lose, wherever it stands', () => {
  const entry = (formula: string): JsonObject => ({ datasetId: 'sales', formula });
  const views = (...formulas: readonly string[]): JsonObject => ({
    views: [{ items: [{ slots: [{ content: formulas.map(entry) }], options: { sort: { formulaId: 'stored' } } }] }],
  });
  const [one, two] = [views('sum({a})'), views('sum({a})', 'sum({b})')];
  expect(changedFormulas({ stored: one, sent: two })).toEqual(['.views[0].items[0].slots[0].content[1].formula']);
  expect(changedFormulas({ stored: two, sent: one })).toEqual(['.views[0].items[0].slots[0].content[1].formula']);
  expect(changedFormulas({ stored: two, sent: views('sum({b})', 'sum({a})') })).toEqual([]);
  expect(changedFormulas({ stored: null, sent: { views: [] } })).toEqual([]);
});

it('lets no item gain or lose an id, which opens its rows to readers', () => {
  const of = (id: JsonObject): JsonObject => ({
    version: '0.1.99',
    views: [{ screenModus: 'desktop', items: [{ ...id, type: 'bar-chart', position: { col: 0, row: 0 }, slots: [] }] }],
  });
  const [without, derived] = [of({}), of({ id: 'bar-chart-0-0' })];
  for (const [stored, sent] of [
    [without, derived],
    [derived, without],
  ] as const)
    expect(partsOf(stored, sent)).toMatchObject([{ class: 'formula', unread: expect.stringContaining('other ids') }]);
  expect(partsOf(derived, derived)).toEqual([]);
});

it('does not compare contents with too many objects', () => {
  const filters = (count: number): JsonObject => ({ filterGroups: Array.from({ length: count }, () => ({})) });
  expect(hasTooManyObjects(filters(9_999))).toBe(false);
  expect(hasTooManyObjects(filters(10_000))).toBe(true);
});
