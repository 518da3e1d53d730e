import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isList, isObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awakeClock } from '../../support/awake.ts';
import { counted } from '../../support/counts.ts';
import type { Fault } from '../../support/fault-proxy.ts';
import { poolSize, startProxied, type Proxied } from '../../support/load-proxied.ts';
import { codeOf, type Replied } from '../../support/load.ts';
import { havePostgres, startPostgres, type Postgres } from '../../support/postgres.ts';

/** Longer than the store's timeout, so that every trouble lasts until the service has given something up. */
const faultMs = counted(1_200, 60_000);
const storeTimeoutMs = counted(800, 1_500);
/** A read and a write of at most three store timeouts, each with half a second for the way, and as much again for the machine. */
const deadlineMs = 12_000;
const recoveryMs = 5_000;

type Trouble = Fault | 'server-restart' | 'terminate-sessions' | 'no-connections-left' | 'read-only-server';

const troubles: readonly Trouble[] = [
  { kind: 'refuse' },
  { kind: 'reset-before' },
  { kind: 'reset-in', afterBytes: 300 },
  { kind: 'reset-after' },
  { kind: 'black-hole' },
  { kind: 'latency', ms: 2_000 },
  { kind: 'throttle', bytesPerSecond: 1_024 },
  { kind: 'half-open' },
  { kind: 'cut-after-commit' },
  'server-restart',
  'terminate-sessions',
  'no-connections-left',
  'read-only-server',
];
const wordsOf = (trouble: Trouble): string => (typeof trouble === 'string' ? trouble : trouble.kind);

describe.skipIf(havePostgres() !== undefined)('on PostgreSQL, while the link to it is broken by', () => {
  let server: Postgres;
  let proxied: Proxied;
  beforeAll(async () => {
    server = await startPostgres();
    proxied = await startProxied(server, storeTimeoutMs, deadlineMs);
  });
  afterAll(async () => {
    await server.stop();
  });

  const terminate = async (): Promise<void> => {
    await proxied.store.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'inlay service'`,
    );
  };

  /** Makes the trouble, lets it last, and ends it. */
  async function cause(trouble: Trouble): Promise<void> {
    const { store, proxy } = proxied;
    if (typeof trouble !== 'string') {
      await proxy.set(trouble);
      await sleep(faultMs);
      return proxy.clear();
    }
    const until = Date.now() + faultMs;
    switch (trouble) {
      case 'server-restart':
        do await server.restart();
        while (Date.now() < until);
        return;
      case 'terminate-sessions':
        for (; Date.now() < until; await sleep(100)) await terminate();
        return;
      case 'no-connections-left':
        await store.rows('alter role customer connection limit 0');
        await terminate();
        await sleep(faultMs);
        await store.rows('alter role customer connection limit -1');
        return;
      case 'read-only-server':
        await store.rows('alter role customer set default_transaction_read_only = on');
        await terminate();
        await sleep(faultMs);
        await store.rows('alter role customer reset default_transaction_read_only');
        await terminate();
    }
  }

  const create = (mark: string): Promise<Replied> =>
    proxied.client.call('collection', { action: 'create', properties: { name: { en: mark } } });

  /** What is wrong with an answer; undefined for a right one and for an honest refusal. */
  const wrongIn = (answer: Replied, holds: (answer: Replied) => boolean): string | undefined => {
    if (
      answer.status === 200
        ? holds(answer)
        : answer.status === 503 && /^(?:store_unavailable|outcome_unknown)$/u.test(codeOf(answer))
    )
      return undefined;
    return `answered ${answer.status} ${JSON.stringify(answer.body)}`;
  };

  test.each(troubles.map((trouble) => [wordsOf(trouble), trouble] as const))(
    '%s no answer is wrong, late or lost, and it is over soon after',
    async (_, trouble) => {
      const known = randomUUID();
      await expect.poll(async () => (await create(known)).status).toBe(200);
      const outcomes = new Map<string, string>();
      const faults: string[] = [];
      let refused = 0;
      let slowestMs = 0;
      let over = false;
      const ask = async (turn: number): Promise<void> => {
        const mark = randomUUID();
        const from = performance.now();
        try {
          const answer =
            turn % 2 === 0
              ? await create(mark)
              : await proxied.client.call('collection', {
                  action: 'get',
                  find: { where: { 'name.en': known }, limit: 2 },
                });
          const holds = ({ body }: Replied): boolean =>
            isObject(body) &&
            (turn % 2 === 0
              ? isObject(body['name']) && body['name']['en'] === mark
              : isList(body['rows']) && body['rows'].length === 1);
          const wrong = wrongIn(answer, holds);
          if (wrong !== undefined) faults.push(wrong);
          if (answer.status !== 200) refused += 1;
          slowestMs = Math.max(slowestMs, performance.now() - from);
          if (turn % 2 === 0) outcomes.set(mark, answer.status === 200 ? 'acknowledged' : codeOf(answer));
        } catch (error) {
          faults.push(`no answer after ${Math.round(performance.now() - from)} ms: ${String(error)}`);
        }
      };
      const asking = Array.from({ length: 8 }, async (_each, index) => {
        for (let turn = index; !over; turn += 1) {
          await ask(turn);
          await sleep(10);
        }
      });
      await cause(trouble);
      const clock = awakeClock();
      for (let inARow = 0; inARow < 10 && clock.passedMs() < 30_000;)
        inARow = (await create(randomUUID())).status === 200 ? inARow + 1 : 0;
      const recovered = clock.passedMs();
      clock.stop();
      over = true;
      await Promise.all(asking);
      const made = await proxied.store.rows(`select record from collection`);
      const marks = new Map<string, number>();
      for (const { record } of made) {
        const mark = /"en":"([^"]+)"/u.exec(String(record))?.[1] ?? '';
        marks.set(mark, (marks.get(mark) ?? 0) + 1);
      }
      for (const [mark, outcome] of outcomes) {
        const times = marks.get(mark) ?? 0;
        if (outcome === 'acknowledged' && times !== 1) faults.push(`an acknowledged record is there ${times} times`);
        if (outcome === 'store_unavailable' && times !== 0)
          faults.push('a record is there of which was said that nothing was written');
      }
      const unknown = [...outcomes.values()].filter((outcome) => outcome === 'outcome_unknown').length;
      process.stdout.write(
        `${wordsOf(trouble)}: ${outcomes.size} writes, ${refused} refused, ${unknown} unknown, slowest answer ${Math.round(slowestMs)} ms, recovered in ${Math.round(recovered)} ms\n`,
      );
      expect(faults).toEqual([]);
      expect(recovered).toBeLessThan(recoveryMs);
      await expect.poll(() => proxied.sessions()).toBeLessThanOrEqual(poolSize);
    },
    600_000 + 4 * faultMs,
  );

  test('nothing, the service ends in order and leaves no connection behind', async () => {
    expect(await proxied.stop()).toBe(0);
    await expect.poll(() => proxied.sessions()).toBe(0);
  });
});
