import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import type { ModelColumn, ModelDataset } from '@inlay/query';
import { Problem } from '../../problems/problem.ts';
import { rowFilter, type FoundFilter } from '../../access/filter-kinds.ts';
import type { Alternatives } from '../model/parts.ts';
import { parameterValues, rowFilters, visibleModel } from './row-filters.ts';

const dataset = '01890a5d-ac96-774b-bcce-000000000001';
const other = '01890a5d-ac96-774b-bcce-000000000002';
const region = '01890a5d-ac96-774b-bcce-00000000000a';
const secret = '01890a5d-ac96-774b-bcce-00000000000b';

const column = (id: string): ModelColumn => ({
  id,
  datasetId: dataset,
  source: id,
  type: 'hierarchy',
  subtype: null,
  storageType: 'text',
  expression: null,
  separator: null,
  joins: [],
});
const model: ModelDataset = {
  id: dataset,
  columns: new Map([region, secret].map((id) => [id, column(id)])),
  formulas: new Map(),
};
const filter = (more: JsonObject = {}): JsonObject => ({
  securable_id: dataset,
  column_id: region,
  expression: '? = ?',
  value: 'North',
  ...more,
});

const bounded = (of: ModelDataset) => new Map([[dataset, { model: of, isShared: false }]]);
const applied = (filters: readonly FoundFilter[], overrides: JsonObject = {}, seen = model) =>
  rowFilters({ filters, grantPaths: new Map(), lookups: new Map() }, parameterValues(overrides), bounded(seen), [
    dataset,
  ]);
const opened = (...parties: readonly Alternatives[]) =>
  rowFilters(
    { filters: [], grantPaths: new Map([[dataset, parties]]), lookups: new Map() },
    new Map(),
    bounded(model),
    [dataset],
  );

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error.data.code;
    throw error;
  }
  return 'not refused';
};

describe('row filters', () => {
  it('all hold, wherever they come from', () => {
    const found = [rowFilter(null, filter()), rowFilter(dataset, filter({ expression: '? != ?', value: 'South' }))];
    expect(applied(found).get(dataset)).toHaveLength(2);
  });

  it('of datasets that are not asked about do not matter', () => {
    expect(applied([rowFilter(null, filter({ securable_id: other }))]).size).toBe(0);
  });

  it('take the value of the token over the default, by either name', () => {
    const value = { parameter: 'metadata.region', value: 'default' };
    for (const overrides of [{ 'metadata.region': 'own' }, { region: 'own' }])
      expect(applied([rowFilter(null, filter({ value }))], overrides).get(dataset)).toMatchObject([
        { operand: { kind: 'value', value: 'own' } },
      ]);
    expect(applied([rowFilter(null, filter({ value }))]).get(dataset)).toMatchObject([
      { operand: { value: 'default' } },
    ]);
  });

  it('refuse the query where the token says null, even if there is a default', () => {
    const value = { parameter: 'metadata.region', value: 'default' };
    for (const overrides of [{ 'metadata.region': null }, { region: null }])
      expect(refusal(() => applied([rowFilter(null, filter({ value }))], overrides))).toBe('parameter_missing');
  });

  it.each<[string, JsonObject, string]>([
    ['no value and no default', { value: { parameter: 'metadata.region' } }, 'parameter_missing'],
    ['a misspelt expression', { expression: '? is ?' }, 'row_filter_invalid'],
    ['no expression', { expression: null }, 'row_filter_invalid'],
    ['a column that is gone', { column_id: other }, 'row_filter_invalid'],
    ['no column', { column_id: null }, 'row_filter_invalid'],
    ['no dataset', { securable_id: null }, 'row_filter_invalid'],
    ['a value that is none', { value: { unit: 'year' } }, 'row_filter_invalid'],
  ])('with %s refuse the query', (_what, more, code) => {
    expect(refusal(() => applied([rowFilter(null, filter(more))]))).toBe(code);
  });

  it('on the link of one dataset that name another refuse the query', () => {
    expect(refusal(() => applied([rowFilter(other, filter())]))).toBe('row_filter_invalid');
  });

  it('that are no filter at all refuse the query', () => {
    expect(refusal(() => applied([rowFilter(dataset, {})]))).toBe('row_filter_invalid');
  });

  it('reach columns that are hidden from the caller, which queries do not', () => {
    const seen = visibleModel(model, new Set([secret]));
    expect([...seen.columns.keys()]).toEqual([region]);
    const found = [rowFilter(null, filter({ column_id: secret }))];
    expect(applied(found).get(dataset)).toHaveLength(1);
  });

  it('of givers hold together, one giver or another for each who must hold the right', () => {
    const north = rowFilter(null, filter());
    const south = rowFilter(dataset, filter({ value: 'South' }));
    expect(opened([[north], [north, south]], [[south]]).get(dataset)).toMatchObject([
      {
        kind: 'any',
        of: [
          { kind: 'all', of: [{}] },
          { kind: 'all', of: [{}, {}] },
        ],
      },
      { kind: 'any', of: [{ kind: 'all', of: [{}] }] },
    ]);
  });

  it('refuse the query where no way opens the dataset any more', () => {
    expect(refusal(() => opened([]))).toBe('forbidden');
  });

  it('are followed over ten links in a row, and refuse what is further away', () => {
    const idOf = (place: number): string => `01890a5d-ac96-774b-bcce-0000000001${String(place).padStart(2, '0')}`;
    const away = (steps: number) => {
      const ids = Array.from({ length: steps + 1 }, (_, place) => idOf(place));
      const datasets = ids.map((id, place): ModelDataset => {
        const joins = place < steps ? [{ datasetId: idOf(place + 1), columnId: region, type: 'lookup' as const }] : [];
        return { id, columns: new Map([[region, { ...column(region), datasetId: id, joins }]]), formulas: new Map() };
      });
      const lookups = new Map(ids.slice(0, -1).map((id, place) => [id, [idOf(place + 1)]]));
      const found = [rowFilter(null, filter({ securable_id: idOf(steps) }))];
      const whole = new Map(datasets.map((model) => [model.id, { model, isShared: false }]));
      return rowFilters({ filters: found, grantPaths: new Map(), lookups }, new Map(), whole, [idOf(0)]);
    };
    expect(away(10).get(idOf(0))).toHaveLength(1);
    expect(refusal(() => away(11))).toBe('row_filter_invalid');
  });
});
