import { readFileSync, truncateSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { checkLedger, checkWhole, readHolding } from '../support/ledger-check.ts';
import { newLedger, writeRecords } from '../support/ledger.ts';
import { startPair } from '../support/load-pair.ts';
import { embeddedStore } from '../support/load-store.ts';
import { firstOwner, openClient } from '../support/load.ts';
import { startService } from '../support/process.ts';

/** Returns a service with some records, killed. */
async function killedService() {
  const store = embeddedStore();
  onTestFinished(() => store.remove());
  const owner = firstOwner();
  const env = { ...store.settings, ...owner.settings };
  const service = await startService({ env });
  const client = openClient(service.url, owner.credential);
  const ledger = newLedger();
  const writing = Array.from({ length: 4 }, () => writeRecords(client, ledger, () => ledger.acknowledged < 200));
  await Promise.all(writing);
  service.kill('SIGKILL');
  await service.exited;
  client.close();
  return { store, ledger };
}

const frameHeader = 24;
const logHeader = 32;

/** Cuts off the last quarter of what the log holds, as a disk does that said it had kept it (sqlite.org/fileformat2.html). */
function cutLog(file: string): void {
  const log = readFileSync(file);
  const frame = frameHeader + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let frames = 0;
  for (let at = logHeader; at + frame <= log.length && log.subarray(at + 8, at + 16).equals(salt); at += frame)
    frames += 1;
  truncateSync(file, logHeader + Math.floor(frames * 0.75) * frame);
}

test('records that a disk lost after they were acknowledged are reported', async () => {
  const { store, ledger } = await killedService();
  cutLog(`${storeFile(store.dataDir)}-wal`);
  const faults = checkLedger(store.dataDir, ledger, await readHolding(store, ledger.since));
  expect(faults.filter((fault) => fault.endsWith('was acknowledged and is lost')).length).toBeGreaterThan(0);
});

test('a lost text, a lost owner, a changed record and a stray link are reported', async () => {
  const { store, ledger } = await killedService();
  const holding = async (): Promise<string> =>
    checkLedger(store.dataDir, ledger, await readHolding(store, ledger.since)).join('\n');
  expect(await checkWhole(store)).toEqual([]);
  await store.rows(`update tag set name_text = null where seq = (select max(seq) from tag where deleted_at is null)`);
  expect(await holding()).toContain('cannot be searched');
  expect(await checkWhole(store)).toEqual(['1 tag without a text']);
  await store.rows(`delete from link where association = 'securable.Users'`);
  expect(await holding()).toContain('it has no owner');
  await store.rows(`update account set record = json_set(record, '$.host', 'elsewhere.example.com')`);
  expect(await holding()).toContain('holds other content than was acknowledged');
  await store.rows(`update account set secrets = null`);
  expect(await holding()).toContain('lost its secret');
  await store.rows(`delete from collection`);
  expect((await checkWhole(store)).join('\n')).toContain('links from or to nothing');
});

test('without its unique index an organization gets several SSO configurations, and the count shows it', async () => {
  const pair = await startPair(embeddedStore());
  await pair.store.rows('drop index ssoconfig__organization_id__unique');
  const clients = pair.clients();
  const config = {
    client_id: 'inlay',
    client_secret: 'a secret of the provider',
    issuer: 'https://login.example.com',
    authorization_url: 'https://login.example.com/authorize',
    token_url: 'https://login.example.com/token',
    user_info_url: 'https://login.example.com/me',
  };
  const body = { action: 'create', properties: { protocol: 'OIDC', config } };
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => clients[index % 2 === 0 ? 0 : 1].call('ssoconfig', body)),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(1);
  const [row] = await pair.store.rows('select count(*) as n from ssoconfig');
  expect(Number(row?.['n'])).toBeGreaterThan(1);
  await pair.stop();
});
