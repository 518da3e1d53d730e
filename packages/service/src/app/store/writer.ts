import { isObject, textOr } from '@inlay/contract';
import { createEnvironment } from './environment.ts';
import type { KeySettings } from '../../config/keys.ts';
import type { Command, WriteResult } from '../../commands/command.ts';
import type { Perform } from '../../store/store.ts';
import { createPerform } from './perform.ts';

function readKeySettings(data: unknown): KeySettings {
  const values: Readonly<Record<string, unknown>> = isObject(data) ? data : {};
  const previousKeys = values['secretKeyPrevious'];
  return {
    env: values['env'] === 'development' ? 'development' : 'production',
    dataDir: textOr(values['dataDir'], undefined) ?? '',
    secretKey: textOr(values['secretKey'], undefined),
    secretKeyPrevious: Array.isArray(previousKeys) ? previousKeys.filter((key) => typeof key === 'string') : [],
  };
}

/** Creates the performer of commands in SQLite's writer thread. It performs the same writes as on PostgreSQL. */
export const performer = (data: unknown): Perform<Command, WriteResult> =>
  createPerform(createEnvironment(readKeySettings(data), Date.now));
