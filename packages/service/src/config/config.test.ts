import { describe, expect, test } from 'vitest';
import { ConfigFault, readConfig } from './config.ts';
import { settingsReference } from '../docs/settings.ts';

const noFile = (path: string): string => {
  throw Object.assign(new Error('no such file'), { code: 'ENOENT', path });
};
const goodKey = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQAQIDBAUGBwg=';
const goodToken = 'f3a9c07be41d5286a1b0c9d8e7f60512';

function faultsOf(env: Record<string, string>, readFile = noFile): readonly string[] {
  try {
    readConfig(env, readFile);
  } catch (fault) {
    if (fault instanceof ConfigFault)
      return fault.faults.map(({ name, place, problem }) => `${name} (${place}): ${problem}`);
    throw fault;
  }
  return [];
}

describe('settings', () => {
  test('are all at their defaults when nothing is set', () => {
    const { config, warnings } = readConfig({ PATH: '/usr/bin' }, noFile);
    expect(config).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      env: 'development',
      rateLimit: 100,
      readyGraceMs: 0,
    });
    expect(config.databaseUrl).toBeUndefined();
    expect(config.corsOrigins).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('follow NODE_ENV into production unless INLAY_ENV says otherwise', () => {
    const key = { INLAY_SECRET_KEY: goodKey };
    expect(readConfig({ ...key, NODE_ENV: 'production' }, noFile).config).toMatchObject({
      env: 'production',
      readyGraceMs: 3000,
    });
    expect(readConfig({ NODE_ENV: 'production', INLAY_ENV: 'development' }, noFile).config).toMatchObject({
      env: 'development',
      readyGraceMs: 0,
    });
  });

  test('read lists, addresses and units from text', () => {
    const { config } = readConfig(
      {
        INLAY_CORS_ORIGINS: 'https://a.example, http://localhost:3000',
        INLAY_TRUST_PROXY: '10.0.0.0/8,::1',
        INLAY_BASE_URL: 'https://inlay.example/',
        INLAY_BODY_LIMIT_MB: '6',
        INLAY_LOG_LEVEL: '',
      },
      noFile,
    );
    expect(config).toMatchObject({
      corsOrigins: ['https://a.example', 'http://localhost:3000'],
      trustProxy: ['10.0.0.0/8', '::1'],
      baseUrl: 'https://inlay.example',
      bodyLimitMb: 6,
      logLevel: 'info',
    });
  });

  test('that are secret can be read from files', () => {
    const { config } = readConfig({ INLAY_SECRET_KEY_FILE: '/run/secrets/key' }, () => `${goodKey}\n`);
    expect(config.secretKey).toBe(goodKey);
  });

  test('of the first start can all be read from files', () => {
    const files: Record<string, string> = {
      key: '01890a5d-ac96-774b-bcce-b302099a8057',
      token: 'Wm3kP9xQ2vTz7LrB5nYc8HdJ4fGs6XaE1uRo',
      email: 'owner@house.example',
      password: 'blue harbour kettle',
    };
    const names = Object.keys(files);
    const env = Object.fromEntries(names.map((name) => [`INLAY_BOOTSTRAP_${name.toUpperCase()}_FILE`, name]));
    const { config, warnings } = readConfig(env, (path) => `${files[path] ?? ''}\n`);
    expect(warnings).toEqual([]);
    const { bootstrapKey: key, bootstrapToken: token, bootstrapEmail: email, bootstrapPassword: password } = config;
    expect({ key, token, email, password }).toEqual(files);
  });

  test.each([
    [{ INLAY_PORT: '65536' }, 'INLAY_PORT (environment): "65536" is not a whole number from 0 to 65535'],
    [{ INLAY_PORT: '8e3' }, 'INLAY_PORT (environment): "8e3" is not a whole number from 0 to 65535'],
    [{ INLAY_SIGNUP: 'yes' }, 'INLAY_SIGNUP (environment): "yes" is neither true nor false'],
    [{ INLAY_ENV: 'prod' }, 'INLAY_ENV (environment): "prod" is not one of `development`, `production`'],
    [{ INLAY_CORS_ORIGINS: 'https://a.example/' }, 'is not an exact origin'],
    [{ INLAY_CORS_ORIGINS: '*' }, 'every site on the internet'],
    [{ INLAY_TRUST_PROXY: '0.0.0.0/0' }, 'is not an address or network'],
    [{ INLAY_DATABASE_URL: 'mysql://u:hidden@h/d' }, 'INLAY_DATABASE_URL (environment): is not a postgres:// address'],
    [{ INLAY_BOOTSTRAP_KEY: '7' }, 'is not a UUID'],
    [{ INLAY_BOOTSTRAP_TOKEN: goodToken }, 'must be set together with INLAY_BOOTSTRAP_TOKEN'],
    [{ INLAY_BOOTSTRAP_PASSWORD: 'blue harbour kettle' }, 'is required with INLAY_BOOTSTRAP_PASSWORD'],
    [{ INLAY_SECRET_KEY_PREVIOUS: goodKey }, 'is given without a current key'],
    [{ INLAY_SECRET_KEY: goodKey, INLAY_SECRET_KEY_PREVIOUS: goodKey }, 'contains the current key'],
    [{ INLAY_SECRET_KEY_FILE: '/nowhere' }, 'INLAY_SECRET_KEY (file /nowhere): the file cannot be read (ENOENT)'],
    [{ INLAY_SECRET_KEY_FILE: '/x', INLAY_SECRET_KEY: goodKey }, 'is set twice'],
    [{ INLAY_ENV: 'production' }, 'INLAY_SECRET_KEY (not set): production needs a secret key'],
    [{ INLAY_DEV_ANONYMOUS_OWNER: 'true', INLAY_HOST: '0.0.0.0' }, 'where others can reach the service'],
    [{ INLAY_DEV_ANONYMOUS_OWNER: 'true', INLAY_HOST: '127.0.0.1.example.com' }, 'where others can reach the service'],
    [{ INLAY_DEV_ANONYMOUS_OWNER: 'true', INLAY_TRUST_PROXY: '127.0.0.1' }, 'is refused behind a proxy'],
    [
      { INLAY_DEV_ANONYMOUS_OWNER: 'true', NODE_ENV: 'production', INLAY_SECRET_KEY: goodKey },
      'is refused in production',
    ],
  ])('that are wrong are refused with the reason: %o', (env, expected) => {
    expect(faultsOf(env)).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    'a'.repeat(40),
    'abcdefghijklmnopqrstuvwxyz012345',
    'changeme-changeme-changeme-000000',
    'short',
    '0123456789'.repeat(4),
  ])('refuse the guessable bootstrap token %s without showing it', (token) => {
    const env = { INLAY_BOOTSTRAP_KEY: '0198c0de-0000-7000-8000-000000000001', INLAY_BOOTSTRAP_TOKEN: token };
    expect(faultsOf(env)).toHaveLength(1);
    expect(faultsOf(env).join()).not.toContain(token);
  });

  test.each([
    'admin',
    'password1234',
    'Password!2025',
    'changemechangeme',
    '123456789012',
    'aaaaaaaaaaaaaaa',
    'CorrectHorseBatteryStaple',
  ])('refuse the well-known owner password %s without showing it', (password) => {
    const env = { INLAY_BOOTSTRAP_EMAIL: 'a@example.com', INLAY_BOOTSTRAP_PASSWORD: password };
    expect(faultsOf(env)).toHaveLength(1);
    expect(faultsOf(env).join()).not.toContain(password);
  });

  test('report every fault at once, each with its fix', () => {
    const env = {
      INLAY_PORT: 'http',
      INLAY_SIGNUP: '1',
      INLAY_SECRET_KEY: 'hidden',
      INLAY_DEV_ANONYMOUS_OWNER: 'true',
      INLAY_HOST: '::',
    };
    expect(faultsOf(env)).toHaveLength(4);
    expect(() => readConfig(env, noFile)).toThrow(/openssl rand -base64 32/u);
    expect(() => readConfig(env, noFile)).not.toThrow(/hidden/u);
  });

  test('name the cluster, its folder and its password', () => {
    const env = {
      INLAY_CLUSTER: 'trino://inlay@10.0.0.7:8443/lake/inlay?ssl=verify-full',
      INLAY_CLUSTER_FILES: '/mnt/shared',
      INLAY_CLUSTER_PASSWORD_FILE: '/run/secrets/cluster',
    };
    expect(readConfig(env, () => 'secret\n').config).toMatchObject({
      cluster: { host: '10.0.0.7', port: '8443', user: 'inlay', catalog: 'lake', schema: 'inlay', ssl: 'verify-full' },
      clusterFiles: { kind: 'folder', path: '/mnt/shared' },
      clusterPassword: 'secret',
      clusterRows: 50_000_000,
    });
    expect(readConfig({ ...env, INLAY_CLUSTER: 'trino://a@[::1]:80/b/c' }, () => 'x').config.cluster).toMatchObject({
      host: '::1',
      ssl: 'auto',
    });
  });

  test('name an object store for the files of the cluster, and its access key', () => {
    const env = {
      INLAY_CLUSTER: 'trino://inlay@cluster:8080/lake/inlay',
      INLAY_CLUSTER_FILES: 's3://analytics/of/inlay/',
      INLAY_CLUSTER_S3_ENDPOINT: 'http://10.0.0.8:9000',
      INLAY_CLUSTER_S3_REGION: 'eu-central-1',
      INLAY_CLUSTER_S3_KEY_ID_FILE: '/run/secrets/id',
      INLAY_CLUSTER_S3_SECRET_KEY_FILE: '/run/secrets/key',
    };
    expect(readConfig(env, (path) => `${path.slice(13)}\n`).config).toMatchObject({
      clusterFiles: { kind: 's3', bucket: 'analytics', prefix: 'of/inlay/' },
      clusterS3Endpoint: 'http://10.0.0.8:9000',
      clusterS3Region: 'eu-central-1',
      clusterS3KeyId: 'id',
      clusterS3SecretKey: 'key',
    });
    expect(readConfig({ ...env, INLAY_CLUSTER_FILES: 's3://analytics' }, () => 'x').config).toMatchObject({
      clusterFiles: { kind: 's3', bucket: 'analytics', prefix: '' },
    });
  });

  test.each([
    's3://',
    's3://A/b',
    's3://a/b',
    's3://key:secret@rows/b',
    's3://rows/a//b',
    's3://rows/a?b',
    "s3://rows/'",
  ])('refuse %s as a place of files', (text) => {
    const env = { INLAY_CLUSTER: 'trino://inlay@cluster:8080/lake/inlay', INLAY_CLUSTER_FILES: text };
    expect(faultsOf(env)).toEqual([
      expect.stringContaining('is neither an absolute path nor an address such as s3://bucket/prefix'),
    ]);
  });

  test.each([
    ['INLAY_CLUSTER', 'trino://inlay:p@ss/w0rd@cluster:8080/lake/inlay', 'trino://…@cluster:8080/lake/inlay'],
    ['INLAY_CLUSTER_FILES', 's3://key:p@ss/w0rd@rows/b', 's3://…@rows/b'],
  ])('report a fault in %s without the password in it', (name, text, shown) => {
    const faults = faultsOf({
      INLAY_CLUSTER: 'trino://inlay@cluster:8080/lake/inlay',
      INLAY_CLUSTER_FILES: '/mnt/shared',
      [name]: text,
    }).join();
    expect(faults).toContain(shown);
    expect(faults).not.toContain('w0rd');
  });

  test('report all that is missing or too much for an object store', () => {
    const cluster = { INLAY_CLUSTER: 'trino://inlay@cluster:8080/lake/inlay' };
    expect(faultsOf({ ...cluster, INLAY_CLUSTER_FILES: 's3://rows/inlay' })).toEqual([
      'INLAY_CLUSTER_S3_KEY_ID (not set): is required with an object store in INLAY_CLUSTER_FILES',
      'INLAY_CLUSTER_S3_SECRET_KEY (not set): is required with an object store in INLAY_CLUSTER_FILES',
    ]);
    const names = ['ENDPOINT', 'REGION', 'KEY_ID', 'SECRET_KEY'].map((name) => `INLAY_CLUSTER_S3_${name}`);
    const surplus = Object.fromEntries(names.map((name) => [name, name.endsWith('T') ? 'http://s3' : 'x']));
    expect(faultsOf({ ...cluster, INLAY_CLUSTER_FILES: '/mnt/shared', ...surplus })).toEqual(
      names.map((name) => `${name} (environment): is set without an object store`),
    );
  });

  test.each([
    'trino://inlay@cluster/lake/inlay',
    'trino://cluster:8080/lake/inlay',
    'trino://inlay:secret@cluster:8080/lake/inlay',
    'trino://inlay@cluster:8080/lake',
    'trino://inlay@cluster:8080/lake/in"lay',
    'trino://inlay@cluster:8080/lake/inlay?ssl=maybe',
    'http://inlay@cluster:8080/lake/inlay',
    'cluster',
  ])('refuse %s as a cluster', (text) => {
    expect(faultsOf({ INLAY_CLUSTER: text, INLAY_CLUSTER_FILES: '/mnt/shared' })).toEqual([
      expect.stringContaining('INLAY_CLUSTER (environment)'),
    ]);
  });

  test('report all that is missing or too much for a cluster', () => {
    expect(faultsOf({ INLAY_CLUSTER: 'trino://inlay@cluster:8080/lake/inlay' })).toEqual([
      'INLAY_CLUSTER_FILES (not set): is required with INLAY_CLUSTER',
    ]);
    const alone = { INLAY_CLUSTER_FILES: '/a', INLAY_CLUSTER_LOCATION: 's3://b/c', INLAY_CLUSTER_PASSWORD: 'd' };
    expect(faultsOf(alone)).toEqual([
      'INLAY_CLUSTER_PASSWORD (environment): is set without a cluster',
      'INLAY_CLUSTER_FILES (environment): is set without a cluster',
      'INLAY_CLUSTER_LOCATION (environment): is set without a cluster',
    ]);
    expect(faultsOf({ INLAY_CLUSTER_FILES: 'shared', INLAY_CLUSTER_LOCATION: "file:///a'b" })).toHaveLength(2);
  });

  test('warn about names that are no setting', () => {
    const env = { INLAY_PROT: '1', INLAY_PORT_FILE: '/x', INLAY_SOMETHING_ELSE_ENTIRELY: '1', OTHER: '1' };
    expect(readConfig(env, noFile).warnings).toEqual([
      'INLAY_PROT is not a setting and is ignored. Did you mean INLAY_PORT?',
      'INLAY_PORT_FILE is ignored: only secrets and the settings that belong to them can be read from files.',
      'INLAY_SOMETHING_ELSE_ENTIRELY is not a setting and is ignored.',
    ]);
  });

  test('may be anonymous on every spelling of loopback', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost'])
      expect(faultsOf({ INLAY_DEV_ANONYMOUS_OWNER: 'true', INLAY_HOST: host })).toEqual([]);
  });

  test('each have one line in the reference', () => {
    const reference = settingsReference();
    const { config } = readConfig({}, noFile);
    expect(reference.match(/^\| `INLAY_/gmu)).toHaveLength(Object.keys(config).length);
    expect(reference).toContain('| `INLAY_MAX_EVENT_LOOP_DELAY_MS` | whole number 10 to 60000 | `500` |');
    expect(reference).toContain('`INLAY_SECRET_KEY_FILE`');
  });
});
