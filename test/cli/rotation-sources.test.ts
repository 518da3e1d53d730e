import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { postgresqlSource, type Source } from '../connectors/sources.ts';
import { call, freshInstallation, inlay } from '../support/command.ts';
import { havePostgres } from '../support/postgres.ts';
import { startService } from '../support/process.ts';
import { storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

describe.skipIf(havePostgres() !== undefined)('a rotation of keys beside a source that asks for its password', () => {
  let source: Source;
  beforeAll(async () => {
    source = await postgresqlSource();
  });
  afterAll(() => source.stop());

  it.each(storesToTest)(
    'leaves its rows in reach, before, during and after it and with the old keys gone, on %s',
    async (store) => {
      const { env, owner } = await freshInstallation(store);
      const settings = { ...env, INLAY_ALLOW_HOSTS: `127.0.0.1/32:${source.port}`, INLAY_SYNC_METADATA: 'false' };
      let service = await startService({ env: settings });
      const ok = async (resource: string, body: JsonObject): Promise<JsonObject> => {
        const answer = await call(service.url, resource, { ...owner, ...body });
        if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
        return answer.body;
      };
      const { host, port, scope, identifier, token } = source.reach();
      const properties = { provider: 'postgresql', host, port, scope, identifier, token } as const;
      const account = text(await ok('account', { properties }), 'id');
      const made = await ok('dataprovider', {
        properties: { account_id: account, provider: 'postgresql', datasets: [source.table('orders')] },
      });
      const rows: unknown = made['rows'];
      const dataset = text(Array.isArray(rows) ? rows[0] : null, 'id');
      const measures = [{ dataset_id: dataset, column_id: '*', aggregation: { type: 'count' } }];
      /** Reads it over a new connection, for which the password is decrypted again. */
      const read = async (): Promise<void> => {
        await source.admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader'`);
        await expect.poll(async () => (await source.sessions()).open).toBe(0);
        // Until the service has noticed.
        await sleep(200);
        const answer = await ok('data', { action: 'get', find: { dimensions: [], measures } });
        expect(part(answer, 'data')).toEqual([[3]]);
      };
      await read();
      let isOver = false;
      let reads = 0;
      const reading = (async () => {
        for (; !isOver; reads += 1) {
          await read();
        }
      })();
      for (const args of [
        ['keys', 'rotate'],
        ['keys', 'rotate', '--retire'],
      ])
        expect(await inlay(args, settings)).toMatchObject({ code: 0, err: '' });
      isOver = true;
      await reading;
      expect(reads).toBeGreaterThan(0);
      await read();
      expect(await service.stop()).toBe(0);
      service = await startService({ env: settings });
      await read();
      expect(await service.stop()).toBe(0);
      rmSync(env['INLAY_DATA_DIR'] ?? '', { recursive: true, force: true });
    },
    120_000,
  );
});
