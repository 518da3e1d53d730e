import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { metricTable } from '../../packages/service/src/metrics/table.ts';
import { parse } from 'yaml';
import { alertRules } from '../../scripts/alert-rules.ts';
import { grafanaDashboard } from '../../scripts/grafana-dashboard.ts';
import { useApi } from '../support/api.ts';
import { havePostgresServer } from '../support/service.ts';
import { columnsOfDataset, openShop } from '../support/shop-database.ts';
import { datasetIn, part } from '../support/world.ts';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const token = randomBytes(32).toString('base64url');

describe('metrics', () => {
  const api = useApi('sqlite', { INLAY_METRICS_TOKEN: token, INLAY_ALLOW_PRIVATE_HOSTS: 'true' });

  const read = async (
    authorization = `Bearer ${token}`,
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const answer = await api.service.server.inject({ method: 'GET', url: '/metrics', headers: { authorization } });
    return { status: answer.statusCode, text: answer.body };
  };
  /** Returns the value of one line of the exposition; 0 if it has none. */
  const valueOf = async (line: string): Promise<number> => {
    const found = (await read()).text.split('\n').find((one) => one.startsWith(`${line} `));
    return Number(found?.slice(line.length) ?? 0);
  };

  it('are read with the token that is set, and with no other', async () => {
    expect((await read()).status).toBe(200);
    expect((await read('Bearer wrong')).status).toBe(401);
    const none = await api.service.server.inject({ method: 'GET', url: '/metrics' });
    expect([none.statusCode, none.body.includes('INLAY_METRICS_TOKEN')]).toEqual([401, true]);
    expect(none.body).not.toContain('inlay_requests');
  });

  it('are all there, each with its help', async () => {
    const { text } = await read();
    for (const [name, { type, help }] of Object.entries(metricTable)) {
      expect(text).toContain(`# HELP ${name} ${help}\n`);
      expect(text).toContain(`# TYPE ${name} ${type}\n`);
    }
  });

  it('count queries by where they ran and how they ended', async () => {
    const { body } = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/data/file?name=Counted',
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${api.owner.key}:${api.owner.token}` },
      payload: 'region,amount\nNorth,1\nSouth,2\n',
    });
    const { id } = datasetIn(JSON.parse(body));
    await api.ok('securable', { id, properties: { cache: 60 } });
    const columns = await columnsOfDataset(api, id);
    const ask = async (dataset_id: string): Promise<number> => {
      const measure = { dataset_id, column_id: columns.get('amount'), aggregation: { type: 'sum' } };
      return (await api.call('data', { action: 'get', find: { queries: [{ measures: [measure] }] } })).status;
    };
    expect([await ask(id), await ask(id)]).toEqual([200, 200]);
    expect(await valueOf('inlay_queries_total{source="engine",outcome="ok"}')).toBe(1);
    expect(await valueOf('inlay_queries_total{source="cache",outcome="ok"}')).toBe(1);
    expect(await valueOf('inlay_query_duration_seconds_count{source="engine"}')).toBe(1);
    expect(await valueOf('inlay_query_wait_seconds_count')).toBe(1);
    expect(await valueOf('inlay_answer_cache_bytes')).toBeGreaterThan(0);
    expect(await ask('01890a5d-ac96-774b-bcce-b302099a8057')).toBe(400);
    expect(await valueOf('inlay_queries_total{source="none",outcome="dataset_unknown"}')).toBe(1);
  });

  it.runIf(havePostgresServer)('count requests to sources by provider and outcome', async () => {
    const { column, run } = await openShop(api);
    const measure = column('unitPrice', { aggregation: { type: 'sum' } });
    const ask = async (): Promise<number> =>
      (await api.call('data', { action: 'get', find: { queries: [{ measures: [measure] }] } })).status;
    const ok = 'inlay_source_requests_total{provider="postgresql",outcome="ok"}';
    const before = await valueOf(ok);
    expect(await ask()).toBe(200);
    expect(await valueOf(ok)).toBeGreaterThan(before);
    await run('drop table orders');
    expect(await ask()).toBeGreaterThanOrEqual(400);
    expect(await valueOf('inlay_source_requests_total{provider="postgresql",outcome="missing"}')).toBe(1);
  });

  it('count sign-ins by how they ended', async () => {
    const wrong = 'inlay_sign_ins_total{method="password",outcome="password_wrong"}';
    const before = await valueOf(wrong);
    const properties = { type: 'login', email: 'nobody@example.com', password: 'not the password' };
    expect((await api.service.call('authorization', { action: 'create', properties })).status).toBe(401);
    expect(await valueOf(wrong)).toBe(before + 1);
  });

  it('time the store', async () => {
    const writes = await valueOf('inlay_store_duration_seconds_count{operation="write"}');
    await api.create('group', { name: { en: 'Timed' } });
    expect(await valueOf('inlay_store_duration_seconds_count{operation="write"}')).toBeGreaterThan(writes);
    expect(await valueOf('inlay_store_duration_seconds_count{operation="read"}')).toBeGreaterThan(0);
    expect(await valueOf('inlay_store_reads_pending')).toBe(0);
  });

  it('are all that the Grafana dashboard asks for', async () => {
    const { text } = await read();
    const asked = [...grafanaDashboard().matchAll(/\b(?:inlay|process|nodejs)_\w+/gu)].map(([name]) => name);
    expect(asked.length).toBeGreaterThan(20);
    for (const name of asked) expect(text).toContain(`# TYPE ${name.replace(/_(?:bucket|count|sum)$/u, '')} `);
  });

  it('are all that the alerts ask for, with labels that they have', async () => {
    const { text } = await read();
    const rules: unknown = parse(alertRules());
    const [group] = listOf(part(rules, 'groups'));
    const alerts = listOf(part(group, 'rules'));
    expect(alerts.length).toBeGreaterThan(10);
    expect(new Set(alerts.map((alert) => part(alert, 'alert'))).size).toBe(alerts.length);
    for (const alert of alerts) {
      expect(alert).toMatchObject({
        for: expect.stringMatching(/^\d+m$/u),
        labels: { severity: expect.stringMatching(/^(?:critical|warning)$/u) },
        annotations: { summary: expect.stringMatching(/\.$/u), description: expect.stringMatching(/\.$/u) },
      });
      const series = [...String(part(alert, 'expr')).matchAll(/\b(?<name>[a-z0-9_]+)\{(?<labels>[^}]*)\}/gu)];
      expect(series.length).toBeGreaterThan(0);
      for (const { groups: { name = '', labels = '' } = {} } of series) {
        const metric = name.replace(/_(?:bucket|count)$/u, '');
        // Prometheus itself has the metric up.
        if (name !== 'up') expect(text).toContain(`# TYPE ${metric} `);
        const [, own] = Object.entries(metricTable).find(([known]) => known === metric) ?? [];
        const known: readonly string[] = ['job', ...(own !== undefined && 'labels' in own ? own.labels : [])];
        for (const [, label = ''] of labels.matchAll(/(\w+)[!=]/gu)) expect(known, `${name} ${label}`).toContain(label);
      }
    }
  });
});
