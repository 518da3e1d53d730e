import { existsSync } from 'node:fs';
import { openStore, storeFile } from '../app/store/open-store.ts';
import type { Config } from '../config/config.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import type { Store } from '../store/store.ts';
import { CommandRefused } from './faults.ts';

export type ServiceStore = Store<Command, WriteResult>;

/** Opens the existing store and closes it afterwards. A service may be using the store at the same time. */
export async function withStore<Result>(
  config: Config,
  work: (store: ServiceStore) => Promise<Result>,
): Promise<Result> {
  const file = storeFile(config.dataDir);
  if (config.databaseUrl === undefined && !existsSync(file)) {
    throw new CommandRefused(`There is no store at ${file} yet: run "inlay start" first, or set INLAY_DATA_DIR.`);
  }
  const store = await openStore(config);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Returns the result of an operator command. Raises CommandRefused if the result is a problem. */
export function doneOf(result: WriteResult): { readonly count: number; readonly id: string } {
  if (result.kind === 'problem') {
    const { message, validation = {} } = result.problem;
    throw new CommandRefused([message, ...Object.values(validation).flat()].join('\n'));
  }
  if (result.kind !== 'done') throw new Error(`a command answered ${result.kind}`);
  return { count: result.count, id: result.id ?? '' };
}
