import { beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { SalesDataset } from '../browser/sales.ts';
import { rowsOf, useApi, type Somebody } from '../support/api.ts';
import { pushSales, salesContents } from '../support/sales-world.ts';
import { type Answer, storesToTest, havePostgresServer } from '../support/service.ts';
import { openShop, type ShopDatabase } from '../support/shop-database.ts';
import { text } from '../support/world.ts';

/** Stands for what nobody may read in a log. */
const secret = 'Xk9-private-value';

const objectIn = (line: string): JsonObject => {
  const read: Json = JSON.parse(line);
  return isObject(read) ? read : {};
};

/** Lines of a log, by the request that they belong to. */
class Log {
  readonly lines: string[] = [];

  readonly write = (line: string): void => void this.lines.push(line);

  of({ headers }: Answer, message?: string): readonly JsonObject[] {
    return this.lines
      .map(objectIn)
      .filter((line) => line['request_id'] === headers['x-request-id'] && line['msg'] === message);
  }
}

describe.each(storesToTest)('the log of requests on %s', (store) => {
  const log = new Log();
  const settings = { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SLOW_QUERY_MS: '0', INLAY_SLOW_QUERY_PLANS: 'true' };
  const api = useApi(store, settings, undefined, undefined, log.write);
  let dataset: SalesDataset;
  let dashboard: string;
  let reader: Somebody;

  const line = (answer: Answer): JsonObject | undefined => log.of(answer)[0];
  const slow = async (answer: Answer): Promise<readonly JsonObject[]> => {
    await expect.poll(() => log.of(answer, 'slow query').length).toBeGreaterThan(0);
    return log.of(answer, 'slow query');
  };
  /** Asks until the line of a query has its plan: plans are read one at a time. */
  const planned = async (find: object): Promise<JsonObject> => {
    const found: JsonObject[] = [];
    const askOnce = async (): Promise<boolean> => {
      const answer = await ask(find);
      expect(answer.status).toBe(200);
      found.push(...(await slow(answer)));
      return found.at(-1)?.['plan'] !== undefined;
    };
    await expect.poll(askOnce).toBe(true);
    return found.at(-1) ?? {};
  };
  const ask = (find: object, by = api.owner): Promise<Answer> => api.call('data', { action: 'get', find }, by);
  const secretFilter = (at: object): object => ({ expression: '? != ?', parameters: [at, secret] });
  const column = (name: keyof SalesDataset['columns'], more: object = {}): object => ({
    dataset_id: dataset.id,
    column_id: dataset.columns[name],
    ...more,
  });

  beforeAll(async () => {
    dataset = await pushSales(api);
    ({ id: dashboard } = await api.create('dashboard', { contents: salesContents(dataset) }));
    reader = await api.person({ flagMember: true });
    await api.associate('securable', dashboard, 'Users', reader.id, { flagRead: true });
    await api.associate('securable', dataset.id, 'Users', reader.id, { flagRead: true });
  });

  it('names organization, authorization, dashboard, item and dataset of a query of an item', async () => {
    const answer = await ask({ dashboard_id: dashboard, item_id: 'Regions' }, reader.login);
    expect(answer.status).toBe(200);
    const concerns = { dashboard, item: 'Regions', dataset: dataset.id };
    const who = { organization: api.organizationId, authorization: reader.login.key };
    expect(line(answer)).toMatchObject({ resource: 'data', status: 200, ...who, ...concerns });
    expect(await slow(answer)).toMatchObject([{ ...who, ...concerns, source: 'engine', outcome: 'ok' }]);
  });

  it('names several as a list, and each query of them apart', async () => {
    const of = (item_id: string): object => ({ dashboard_id: dashboard, item_id });
    const answer = await ask({ queries: [of('Regions'), of('Product')] });
    expect(line(answer)).toMatchObject({ dashboard, item: ['Regions', 'Product'], dataset: dataset.id });
    await expect
      .poll(() => new Set(log.of(answer, 'slow query').map(({ item }) => item)))
      .toEqual(new Set(['Product', 'Regions']));
  });

  it('names the records that requests are about, and those that they refer to', async () => {
    const get = (resource: string, id: string): Promise<Answer> => api.call(resource, { action: 'get', id });
    expect(line(await get('dashboard', dashboard))).toMatchObject({ dashboard });
    expect(line(await get('securable', dashboard))).toMatchObject({ dashboard });
    expect(line(await get('securable', dataset.id))).toMatchObject({ dataset: dataset.id });
    const columns = { find: { where: { securable_id: dataset.id } } };
    expect(line(await api.call('column', columns))).toMatchObject({ dataset: dataset.id });
    const update = { action: 'update', id: dashboard, properties: { name: { en: 'Renamed' } } };
    expect(line(await api.call('dashboard', update))).toMatchObject({ dashboard });
    const made = await api.call('dashboard', { properties: { name: { en: 'New' } } });
    expect(line(made)).toMatchObject({ dashboard: text(made.body, 'id') });
    const appearance = { action: 'get', find: { dashboard_id: dashboard } };
    expect(line(await api.call('appearance', appearance))).toMatchObject({ dashboard });
    const picture = { properties: { type: 'svg', dashboard_id: dashboard, item_id: 'Regions' } };
    expect(line(await api.call('export', picture))).toMatchObject({ dashboard, item: 'Regions', dataset: dataset.id });
    const push = { properties: { type: 'create', data: [['a'], [1]], options: { header: true } } };
    const pushed = await api.call('data', push);
    expect(line(pushed)).toMatchObject({ dataset: text(rowsOf(pushed.body)[0], 'id') });
  });

  it('names who was refused, and nobody whose token is wrong', async () => {
    const refused = await api.call('dashboard', { action: 'get', id: dataset.id }, reader.login);
    expect(line(refused)).toMatchObject({ status: 404, authorization: reader.login.key });
    const wrong = await api.call('dashboard', { find: {} }, { key: reader.login.key, token: 'w'.repeat(43) });
    expect(wrong.status).toBe(401);
    expect(line(wrong)).not.toHaveProperty('authorization');
    expect(line(wrong)).not.toHaveProperty('organization');
  });

  it('takes nothing for an id that is none', async () => {
    const long = `${secret} and more`;
    const answer = await ask({ dashboard_id: dashboard, item_id: long, dimensions: [column('region')] });
    expect(line(answer)).not.toHaveProperty('item');
    const picture = { properties: { type: 'svg', dashboard_id: dashboard, item_id: secret } };
    expect(line(await api.call('export', picture))).not.toHaveProperty('item');
    const odd = await api.call('column', { find: { where: { securable_id: secret } } });
    expect(line(odd)).not.toHaveProperty('dataset');
    expect(log.lines.join('')).not.toContain(secret);
  });

  it('has the statement and the plan of a query of the engine, without values', async () => {
    const region = column('region');
    const found = await planned({ dimensions: [region], where: [secretFilter(region)] });
    expect(found).toMatchObject({ source: 'engine', outcome: 'ok', dataset: dataset.id, truncated: false });
    expect(text(found, 'statement')).toMatch(/^SELECT .* WHERE .*\$2/u);
    expect(found['rows']).toBeGreaterThan(0);
    expect(JSON.stringify(found['plan'])).toMatch(/SCAN/u);
    expect(log.lines.join('')).not.toContain(secret);
    expect(log.lines.join('')).not.toContain(api.owner.token);
  });

  describe.runIf(havePostgresServer)('over a database', () => {
    let shop: ShopDatabase;
    beforeAll(async () => {
      shop = await openShop(api);
    });

    it('has the statement and the plan at the source, without values', async () => {
      const region = shop.column('region');
      const found = await planned({ dimensions: [region], where: [secretFilter(region)] });
      expect(found).toMatchObject({
        source: 'pushdown',
        provider: 'postgresql',
        outcome: 'ok',
        dataset: shop.datasetId,
      });
      expect(text(found, 'statement')).toContain('"orders"');
      expect(JSON.stringify(found['plan'])).toContain('Seq Scan orders');
      expect(log.lines.join('')).not.toContain(secret);
    });

    it('has no literal of a query that a person wrote', async () => {
      const source_query = `select region, 471147114711 as code from orders where region <> '${secret}' -- ${secret}`;
      const made = await api.create('dataset', { account_id: shop.accountId, subtype: 'postgresql', source_query });
      const measure = { dataset_id: made.id, column_id: '*' };
      const answer = await ask({ measures: [measure] });
      expect(answer.status).toBe(200);
      const [found] = await slow(answer);
      expect(text(found, 'statement')).toContain('where region <> ?');
      expect(log.lines.join('')).not.toContain(secret);
      expect(log.lines.join('')).not.toContain('471147114711');
    });

    it('has queries that the source refuses', async () => {
      await shop.run('alter table orders rename to orders_before');
      const answer = await ask({ dimensions: [shop.column('region')] });
      await shop.run('alter table orders_before rename to orders');
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await slow(answer)).toMatchObject([{ source: 'pushdown', outcome: 'source_failed' }]);
    });
  });
});
