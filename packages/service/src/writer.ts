import { isObject, textOr } from '@inlay/contract';
import { createEnvironment } from './environment.ts';
import type { KeySettings } from './config/keys.ts';
import type { Command, WriteResult } from './commands/command.ts';
import type { Perform } from './store/store.ts';
import { createPerform } from './perform.ts';

function keySettings(data: unknown): KeySettings {
  const given: Readonly<Record<string, unknown>> = isObject(data) ? data : {};
  const previous = given['secretKeyPrevious'];
  return {
    env: given['env'] === 'development' ? 'development' : 'production',
    dataDir: textOr(given['dataDir'], undefined) ?? '',
    secretKey: textOr(given['secretKey'], undefined),
    secretKeyPrevious: Array.isArray(previous) ? previous.filter((one) => typeof one === 'string') : [],
  };
}

/** The performer in SQLite's writer thread: the same writes as on PostgreSQL. */
export const performer = (data: unknown): Perform<Command, WriteResult> =>
  createPerform(createEnvironment(keySettings(data), Date.now));
