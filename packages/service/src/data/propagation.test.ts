import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  emit,
  plan,
  planKeys,
  type QueryContext,
  type Model,
  type ModelColumn,
  type ModelDataset,
  type Query,
  type RowFilter,
} from '@inlay/query';
import { engineNames, missingEngine, openEngine, type Engine } from '../../../../test/corpus/engines.ts';
import { counted } from '../../../../test/support/counts.ts';
import { drawSchema, visibleRows, type LinkedRow, type LinkedSchema } from '../../../../test/support/linked-schema.ts';
import { randomOf } from '../../../../test/support/tenant-queries.ts';
import { parameterValues, rowFilters } from './row-filters/row-filters.ts';

const fail = (): never => {
  throw new Error('no such dataset');
};
const idOf = (dataset: number): string => `01890a5d-ac96-774b-bcce-0000000000${String(dataset).padStart(2, '0')}`;
const names = ['id', 'tenant', 'left', 'right', 'amount'] as const;
const columnId = (dataset: number, name: (typeof names)[number]): string =>
  `01890a5d-ac96-774b-bcc${names.indexOf(name)}-0000000000${String(dataset).padStart(2, '0')}`;

/**
 * `left` refers to keys of the same type; `right` stores them as texts, so that keys of different types are compared.
 */
const storageTypeOf = (name: (typeof names)[number]): 'text' | 'integer' =>
  name === 'tenant' || name === 'right' ? 'text' : 'integer';

function modelOf({ datasets, links }: LinkedSchema): Model {
  const made = datasets.map((_, place): ModelDataset => {
    const columns = names.map((name): ModelColumn => {
      const joins = links
        .filter(({ from, column }) => from === place && column === name)
        .map(({ to, type }) => ({ datasetId: idOf(to), columnId: columnId(to, 'id'), type }));
      const storageType = storageTypeOf(name);
      return {
        id: columnId(place, name),
        datasetId: idOf(place),
        source: name,
        storageType,
        joins,
        type: storageType === 'text' ? 'hierarchy' : 'numeric',
        subtype: null,
        expression: null,
        separator: null,
      };
    });
    return { id: idOf(place), columns: new Map(columns.map((one) => [one.id, one])), formulas: new Map() };
  });
  return { datasets: new Map(made.map((one) => [one.id, one])) };
}

const bounds = ({ filters, links }: LinkedSchema) => ({
  grantPaths: new Map(),
  filters: filters.map(({ dataset, value, propagate }) => ({
    kind: 'row' as const,
    on: null,
    filter: {
      securable_id: idOf(dataset),
      column_id: columnId(dataset, 'tenant'),
      expression: '? = ?',
      value,
      propagate,
    },
  })),
  lookups: new Map(
    Object.entries(
      Object.groupBy(
        links.filter(({ type }) => type === 'lookup'),
        ({ from }) => idOf(from),
      ),
    ).map(([id, some]) => [id, (some ?? []).map(({ to }) => idOf(to))]),
  ),
});

const amounts = (dataset: number): Query => {
  const on = { datasetId: idOf(dataset), columnId: columnId(dataset, 'amount'), level: null };
  return {
    dimensions: [],
    where: [],
    having: [],
    order: [],
    limit: { by: null, offset: 0 },
    measures: [{ kind: 'column', on, aggregation: null, second: null }],
    options: { localeId: null, timezoneId: null, rollupData: false, weekstart: null },
  };
};

/** Resolves row filters whose lookups between odd and even datasets are key lists read by `rows`. */
async function withKeys(
  filter: RowFilter,
  context: QueryContext & { readonly wholeModel: Model },
  rows: (planned: ReturnType<typeof plan>) => Promise<readonly (readonly unknown[])[]>,
): Promise<RowFilter> {
  if (filter.kind === 'test' || filter.kind === 'keys' || filter.kind === 'empty') return filter;
  const of: RowFilter[] = [];
  for (const one of filter.of) of.push(await withKeys(one, context, rows));
  if (filter.kind !== 'lookup') return { ...filter, of };
  const isOdd = (id: string): boolean => Number(id.slice(-2)) % 2 === 1;
  const inner = { ...filter, of };
  if (isOdd(filter.from.datasetId) === isOdd(filter.to.datasetId)) return inner;
  const found = planKeys(inner, context, 1000) ?? fail();
  const keys = (await rows(found.plan)).map(([key]) => String(key));
  return { kind: 'keys', from: filter.from, type: found.type, keys };
}

const valuesOf = (row: LinkedRow) =>
  names.map((name) => (name === 'right' ? (row.right?.toString() ?? null) : row[name]));

for (const name of engineNames) {
  const missing = missingEngine(name);
  describe.skipIf(missing !== null)(`row filters along links in ${name}`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine(name);
    });
    afterAll(() => engine.close());

    test('show the rows that going through the datasets one by one shows', async () => {
      let bounded = 0;
      const schemas = counted(25, 1500);
      for (let seed = 1; seed <= schemas; seed += 1) {
        const schema = drawSchema(randomOf(seed));
        const model = modelOf(schema);
        const columns = names.map((one) => ({ name: one, storageType: storageTypeOf(one) }));
        for (const [place, rows] of schema.datasets.entries())
          await engine.create({ name: `d${place}`, columns, rows: rows.map(valuesOf) });
        const ids = [...model.datasets.keys()];
        const whole = new Map([...model.datasets].map(([id, one]) => [id, { model: one, isShared: false }]));
        for (const [place, rows] of schema.datasets.entries()) {
          const filters = rowFilters(bounds(schema), parameterValues({}), whole, [idOf(place)]);
          const context = {
            nowMs: 0,
            timeZone: 'UTC',
            weekstart: 1,
            locale: 'en',
            rowLimit: 1000,
            rowFilters: filters,
            wholeModel: model,
          };
          const own: Model = { datasets: new Map([[idOf(place), model.datasets.get(idOf(place)) ?? fail()]]) };
          const relation = (id: string) => ({ kind: 'table' as const, path: [`d${ids.indexOf(id)}`] });
          const answered = async (planned: ReturnType<typeof plan>) => {
            const { sql, params } = emit(planned, engine.dialect, relation, 'rows');
            return engine.rows(sql, params);
          };
          const found = (await answered(plan(amounts(place), own, context))).map(([amount]) => Number(amount));
          const sent = new Map<string, readonly RowFilter[]>();
          for (const [id, all] of filters)
            sent.set(id, await Promise.all(all.map((one) => withKeys(one, context, answered))));
          const asKeys = await answered(plan(amounts(place), own, { ...context, rowFilters: sent }));
          const expected = visibleRows(schema, place);
          if (expected.length < rows.length) bounded += 1;
          const sorted = (of: readonly number[]) => of.toSorted((one, other) => one - other);
          expect(sorted(found), `seed ${seed}, dataset ${place}`).toEqual(sorted(expected.map(({ amount }) => amount)));
          const listed = asKeys.map(([amount]) => Number(amount));
          expect(sorted(listed), `seed ${seed}, dataset ${place}, by keys`).toEqual(sorted(found));
        }
        for (const place of schema.datasets.keys()) await engine.drop(`d${place}`);
      }
      expect(bounded).toBeGreaterThan(schemas);
    }, 1_200_000);
  });
}
