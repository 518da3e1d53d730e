import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checkLedger, checkWhole, readHolding } from '../support/ledger-check.ts';
import { isBroken, newLedger, writeRecords, type Ledger } from '../support/ledger.ts';
import { describeStores } from '../support/load-pair.ts';
import type { LoadStore } from '../support/load-store.ts';
import { between, firstOwner, openClient, percentile } from '../support/load.ts';
import { awakeClock } from '../support/awake.ts';
import { counted } from '../support/counts.ts';
import { startService, type ServiceProcess } from '../support/process.ts';

const kills = counted(2, 200);
const writes = counted(500, 20_000);
const writers = 8;
const hangLimitMs = 120_000;
/** Acknowledged before the clock of the kill starts, so that it hits a service at work. */
const underWay = 50;

/** Lets writers loose on the service and ends something under them after a while. */
async function writeThrough(url: string, owner: ReturnType<typeof firstOwner>, end: () => void): Promise<Ledger> {
  const ledger = newLedger();
  const client = openClient(url, owner.credential);
  let over = false;
  const ended = (async () => {
    for (const limit = Date.now() + 5_000; ledger.acknowledged < underWay && Date.now() < limit;) await sleep(5);
    await sleep(between(20, 300));
    end();
    over = true;
  })();
  const raised = await Promise.all(
    Array.from({ length: writers }, () =>
      writeRecords(client, ledger, () => !over).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      ),
    ),
  );
  await ended;
  client.close();
  for (const error of raised) if (error !== undefined && !isBroken(error)) throw error;
  return ledger;
}

const roundFaults = async (store: LoadStore, ledger: Ledger): Promise<readonly string[]> =>
  checkLedger(store.dataDir, ledger, await readHolding(store, ledger.since));

/** Kills the service under load again and again; returns what was wrong, and the measures for the print. */
async function killAgainAndAgain(store: LoadStore): Promise<readonly string[]> {
  const owner = firstOwner();
  const env = { ...store.settings, ...owner.settings };
  const ledgers: Ledger[] = [];
  const restartsMs: number[] = [];
  const acknowledged = (): number => ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0);
  let service: ServiceProcess = await startService({ env });
  while (ledgers.length < kills || acknowledged() < writes) {
    const ledger = await writeThrough(service.url, owner, () => service.kill('SIGKILL'));
    ledgers.push(ledger);
    await service.exited;
    const clock = awakeClock();
    service = await startService({ env, readyLimitMs: hangLimitMs });
    restartsMs.push(clock.passedMs());
    clock.stop();
    const faults = await roundFaults(store, ledger);
    if (faults.length > 0) return faults;
    if (ledgers.length % 50 === 0)
      process.stdout.write(`${store.name}: ${ledgers.length} kills, ${acknowledged()} acknowledged writes so far\n`);
  }
  expect(await service.stop()).toBe(0);
  const asked = ledgers.reduce((sum, { entries }) => sum + entries.size, 0);
  const restart = `restart to ready p50 ${Math.round(percentile(restartsMs, 50))} ms, p99 ${Math.round(percentile(restartsMs, 99))} ms`;
  process.stdout.write(
    `${store.name}: ${ledgers.length} kills, ${acknowledged()} acknowledged writes on ${asked} records, ${restart}\n`,
  );
  const whole: Ledger = { ...newLedger(), entries: new Map(ledgers.flatMap(({ entries }) => [...entries])) };
  const since = ledgers[0]?.since ?? '';
  return [...checkLedger(store.dataDir, whole, await readHolding(store, since)), ...(await checkWhole(store))];
}

describeStores((newStore) => {
  test('a killed service loses no acknowledged write and leaves no half-written record', async () => {
    const store = await newStore();
    expect(await killAgainAndAgain(store)).toEqual([]);
    await store.remove();
  }, 3_600_000);
});
