import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { awakeClock } from '../support/awake.ts';
import { counted, isFull } from '../support/counts.ts';
import { embeddedStore } from '../support/load-store.ts';
import { between, firstOwner, openClient } from '../support/load.ts';
import { startService } from '../support/process.ts';

const stops = counted(5, 50);
const perSecond = 200;
const exitLimitMs = 10_000;

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error && 'code' in error)) return String(error);
  return `${'isNewLink' in error && error.isNewLink === true ? 'new link ' : ''}${String(error.code)}`;
};

test('a service that is told to stop answers everyone who waits at its port', async () => {
  const service = await startService({ env: firstOwner().settings });
  const client = openClient(service.url, undefined, { keepAlive: false });
  service.kill('SIGSTOP');
  const waiting = Array.from({ length: 50 }, () => client.call('tag', { action: 'get', find: {} }));
  // Long enough for the system to take the connections in, which asks nothing of a process that stands still.
  await sleep(500);
  service.kill('SIGTERM');
  service.kill('SIGCONT');
  const told = await Promise.allSettled(waiting);
  expect(told.map((one) => (one.status === 'fulfilled' ? one.value.status : reasonOf(one.reason)))).toEqual(
    Array.from({ length: 50 }, () => 401),
  );
  expect(await service.exited).toBe(0);
});

test('a service that is told to stop at 200 requests a second answers every request it accepted', async () => {
  const store = embeddedStore();
  const owner = firstOwner();
  const told = new Map<string, number>();
  const exitsMs: number[] = [];
  for (let turn = 0; turn < stops; turn += 1) {
    const service = await startService({ env: { ...store.settings, ...owner.settings } });
    const kept = openClient(service.url, owner.credential);
    const fresh = openClient(service.url, owner.credential, { keepAlive: false });
    const sent: Promise<void>[] = [];
    const note = (what: string): void => void told.set(what, (told.get(what) ?? 0) + 1);
    const send = async (index: number): Promise<void> => {
      const client = index % 2 === 0 ? kept : fresh;
      const write = { action: 'create', properties: { name: { en: `tag ${index}` } } };
      const read = { action: 'get', find: { limit: 5 } };
      await client.call('tag', index % 3 === 0 ? write : read).then(
        ({ status }) => note(String(status)),
        (error: unknown) => note(reasonOf(error)),
      );
    };
    let over = false;
    const sending = (async () => {
      const from = performance.now();
      for (let index = 0; !over; index += 1) {
        await sleep(Math.max(0, from + (index * 1_000) / perSecond - performance.now()));
        sent.push(send(index));
      }
    })();
    await sleep(between(500, 1_000));
    const clock = awakeClock();
    service.kill('SIGTERM');
    const code = await service.exited;
    exitsMs.push(clock.passedMs());
    clock.stop();
    over = true;
    await sending;
    await Promise.all(sent);
    kept.close();
    fresh.close();
    expect(code).toBe(0);
  }
  process.stdout.write(
    `${stops} stops: ${JSON.stringify(Object.fromEntries(told))}, slowest exit ${Math.round(Math.max(...exitsMs))} ms\n`,
  );
  // A refused link was never accepted, nor was one that the system took in the instant between the last accept and the
  // closing of the port: it is reset unread. Readiness keeps balancers from making such links. On a quiet machine, where the
  // full counts run, that instant takes at most one a stop.
  const unaccepted = ['200', 'new link ECONNREFUSED', 'new link ECONNRESET'];
  expect([...told.keys()].filter((what) => !unaccepted.includes(what))).toEqual([]);
  if (isFull) expect(told.get('new link ECONNRESET') ?? 0).toBeLessThanOrEqual(stops);
  expect(Math.max(...exitsMs)).toBeLessThan(exitLimitMs);
  await store.remove();
}, 1_800_000);
