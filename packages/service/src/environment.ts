import { randomBytes, randomUUID } from 'node:crypto';
import { uuidV7 } from '@inlay/contract';
import { keyFilesOnDisk } from './config/key-files.ts';
import { readKeyring, type KeySettings } from './config/keys.ts';
import { checkDeclarations } from './resource/check.ts';
import { createRegistry } from './resource/registry.ts';
import { resources } from './resources/index.ts';
import type { WriteEnvironment } from './write/context.ts';
import { createSeals } from './write/seals.ts';

/** What writing works with on this machine: the clock, chance, and the keys of these settings. */
export function createEnvironment(keys: KeySettings, now: () => number): WriteEnvironment {
  const registry = createRegistry(resources);
  checkDeclarations(registry);
  return {
    registry,
    now,
    id: (unixMs) => uuidV7(unixMs, randomUUID()),
    random: (bits) => randomBytes(Math.ceil(bits / 8)).toString('base64url'),
    seals: createSeals(() => readKeyring({ config: keys, files: keyFilesOnDisk, random: (size) => randomBytes(size) })),
  };
}
