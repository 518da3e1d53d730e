import { isList, isObject, itemQuery, member, readItem, textOr, type Json, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestService, type Answer, type TestService } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const shops = ['Oslo', 'Lyon', 'Graz', 'Porto'].flatMap((city) =>
  ['north', 'south', 'east', 'west', 'centre'].map((place) => `${city} ${place}`),
);

/** 3,000 sales of 40 products in 20 shops. The revenue of a product falls with its number. */
const sales = Array.from({ length: 3000 }, (_, sale) => {
  const product = sale % 40;
  const revenue = 100 + (40 - product) * 3 + (sale % 7);
  return {
    sale,
    product: `P${product}`,
    shop: shops[sale % 20] ?? '',
    month: (sale % 12) + 1,
    revenue,
    cost: 60 + (sale % 5),
  };
});
const csv = [
  'sale_id,product,shop,revenue,cost,sold_on',
  ...sales.map(
    ({ sale, product, shop, month, revenue, cost }) =>
      `${sale},${product},${shop},${revenue},${cost},2024-${String(month).padStart(2, '0')}-05`,
  ),
].join('\n');

let service: TestService;
let dataset = '';
let ids: Readonly<Record<string, string>> = {};
let margin = '';
const call = (resource: string, body: object): Promise<Answer> => service.call(resource, body, service.owner);
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const rowsOf = (answer: Answer): readonly unknown[] => listed(part(answer.body, 'rows'));

beforeAll(async () => {
  service = await startTestService({ store: 'sqlite' });
  const organization = text(rowsOf(await call('organization', { find: {} }))[0], 'id');
  await call('organization', { id: organization, properties: { flag_experimental_ai: true } });
  const { key, token } = service.owner;
  const uploaded = await service.server.inject({
    method: 'POST',
    url: '/0.1.0/data/file?name=Sales',
    headers: { authorization: `Bearer ${key}:${token}`, 'content-type': 'text/csv' },
    payload: csv,
  });
  dataset = text(listed(part(uploaded.json(), 'rows'))[0], 'id');
  const columns = rowsOf(await call('column', { find: { where: { securable_id: dataset } } }));
  ids = Object.fromEntries(columns.map((column) => [text(column, 'source_name'), text(column, 'id')]));
  for (const [name, named] of [
    ['product', { en: 'Product', nl: 'Product' }],
    ['revenue', { en: 'Revenue', nl: 'Omzet' }],
    ['shop', { en: 'Shop', nl: 'Winkel' }],
    ['cost', { en: 'Cost', nl: 'Kosten' }],
    ['sold_on', { en: 'Sold on', nl: 'Verkocht op' }],
  ] as const)
    await call('column', { id: ids[name], properties: { name: named } });
  margin = text(
    (
      await call('formula', {
        properties: {
          securable_id: dataset,
          name: { en: 'Margin', nl: 'Marge' },
          expression: `sum({${ids['revenue']}}) - sum({${ids['cost']}})`,
        },
      })
    ).body,
    'id',
  );
  // The values of a dataset are searched for a second only, which is not enough for a cold engine on a busy machine.
  await vi.waitFor(async () => {
    const { item } = await chartFor('revenue by product only Oslo north');
    expect(member(item, 'filters')).toHaveLength(1);
  }, 60_000);
}, 120_000);
afterAll(async () => {
  await service.stop();
});

interface Chart {
  readonly item: JsonObject;
  readonly message: string;
}

async function chartFor(question: string, more: JsonObject = {}): Promise<Chart> {
  const properties = { dataset_id: dataset, type: 'generate-chart', question, ...more };
  const { body } = await call('aichart', { properties });
  const item = part(body, 'generatedChart');
  const message = part(body, 'message');
  if (!isObject(item)) throw new Error(JSON.stringify(body));
  return { item, message: typeof message === 'string' ? message : '' };
}

const entriesOf = (item: JsonObject): readonly JsonObject[] => {
  const slots = member(item, 'slots');
  return (isList(slots) ? slots : []).flatMap((slot) => {
    const content = isObject(slot) ? member(slot, 'content') : undefined;
    return isList(content ?? null) && isList(content) ? content.filter(isObject) : [];
  });
};
const labelsOf = (item: JsonObject): readonly string[] =>
  entriesOf(item).map((entry) => textOr(member(entry, 'label'), ''));
const titleOf = (item: JsonObject, language = 'en'): Json => {
  const title = member(item, 'title');
  return isObject(title) ? (title[language] ?? null) : null;
};

/** Returns the rows of the data query that the element of an item sends. */
async function drawn(item: JsonObject): Promise<readonly (readonly unknown[])[]> {
  const read = readItem({ ...item, id: 'one' });
  const asked = read === null ? null : itemQuery(read, { where: read.filters });
  if (asked === null) throw new Error(`nothing to ask for: ${JSON.stringify(item)}`);
  const found = await call('data', { action: 'get', find: asked.query });
  expect(found.status, JSON.stringify(found.body)).toBe(200);
  return listed(part(found.body, 'data')).map(listed);
}

const sumOf = (of: readonly (typeof sales)[number][]): number =>
  of.reduce((sum, { revenue, cost }) => sum + revenue - cost, 0);

describe('labels of a suggested chart', () => {
  it.each([
    ['average revenue by shop', ['Shop', 'Average Revenue']],
    ['gemiddelde omzet per winkel', ['Winkel', 'Gemiddelde Omzet']],
    ['omzet per weekdag', ['Verkocht op (weekdag)', 'Omzet']],
    ['tabel met het aantal per winkel', ['Winkel', 'Aantal rijen']],
    ['welke winkel heeft de hoogste kosten per omzet', ['Winkel', 'Kosten per Omzet']],
  ])('are in the language of the question: %s', async (question, labels) => {
    expect(labelsOf((await chartFor(question)).item)).toEqual(labels);
  });
});

describe('a title of a suggested chart', () => {
  it.each([
    ['revenue by shop 2024 vs 2023', 'Revenue by Shop, 2024 and 2023'],
    ['revenue by shop without Oslo north', 'Revenue by Shop, not Oslo north'],
    ['revenue by shop in 2024 over 100', 'Revenue by Shop, Revenue > 100, 2024'],
  ])('says what the chart shows once: %s', async (question, title) => {
    expect(titleOf((await chartFor(question)).item)).toBe(title);
  });

  it('has the filters in it, which have the names of their columns', async () => {
    const { item } = await chartFor('revenue by shop without Oslo north in 2024');
    const read = readItem({ ...item, id: 'one' });
    expect(read?.filters.map((filter) => part(part(filter, 'properties'), 'label'))).toEqual(['Shop', 'Sold on']);
  });
});

describe('a formula of the dataset', () => {
  it.each(['margin by shop', 'total margin per shop', 'marge per winkel', 'shops by highest margin'])(
    'is the measure of the chart, with the numbers of SQL: %s',
    async (question) => {
      const { item, message } = await chartFor(question);
      expect(message).toBe('');
      expect(entriesOf(item)).toContainEqual(expect.objectContaining({ formulaId: margin, datasetId: dataset }));
      const rows = (await drawn(item)).map(([shop, value]) => [text(shop, 'id'), value] as const);
      const expected = shops.map((shop) => [shop, sumOf(sales.filter((sale) => sale.shop === shop))] as const);
      expect(new Map(rows)).toEqual(new Map(expected));
    },
  );

  it('keeps the conditions of the question that filters express, and says what it leaves out', async () => {
    const filtered = await chartFor('margin by shop in March 2024');
    expect(filtered.message).toBe('');
    const rows = await drawn(filtered.item);
    const ofMarch = sales.filter(({ month }) => month === 3);
    expect(rows.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(sumOf(ofMarch));
    const compared = await chartFor('margin by shop 2024 vs 2023');
    expect(compared.message).toContain('Margin is a formula');
  });

  it('is neither a group, a histogram nor a bound of rows', async () => {
    for (const question of ['distribution of margin', 'revenue by margin', 'number of sales with margin over 50']) {
      const { item } = await chartFor(question);
      const groups = entriesOf(item).filter((entry) => member(entry, 'columnId') === margin);
      expect(groups, question).toEqual([]);
      expect(JSON.stringify(member(item, 'filters') ?? null), question).not.toContain(margin);
      await drawn(item);
    }
  });

  it('does not exist for a token that does not see one of its columns', async () => {
    const hiding = async (hidden_columns: readonly string[]): Promise<string> => {
      const access = { datasets: [{ id: dataset, rights: 'use' }] };
      const person = { username: 'anna', name: 'Anna', email: 'anna@example.com' };
      const { body } = await call('authorization', {
        properties: { type: 'embed', ...person, access, hidden_columns },
      });
      const token = { key: text(body, 'id'), token: text(body, 'token') };
      const properties = { dataset_id: dataset, type: 'generate-chart', question: 'margin by shop' };
      return JSON.stringify((await service.call('aichart', { properties }, token)).body);
    };
    expect(await hiding([])).toContain(margin);
    const unseen = await hiding([ids['cost'] ?? '']);
    expect(unseen).not.toContain(margin);
    expect(unseen).toContain('“margin” was left out');
  });
});

describe('a chart of more members than can be drawn', () => {
  const others = { limit: 29, others: true, sort: { by: 'measure', order: 'desc' } };

  it('shows the largest and all others as one, so that its bars come to the total of SQL', async () => {
    const { item, message } = await chartFor('revenue by product');
    expect(member(item, 'options')).toMatchObject(others);
    expect(titleOf(item)).toBe('Revenue by Product');
    expect(message).toBe('');
    const rows = await drawn(item);
    // The element adds the others up from the rows of all members.
    expect(rows).toHaveLength(40);
    expect(rows.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(
      sales.reduce((sum, { revenue }) => sum + revenue, 0),
    );
  });

  it.each([
    ['average revenue by product', (of: typeof sales) => of.reduce((sum, { revenue }) => sum + revenue, 0) / of.length],
    ['margin by product', sumOf],
  ] as const)('computes the others over all of their rows: %s', async (question, valueOf) => {
    const { item } = await chartFor(question);
    expect(member(item, 'options')).toMatchObject(others);
    const products = [...new Set(sales.map(({ product }) => product))]
      .map((product) => sales.filter((sale) => sale.product === product))
      .toSorted((left, right) => valueOf(right) - valueOf(left));
    const rows = await drawn(item);
    expect(rows).toHaveLength(30);
    expect(rows.at(-1)?.[0]).toEqual({ id: null, others: 11 });
    expect(rows.at(-1)?.[1]).toBeCloseTo(valueOf(products.slice(29).flat()), 6);
    expect(Number(rows[0]?.[1])).toBeCloseTo(valueOf(products[0] ?? []), 6);
  });

  it('shows the largest twelve series and the others as one, unless the question names some or averages', async () => {
    const optionsOf = async (question: string): Promise<Json> =>
      member((await chartFor(question)).item, 'options') ?? null;
    expect(await optionsOf('revenue by month and product as lines')).toMatchObject({ seriesLimit: 12 });
    expect(await optionsOf('average revenue by month and product as lines')).not.toHaveProperty('seriesLimit');
  });

  it('shows eleven slices and the others in a donut', async () => {
    const { item } = await chartFor('revenue by shop as a donut');
    expect(member(item, 'options')).toMatchObject({ limit: 11, others: true });
  });

  it.each([
    ['the question has its own limit', 'top 5 products by revenue'],
    ['it has another order', 'revenue by product in alphabetical order'],
    ['a group is a time', 'revenue by sold on per day'],
    ['all members fit', 'revenue by shop'],
    ['a table lists them', 'table of revenue by product'],
    ['groups are compared with a bound', 'products with more than 12 sales'],
  ])('has no others where %s', async (_, question) => {
    expect(member((await chartFor(question)).item, 'options')).not.toHaveProperty('others');
  });
});

describe('a scatter plot of more rows than points can be told apart', () => {
  it('counts the rows of bins on both axes, all rows of them', async () => {
    const { item } = await chartFor('scatter plot of revenue versus cost');
    expect(member(item, 'type')).toBe('scatter-plot');
    const rows = await drawn(item);
    expect(rows.length).toBeLessThan(400);
    expect(rows.every(([x, y]) => Array.isArray(x) && Array.isArray(y))).toBe(true);
    expect(rows.reduce((sum, row) => sum + Number(row[2]), 0)).toBe(sales.length);
  });

  it('aggregates the numbers of each member as their columns do where points have colours', async () => {
    const { item } = await chartFor('scatter plot of revenue versus cost by shop');
    const rows = await drawn(item);
    expect(rows).toHaveLength(shops.length);
    expect(entriesOf(item).flatMap((entry) => member(entry, 'aggregationFunc') ?? [])).toEqual(['sum', 'sum']);
  });

  it.each(['scatter plot of revenue versus cost only Oslo north', 'scatter plot of revenue versus cost by shop'])(
    'draws single rows where they are few or have colours: %s',
    async (question) => {
      expect(JSON.stringify((await chartFor(question)).item)).not.toContain('"bins"');
    },
  );
});
