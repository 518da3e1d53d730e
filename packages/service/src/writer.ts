import { isObject } from '@inlay/contract';
import { createEnvironment } from './environment.ts';
import type { KeySettings } from './config/keys.ts';
import type { Command, Written } from './commands/command.ts';
import type { Perform } from './store/store.ts';
import { createPerform } from './perform.ts';

const words = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function keySettings(data: unknown): KeySettings {
  const given: Readonly<Record<string, unknown>> = isObject(data) ? data : {};
  const previous = given['secretKeyPrevious'];
  return {
    env: given['env'] === 'development' ? 'development' : 'production',
    dataDir: words(given['dataDir']) ?? '',
    secretKey: words(given['secretKey']),
    secretKeyPrevious: Array.isArray(previous) ? previous.filter((one) => typeof one === 'string') : [],
  };
}

/** What the thread that writes to SQLite runs: the same writes as on PostgreSQL. */
export const performer = (data: unknown): Perform<Command, Written> =>
  createPerform(createEnvironment(keySettings(data), Date.now));
