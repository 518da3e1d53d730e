import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyFilesOnDisk } from './key-files.ts';
import { keyFilePath, keyId, readKeyring, type KeyFiles, type KeySettings, type Keyring } from './keys.ts';

const key = (): string => randomBytes(32).toString('base64');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const good = key();

const none: KeyFiles = {
  read: () => undefined,
  create: () => {
    throw new Error('no key file may be made here');
  },
};
const holding = (text: string, mode = 0o600): KeyFiles => ({ ...none, read: () => ({ text, mode }) });

const ring = (settings: Partial<KeySettings>, files: KeyFiles = none): Keyring =>
  readKeyring({
    config: { env: 'development', dataDir: '/data', secretKey: undefined, secretKeyPrevious: [], ...settings },
    files,
    random: randomBytes,
  });

describe('a start without a good secret key is refused', () => {
  test.each([
    ['missing in production', { env: 'production' as const }, none, /no default one/u],
    ['missing in production beside a key file', { env: 'production' as const }, holding(good), /no default one/u],
    ['only an older key', { secretKeyPrevious: [good] }, none, /without a current key/u],
    ['too short', { secretKey: randomBytes(16).toString('base64') }, none, /16 bytes long/u],
    ['too long', { secretKey: randomBytes(33).toString('base64') }, none, /33 bytes long/u],
    ['hex of half the length', { secretKey: randomBytes(16).toString('hex') }, none, /24 bytes long/u],
    ['a word', { secretKey: 'changeme' }, none, /6 bytes long/u],
    ['not a key at all', { secretKey: 'change me!' }, none, /not base64/u],
    ['all zero', { secretKey: Buffer.alloc(32).toString('base64') }, none, /repeated/u],
    ['one byte repeated', { secretKey: 'ab'.repeat(32) }, none, /repeated/u],
    ['half a key twice', { secretKey: randomBytes(16).toString('hex').repeat(2) }, none, /repeated/u],
    ['bytes counted up', { secretKey: Buffer.from([...Array(32).keys()]).toString('hex') }, none, /sequence/u],
    [
      'bytes counted down',
      { secretKey: Buffer.from([...Array(32).keys()].toReversed()).toString('base64') },
      none,
      /sequence/u,
    ],
    [
      'few different bytes',
      { secretKey: Buffer.from(Array.from({ length: 32 }, (_, at) => (at * at) % 15)).toString('hex') },
      none,
      /different values|repeated/u,
    ],
    ['text of a sample', { secretKey: base64('your-own key (change it by 2030!') }, none, /readable text/u],
    [
      'a hash of a word',
      { secretKey: createHash('sha256').update('changeme').digest('base64') },
      none,
      /well-known word/u,
    ],
    [
      'a key of a standard',
      { secretKey: '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4' },
      none,
      /published/u,
    ],
    ['one key twice', { secretKey: good, secretKeyPrevious: [good] }, none, /listed twice/u],
    ['a weak older key', { secretKey: good, secretKeyPrevious: ['00'.repeat(32)] }, none, /repeated/u],
    ['a key file its group may read', {}, holding(good, 0o640), /chmod 600/u],
    ['a key file anyone may read', {}, holding(good, 0o604), /chmod 600/u],
    ['a key file that cannot be made', {}, { ...none, read: () => undefined }, /cannot be read or created/u],
    ['an empty key file', {}, holding('\n'), /no key/u],
    ['a key file with a bad line', {}, holding(`${good}\nchangeme\n`), /line 2/u],
  ])('%s', (_, settings, files, reason) => {
    expect(() => ring(settings, files)).toThrow(reason);
  });
});

test('keys are taken as base64, base64url and hex alike, and their ids tell nothing', () => {
  const bytes = randomBytes(32);
  const ids = (['base64', 'base64url', 'hex'] as const).map(
    (form) => ring({ secretKey: bytes.toString(form) }).current,
  );
  expect(new Set(ids)).toEqual(new Set([keyId(bytes)]));
  expect(ids[0]).toMatch(/^[\da-f]{12}$/u);
  expect(createHash('sha256').update(bytes).digest('hex')).not.toContain(ids[0]);
});

test('older keys stay on the ring behind the current one', () => {
  const older = [key(), key()];
  const { current, keys } = ring({ env: 'production', secretKey: good, secretKeyPrevious: older });
  expect([...keys.keys()]).toEqual([good, ...older].map((text) => keyId(Buffer.from(text, 'base64'))));
  expect(current).toBe(keyId(Buffer.from(good, 'base64')));
});

describe('development keeps its key in a file', () => {
  let dataDir = '';
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'inlay-keys-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  test('made at the first start for its owner alone and used again at the next', () => {
    const first = ring({ dataDir }, keyFilesOnDisk);
    const path = keyFilePath(dataDir);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'keys')).mode & 0o777).toBe(0o700);
    expect(ring({ dataDir }, keyFilesOnDisk).current).toBe(first.current);
    chmodSync(path, 0o644);
    expect(() => ring({ dataDir }, keyFilesOnDisk)).toThrow(/chmod 600/u);
  });

  test('where a new first line becomes the current key and the others stay', () => {
    const { current } = ring({ dataDir }, keyFilesOnDisk);
    const path = keyFilePath(dataDir);
    writeFileSync(path, `# rotated\n${key()}\n${readFileSync(path, 'utf8')}`);
    const rotated = ring({ dataDir }, keyFilesOnDisk);
    expect(rotated.current).not.toBe(current);
    expect([...rotated.keys.keys()][1]).toBe(current);
  });

  test('and never overwrites one that another process made', () => {
    const { current } = ring({ dataDir }, keyFilesOnDisk);
    keyFilesOnDisk.create(keyFilePath(dataDir), `${key()}\n`);
    expect(ring({ dataDir }, keyFilesOnDisk).current).toBe(current);
  });
});
