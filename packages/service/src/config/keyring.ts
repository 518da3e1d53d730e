import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Config } from './config.ts';
import { keyFilesOnDisk } from './key-files.ts';
import { keyFilePath, readKeyring, type Keyring } from './keys.ts';

/** Returns the path of the key file in use; undefined if the keys are settings. */
export const keyFileOf = ({ env, secretKey, dataDir }: Config): string | undefined =>
  env === 'development' && secretKey === undefined ? keyFilePath(dataDir) : undefined;

/**
 * Loads the existing keys without creating any; undefined if there is no key file. Raises ConfigFault for rejected keys
 * and for a key file that others may read.
 */
export function keysAtHand(config: Config): Keyring | undefined {
  const file = keyFileOf(config);
  if (file !== undefined && !existsSync(file)) return undefined;
  const settings = { ...config, secretKeyPrevious: [...config.secretKeyPrevious] };
  const files = { ...keyFilesOnDisk, create: () => undefined };
  return readKeyring({ config: settings, files, random: (size) => randomBytes(size) });
}
