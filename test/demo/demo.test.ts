import {
  isDataItemType,
  isList,
  isObject,
  itemQuery,
  dataItemTypes,
  readItem,
  type Item,
  type Json,
} from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ordersCsv } from '../../packages/service/src/demo/shop.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { part, text } from '../support/world.ts';

const list = (value: unknown): readonly Json[] => (isList(value) ? value : []);

const readJson = async (answer: Response): Promise<Json> => {
  const read: Json = JSON.parse(await answer.text());
  return read;
};

/** For a connection that the stop of the service need not wait for. */
const unkept = { connection: 'close' };

interface Order {
  readonly day: string;
  readonly revenue: number;
}

/** Returns the orders of the first shop, as the demo makes them. */
function orders(nowMs: number): readonly Order[] {
  const lines = Buffer.concat([...ordersCsv(nowMs)])
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const [head = [], ...rows] = lines;
  const at = (row: readonly string[], name: string): string => row[head.indexOf(name)] ?? '';
  return rows
    .filter((row) => at(row, 'store') === 'Seattle')
    .map((row) => ({ day: at(row, 'ordered').slice(0, 10), revenue: Number(at(row, 'revenue')) }));
}

/** What the orders of some days come to. */
function ordersIn(all: readonly Order[], { from, to }: { readonly from: string; readonly to: string }) {
  const own = all.filter(({ day }) => day >= from && day <= to);
  return { revenue: own.reduce((sum, { revenue }) => sum + revenue, 0), count: own.length };
}

const changeText = (now = 0, then = 0): string =>
  ((now - then) / then).toLocaleString('en', {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });

describe('the demo of a first start', () => {
  let service: ServiceProcess;
  let state: Json = null;
  const get = async (path: string): Promise<Json> =>
    readJson(await fetch(`${service.url}${path}`, { headers: unkept }));
  const post = async (path: string, body: object, by?: Json): Promise<Json> => {
    const credential = by === undefined ? {} : { authorization: `Bearer ${text(by, 'key')}:${text(by, 'token')}` };
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...unkept, ...credential },
      body: JSON.stringify(body),
    });
    return readJson(answer);
  };
  const itemsOf = async (dashboard: Json, by: Json): Promise<readonly Item[]> => {
    const record = await post('/0.1.0/securable', { action: 'get', id: text(dashboard, 'id') }, by);
    const [view] = list(part(part(record, 'contents'), 'views'));
    return list(part(view, 'items')).flatMap((item) => readItem(item) ?? []);
  };

  beforeAll(async () => {
    service = await startService({ env: { INLAY_DEMO: 'true' } });
    const until = performance.now() + 120_000;
    do {
      await new Promise((resolve) => setTimeout(resolve, 250));
      state = await get('/demo/state');
    } while (part(state, 'ready') !== true && part(state, 'failure') === null && performance.now() < until);
  }, 150_000);
  afterAll(() => service.stop());

  it('is loaded, with the source and the terms of every table', async () => {
    expect(state).toMatchObject({ ready: true, failure: null });
    expect(list(part(state, 'dashboards'))).toHaveLength(4);
    for (const source of list(part(state, 'sources')))
      expect(source).toMatchObject({
        title: expect.any(String),
        address: expect.stringMatching(/^https:/u),
        terms: expect.any(String),
      });
    const page = await fetch(`${service.url}/`, { headers: unkept });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await fetch(`${service.url}/embed/demo.js`, { headers: unkept })).status).toBe(200);
  });

  it('shows every type of item, and each has rows for each customer, of its own', async () => {
    const shown = new Set<string>();
    const totals: Json[] = [];
    for (const tenant of ['seattle', 'newyork']) {
      const by = await post('/demo/token', { tenant, locale: 'fr' });
      for (const dashboard of list(part(state, 'dashboards'))) {
        const items = await itemsOf(dashboard, by);
        for (const { type } of items) if (isDataItemType(type)) shown.add(type);
        const queries = items.map((item) => itemQuery(item)?.query ?? {});
        const answers = list(await post('/0.1.0/data', { action: 'get', find: { queries } }, by));
        expect(answers).toHaveLength(items.length);
        answers.forEach((answer, index) => {
          const rows = list(isObject(answer) ? answer['data'] : null);
          expect(
            rows.length,
            `${tenant} ${items[index]?.id} ${items[index]?.type} ${JSON.stringify(answer).slice(0, 300)}`,
          ).toBeGreaterThan(0);
        });
        if (dashboard === list(part(state, 'dashboards'))[0]) totals.push(answers[0] ?? null);
      }
    }
    // One gauge next to a number with its target says nothing new; orders of one size are no distribution.
    const left = ['circular-gauge', 'speedometer-chart', 'waterfall-chart', 'histogram', 'symbol-map'];
    const expected = dataItemTypes.filter((type) => !left.includes(type));
    expect([...shown].toSorted()).toEqual(expected.toSorted());
    expect(part(totals[0], 'data')).not.toEqual(part(totals[1], 'data'));
  });

  it('compares its numbers with the same days of a year before, as its orders have them', async () => {
    const by = await post('/demo/token', { tenant: 'seattle', locale: 'en' });
    const [shop] = list(part(state, 'dashboards'));
    const properties = { type: 'svg', dashboard_id: text(shop, 'id'), locale_id: 'en', timezone_id: 'UTC' };
    const startedMs = Date.now();
    const answer = await fetch(`${service.url}/0.1.0/export`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${text(by, 'key')}:${text(by, 'token')}`,
        ...unkept,
      },
      body: JSON.stringify({ action: 'create', properties }),
    });
    const picture = await answer.text();
    expect(answer.status, picture.slice(0, 400)).toBe(200);
    const texts = picture
      .replaceAll(/<[^>]*>/gu, '\n')
      .replaceAll(/\n+/gu, '\n')
      .split('\n');
    const shown = ['Revenue', 'Orders', 'Average order'].map((title) => {
      const at = texts.indexOf(title);
      return texts.slice(at + 1, at + 4);
    });
    // The other one is for a midnight while this runs.
    const wanted = [startedMs, Date.now()].map((nowMs) => {
      const today = new Date(nowMs).toISOString().slice(0, 10);
      const month = (year: number): { readonly from: string; readonly to: string } => ({
        from: `${year}-${today.slice(5, 7)}-01`,
        to: `${year}${today.slice(4)}`,
      });
      const year = Number(today.slice(0, 4));
      const [now, then] = [year, year - 1].map((one) => ordersIn(orders(startedMs), month(one)));
      return [now, then].every((one) => one !== undefined && one.count > 0)
        ? [
            changeText(now?.revenue, then?.revenue),
            changeText(now?.count, then?.count),
            changeText((now?.revenue ?? 0) / (now?.count ?? 0), (then?.revenue ?? 0) / (then?.count ?? 0)),
          ]
        : [];
    });
    const changes = shown.map((own) => /[+\u2212-]?[\d.]+%/u.exec(own.join(' '))?.[0]?.replace('\u2212', '-'));
    expect(wanted).toContainEqual(changes);
    for (const own of shown) expect(own.join(' ')).toMatch(/so far.*same days/u);
  });

  it('suggests charts for its questions', async () => {
    const by = await post('/demo/token', { tenant: 'seattle', locale: 'en' });
    const flights = list(part(state, 'datasets')).find((one) => part(part(one, 'name'), 'en') === 'Flights');
    const properties = { dataset_id: text(flights, 'id'), type: 'generate-chart', question: 'average delay by month' };
    const answer = await post('/0.1.0/aichart', { action: 'create', properties }, by);
    const made = isObject(answer) ? (answer['generatedChart'] ?? null) : null;
    const item = readItem(made);
    expect(item?.type).toMatch(/^(?:line|area|column|bar)-chart$/u);
    const asked = item === null ? null : itemQuery(item);
    const rows = await post('/0.1.0/data', { action: 'get', find: asked?.query ?? {} }, by);
    expect(list(part(rows, 'data'))).toHaveLength(6);
  });

  it('names what is wrong with a request for a token', async () => {
    expect(await post('/demo/token', { tenant: 'nobody' })).toMatchObject({
      code: 'validation_failed',
      validation: { tenant: [expect.stringContaining('seattle')], locale: [expect.any(String)] },
    });
  });
});
