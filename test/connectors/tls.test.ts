import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionParams, SqlConnector } from '../../packages/service/src/connectors/connector.ts';
import { localConnectors, sourceNames, sources, type Source } from './sources.ts';
import { lateMs } from '../support/counts.ts';

const signal = new AbortController().signal;

describe.each(sourceNames)('TLS of a database on %s', (name) => {
  let source: Source;
  let connector: SqlConnector;
  const connectors = localConnectors();

  beforeAll(async () => {
    source = await sources[name]();
    connector = connectors.of(source.name);
  });
  afterAll(async () => {
    connectors.close();
    await source.stop();
  });

  const tested = async (changes: Partial<ConnectionParams>) => connector.test(source.reach(changes), signal);
  const ca = (): string => source.certificates.ca;

  test('with the certificate of its authority, a name is checked', async () => {
    const stages = await tested({ host: 'localhost', properties: { ssl: 'verify-full', ssl_ca: ca() } });
    expect(stages.every(({ ok }) => ok)).toBe(true);
    expect(stages[1]?.message).toContain('was checked');
  });

  test.skipIf(name === 'clickhouse' || name === 'trino')('a user who must use it gets in', async () => {
    const stages = await tested({
      host: 'localhost',
      identifier: 'needs_tls',
      properties: { ssl: 'verify-full', ssl_ca: ca() },
    });
    expect(stages.every(({ ok }) => ok)).toBe(true);
    const plain = await tested({ identifier: 'needs_tls', properties: { ssl: 'disable' } });
    expect(plain.at(-1)).toMatchObject({ stage: 'sign_in', ok: false, cause: 'credentials' });
  });

  test('an authority that nobody trusts is refused, in words that help', async () => {
    const stages = await tested({ host: 'localhost', properties: { ssl: 'verify-full' } });
    expect(stages.at(-1)).toMatchObject({ stage: 'tls', ok: false, cause: 'tls' });
    expect(stages.at(-1)?.message).toContain('"ssl_ca"');
  });

  test.skipIf(name === 'clickhouse' || name === 'trino')('a certificate for another name is refused', async () => {
    const { cert, key } = source.certificates.of('other.example');
    if (name === 'postgresql') {
      await source.admin(
        `alter system set ssl_cert_file = '${cert}'`,
        `alter system set ssl_key_file = '${key}'`,
        'select pg_reload_conf()',
        'select pg_sleep(0.3)',
      );
      const properties = { ssl: 'verify-full', ssl_ca: ca() };
      const stages = await tested({ accountId: 'other', host: 'localhost', properties });
      expect(stages.at(-1)).toMatchObject({ stage: 'tls', ok: false, cause: 'tls' });
    } else {
      // The driver compares certificates with names only, so that a bare address is refused before it is asked.
      const stages = await tested({ properties: { ssl: 'verify-full', ssl_ca: ca() } });
      expect(stages.at(-1)).toMatchObject({ stage: 'tls', ok: false, cause: 'tls' });
      expect(stages.at(-1)?.message).toContain('by name');
    }
  });

  test('`require` encrypts without a check, and the test says so', async () => {
    const stages = await tested({ properties: { ssl: 'require' } });
    expect(stages.every(({ ok }) => ok)).toBe(true);
    expect(stages[1]?.message).toContain('was not checked');
  });

  test('`auto` takes what a private server offers', async () => {
    expect((await tested({}))[1]?.message).toContain('is encrypted');
  });

  test('what is given up is ended at the server over TLS too', async () => {
    const params = source.reach({ accountId: 'encrypted', properties: { ssl: 'require' } });
    const limits = { rowLimit: 10, byteLimit: 1000, deadlineMs: 20_000 };
    const asked = connector.run(params, { sql: source.sleep(20), params: [] }, limits, AbortSignal.timeout(300));
    await expect(asked).rejects.toThrow('given up');
    await expect.poll(async () => (await source.sessions()).running, { timeout: lateMs }).toBe(0);
  });

  test.each(['-----BEGIN CERTIFICATE-----', '/etc/ssl/cert.pem', 'nonsense'])('%s is no certificate', async (text) => {
    const stages = await tested({ properties: { ssl_ca: text } });
    expect(stages.at(-1)).toMatchObject({ ok: false, cause: 'settings' });
  });
});
