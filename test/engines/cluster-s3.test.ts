import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { planPublications } from '../../packages/service/src/cluster/plan.ts';
import { checkCluster } from '../../packages/service/src/cli/doctor/cluster.ts';
import { publishJob } from '../../packages/service/src/commands/publication.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { sql } from '../../packages/service/src/store/sql.ts';
import { Api } from '../support/api.ts';
import { clusterSettings, objectSettings, publishedIn } from '../support/cluster.ts';
import { startFaultProxy, type Fault, type FaultProxy } from '../support/fault-proxy.ts';

const schema = 'faults';
const leastRows = 10;

describe('an object store that refuses files of rows on trino', () => {
  const engines = inject('sharedEngines');
  const api = new Api();
  let proxy: FaultProxy;
  let settings: Readonly<Record<string, string>>;
  const log: string[] = [];

  beforeAll(async () => {
    if (engines === undefined) throw new Error('the cluster is not there');
    proxy = await startFaultProxy(Number(new URL(engines.objects.endpoint).port));
  });
  afterAll(() => proxy.stop());
  beforeEach(() => proxy.clear());

  async function start(more: Readonly<Record<string, string>>): Promise<void> {
    if (engines === undefined) return;
    const objects = { ...engines.objects, endpoint: `http://127.0.0.1:${proxy.port}` };
    settings = {
      ...(await clusterSettings(engines, schema, undefined, 'objects')),
      ...objectSettings(objects, schema),
      INLAY_CLUSTER_ROWS: String(leastRows),
      INLAY_SORT_ROWS: 'false',
      ...more,
    };
    await api.start('sqlite', settings, undefined, undefined, (line) => log.push(line));
  }
  const store = () => api.service.app.service.store;
  async function publish(): Promise<void> {
    await planPublications({ store: store(), leastRows, now: Date.now });
    await api.service.app.jobs.runDue(publishJob);
  }
  /** Finds what the doctor says of the cluster. */
  const diagnosis = async (): Promise<string> => {
    const { config } = readConfig({ ...settings, INLAY_DATA_DIR: api.service.dataDir }, () => '');
    return (await checkCluster(store(), config))
      .map(({ level, description, fix = '' }) => `${level}: ${description}. ${fix}`)
      .join('\n');
  };

  const faults: readonly (readonly [string, Readonly<Record<string, string>>, Fault | undefined, string])[] = [
    ['its key is wrong', { INLAY_CLUSTER_S3_SECRET_KEY: 'wrong' }, undefined, 'does not accept the access key'],
    ['its key is unknown', { INLAY_CLUSTER_S3_KEY_ID: 'wrong' }, undefined, 'does not accept the access key'],
    ['its bucket is missing', { INLAY_CLUSTER_FILES: 's3://nowhere/x' }, undefined, 'The bucket does not exist'],
    ['it is down', {}, { kind: 'refuse' }, 'The object store cannot be reached'],
    ['it accepts everything and does not answer', {}, { kind: 'black-hole' }, 'does not answer in time'],
  ];
  it.each(faults)('leaves uploads and answers as they are while %s', async (_, more, fault, reason) => {
    await start(more);
    if (fault !== undefined) await proxy.set(fault);
    const data = [['id', 'region'], ...Array.from({ length: 20 }, (__, n) => [n, n % 2 === 0 ? 'North' : 'South'])];
    const { id } = await api.create('data', { type: 'create', data, options: { header: true } });
    const error = sql`select error from job where type = ${publishJob} and subject = ${id} and error is not null`;
    await publish();
    await expect.poll(() => store().rows(error), { timeout: 60_000, interval: 200 }).toHaveLength(1);
    const measures = [{ dataset_id: id, column_id: '*', aggregation: { type: 'count' } }];
    expect(await api.ok('data', { action: 'get', find: { dimensions: [], measures } })).toMatchObject({
      source: 'engine',
      data: [[20]],
    });
    const said = await diagnosis();
    expect(said).toMatch(/^fail: the /mu);
    expect(said).toContain(`warn: the rows of ${id} are not at the cluster after`);
    expect(said).toContain(reason);
    expect(api.service.app.jobs.state.dead).toBe(0);
    const shown = `${said}\n${log.join('\n')}\n${JSON.stringify(await store().rows(sql`select * from job`))}`;
    expect(shown).not.toContain(engines?.objects.secretKey);
    expect(shown).not.toContain(settings['INLAY_CLUSTER_S3_SECRET_KEY']);
    await api.stop();
    if (engines !== undefined) expect(await publishedIn(engines, schema, 'objects')).toEqual([]);
  });
});
