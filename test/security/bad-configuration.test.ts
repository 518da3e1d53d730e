import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startService } from '../support/process.ts';

const goodKey = randomBytes(32).toString('base64');
const goodToken = randomBytes(32).toString('hex');
const uuid = '018f0000-0000-7000-8000-0000000000aa';
const production = { INLAY_ENV: 'production', INLAY_READY_GRACE_MS: '0' } as const;
const hex = (text: string): string => createHash('sha256').update(text).digest('hex');

interface BadConfiguration {
  readonly what: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the reason must name. */
  readonly says: RegExp;
  /** Text of the key file to put there first, and its mode. */
  readonly keyFile?: { readonly text: string; readonly mode: number };
}

const badConfigurations: readonly BadConfiguration[] = [
  { what: 'no key in production', env: production, says: /INLAY_SECRET_KEY.*no default/su },
  {
    what: 'a short key',
    env: { ...production, INLAY_SECRET_KEY: randomBytes(16).toString('base64') },
    says: /16 bytes long, not 32/u,
  },
  { what: 'one byte repeated', env: { INLAY_SECRET_KEY: 'ab'.repeat(32) }, says: /pattern repeated/u },
  { what: 'zeros', env: { ...production, INLAY_SECRET_KEY: '0'.repeat(64) }, says: /repeated/u },
  {
    what: 'a counted key',
    env: { INLAY_SECRET_KEY: Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('hex') },
    says: /sequence/u,
  },
  {
    what: 'a published sample key',
    env: { INLAY_SECRET_KEY: '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4' },
    says: /sample/u,
  },
  {
    what: 'the hash of a sample word',
    env: { ...production, INLAY_SECRET_KEY: hex('changeme') },
    says: /well-known word/u,
  },
  {
    what: 'readable text as key',
    env: { INLAY_SECRET_KEY: Buffer.from('Quick-brown-fox@jumps;lazyDog_42').toString('base64') },
    says: /readable text/u,
  },
  {
    what: 'the same key as current and previous',
    env: { INLAY_SECRET_KEY: goodKey, INLAY_SECRET_KEY_PREVIOUS: goodKey },
    says: /INLAY_SECRET_KEY_PREVIOUS/u,
  },
  {
    what: 'a previous key without a current one',
    env: { INLAY_SECRET_KEY_PREVIOUS: goodKey },
    says: /without a current/u,
  },
  {
    what: 'a sample password',
    env: { INLAY_BOOTSTRAP_EMAIL: 'a@b.example', INLAY_BOOTSTRAP_PASSWORD: 'Admin-Password-123!' },
    says: /well-known password/u,
  },
  {
    what: 'a short password',
    env: { INLAY_BOOTSTRAP_EMAIL: 'a@b.example', INLAY_BOOTSTRAP_PASSWORD: 'Kx8#pq' },
    says: /fewer than 12/u,
  },
  {
    what: 'the address as password',
    env: { INLAY_BOOTSTRAP_EMAIL: 'somebody@house.example', INLAY_BOOTSTRAP_PASSWORD: 'somebody@house.example' },
    says: /e-mail address/u,
  },
  {
    what: 'a short token',
    env: { INLAY_BOOTSTRAP_KEY: uuid, INLAY_BOOTSTRAP_TOKEN: 'x7Gk2' },
    says: /INLAY_BOOTSTRAP_TOKEN/u,
  },
  {
    what: 'a sample token',
    env: { INLAY_BOOTSTRAP_KEY: uuid, INLAY_BOOTSTRAP_TOKEN: `changeme-${goodToken}` },
    says: /well-known word/u,
  },
  {
    what: 'a repeated token',
    env: { INLAY_BOOTSTRAP_KEY: uuid, INLAY_BOOTSTRAP_TOKEN: 'abcd'.repeat(10) },
    says: /repeated/u,
  },
  { what: 'a token without its key', env: { INLAY_BOOTSTRAP_TOKEN: goodToken }, says: /must be set together/u },
  {
    what: 'a key file that others may read',
    env: {},
    keyFile: { text: goodKey, mode: 0o644 },
    says: /other users can read/u,
  },
  { what: 'a key file with a weak key', env: {}, keyFile: { text: 'a'.repeat(64), mode: 0o600 }, says: /repeated/u },
  { what: 'an empty key file', env: {}, keyFile: { text: '\n', mode: 0o600 }, says: /has no key/u },
  {
    what: 'an anonymous owner in production',
    env: { ...production, INLAY_SECRET_KEY: goodKey, INLAY_DEV_ANONYMOUS_OWNER: 'true' },
    says: /INLAY_DEV_ANONYMOUS_OWNER/u,
  },
  {
    what: 'an anonymous owner for everybody',
    env: { INLAY_HOST: '0.0.0.0', INLAY_DEV_ANONYMOUS_OWNER: 'true' },
    says: /INLAY_DEV_ANONYMOUS_OWNER/u,
  },
  { what: 'every site as origin', env: { INLAY_CORS_ORIGINS: '*' }, says: /every site/u },
];

const reasonOf = async ({ env, keyFile }: BadConfiguration): Promise<string> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-bad-'));
  try {
    if (keyFile !== undefined) {
      mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
      const path = join(dataDir, 'keys', 'secret.key');
      writeFileSync(path, keyFile.text);
      chmodSync(path, keyFile.mode);
    }
    const started = await startService({ env: { ...env, INLAY_DATA_DIR: dataDir } });
    await started.stop();
    return 'it started';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

describe('a bad configuration', () => {
  it.concurrent.each([...badConfigurations])('does not start: $what', async (bad) => {
    const said = await reasonOf(bad);
    expect(said).toMatch(/^The service ended with [1-9]/u);
    expect(said).toMatch(bad.says);
    expect(said).not.toMatch(/^\s+at /mu);
    for (const [name, value] of Object.entries(bad.env)) {
      if (/KEY|TOKEN|PASSWORD/u.test(name) && value.length > 5 && value !== uuid) expect(said).not.toContain(value);
    }
  });

  it('is at least a dozen', () => {
    expect(badConfigurations.length).toBeGreaterThanOrEqual(12);
  });
});

const everyFile = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );

describe('the first token', () => {
  it('is printed once, and is nowhere to be read without it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'inlay-first-'));
    try {
      const first = await startService({ env: { INLAY_DATA_DIR: dataDir, INLAY_LOG_LEVEL: 'trace' } });
      const said = first.output();
      const token = /token {2}(\S+)/u.exec(said)?.[1] ?? '';
      const key = /key {4}(\S+)/u.exec(said)?.[1] ?? '';
      expect(token).toMatch(/^[\w-]{43}$/u);
      const document = await (await fetch(`${first.url}/openapi.json`)).text();
      const paths = [
        '/',
        '/docs',
        '/metrics',
        '/livez',
        '/readyz',
        '/openapi.json',
        '/setup',
        '/api/session/properties',
        '/.env',
      ];
      for (const path of [...paths, ...[...document.matchAll(/"(\/0\.1\.0\/\w+)"/gu)].map(([, one = '']) => one)]) {
        const read = await (await fetch(first.url + path)).text();
        const headers = { 'content-type': 'application/json' };
        const asked = await (
          await fetch(first.url + path, { method: 'POST', headers, body: JSON.stringify({ key, find: {} }) })
        ).text();
        expect(read + asked, path).not.toContain(token);
      }
      await first.stop();
      for (const file of everyFile(dataDir)) expect(readFileSync(file).includes(token), file).toBe(false);
      const second = await startService({ env: { INLAY_DATA_DIR: dataDir, INLAY_LOG_LEVEL: 'trace' } });
      expect(second.output()).not.toContain(token);
      expect(second.output()).not.toMatch(/token {2}/u);
      await second.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
