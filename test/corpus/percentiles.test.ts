import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emit, parseQueries, plan, unsupportedBy, type Model, type Plan } from '@inlay/query';
import { answerRows, engineNames, missingEngine, openEngine, type Engine } from './engines.ts';

/** Two groups of numbers with doubles and nulls, in no order. */
const rows: readonly (readonly [string, number | null])[] = [
  ...[7, 1.5, -3, 12, 4, 4, 9, 100, 0.25, 6, null].map((value) => ['many', value] as const),
  ...[null, 5].map((value) => ['one', value] as const),
  ['none', null],
];
const columns = [
  { name: 'kind', storageType: 'text', type: 'hierarchy' },
  { name: 'n', storageType: 'double', type: 'numeric' },
] as const;
const model: Model = {
  datasets: new Map([
    [
      'many',
      {
        id: 'many',
        formulas: new Map(),
        columns: new Map(
          columns.map(({ name, storageType, type }) => [
            name,
            {
              id: name,
              datasetId: 'many',
              source: name,
              type,
              storageType,
              subtype: null,
              expression: null,
              separator: null,
              joins: [],
            },
          ]),
        ),
      },
    ],
  ]),
};

function planned(formula: string): Plan {
  const { queries, faults } = parseQueries({
    dimensions: [{ dataset_id: 'many', column_id: 'kind' }],
    measures: [{ dataset_id: 'many', formula }],
  });
  const [query] = queries;
  if (query === undefined || faults.length > 0) throw new Error(JSON.stringify(faults));
  const context = { nowMs: 0, timeZone: 'UTC', weekstart: 1, locale: 'en' };
  return plan(query, model, { ...context, rowLimit: 10, rowFilters: new Map() });
}

/** The value at a share of the sorted values, between two of them in proportion. */
function percentileOf(kind: string, percent: number): number | null {
  const values = rows.flatMap(([of, value]) => (of === kind && value !== null ? [value] : []));
  const sorted = values.toSorted((left, right) => left - right);
  const place = (percent / 100) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place));
}

for (const name of engineNames)
  describe.skipIf(missingEngine(name) !== null)(`percentiles on ${name}`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine(name);
      const valuesOf = (index: 0 | 1) => rows.find((row) => row[index] !== null)?.[index] ?? null;
      await engine.create({
        name: 'many',
        columns: columns.map((column, index) => ({ ...column, value: valuesOf(index === 0 ? 0 : 1) })),
        rows,
      });
    });
    afterAll(() => engine.close());

    it.each([0, 10, 37.5, 50, 90, 99, 100])('%s percent of the values of a group lie below', async (percent) => {
      const made = planned(`percentile({n}, ${percent})`);
      const why = unsupportedBy(made, engine.dialect);
      if (name === 'mysql' || name === 'trino') {
        expect(why).toContain('percentile');
        return;
      }
      expect(why).toBeNull();
      const statement = emit(made, engine.dialect, (id) => ({ kind: 'table', path: [id] }), 'rows');
      const kinds = ['many', 'none', 'one'];
      const found = (await answerRows(engine, statement)).map((row) => JSON.stringify(row)).toSorted();
      expect(found).toHaveLength(kinds.length);
      for (const [index, kind] of kinds.entries()) {
        const [, cell = ''] = /^\[\{"id":"\w+".*\},(.*)\]$/u.exec(found[index] ?? '') ?? [];
        const expected = percentileOf(kind, percent);
        expect(found[index]).toContain(`"id":"${kind}"`);
        if (expected === null) expect(cell).toBe('null');
        else expect(Number(cell)).toBeCloseTo(expected, 9);
      }
    });
  });
