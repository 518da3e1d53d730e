import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { openStore, storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { publicationPlaces } from '../../packages/service/src/cluster/open.ts';
import { sweepPublications } from '../../packages/service/src/cluster/sweep.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { catalogs, clusterSettings, openCluster, publishedIn, tablesIn } from '../support/cluster.ts';
import { counted } from '../support/counts.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { runSeed } from '../support/seed.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { part, text } from '../support/world.ts';

const kills = counted(1, 20);
const rowCount = 9_000;
const laterMs = 11 * 60_000;
const owner = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };

async function send({ url }: ServiceProcess, resource: string, body: object): Promise<Json> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${owner.key}:${owner.token}` };
  const answer = await fetch(`${url}/0.1.0/${resource}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const read: Json = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(JSON.stringify(read));
  return read;
}

test.each(catalogs)(
  'a service on trino that is killed while it publishes rows in %s answers as before, and then publishes them',
  async (catalog) => {
    const engines = inject('sharedEngines');
    if (engines === undefined) throw new Error('the cluster is not there');
    const env = {
      ...(await clusterSettings(engines, 'killed', undefined, catalog)),
      INLAY_CLUSTER_ROWS: '1000',
      INLAY_BOOTSTRAP_KEY: owner.key,
      INLAY_BOOTSTRAP_TOKEN: owner.token,
      INLAY_RATE_LIMIT: '0',
      INLAY_SORT_ROWS: 'false',
    };
    const random = randomOf(runSeed);
    let service = await startService({ env });
    const { dataDir } = service;
    const settings = { ...env, INLAY_DATA_DIR: dataDir };
    const rowsOf = (edition: number): readonly Json[] => Array.from({ length: rowCount }, (_, n) => [n, edition]);
    const stored = await send(service, 'data', {
      action: 'create',
      properties: { type: 'create', data: [['id', 'edition'], ...rowsOf(1)], options: { header: true } },
    });
    const rows = part(stored, 'rows');
    const id = text(isList(rows) ? rows[0] : null, 'id');
    const find = {
      dimensions: [],
      measures: ['count', 'min', 'max'].map((type) => ({ dataset_id: id, column_id: '', aggregation: { type } })),
    };
    const columns = part(await send(service, 'column', { find: { where: { securable_id: id } } }), 'rows');
    const edition =
      (isList(columns) ? columns : []).find((column) => text(column, 'source_name') === 'edition') ?? null;
    for (const measure of find.measures) measure.column_id = text(edition, 'id');
    const ask = async (): Promise<readonly [unknown, unknown]> => {
      const answer = await send(service, 'data', { action: 'get', find });
      return [part(answer, 'data'), part(answer, 'source')];
    };
    const untilPublished = async (wanted: number): Promise<void> => {
      for (let times = 0; ; times += 1) {
        const [data, source] = await ask();
        expect(data).toEqual([[rowCount, wanted, wanted]]);
        if (source === 'cluster') return;
        expect(times, `edition ${wanted} is not published`).toBeLessThan(1800);
        await sleep(100);
      }
    };
    /** Plans the publication now instead of within a minute. */
    const plan = (): void => {
      const database = new DatabaseSync(storeFile(dataDir), { timeout: 5000 });
      database.exec(
        `insert into job (id, type, organization_id, subject, payload, priority, attempts, due_at, created_at)
        select 'publish rows ' || id, 'publish rows', organization_id, id, '{}', 0, 0, '2026-01-01T00:00:00.000Z', ''
        from securable where id = '${id}' on conflict do nothing`,
      );
      database.close();
    };
    plan();
    await untilPublished(1);
    for (let kill = 2; kill < kills + 2; kill += 1) {
      await send(service, 'data', {
        action: 'create',
        properties: {
          type: 'replace',
          securable_id: id,
          data: [['id', 'edition'], ...rowsOf(kill)],
          options: { header: true },
        },
      });
      plan();
      await sleep(random.below(8000));
      service.kill('SIGKILL');
      await service.exited;
      service = await startService({ env: settings });
      await untilPublished(kill);
    }
    process.stdout.write(`cluster: ${kills} kills during a publication, 0 answers mixed or lost\n`);
    // What killed attempts have left on the local disk goes with the first sweep after a start.
    const unpublished = (): readonly string[] => readdirSync(join(dataDir, 'work/publications'));
    if (catalog === 'objects') await expect.poll(unpublished, { timeout: 150_000, interval: 500 }).toEqual([]);
    await service.stop();
    const { config } = readConfig(settings, () => '');
    const store = await openStore(config);
    const cluster = openCluster(engines, 'killed', catalog);
    const places = await publicationPlaces({ config, store, newId: () => '' }, cluster);
    const now = (): number => Date.now() + laterMs;
    await sweepPublications({ store, places: async () => places, now }, AbortSignal.timeout(60_000));
    const folders = (await publishedIn(engines, 'killed', catalog)).map(dirname);
    expect([new Set(folders).size, (await tablesIn(engines, 'killed', catalog)).length]).toEqual([1, 1]);
    await cluster.close();
    await store.close();
  },
);
