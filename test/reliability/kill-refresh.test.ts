import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { counted } from '../support/counts.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { runSeed } from '../support/seed.ts';
import { freshDatabase, havePostgresServer } from '../support/service.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { part, text } from '../support/world.ts';

const kills = counted(1, 30);
const rowCount = counted(110_000, 400_000);

/** How the copy is refreshed, and how many rows change before each refresh. */
const refreshes = [
  { what: 'a full refresh', isDelta: false, changedRows: rowCount },
  { what: 'a delta', isDelta: true, changedRows: rowCount / 10 },
];
const owner = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };
const env = {
  INLAY_BOOTSTRAP_KEY: owner.key,
  INLAY_BOOTSTRAP_TOKEN: owner.token,
  INLAY_RATE_LIMIT: '0',
  INLAY_ALLOW_PRIVATE_HOSTS: 'true',
  INLAY_SYNC_METADATA: 'false',
};

async function send({ url }: ServiceProcess, resource: string, body: object): Promise<Json> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${owner.key}:${owner.token}` };
  const answer = await fetch(`${url}/0.1.0/${resource}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const read: Json = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(JSON.stringify(read));
  return read;
}

const firstRow = (body: Json): Json => {
  const rows = part(body, 'rows');
  return isList(rows) ? (rows[0] ?? null) : null;
};

test.runIf(havePostgresServer).each(refreshes)(
  '$what that is killed at any point leaves the copy and its rollup as they were or makes both new, and ends after the next start',
  { timeout: 3_600_000 },
  async ({ what, isDelta, changedRows }) => {
    const url = new URL(await freshDatabase());
    const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
    await sql.unsafe(
      `create table numbered as select n as id, 1 as edition, repeat('x', 20) as filler, now() as made_at, now() as changed_at
          from generate_series(1, ${rowCount}) n`,
    );
    const random = randomOf(runSeed);
    let service = await startService({ env });
    const { dataDir } = service;
    const kept = { ...env, INLAY_DATA_DIR: dataDir };
    const account = await send(service, 'account', {
      properties: {
        provider: 'postgresql',
        host: url.hostname,
        port: url.port,
        scope: url.pathname.slice(1),
        identifier: url.username,
        token: url.password === '' ? 'none' : url.password,
      },
    });
    const datasets = { account_id: text(account, 'id'), datasets: ['public.numbered'] };
    const datasetId = text(firstRow(await send(service, 'dataprovider', { properties: datasets })), 'id');
    const columns = part(await send(service, 'column', { find: { where: { securable_id: datasetId } } }), 'rows');
    const columnId = (name: string): string =>
      text((isList(columns) ? columns : []).find((entry) => text(entry, 'source_name') === name) ?? null, 'id');
    const delta = {
      load_type: 'delta',
      data_storage_strategy: 'insert-update',
      primary_key_column_ids: [columnId('id')],
      created_at_column_id: columnId('made_at'),
      updated_at_column_id: columnId('changed_at'),
    };
    const properties = { securable_id: datasetId, ...(isDelta ? delta : {}) };
    const made = await send(service, 'acceleration', { properties });
    const id = text(made, 'id');

    const column = (name: string): object => ({ dataset_id: datasetId, column_id: columnId(name) });
    const fromRollup = {
      dimensions: [column('edition')],
      measures: [{ ...column('edition'), aggregation: { type: 'count' } }],
    };
    const fromCopy = { ...fromRollup, where: [{ expression: '? is not null', parameters: [column('filler')] }] };

    /** The editions of all rows after the first ones were changed to `edition`. */
    const withEdition = (edition: number): string => {
      const [unchanged, changed] = [
        [1, rowCount - changedRows],
        [edition, changedRows],
      ];
      if (edition === 1) return JSON.stringify([[1, rowCount]]);
      return JSON.stringify(isDelta ? [unchanged, changed] : [changed]);
    };
    /** The editions in the copy, each with its number of rows, which the rollup and the copy must agree on. */
    const editions = async (): Promise<unknown> => {
      const queries = [fromRollup, fromCopy];
      const answers = await send(service, 'data', { action: 'get', find: { queries } });
      const [rolledUp = null, copied = null] = isList(answers) ? answers : [];
      expect([part(rolledUp, 'source'), part(copied, 'source')]).toEqual(['engine', 'engine']);
      expect(part(rolledUp, 'data')).toEqual(part(copied, 'data'));
      return part(rolledUp, 'data');
    };
    const recordNow = (): Promise<Json> => send(service, 'acceleration', { action: 'get', id });
    /** Switches a rollup of the editions on. */
    const rollUp = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) await send(service, 'data', { action: 'get', find: fromRollup });
      let proposals = part(await recordNow(), 'rollup_proposals');
      for (let times = 0; !isList(proposals) || proposals.length === 0; times += 1) {
        expect(times, 'no rollup is proposed').toBeLessThan(600);
        await sleep(100);
        proposals = part(await recordNow(), 'rollup_proposals');
      }
      const rollupId = text(proposals[0], 'id');
      await send(service, 'acceleration', { id, properties: { rollup_ids: [rollupId] } });
      for (let times = 0; !JSON.stringify(part(await recordNow(), 'rollups')).includes(rollupId); times += 1) {
        expect(times, 'the rollup is not written').toBeLessThan(600);
        await sleep(100);
      }
    };
    const asOfEdition = async (wanted: number): Promise<void> => {
      for (let times = 0; JSON.stringify(await editions()) !== withEdition(wanted); times += 1) {
        expect(times, `edition ${wanted} does not arrive`).toBeLessThan(1200);
        await sleep(100);
      }
    };
    const isReady = async (): Promise<boolean> =>
      part(await send(service, 'acceleration', { action: 'get', id }), 'status') === 'ready';
    while (!(await isReady())) await sleep(50);
    await rollUp();
    for (let kill = 2; kill < kills + 2; kill += 1) {
      await sql.unsafe(`update numbered set edition = ${kill}, changed_at = now() where id <= ${changedRows}`);
      await send(service, 'acceleration', { id, properties: { refresh: true } });
      await sleep(random.below(1500));
      service.kill('SIGKILL');
      await service.exited;
      service = await startService({ env: kept });
      const found = JSON.stringify(await editions());
      expect([withEdition(kill - 1), withEdition(kill)]).toContain(found);
      // The lease of the killed instance expires first.
      await asOfEdition(kill);
    }
    process.stdout.write(`accelerations: ${kills} kills during ${what}, 0 copies or rollups mixed or lost\n`);
    await service.stop();
    await sql.end();
  },
);
