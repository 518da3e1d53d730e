import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import type { Keyring } from '../../config/keys.ts';
import { createRegistry } from '../../resource/registry.ts';
import { resources } from '../../resources/index.ts';
import { currentSecretKey, rowsBySecretKey } from '../../store/secrets/sealed-keys.ts';
import { StoreUnavailable } from '../../store/store.ts';
import { readArguments } from '../arguments.ts';
import { CommandRefused } from '../faults.ts';
import type { Host } from '../host.ts';
import { addKey, holding, keepOnly } from '../key-file.ts';
import { keyFileOf, keysAtHand } from '../../config/keyring.ts';
import { settingsOf } from '../settings.ts';
import { doneOf, withStore, type ServiceStore } from '../with-store.ts';
import { isStored } from '../../declare/declaration.ts';

/** Small batches, so that writes of the service hardly wait. */
const rowsAtOnce = 100;
const progressEveryMs = 1_000;
const attempts = 5;

/** Returns every table with sealed text. */
export const sealedTables = (): readonly string[] => [
  ...createRegistry(resources)
    .resources.filter(isStored)
    .map(({ name }) => name),
  'idempotency',
];

/** Rotates a batch; waits while the store is briefly busy. */
async function rotate(store: ServiceStore, keyId: string, batch: number): Promise<number> {
  for (let remaining = attempts; ; remaining -= 1) {
    try {
      return doneOf(await store.write({ kind: 'rotate', keyId, batch })).count;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || remaining <= 1) throw error;
      await pause(500);
    }
  }
}

async function rowsOnOthers(store: ServiceStore, keyId: string): Promise<number> {
  const rows = await rowsBySecretKey(store, sealedTables());
  return [...rows].reduce((sum, [id, count]) => sum + (id === keyId ? 0 : count), 0);
}

/** Raises CommandRefused unless every secret can be decrypted, so that the rotation cannot fail halfway. */
async function requireKeys(store: ServiceStore, { keys }: Keyring): Promise<void> {
  const rows = await rowsBySecretKey(store, sealedTables());
  for (const [id, count] of rows) {
    if (keys.has(id)) continue;
    throw new CommandRefused(
      `The key ${id}, which encrypts ${count} rows, is not available: add it to INLAY_SECRET_KEY_PREVIOUS, or to the end of the key file.`,
    );
  }
}

async function moveAll(store: ServiceStore, keyId: string, host: Host): Promise<void> {
  await rotate(store, keyId, 0);
  let movedRows = 0;
  let toldAt = performance.now();
  for (let remaining = await rowsOnOthers(store, keyId); remaining > 0; remaining = await rowsOnOthers(store, keyId)) {
    host.out(`${remaining} rows to re-encrypt with the key ${keyId}`);
    for (let count = -1; count !== 0; movedRows += count) {
      count = await rotate(store, keyId, rowsAtOnce);
      if (performance.now() - toldAt < progressEveryMs) continue;
      toldAt = performance.now();
      host.out(`${movedRows + count} rows done`);
    }
  }
  host.out(`${movedRows} rows were re-encrypted; every secret is now encrypted with the key ${keyId}.`);
}

const backups = 'Older backups need the old key: keep a copy of it for them.';

/** Rotates keys that come from settings, so that every instance already has the new key. */
async function rotateSettings(store: ServiceStore, ring: Keyring, host: Host): Promise<void> {
  await requireKeys(store, ring);
  await moveAll(store, ring.current, host);
  if (ring.keys.size > 1) {
    host.out(`Next: remove INLAY_SECRET_KEY_PREVIOUS from every instance and restart them. ${backups}`);
  } else {
    host.out('To change the key: set INLAY_SECRET_KEY to a new one (openssl rand -base64 32) and');
    host.out('INLAY_SECRET_KEY_PREVIOUS to the old one on every instance, restart them, then run this again.');
  }
}

/**
 * Returns the key to rotate to. It is the first key of the file if a rotation to that key has begun or it will be the
 * only key; otherwise a new key.
 */
async function targetKey(
  store: ServiceStore,
  file: string,
  ring: Keyring,
  retire: boolean,
  host: Host,
): Promise<string> {
  const storedKey = await currentSecretKey(store);
  if (storedKey === undefined) await rotate(store, ring.current, 0);
  const isBegun = storedKey !== undefined && storedKey !== ring.current;
  const isUnfinished = (await rowsOnOthers(store, ring.current)) > 0;
  if (isBegun || isUnfinished || (retire && ring.keys.size > 1)) return ring.current;
  const id = addKey(file);
  host.out(`The new key ${id} is the first line of ${file}.`);
  return id;
}

const refuseMissing = (file: string): never => {
  throw new CommandRefused(`There is no key file at ${file}: put it back, or set INLAY_SECRET_KEY.`);
};

async function rotateFile(
  store: ServiceStore,
  config: Config,
  file: string,
  retire: boolean,
  host: Host,
): Promise<void> {
  const ring = keysAtHand(config) ?? refuseMissing(file);
  await requireKeys(store, ring);
  await moveAll(store, await targetKey(store, file, ring, retire, host), host);
  const now = keysAtHand(config) ?? ring;
  if (now.keys.size === 1) return;
  if (!retire) {
    host.out(`Next: "inlay keys rotate --retire" removes the old key from ${file}. ${backups}`);
    return;
  }
  keepOnly(file, now.current);
  host.out(`${file} now contains only the key ${now.current}. ${backups}`);
}

/** Re-seals every secret with the current key. If a run was interrupted, the next one continues where it stopped. */
export async function keysRotate(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(args, { retire: { type: 'boolean' } });
  const config = settingsOf(host);
  const file = keyFileOf(config);
  const retire = values.retire === true;
  return withStore(config, async (store) => {
    const ring = keysAtHand(config) ?? refuseMissing(file ?? '');
    if (file === undefined) await rotateSettings(store, ring, host);
    else await holding(file, () => rotateFile(store, config, file, retire, host));
    return 0;
  });
}
