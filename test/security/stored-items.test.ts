import { beforeAll, describe, expect, it } from 'vitest';
import { inWords, isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { inSlot, item, sales, slot, type ColumnName, type Sale, type SalesDataset } from '../browser/sales.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { pushSales, salesContents } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';
import { randomOf, type Random } from '../support/tenant-queries.ts';
import { part } from '../support/world.ts';

const asked = counted(500, 10_000);
const together = 20;
const names = ['day', 'region', 'product', 'revenue', 'quantity'] as const satisfies readonly ColumnName[];

/** What the stored items ask, written by hand. */
interface Meaning {
  readonly by: readonly ColumnName[];
  /** Levels at which the only dimension may be seen. */
  readonly levels: readonly number[];
  readonly of: (rows: readonly Sale[]) => readonly number[];
  readonly most: number;
  readonly raw?: true;
}

const sumOf = (rows: readonly Sale[]): number => rows.reduce((sum, { revenue }) => sum + revenue, 0);
const least = (rows: readonly Sale[]): number => Math.min(...rows.map(({ revenue }) => revenue));
const largest = (rows: readonly Sale[]): number => Math.max(...rows.map(({ revenue }) => revenue));
const meanings: Readonly<Record<string, Meaning>> = {
  Regions: { by: ['region'], levels: [], of: (rows) => [sumOf(rows)], most: 10_000 },
  Years: { by: ['day'], levels: [1, 2, 3], of: (rows) => [sumOf(rows)], most: 10_000 },
  Product: { by: ['product'], levels: [], of: () => [], most: 10_000 },
  Top: { by: ['product'], levels: [], of: (rows) => [sumOf(rows)], most: 2 },
  Rows: { by: ['region'], levels: [], of: ([row]) => [row?.revenue ?? Number.NaN], most: 10_000, raw: true },
  Amount: { by: [], levels: [], of: (rows) => [least(rows), largest(rows)], most: 10_000 },
};
/** What the items show or filter by: nobody shows the quantity. */
const shown: readonly ColumnName[] = ['day', 'region', 'product', 'revenue'];

type Pick = Random['pick'];

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

describe.each(storesToTest)('mutated queries of a reader on %s', (store) => {
  const api = useApi(store);
  let dataset: SalesDataset;
  let foreign: SalesDataset;
  let dashboard: string;
  let elsewhere: string;
  let reader: Somebody;
  let bases: readonly JsonObject[];

  const column = (name: ColumnName, more: object = {}, of = dataset): JsonObject => ({
    dataset_id: of.id,
    column_id: of.columns[name],
    ...more,
  });
  const sum = { aggregation: { type: 'sum' } };

  beforeAll(async () => {
    dataset = await pushSales(api);
    foreign = await pushSales(api);
    const amount = item('Amount', 'slider-filter', [slot('slidermetric', inSlot(dataset, 'revenue'))], [0, 40, 8, 8]);
    const contents = salesContents(dataset);
    const [view] = isList(contents['views'] ?? null) && isList(contents['views']) ? contents['views'] : [];
    const items = isObject(view ?? null) && isObject(view) && isList(view['items']) ? view['items'] : [];
    const views = [{ ...(isObject(view) ? view : {}), items: [...items, amount] }];
    ({ id: dashboard } = await api.create('dashboard', { contents: { ...contents, views } }));
    ({ id: elsewhere } = await api.create('dashboard', { contents: salesContents(foreign) }));
    reader = await api.person({ flagMember: true });
    for (const id of [dashboard, elsewhere, dataset.id, foreign.id])
      await api.associate('securable', id, 'Users', reader.id, { flagRead: true });
    await api.dissociate('securable', elsewhere, 'Datasets', foreign.id);
    const of = (itemId: string, query: JsonObject): JsonObject => ({
      dashboard_id: dashboard,
      item_id: itemId,
      ...query,
    });
    bases = [
      of('Regions', { dimensions: [column('region')], measures: [column('revenue', sum)] }),
      of('Regions', {}),
      of('Years', { dimensions: [column('day', { level: 1 })], measures: [column('revenue', sum)] }),
      of('Years', { dimensions: [column('day', { level: 3 })], measures: [column('revenue', sum)] }),
      of('Product', { dimensions: [column('product')] }),
      of('Top', { dimensions: [column('product')], measures: [column('revenue', sum)], limit: { by: 2 } }),
      of('Top', {}),
      of('Rows', { dimensions: [column('region')], measures: [column('revenue')], options: { rollup_data: false } }),
      of('Amount', {
        measures: [
          column('revenue', { aggregation: { type: 'min' } }),
          column('revenue', { aggregation: { type: 'max' } }),
        ],
      }),
    ];
  });

  const valueFor = (name: ColumnName, pick: Pick): Json =>
    ({
      day: pick(['2024-05-04', '2025-01-01', '2026-03-03']),
      region: pick(['Asia', 'Europe', 'Africa', 'Nowhere']),
      product: pick(['Apples', 'Bread', 'Cheese']),
      revenue: pick([0.5, 20, 50.5, 99]),
      quantity: pick([1, 5, 11]),
    })[name];

  function filter(pick: Pick, depth = 0): JsonObject {
    const name = pick(pick([true, true, true, false]) ? shown : names);
    const kind = pick(depth > 1 ? ['one'] : ['one', 'one', 'one', 'and', 'or']);
    if (kind !== 'one') return { [kind]: [filter(pick, depth + 1), filter(pick, depth + 1)] };
    const on = column(name, {}, pick([dataset, dataset, dataset, dataset, dataset, dataset, foreign]));
    const expression = pick([
      '? = ?',
      '? != ?',
      '? in ?',
      '? not in ?',
      '? >= ?',
      '? < ?',
      '? is null',
      '? is not null',
    ]);
    if (expression.endsWith('null')) return { expression, parameters: [on] };
    const values = [valueFor(name, pick), valueFor(name, pick)];
    return { expression, parameters: [on, expression.includes('in') ? values : (values[0] ?? null)] };
  }

  const measure = (pick: Pick): JsonObject => {
    const of = pick([dataset, dataset, dataset, foreign]);
    return pick([
      column(
        pick(names),
        { aggregation: { type: pick(['sum', 'min', 'max', 'count', 'average', 'distinctcount']) } },
        of,
      ),
      column('revenue', { aggregation: { type: 'rate', column_id: of.columns.quantity, dataset_id: of.id } }, of),
      { dataset_id: of.id, column_id: '*', aggregation: { type: 'count' } },
      { dataset_id: of.id, formula: `sum({${of.columns.quantity}})` },
      column('revenue', sum),
    ]);
  };
  const order = (pick: Pick): JsonObject => ({
    ...pick([measure(pick), column(pick(names)), column('day', { level: pick([1, 2, 3, 5]) })]),
    order: pick(['asc', 'desc']),
  });

  type Mutation = (query: JsonObject, pick: Pick) => JsonObject;
  const inList =
    (name: string, change: (list: readonly Json[], pick: Pick) => readonly Json[]): Mutation =>
    (query, pick) => {
      const list = query[name] ?? [];
      return { ...query, [name]: change(isList(list) ? list : [], pick) };
    };
  const mutations: readonly Mutation[] = [
    inList('where', (list, pick) => [...list, filter(pick)]),
    inList('where', (list, pick) => [...list, filter(pick)]),
    inList('having', (list, pick) => [
      ...list,
      { expression: '? > ?', parameters: [pick([measure(pick), column('revenue', sum)]), pick([0, 500, 5000])] },
    ]),
    inList('measures', (list, pick) => [...list, measure(pick)]),
    inList('measures', (_list, pick) => [measure(pick)]),
    inList('measures', (list) => list.slice(1)),
    inList('dimensions', (list, pick) => [...list, column(pick(names))]),
    inList('dimensions', (_list, pick) => [column(pick(names))]),
    inList('dimensions', (list) => list.slice(1)),
    inList('dimensions', (list, pick) =>
      list.map((one) => (isObject(one) ? { ...one, level: pick([null, 1, 2, 3, 4, 5, 7, 'month', 'day']) } : one)),
    ),
    inList('dimensions', (list) =>
      list.map((one) => (isObject(one) ? { ...one, discretization: { type: 'linear', bins: 3 } } : one)),
    ),
    inList('order', (list, pick) => [...list, order(pick)]),
    (query, pick) => ({ ...query, limit: { by: pick([null, 0, 1, 2, 3, 20_000]), offset: pick([0, 0, 1, 2]) } }),
    (query, pick) => ({
      ...query,
      options: { rollup_data: pick([true, false]), timezone_id: pick(['UTC', 'Asia/Tokyo']) },
    }),
    (query, pick) => ({ ...query, item_id: pick([...Object.keys(meanings), 'Nothing', '', null, 7]) }),
    (query, pick) => ({ ...query, dashboard_id: pick([dashboard, elsewhere, dataset.id, null, 'x']) }),
    (query, pick) => ({ ...query, [pick(['sql', 'items', 'contents', 'dashboardId'])]: 'anything' }),
    (query, pick) => ({
      ...query,
      [pick(['where', 'having', 'order', 'limit', 'dimensions', 'measures'])]: pick([null, {}, [null], 'x']),
    }),
    (query) => {
      const text: JsonObject = JSON.parse(JSON.stringify(query).replace(dataset.id, foreign.id));
      return text;
    },
  ];

  function mutated(pick: Pick): JsonObject {
    let query = pick(bases);
    for (let left = pick([0, 1, 1, 1, 2, 3]); left > 0; left -= 1) query = pick(mutations)(query, pick);
    return query;
  }

  const nameOf = (columnId: unknown): ColumnName => {
    const found = shown.find((name) => dataset.columns[name] === columnId);
    if (found === undefined) throw new Error(`a column that no item shows was asked for: ${String(columnId)}`);
    return found;
  };

  function compares(expression: unknown, held: string | number, value: unknown): boolean {
    switch (expression) {
      case '? = ?':
        return held === value;
      case '? != ?':
        return held !== value;
      case '? in ?':
        return listIn(value).includes(held);
      case '? not in ?':
        return !listIn(value).includes(held);
      case '? >= ?':
        return held >= Object(value).valueOf();
      case '? < ?':
        return held < Object(value).valueOf();
      case '? > ?':
        return held > Object(value).valueOf();
      case '? is null':
        return false;
      case '? is not null':
        return true;
      default:
        throw new Error(`an expression that was not asked for: ${String(expression)}`);
    }
  }

  const holds = (condition: unknown, held: (on: unknown) => string | number): boolean => {
    const [all, any] = [part(condition, 'and'), part(condition, 'or')];
    if (all !== undefined) return listIn(all).every((one) => holds(one, held));
    if (any !== undefined) return listIn(any).some((one) => holds(one, held));
    const [on, value] = listIn(part(condition, 'parameters'));
    return compares(part(condition, 'expression'), held(on), value);
  };

  const startOf = (day: string, level: unknown): string => {
    const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
    const first =
      level === 1 || level === 'year' ? 1 : level === 2 || level === 'quarter' ? month - ((month - 1) % 3) : month;
    return `${year}-${String(first).padStart(2, '0')}`;
  };

  const keyOf = (cells: readonly unknown[]): string =>
    JSON.stringify(cells.map((cell) => part(cell, 'id') ?? (typeof cell === 'string' ? cell.slice(0, 7) : cell)));

  /** Returns every row that the stored item could give for a query, worked out from the sales. */
  function derivable(query: JsonObject): { readonly keys: ReadonlyMap<string, number>; readonly most: number } {
    expect(query['dashboard_id']).toBe(dashboard);
    const meaning = meanings[inWords(query['item_id'] ?? '')];
    if (meaning === undefined) throw new Error('an item that is not there was answered');
    const level = part(listIn(query['dimensions'])[0], 'level') ?? 1;
    const seen = sales
      .filter(({ region }) => region !== 'Europe')
      .filter((row) => listIn(query['where']).every((one) => holds(one, (on) => row[nameOf(part(on, 'column_id'))])));
    const cellOf = (row: Sale, name: ColumnName): string | number =>
      name === 'day' ? startOf(row.day, level) : row[name];
    const groups = new Map<string, Sale[]>();
    for (const [index, row] of seen.entries()) {
      const key = JSON.stringify([...meaning.by.map((name) => cellOf(row, name)), ...(meaning.raw ? [index] : [])]);
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    const keys = new Map<string, number>();
    for (const rows of groups.values()) {
      const [first] = rows;
      if (first === undefined) continue;
      const values = meaning.of(rows);
      if (!listIn(query['having']).every((one) => holds(one, () => values[0] ?? 0))) continue;
      const key = keyOf([...meaning.by.map((name) => cellOf(first, name)), ...values]);
      keys.set(key, (keys.get(key) ?? 0) + 1);
    }
    return { keys, most: meaning.most };
  }

  it(`are answered as far as they ask what a stored item asks, and refused otherwise (${asked})`, async () => {
    const { pick } = randomOf(20_240_101);
    const told = { answered: 0, refused: 0 };
    for (let sent = 0; sent < asked; sent += together) {
      const queries = Array.from({ length: together }, () => mutated(pick));
      const { status, body } = await api.call('data', { action: 'get', find: { queries } }, reader.login);
      expect(status).toBe(200);
      for (const [index, query] of queries.entries()) {
        const answer = listIn(body)[index];
        const error = part(answer, 'error');
        if (error !== undefined) {
          expect([400, 403], JSON.stringify([query, error])).toContain(part(part(error, 'type'), 'code'));
          told.refused += 1;
          continue;
        }
        told.answered += 1;
        for (const hidden of [dataset.columns.quantity, foreign.id])
          expect(JSON.stringify(query)).not.toContain(hidden);
        const { keys, most } = derivable(query);
        const rows = listIn(part(answer, 'data'));
        const left = new Map(keys);
        for (const row of rows) {
          const key = keyOf(listIn(row));
          if (keys.size === 0 && key === '[null,null]') continue;
          const count = left.get(key) ?? 0;
          expect(count, `${key} of ${JSON.stringify(query)}`).toBeGreaterThan(0);
          left.set(key, count - 1);
        }
        const offset = Number(part(query['limit'], 'offset') ?? 0);
        const by = part(query['limit'], 'by') ?? most - offset;
        expect(rows.length).toBeLessThanOrEqual(Math.min(most - offset, Number(by)));
      }
    }
    expect(Math.min(told.answered, told.refused)).toBeGreaterThan(asked / 5);
  }, 600_000);
});
