import { randomUUID } from 'node:crypto';
import { inWords, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SalesDataset } from '../browser/sales.ts';
import { sweepStore } from '../../packages/service/src/jobs/sweep-records.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { dataOf, pushSales, salesContents } from '../support/sales-world.ts';
import { startTestService, type Credential, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const minute = 60_000;

describe.each(storesToTest)('the page of a share on %s', (store) => {
  let now = Date.now();
  const api = useApi(store, {}, () => now);
  let maker: Somebody;
  let dataset: SalesDataset;
  let dashboard: string;
  let share: JsonObject;

  const open = (slug: Json | undefined, method: 'GET' | 'POST' = 'GET') =>
    api.service.server.inject({ method, url: `/s/${inWords(slug)}${method === 'POST' ? '/token' : ''}` });
  const statusOf = async (): Promise<number> => (await open(share['slug'])).statusCode;
  /** Returns the credential that the page is given. */
  async function viewer(slug = share['slug']): Promise<Credential> {
    const { body } = await open(slug);
    const told: Json = JSON.parse(/id="share">([^<]*)</u.exec(body)?.[1] ?? '{}');
    return { key: text(told, 'key'), token: text(told, 'token') };
  }
  const ask = (by: Credential, find: object) => api.call('data', { action: 'get', find }, by);
  /** Returns the regions that an item of the dashboard shows, or the code of the refusal. */
  async function regions(by: Credential): Promise<readonly string[] | string> {
    const { body, status } = await ask(by, { dashboard_id: dashboard, item_id: 'Regions' });
    if (status !== 200) return text(body, 'code');
    return dataOf(body).map((row) => String(part(Array.isArray(row) ? row[0] : null, 'id')));
  }
  const northOnly = (value: string): object => ({
    filters: [{ securable_id: dataset.id, column_id: dataset.columns.region, expression: '? = ?', value }],
  });
  const change = (properties: object): Promise<JsonObject> => api.update('share', share['id'], properties, maker.login);

  beforeAll(async () => {
    maker = await api.person({ flagEditor: true });
    dataset = await pushSales(api, maker.login);
    const name = { en: 'Sales </title><script>alert(1)</script>' };
    ({ id: dashboard } = await api.create('dashboard', { name, contents: salesContents(dataset) }, maker.login));
  }, minute);
  beforeEach(async () => {
    share = await api.create('share', { securable_id: dashboard }, maker.login);
  });

  it('shows the dashboard to anybody, and asks not to be indexed', async () => {
    const { statusCode, headers, body } = await open(share['slug']);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toContain('unsafe-eval');
    expect(body).toContain('<meta name="robots" content="noindex, nofollow" />');
    expect(body).toContain('<title>Sales &lt;/title&gt;&lt;script&gt;');
    expect(body).not.toContain('<script>');
    const by = await viewer();
    const shown = await api.ok('appearance', { action: 'get', find: { dashboard_id: dashboard } }, by);
    expect(part(shown['dashboard'], 'id')).toBe(dashboard);
    expect((await regions(by)).length).toBeGreaterThan(1);
    const renewed = JSON.parse((await open(share['slug'], 'POST')).body);
    expect(await regions({ key: text(renewed, 'key'), token: text(renewed, 'token') })).toEqual(await regions(by));
  });

  it('opens nothing but what the items of that dashboard ask', async () => {
    const by = await viewer();
    const dimensions = [{ dataset_id: dataset.id, column_id: dataset.columns.product }];
    const free = [
      { dimensions },
      { dashboard_id: dashboard, item_id: 'Regions', dimensions },
      { dashboard_id: dashboard, item_id: 'Nothing' },
    ];
    for (const find of free) expect([400, 403]).toContain((await ask(by, find)).status);
    const other = await api.create('dashboard', { contents: salesContents(dataset) }, maker.login);
    expect((await ask(by, { dashboard_id: other.id, item_id: 'Regions' })).status).toBe(400);
    expect(await api.findIds('securable', {}, by)).toEqual([dashboard, dataset.id].toSorted());
    for (const [resource, body] of [
      ['securable', { action: 'get', id: other.id }],
      ['securable', { action: 'update', id: dashboard, properties: { name: { en: 'x' } } }],
      ['securable', { action: 'delete', id: dashboard }],
      ['share', { find: {} }],
      ['user', { find: {} }],
      ['authorization', { properties: { type: 'embed' } }],
      ['aichart', { properties: { dataset_id: dataset.id, type: 'generate-chart' } }],
    ] as const) {
      const { status, body: said } = await api.call(resource, body, by);
      expect([resource, status === 200 ? part(said, 'count') : 0]).toEqual([resource, 0]);
    }
  });

  it('is bounded by the filters of the share and of whoever made it, as they are now', async () => {
    const by = await viewer();
    const all = await regions(by);
    await change(northOnly('Asia'));
    expect(await regions(by)).toBe('credentials_invalid');
    expect(await regions(await viewer())).toEqual(['Asia']);
    await change({ filters: [] });
    const again = await viewer();
    expect(await regions(again)).toEqual(all);
    await api.associate('securable', dataset.id, 'Users', api.userId, { flagOwner: true }, maker.login);
    await api.associate('securable', dataset.id, 'Users', maker.id, { flagOwner: true, ...northOnly('Africa') });
    expect(await regions(again)).toEqual(['Africa']);
    await api.associate('securable', dataset.id, 'Users', maker.id, { flagOwner: true, filters: [] });
    expect(await regions(again)).toEqual(all);
  });

  it('is neither opened nor widened by an owner of the dashboard who sees less than its maker, and ended by them', async () => {
    await change(northOnly('Asia'));
    const bounded = await api.person({ flagMember: true });
    const reader = await api.person({ flagMember: true });
    const whole = await api.person({ flagMember: true });
    for (const { id } of [bounded, reader, whole])
      await api.associate('securable', dashboard, 'Users', id, { flagOwner: true }, maker.login);
    const africa = { flagOwner: true, ...northOnly('Africa') };
    await api.associate('securable', dataset.id, 'Users', bounded.id, africa, maker.login);
    await api.associate('securable', dataset.id, 'Users', whole.id, { flagUse: true }, maker.login);
    const access = {
      dashboards: [{ id: dashboard, rights: 'own' }],
      datasets: [{ id: dataset.id, rights: 'own' }],
    };
    await api.associate('securable', dashboard, 'Users', api.userId, { flagOwner: true }, maker.login);
    await api.associate('securable', dataset.id, 'Users', api.userId, { flagOwner: true }, maker.login);
    const filtered = await api.embedToken({ role: 'owner', access, ...northOnly('Africa') });
    const hidden = await api.embedToken({ role: 'owner', access, hidden_columns: [dataset.columns.product] });

    for (const by of [bounded.login, reader.login, filtered, hidden]) {
      const where = { id: share['id'] };
      expect(await api.find('share', { where }, by)).toMatchObject([{ slug: null, filters: null, active: true }]);
      expect(await api.find('share', { where: { ...where, slug: share['slug'] } }, by)).toEqual([]);
      for (const properties of [
        { filters: [] },
        { expiry: '2099-01-01T00:00:00.000Z' },
        { active: false, filters: [] },
      ]) {
        const body = { action: 'update', id: share['id'], properties };
        expect([properties, (await api.refused('share', body, by)).code]).toEqual([properties, 'forbidden']);
      }
    }
    expect(await api.find('share', { where: { id: share['id'] } }, whole.login)).toMatchObject([
      { slug: share['slug'] },
    ]);
    expect(await regions(await viewer())).toEqual(['Asia']);
    await api.update('share', share['id'], { active: false }, filtered);
    expect(await statusOf()).toBe(404);
    expect((await api.refused('share', { id: share['id'], properties: { active: true } }, filtered)).code).toBe(
      'forbidden',
    );
    await api.remove('share', share['id'], bounded.login);
    for (const [kind, id] of [
      ['dashboard', dashboard],
      ['dataset', dataset.id],
    ] as const)
      for (const one of kind === 'dashboard'
        ? [bounded.id, reader.id, whole.id, api.userId]
        : [bounded.id, whole.id, api.userId])
        await api.dissociate('securable', id, 'Users', one, maker.login);
  });

  it('is the same 404 for what is unknown, switched off, over, or about to show nothing', async () => {
    const missing = async (slug: Json | undefined): Promise<string> => {
      const { statusCode, headers, body } = await open(slug);
      expect([statusCode, headers['x-robots-tag']]).toEqual([404, 'noindex, nofollow']);
      expect((await open(slug, 'POST')).statusCode).toBe(404);
      return body;
    };
    const unknown = await missing(randomUUID());
    for (const odd of ['%00', 'x'.repeat(90), '..%2f..', '%3Cscript%3E', "'--"])
      expect(await missing(odd)).toBe(unknown);
    const by = await viewer();
    await change({ active: false });
    expect([await missing(share['slug']), await regions(by)]).toEqual([unknown, 'credentials_invalid']);
    await change({ active: true, expiry: new Date(now + minute).toISOString() });
    const short = await viewer();
    expect(await statusOf()).toBe(200);
    now += 2 * minute;
    expect([await missing(share['slug']), await regions(short)]).toEqual([unknown, 'credentials_invalid']);
    await change({ expiry: null });
    const later = await viewer();
    now += 16 * minute;
    expect(await regions(later)).toBe('credentials_invalid');
    expect(await statusOf()).toBe(200);
    const last = await viewer();
    await api.remove('share', share['id'], maker.login);
    expect([await missing(share['slug']), await regions(last)]).toEqual([unknown, 'credentials_invalid']);
  });

  it('lasts as long as whoever made it may read the dashboard, and passes on with what they leave', async () => {
    const [leaving, heir] = [await api.person({ flagEditor: true }), await api.person({ flagEditor: true })];
    const own = await api.create('dashboard', { contents: salesContents(dataset) }, leaving.login);
    await api.associate('securable', dataset.id, 'Users', leaving.id, { flagUse: true }, maker.login);
    await api.associate('securable', own.id, 'Datasets', dataset.id, undefined, leaving.login);
    share = await api.create('share', { securable_id: own.id }, leaving.login);
    const rows = async (by: Credential): Promise<number> =>
      (await ask(by, { dashboard_id: own.id, item_id: 'Regions' })).status;
    const by = await viewer();
    expect(await rows(by)).toBe(200);
    await api.dissociate('securable', dataset.id, 'Users', leaving.id, maker.login);
    expect(await rows(by)).toBe(400);
    await api.associate('securable', dataset.id, 'Users', heir.id, { flagUse: true }, maker.login);
    await api.ok('user', { action: 'delete', id: leaving.id, properties: { transfer_to: heir.id } });
    expect(await rows(by)).toBe(401);
    expect(await rows(await viewer())).toBe(200);
    await api.associate('securable', own.id, 'Users', maker.id, { flagOwner: true }, heir.login);
    await api.dissociate('securable', own.id, 'Users', heir.id, maker.login);
    expect(await statusOf()).toBe(404);
    await api.associate('securable', own.id, 'Users', heir.id, { flagRead: true }, maker.login);
    expect(await statusOf()).toBe(200);
    await api.ok('user', { action: 'delete', id: heir.id });
    expect(await statusOf()).toBe(404);
    await api.update('share', share['id'], { active: true }, maker.login);
    expect(await statusOf()).toBe(200);
  });

  it('is none where the organization wants row filters that are missing', async () => {
    await api.update('organization', api.organizationId, { require_row_filters: true });
    expect(await statusOf()).toBe(404);
    await change(northOnly('Asia'));
    expect(await statusOf()).toBe(200);
    await change({ filters: [] });
    await api.update('securable', dataset.id, { shared_across_tenants: true }, maker.login);
    expect(await statusOf()).toBe(200);
    await api.update('organization', api.organizationId, { require_row_filters: false });
  });

  it('leaves nothing of its views behind once they are over, however many there were', async () => {
    const views = 1050;
    for (let opened = 0; opened < views; opened += 50)
      await Promise.all(Array.from({ length: 50 }, () => open(share['slug'], 'POST')));
    const left = async (): Promise<number> =>
      Number((await api.ok('authorization', { find: { where: { name: 'Share' }, limit: 1 } }))['count']);
    expect(await left()).toBeGreaterThanOrEqual(views);
    const loginsBefore = new Date(now + 20 * minute).toISOString();
    const { store: kept } = api.service.app.service;
    await sweepStore(kept, {
      kind: 'sweep',
      answersBefore: '2000',
      loginsBefore,
      requestsBeforeMs: 0,
      tasksBefore: '2000',
    });
    expect(await left()).toBe(0);
  });

  it('is of one tenant: others neither see the share nor what its page is given', async () => {
    const stranger = await api.stranger();
    expect((await api.refused('share', { action: 'get', id: share['id'] }, stranger.login)).status).toBe(404);
    const theirs = await api.create('dashboard', {}, stranger.login);
    const by = await viewer();
    expect((await api.refused('securable', { action: 'get', id: theirs.id }, by)).status).toBe(404);
  });

  it('is limited by address', async () => {
    const service = await startTestService({ store, settings: { INLAY_RATE_LIMIT: '1', INLAY_RATE_BURST: '2' } });
    try {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => service.server.inject({ method: 'GET', url: `/s/${randomUUID()}` })),
      );
      const statuses = answers.map(({ statusCode }) => statusCode);
      expect(statuses).toContain(429);
      expect(statuses).toContain(404);
    } finally {
      await service.stop();
    }
  });
});
