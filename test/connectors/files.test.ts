import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionParams, FilesReader } from '../../packages/service/src/connectors/connector.ts';
import { openFiles } from '../../packages/service/src/connectors/files/driver.ts';
import type { Engine } from '../../packages/service/src/engine/engine.ts';
import { openEngine } from '../../packages/service/src/engine/open-engine.ts';

const signal = new AbortController().signal;
const organization = '0192f0c1-2345-7890-8abc-def012345678';
const reach = (changes: Partial<ConnectionParams> = {}): ConnectionParams => ({
  accountId: 'account',
  organizationId: organization,
  host: null,
  port: null,
  scope: null,
  identifier: null,
  token: null,
  properties: {},
  ...changes,
});

describe('files in the folder of an operator', () => {
  let home: string;
  let engine: Engine;
  let connector: FilesReader;

  const connectorFor = (filesDir: string | undefined): FilesReader =>
    openFiles({ filesDir, describe: (what, by) => engine.describe(what, by) });

  beforeAll(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'inlay-files-')));
    const put = (path: string, text: string): void => writeFileSync(join(home, path), text);
    mkdirSync(join(home, 'open', 'days', 'deep'), { recursive: true });
    mkdirSync(join(home, 'open', 'mixed'));
    mkdirSync(join(home, 'closed'));
    mkdirSync(join(home, organization));
    put('closed/secret.csv', 'a\n1\n');
    put(`${organization}/own.csv`, 'a\n1\n');
    put(
      'open/orders.csv',
      'id,region,amount,placed\n1,north,1.5,2024-02-29T12:00:00Z\n2,south,2.5,2024-03-01T12:00:00Z\n',
    );
    put('open/events.ndjson', '{"id": 1, "name": "x"}\n{"id": 2, "name": null}\n');
    put('open/days/2024-01-01.csv', 'id\n1\n');
    put('open/days/2024-01-02.csv', 'id\n2\n');
    put('open/days/deep/more.jsonl', '{"id": 3}\n');
    put('open/mixed/a.csv', 'id\n1\n');
    put('open/mixed/b.ndjson', '{"id": 1}\n');
    put('open/readme.txt', 'not a table');
    put('open/.hidden.csv', 'a\n1\n');
    symlinkSync(join(home, 'closed', 'secret.csv'), join(home, 'open', 'link.csv'));
    symlinkSync(join(home, 'closed'), join(home, 'open', 'linked'));
    symlinkSync('orders.csv', join(home, 'open', 'same.csv'));
    const sizes = { memoryMb: 512, children: 1, threads: 1, deadlineMs: 20_000, spillMb: 64 };
    engine = openEngine({ dataDir: join(home, 'data'), ...sizes });
    connector = connectorFor(join(home, 'open'));
  });
  afterAll(async () => {
    await engine.close();
    rmSync(home, { recursive: true, force: true });
  });

  test('are tables, and so is a folder of one format', async () => {
    const tables = await connector.tables(reach(), signal);
    expect(tables.map(({ id, kind, schema }) => [id, kind, schema])).toEqual([
      ['days', 'folder', null],
      ['days/2024-01-01.csv', 'file', 'days'],
      ['days/2024-01-02.csv', 'file', 'days'],
      ['days/deep', 'folder', 'days'],
      ['days/deep/more.jsonl', 'file', 'days/deep'],
      ['events.ndjson', 'file', null],
      ['mixed/a.csv', 'file', 'mixed'],
      ['mixed/b.ndjson', 'file', 'mixed'],
      ['orders.csv', 'file', null],
    ]);
  });

  test('have the types of their values', async () => {
    const columns = await connector.describe(reach(), { table: 'orders.csv' }, signal);
    expect(columns.map(({ name, type, subtype }) => [name, type, subtype])).toEqual([
      ['id', 'numeric', null],
      ['region', 'hierarchy', null],
      ['amount', 'numeric', null],
      ['placed', 'datetime', 'datetime'],
    ]);
    expect((await connector.describe(reach(), { table: 'days' }, signal)).map(({ name }) => name)).toEqual(['id']);
  });

  test('are given to the engine as they lie', async () => {
    expect(await connector.source(reach(), 'days')).toEqual({
      kind: 'files',
      format: 'csv',
      paths: ['2024-01-01.csv', '2024-01-02.csv'].map((name) => join(home, 'open', 'days', name)),
    });
  });

  test('may be those of a folder in it', async () => {
    const [first] = await connector.tables(reach({ scope: 'days/deep' }), signal);
    expect(first?.id).toBe('more.jsonl');
    await expect(connector.tables(reach({ scope: 'linked' }), signal)).rejects.toMatchObject({ cause: 'missing' });
  });

  test.each([
    '../closed/secret.csv',
    'days/../../closed/secret.csv',
    '/etc/passwd',
    './orders.csv',
    'days//2024-01-01.csv',
    'link.csv',
    'linked/secret.csv',
    'linked',
    'same.csv',
    '.hidden.csv',
    'readme.txt',
    'mixed',
    '',
    '.',
    '..',

    'orders.csv/',
    'orders.csv\0',
    '..\\closed\\secret.csv',
    '%2e%2e/closed/secret.csv',
    'nothing.csv',
    '*.csv',
    'days/*',

    'file:///etc/passwd',
    'https://example.com/x.csv',
    's3://bucket/x.csv',
    '~/x.csv',
    '{a,b}.csv',
    '[a-z]rders.csv',
  ])('do not include %j', async (path) => {
    await expect(connector.source(reach(), path)).rejects.toMatchObject({ cause: 'missing' });
    await expect(connector.describe(reach(), { table: path }, signal)).rejects.toMatchObject({ cause: 'missing' });
    if (path !== '' && path !== 'mixed')
      await expect(connector.tables(reach({ scope: path }), signal)).rejects.toMatchObject({
        cause: expect.stringMatching(/^(?:missing|grant)$/u),
      });
  });

  test('can be kept apart by organization', async () => {
    const apart = connectorFor(join(home, '{organization}'));
    expect((await apart.tables(reach(), signal)).map(({ id }) => id)).toEqual(['own.csv']);
    for (const organizationId of ['closed', '../closed', organization.replace('0', '1'), ''])
      await expect(apart.tables(reach({ organizationId }), signal)).rejects.toMatchObject({ cause: 'missing' });
  });

  test('are none where the operator allows no folder', async () => {
    const none = connectorFor(undefined);
    const [stage] = await none.test(reach(), signal);
    expect(stage).toMatchObject({ ok: false, cause: 'settings' });
    await expect(none.tables(reach(), signal)).rejects.toMatchObject({ cause: 'settings' });
  });

  test('are tested in words', async () => {
    expect((await connector.test(reach(), signal)).map(({ ok }) => ok)).toEqual([true, true]);
    expect((await connector.test(reach({ scope: 'nowhere' }), signal)).at(-1)).toMatchObject({
      ok: false,
      cause: 'missing',
    });
  });
});
