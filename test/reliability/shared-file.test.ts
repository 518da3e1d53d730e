import { expect, test } from 'vitest';
import { counted } from '../support/counts.ts';
import { checkLedger, checkWhole, readHolding } from '../support/ledger-check.ts';
import { newLedger, writeRecords } from '../support/ledger.ts';
import { startPair } from '../support/load-pair.ts';
import { embeddedStore } from '../support/load-store.ts';

const tries = counted(3, 20);
const writersEach = 4;

test('two processes on one embedded store both write and nothing is lost', async () => {
  for (let turn = 0; turn < tries; turn += 1) {
    const pair = await startPair(embeddedStore());
    const ledger = newLedger();
    const until = Date.now() + 20_000;
    const goesOn = (): boolean => ledger.acknowledged < 200 && Date.now() < until;
    const writing = pair
      .clients()
      .flatMap((client) => Array.from({ length: writersEach }, () => writeRecords(client, ledger, goesOn)));
    await Promise.all(writing);
    expect(ledger.acknowledged).toBeGreaterThan(100);
    expect(checkLedger(pair.store.dataDir, ledger, await readHolding(pair.store, ledger.since))).toEqual([]);
    expect(await checkWhole(pair.store)).toEqual([]);
    process.stdout.write(`two processes, one file: ${ledger.acknowledged} acknowledged writes\n`);
    await pair.stop();
  }
}, 1_800_000);
