import { randomUUID } from 'node:crypto';
import { isList, isObject, type Json } from '@inlay/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { tables } from '../../examples/plugin/data.ts';
import { type Api, useApi, rowsOf } from '../support/api.ts';
import { startPlugin, type Misbehaviour, type TestPlugin } from '../support/plugin.ts';
import type { Credential } from '../support/service.ts';
import { part, text } from '../support/world.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A connection to the plugin, and the dataset of its missions with its columns by name. */
interface Connected {
  readonly account: string;
  readonly dataset: string;
  readonly columns: ReadonlyMap<string, string>;
}

const missions = tables.find(({ id }) => id === 'missions')?.rows ?? [];

describe.each(['basic', 'pushdown'] as const)('the data of a %s plugin', (kind) => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true' });
  /** A service that soon gives up on a plugin that stalls. */
  const impatient = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_QUERY_TIMEOUT_S: '3' });
  const held: { plugin?: TestPlugin } = {};
  let made: Connected = { account: '', dataset: '', columns: new Map() };
  const plugin = (): TestPlugin => {
    if (held.plugin === undefined) throw new Error('the plugin is not started');
    return held.plugin;
  };

  /** Registers the plugin, and makes a dataset of its missions. */
  async function connect(on: Api): Promise<Connected> {
    const registered = await on.create('plugin', {
      slug: `apollo-${randomUUID().slice(0, 8)}`,
      base_url: plugin().url,
      authorize: 'token',
      protocol_version: '2.0.0',
      pushdown: kind === 'pushdown',
    });
    const account = (await on.create('account', { plugin_id: registered.id, provider: 'apollo', token: 'good' })).id;
    const sets = await on.ok('dataprovider', {
      action: 'create',
      properties: { account_id: account, datasets: ['missions'] },
    });
    const dataset = text(rowsOf(sets)[0], 'id');
    const columns = await on.find('column', { where: { securable_id: dataset } });
    const ids = new Map(columns.map((column) => [text(column, 'source_name'), text(column, 'id')]));
    return { account, dataset, columns: ids };
  }

  beforeAll(async () => {
    held.plugin = await startPlugin({ pushdown: kind === 'pushdown', protocol: '2.0.0', token: 'good' });
    made = await connect(api);
  });
  afterAll(() => held.plugin?.stop());
  afterEach(() => held.plugin?.clear());

  const ref = (name: string, level?: number, of = made): object => ({
    dataset_id: of.dataset,
    column_id: name === '*' ? '*' : (of.columns.get(name) ?? name),
    ...(level === undefined ? {} : { level }),
  });
  const sum = (name: string, of = made): object => ({ ...ref(name, undefined, of), aggregation: { type: 'sum' } });
  const ask = async (find: object, by?: Credential): Promise<Json> => {
    const data = part(await api.ok('data', { action: 'get', find }, by), 'data');
    if (!isList(data)) throw new Error('the answer has no rows');
    return data.map((row) => (isList(row) ? row.map((cell) => (isObject(cell) ? (cell['id'] ?? null) : cell)) : row));
  };
  const goals = (more: object = {}, of = made): object => ({
    dimensions: [ref('goal', undefined, of)],
    measures: [ref('*', undefined, of), sum('samples', of)],
    order: [{ ...ref('goal', undefined, of), order: 'asc' }],
    ...more,
  });

  it('is found with its columns, as people read them', async () => {
    const offered = await api.ok('dataprovider', { action: 'get', find: { account_id: made.account } });
    expect(rowsOf(offered).map((row) => [row['id'], row['name']])).toEqual([
      ['missions', { en: 'Apollo missions' }],
      ['planets', { en: 'Planets' }],
    ]);
    const columns = await api.find('column', { where: { securable_id: made.dataset }, order: ['order'] });
    expect(columns.map((column) => [column['source_name'], column['type'], column['name']])).toEqual([
      ['mission', 'hierarchy', { en: 'Mission' }],
      ['goal', 'hierarchy', { en: 'Goal' }],
      ['launch', 'datetime', { en: 'Launch' }],
      ['hours', 'numeric', { en: 'Duration (hours)' }],
      ['samples', 'numeric', { en: 'Samples (kg)' }],
    ]);
  });

  it('is grouped, by the plugin itself where it can', async () => {
    expect(await ask(goals())).toEqual([
      ['Earth orbit', 2, null],
      ['Landing', 7, expect.closeTo(381.7)],
      ['Moon orbit', 2, null],
    ]);
    const sent = plugin().requests.at(-1);
    expect([sent?.path, part(sent?.body['options'], 'pushdown')]).toEqual(['/query', kind === 'pushdown']);
    expect(
      await ask({ dimensions: [ref('launch', 1)], measures: [ref('*')], order: [{ ...ref('launch'), order: 'asc' }] }),
    ).toEqual([
      ['1968-01-01T00:00:00.000Z', 2],
      ['1969-01-01T00:00:00.000Z', 4],
      ['1970-01-01T00:00:00.000Z', 1],
      ['1971-01-01T00:00:00.000Z', 2],
      ['1972-01-01T00:00:00.000Z', 2],
    ]);
  });

  it('is filtered again, whatever the plugin makes of filters', async () => {
    const where = [
      { expression: '? not in ?', parameters: [ref('goal'), ['Earth orbit']] },
      { expression: '? is null', parameters: [ref('samples')] },
    ];
    expect(await ask(goals({ where }))).toEqual([
      ['Landing', 1, null],
      ['Moon orbit', 2, null],
    ]);
    const raw = { dimensions: [ref('mission')], measures: [ref('hours')], options: { rollup_data: false } };
    expect(await ask({ ...raw, order: [{ ...ref('mission'), order: 'asc' }] })).toEqual(
      missions.map((row) => [row[0], row[3]]).toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    );
  });

  it('shows a tenant its own rows only', async () => {
    const apiToken = await api.apiToken(api.owner);
    const filter = (expression: string, column: string, value: Json): object => ({
      clause: 'where',
      origin: 'global',
      securable_id: made.dataset,
      column_id: made.columns.get(column),
      expression,
      value,
    });
    const token = await api.embedToken(
      {
        role: 'viewer',
        access: { datasets: [{ id: made.dataset, rights: 'use' }] },
        filters: [filter('? = ?', 'goal', 'Landing'), filter('? < ?', 'launch', '1971-06-01T00:00:00.000Z')],
      },
      apiToken,
    );
    expect(await ask(goals(), token)).toEqual([['Landing', 4, expect.closeTo(98.2)]]);
    const years = { dimensions: [ref('launch', 1)], measures: [ref('*'), sum('hours')] };
    expect(await ask({ ...years, order: [{ ...ref('launch'), order: 'asc' }] }, token)).toEqual([
      ['1969-01-01T00:00:00.000Z', 2, expect.closeTo(439.92)],
      ['1970-01-01T00:00:00.000Z', 1, expect.closeTo(142.91)],
      ['1971-01-01T00:00:00.000Z', 1, expect.closeTo(216.03)],
    ]);
  });

  it('that stalls is given up at the deadline', async () => {
    const there = await connect(impatient);
    const stalls: readonly Misbehaviour[] = [{ kind: 'stall' }, { kind: 'stall-in-body', body: '[[' }];
    for (const how of stalls) {
      plugin().set('/query', how);
      const answer = await impatient.call('data', { action: 'get', find: goals({ limit: { by: 1000 } }, there) });
      expect([how, answer.status]).toEqual([how, 504]);
    }
  });

  it('that lies, floods or is refused is a problem that names the plugin, never a 500', async () => {
    const cases: readonly (readonly [Misbehaviour, readonly number[]])[] = [
      [{ kind: 'answer', body: '[["a","b","c","d","e","f","g"]]' }, [502]],
      [{ kind: 'answer', body: '{"rows":[]}' }, [502]],
      [{ kind: 'answer', type: 'text/html', body: '<html>' }, [502]],
      [{ kind: 'answer', body: `[${'["m","g",null,1,null],'.repeat(20_000)}["m","g",null,"one",null]]` }, [502]],
      [{ kind: 'answer', status: 401, body: '' }, [502]],
      [{ kind: 'answer', status: 500, body: '' }, [502]],
      [{ kind: 'redirect', to: 'http://127.0.0.1:1/' }, [502]],
      [{ kind: 'reset' }, [502]],
      [{ kind: 'flood', start: '[["', piece: 'x'.repeat(65_536) }, [502]],
    ];
    for (const [how, statuses] of cases) {
      plugin().set('/query', how);
      const answer = await api.call('data', { action: 'get', find: goals({ limit: { by: 1000 } }) });
      expect([how, statuses.includes(answer.status) || answer.body]).toEqual([how, true]);
      expect(text(answer.body, 'message')).toMatch(/^The plugin "apollo-/u);
    }
    plugin().clear();
    expect(await ask(goals())).toHaveLength(3);
  });
});
