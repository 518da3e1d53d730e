import { createHash, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { ConfigFault } from './fault.ts';
import { weakKey } from './weak-keys.ts';

/** Secret keys by key id. The current key seals secrets; earlier keys only decrypt them. */
export interface Keyring {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

export interface KeyFiles {
  /** Returns the file's text and permission bits; undefined if the file does not exist. */
  read(path: string): { readonly text: string; readonly mode: number } | undefined;
  /**
   * Creates the file (mode 0600, in a folder of mode 0700) and flushes it to disk. If another process was first, its
   * file stays.
   */
  create(path: string, text: string): void;
}

export interface KeySettings {
  readonly env: 'development' | 'production';
  readonly dataDir: string;
  readonly secretKey: string | undefined;
  readonly secretKeyPrevious: readonly string[];
}

/** How to create a key. Part of every message that rejects a key. */
export const makeKey = 'Make one with: openssl rand -base64 32';

/** Fault if production starts without a key. There is no default key. */
export const keyMissing = {
  problem: 'production needs a secret key and there is no default one',
  fix: makeKey,
} as const;

/**
 * Decodes a key of 32 bytes from hex, base64 or base64url text, or explains why it is rejected. The explanation never
 * contains the text.
 */
export function decodeKey(text: string): { readonly key: Uint8Array } | { readonly problem: string } {
  const isHex = /^[\da-f]{64}$/iu.test(text);
  if (!isHex && !/^[\w+/-]*={0,2}$/u.test(text)) return { problem: 'is not base64, base64url or hex' };
  const key = new Uint8Array(Buffer.from(text, isHex ? 'hex' : 'base64'));
  if (key.length !== 32) return { problem: `is ${key.length} bytes long, not 32` };
  const weakness = weakKey(key);
  return weakness === undefined ? { key } : { problem: weakness };
}

/** Derives a key of 32 bytes for a purpose from a secret key (HKDF-SHA-256). The result is deterministic. */
export const deriveKey = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, '', `inlay ${purpose}`, 32));

/** Returns the public name of a key: 12 hex digits that reveal nothing about the key. */
export const keyId = (key: Uint8Array): string =>
  createHash('sha256').update(deriveKey(key, 'key id')).digest('hex').slice(0, 12);

interface KeyText {
  readonly name: string;
  readonly place: string;
  readonly text: string;
}

function buildKeyring(texts: readonly KeyText[]): Keyring {
  const keys = new Map<string, Uint8Array>();
  const faults = texts.flatMap(({ name, place, text }) => {
    const decodedKey = decodeKey(text);
    if ('problem' in decodedKey) return [{ name, place, problem: `the key ${decodedKey.problem}`, fix: makeKey }];
    const id = keyId(decodedKey.key);
    if (keys.has(id)) return [{ name, place, problem: 'the same key is listed twice', fix: 'List each key once.' }];
    keys.set(id, decodedKey.key);
    return [];
  });
  const [currentId] = keys.keys();
  if (faults.length > 0 || currentId === undefined) throw new ConfigFault(faults);
  return { current: currentId, keys };
}

/**
 * Returns the path of the key file in development. The file has a key per line; the first is current. It is never in
 * the folder of the database.
 */
export const keyFilePath = (dataDir: string): string => join(dataDir, 'keys', 'secret.key');

function readKeyFile(path: string, files: KeyFiles, random: (size: number) => Uint8Array): readonly KeyText[] {
  const refuse = (problem: string, fix: string): ConfigFault =>
    new ConfigFault([{ name: 'INLAY_SECRET_KEY', place: path, problem, fix }]);
  const makeOrRead = (): ReturnType<KeyFiles['read']> => {
    try {
      if (files.read(path) === undefined) files.create(path, `${Buffer.from(random(32)).toString('base64')}\n`);
      return files.read(path);
    } catch {
      return undefined;
    }
  };
  const file = makeOrRead();
  if (file === undefined)
    throw refuse('the key file cannot be read or created', 'Make its folder writable for the service user only.');
  if ((file.mode & 0o077) !== 0) throw refuse('other users can read the key file', `Run: chmod 600 ${path}`);
  const lines = file.text.split('\n').map((line) => line.trim());
  const texts = lines.flatMap((text, index) =>
    text === '' || text.startsWith('#') ? [] : [{ name: 'INLAY_SECRET_KEY', place: `${path} line ${index + 1}`, text }],
  );
  if (texts.length === 0) throw refuse('the key file has no key', 'Restore it from a backup of the keys folder.');
  return texts;
}

/**
 * Reads the keyring of this instance from INLAY_SECRET_KEY and INLAY_SECRET_KEY_PREVIOUS. In development without these
 * settings, reads a key file, which is created with the first secret. There is no default key. Raises ConfigFault for a
 * missing, short, guessable or repeated key, and for a key file that others may read.
 */
export function readKeyring(from: {
  readonly config: KeySettings;
  readonly files: KeyFiles;
  readonly random: (size: number) => Uint8Array;
}): Keyring {
  const { config, files, random } = from;
  const olderKeys = config.secretKeyPrevious.map((text, index) => ({
    name: 'INLAY_SECRET_KEY_PREVIOUS',
    place: `key ${index + 1} of the list`,
    text,
  }));
  if (config.secretKey !== undefined)
    return buildKeyring([{ name: 'INLAY_SECRET_KEY', place: 'setting', text: config.secretKey }, ...olderKeys]);
  if (config.env === 'production' || olderKeys.length > 0)
    throw new ConfigFault([
      config.env === 'production'
        ? { name: 'INLAY_SECRET_KEY', place: 'not set', ...keyMissing }
        : {
            name: 'INLAY_SECRET_KEY',
            place: 'not set',
            problem: 'older keys are set without a current key',
            fix: makeKey,
          },
    ]);
  return buildKeyring(readKeyFile(keyFilePath(config.dataDir), files, random));
}
