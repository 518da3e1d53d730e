import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openStore, storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { freePort } from '../../test/support/free-port.ts';
import type { Credential } from '../../test/support/service.ts';
import { npmStart, run, type Running } from '../service/processes.ts';
import { organization } from '../service/seed.ts';

export interface Started {
  readonly service: Running;
  /** The owner of each organization. */
  readonly owners: readonly Credential[];
}

/** Starts the service the way `npm start` does, with as many organizations as there are tokens. */
export async function startWith(
  tokens: readonly string[],
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  nodeArguments: readonly string[] = [],
): Promise<Started> {
  const port = await freePort();
  const set = { INLAY_DATA_DIR: dataDir, INLAY_DEMO: 'false', INLAY_PORT: String(port), ...settings };
  mkdirSync(dirname(storeFile(dataDir)), { recursive: true });
  const store = await openStore(readConfig(set, () => '').config);
  const owners: Credential[] = [];
  for (const [index, token] of tokens.entries()) owners.push({ key: await organization(store, index, token), token });
  await store.close();
  const { args, env } = npmStart(set);
  const service = await run([...nodeArguments, ...args], port, { ...set, ...env }, /listens on/u);
  return { service, owners };
}
