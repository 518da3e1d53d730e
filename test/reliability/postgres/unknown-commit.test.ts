import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { counted } from '../../support/counts.ts';
import { startProxied } from '../../support/load-proxied.ts';
import { codeOf, done, textIn } from '../../support/load.ts';
import { havePostgres, startPostgres } from '../../support/postgres.ts';

const creates = counted(24, 1_000);
const atOnce = 6;

describe.skipIf(havePostgres() !== undefined)('on PostgreSQL', () => {
  test('creates repeated with their Idempotency-Key through lost commits make each record exactly once', async () => {
    const server = await startPostgres();
    const proxied = await startProxied(server, 1_500, 20_000);
    const { client, proxy, store } = proxied;
    const codes = new Map<string, number>();
    const answered = new Map<string, unknown>();
    const marks = Array.from({ length: creates }, () => randomUUID());
    const left = [...marks];
    let over = false;
    const cutting = (async () => {
      for (; !over; await sleep(100)) await proxy.set({ kind: 'cut-after-commit', times: 1 });
    })();
    const one = async (mark: string): Promise<void> => {
      for (;;) {
        const answer = await client.call(
          'collection',
          { action: 'create', properties: { name: { en: mark } } },
          { 'idempotency-key': mark },
        );
        if (answer.status === 200) return void answered.set(mark, textIn(done(answer), 'id'));
        const code = codeOf(answer);
        codes.set(code, (codes.get(code) ?? 0) + 1);
        expect(['outcome_unknown', 'store_unavailable']).toContain(code);
        await sleep(20);
      }
    };
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let mark = left.pop(); mark !== undefined; mark = left.pop()) await one(mark);
      }),
    );
    over = true;
    await cutting;
    await proxy.clear();
    const rows = await store.rows(`select id, record::json -> 'name' ->> 'en' as mark from collection`);
    expect(rows.map(({ mark }) => String(mark)).toSorted()).toEqual(marks.toSorted());
    for (const { id, mark } of rows) expect(answered.get(String(mark))).toBe(id);
    process.stdout.write(`${creates} creates, refusals on the way: ${JSON.stringify(Object.fromEntries(codes))}\n`);
    expect(codes.get('outcome_unknown') ?? 0).toBeGreaterThan(0);
    expect(await proxied.stop()).toBe(0);
    await server.stop();
  }, 1_800_000);
});
