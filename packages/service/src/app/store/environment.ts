import { randomBytes, randomUUID } from 'node:crypto';
import { uuidV7 } from '@inlay/contract';
import { keyFilesOnDisk } from '../../config/key-files.ts';
import { readKeyring, type KeySettings } from '../../config/keys.ts';
import { checkDeclarations } from '../../resource/check.ts';
import { createRegistry } from '../../resource/registry.ts';
import { resources } from '../../resources/index.ts';
import type { WriteEnvironment } from '../../write/context.ts';
import { Seals } from '../../write/seals.ts';

/** Number of ids per millisecond that still sort by creation, given by the 12 bits after the time. */
const maxInOrder = 4096;

/** Creates ids that sort by creation, even within a millisecond. The remaining bits are random. */
function createIds(): (unixMs: number) => string {
  let [lastMs, count] = [-1, 0];
  return (unixMs) => {
    count = unixMs === lastMs ? count + 1 : 0;
    lastMs = unixMs;
    const random = randomUUID();
    const place = (count % maxInOrder).toString(16).padStart(3, '0');
    return uuidV7(unixMs, `${random.slice(0, 15)}${place}${random.slice(18)}`);
  };
}

/** Creates the environment of writes: the clock, randomness, and the configured keys. */
export function createEnvironment(keys: KeySettings, now: () => number): WriteEnvironment {
  const registry = createRegistry(resources);
  checkDeclarations(registry);
  return {
    registry,
    now,
    id: createIds(),
    random: (bits) => randomBytes(Math.ceil(bits / 8)).toString('base64url'),
    seals: new Seals(() => readKeyring({ config: keys, files: keyFilesOnDisk, random: (size) => randomBytes(size) })),
  };
}
