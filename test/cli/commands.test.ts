import { execFile } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkPlatform } from '../../packages/service/src/cli/doctor/machine.ts';
import { migrations } from '../../packages/service/src/store/migrations/index.ts';
import { call, freshInstallation, inlay, type Installation } from '../support/command.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { type Credential, storesToTest } from '../support/service.ts';

vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);

const word = (text: string, label: string): string =>
  new RegExp(`^ *${label} +(\\S+)`, 'mu').exec(text)?.[1] ?? `no ${label} in: ${text}`;

describe.each(storesToTest)('beside a running service on %s', (store) => {
  let env: Installation;
  let owner: Credential;
  let service: ServiceProcess;
  beforeAll(async () => {
    ({ env, owner } = await freshInstallation(store));
    service = await startService({ env });
    env = { ...env, INLAY_PORT: String(service.port) };
  });
  afterAll(async () => {
    await service.stop();
    rmSync(env['INLAY_DATA_DIR'] ?? '', { recursive: true, force: true });
  });

  const logIn = async (email: string, password: string): Promise<number> =>
    (await call(service.url, 'authorization', { properties: { type: 'login', email, password } })).status;

  it('an organization is made whose key works at once, and is listed', async () => {
    const made = await inlay(
      ['organization', 'create', '--name', 'Acme \u001b[2J', '--owner-email', 'Boss@Acme.example'],
      env,
    );
    expect(made).toMatchObject({ code: 0, err: '' });
    const [key, token] = [word(made.out, 'key'), word(made.out, 'token')];
    const found = await call(service.url, 'user', { key, token, find: {} });
    expect(found.body).toMatchObject({ count: 1, rows: [{ email: 'boss@acme.example' }] });
    const listed = await inlay(['organization', 'list'], env);
    expect(listed.out).toContain(`${word(made.out, 'organization')}       1 user   Acme [2J`);
    expect(listed.out).not.toContain('\u001b');
    const again = await inlay(['organization', 'create', '--name', 'Other', '--owner-email', 'boss@acme.example'], env);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toMatch(/^The e-mail address .* is already in use: choose another one\.$/mu);
  });

  it('a user is made who can log in, with the password that is printed or with one that is given and not printed', async () => {
    const [own] = (await inlay(['organization', 'list'], env)).out.split(' ');
    const create = ['user', 'create', '--organization', own ?? ''];
    const made = await inlay([...create, '--email', 'ada@example.com', '--owner'], env);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(await logIn('ada@example.com', word(made.out, 'password'))).toBe(200);
    const given = 'correct-horse-battery-x';
    const second = await inlay([...create, '--email', 'bea@example.com'], { ...env, INLAY_NEW_PASSWORD: given });
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(second.out).not.toMatch(/password|battery/u);
    expect(await logIn('bea@example.com', given)).toBe(200);
    expect(await logIn('bea@example.com', 'another password')).toBe(401);
    const weak = await inlay([...create, '--email', 'c@example.com'], { ...env, INLAY_NEW_PASSWORD: 'short' });
    expect(weak).toMatchObject({ code: 1, out: '' });
    expect(weak.err).not.toContain('short');
    const nowhere = await inlay(['user', 'create', '--organization', 'x', '--email', 'c@example.com'], env);
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('organization list') });
    const people = await call(service.url, 'user', { ...owner, find: {} });
    expect(people.body['count']).toBe(3);
  });

  it('the settings are printed without secrets', async () => {
    const { code, out } = await inlay(['settings'], { ...env, INLAY_ALLOW_HOSTS: '10.0.0.0/8:5432' });
    expect(code).toBe(0);
    expect(out).toContain('INLAY_ALLOW_HOSTS=10.0.0.0/8:5432  # environment');
    expect(out).toContain(`INLAY_PORT=${service.port}  # environment`);
    expect(out).toContain('INLAY_BOOTSTRAP_TOKEN=********  # environment');
    expect(out).not.toContain(owner.token);
    expect(out).not.toContain('postgres://');
  });

  it('the doctor finds it well, and says so of a wrong key', async () => {
    await call(service.url, 'account', { ...owner, properties: { provider: 'postgresql', token: 'a secret' } });
    const well = await inlay(['doctor'], env);
    expect(well.out).toContain(`Inlay answers on 127.0.0.1 port ${service.port}`);
    expect(well.out).not.toMatch(/^(?:fail|warn)/mu);
    expect(well.code).toBe(0);
    const other = await inlay(['doctor', '--json'], {
      ...env,
      INLAY_SECRET_KEY: 'b7SmhX0HRlYZUbUMTxjQVDrkbrIGf4nKOzV1hJvYQ2k=',
    });
    const report: { ok?: boolean; checks?: { check: string; level: string }[] } = JSON.parse(other.out);
    expect(other.code).toBe(1);
    expect(report.ok).toBe(false);
    expect(report.checks?.filter(({ level }) => level === 'fail').map(({ check }) => check)).toEqual(['secrets']);
  });

  it('the doctor says of a misspelt setting which one was meant', async () => {
    const made = await inlay(['doctor'], { ...env, INLAY_PORTT: '1' });
    expect(made.out).toMatch(/^warn {2}settings: INLAY_PORTT .* INLAY_PORT\?/mu);
    expect(made.code).toBe(0);
  });
});

describe('the first owner', () => {
  it('gets an e-mail address by the line that the doctor gives', async () => {
    const { env: given, owner } = await freshInstallation('sqlite');
    const env = { ...given, INLAY_BOOTSTRAP_EMAIL: '' };
    const service = await startService({ env });
    try {
      const settings = { ...env, INLAY_PORT: String(service.port) };
      const before = await inlay(['doctor'], settings);
      const line = /^warn {2}first owner: .*(curl -s .*)$/mu.exec(before.out)?.[1] ?? '';
      const { stdout } = await run('bash', ['-c', line.replace('KEY', owner.key).replace('TOKEN', owner.token)]);
      expect(stdout).toContain('"email":"you@example.com"');
      expect((await inlay(['doctor'], settings)).out).not.toMatch(/^warn/mu);
    } finally {
      await service.stop();
    }
  });
});

describe.each(storesToTest)('the schema of a store on %s', (store) => {
  it('is listed by migrate --dry-run, brought up to date by migrate, and refused where it is newer', async () => {
    const { env } = await freshInstallation(store);
    const folder = env['INLAY_DATA_DIR'] ?? '';
    const dry = await inlay(['migrate', '--dry-run'], env);
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toMatch(/^ {2}1 {2}\S+/mu);
    expect(dry.out).toContain(`${migrations.length} migrations to apply. Nothing was changed`);
    expect(existsSync(join(folder, 'store/inlay.db'))).toBe(false);
    expect((await inlay(['migrate', '--dry-run'], env)).out).toBe(dry.out);
    const done = await inlay(['migrate'], env);
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(done.out).toContain(`${migrations.length} migrations applied`);
    expect((await inlay(['migrate'], env)).out).toContain('The schema is up to date');
    const newer = `insert into schema_migration (id, name, applied_at) values (${migrations.length + 1}, 'to-come', '2030');
      update schema_compatible set compatible_from = ${migrations.length + 1}`;
    if (store === 'sqlite') {
      const file = new DatabaseSync(join(folder, 'store/inlay.db'));
      file.exec(newer);
      file.close();
    } else {
      const client = new pg.Client(env['INLAY_DATABASE_URL']);
      await client.connect();
      await client.query(newer);
      await client.end();
    }
    for (const args of [['migrate'], ['migrate', '--dry-run']]) {
      const refused = await inlay(args, env);
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(refused.err).toMatch(/^Refused: the store is newer than this program: .*restore a backup\.$/mu);
    }
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('the platform', () => {
  it('is looked at by the doctor, which says what it lacks', async () => {
    expect((await checkPlatform('linux', 'x64')).map(({ level }) => level)).toEqual(['ok', 'ok', 'ok']);
    const [, , limits] = await checkPlatform('darwin', 'arm64');
    expect(limits).toMatchObject({ level: 'warn', check: 'memory limits', fix: 'Run production on Linux.' });
  });
});

describe('without a store', () => {
  it('commands say what to do first, and make nothing', async () => {
    const { env } = await freshInstallation('sqlite');
    for (const args of [
      ['organization', 'list'],
      ['keys', 'rotate'],
      ['backup', '/tmp/never'],
    ]) {
      const { code, out, err } = await inlay(args, env);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/^[^\n]*there is no store at [^\n]*\n$/iu);
    }
    const examined = await inlay(['doctor'], env);
    expect(examined).toMatchObject({ code: 0, out: expect.stringContaining('Run: inlay start') });
  });

  it('the doctor names every fault of the settings, a key file others may read, and a port that is taken', async () => {
    const { env } = await freshInstallation('sqlite');
    const faulty = await inlay(['doctor'], { ...env, INLAY_PORT: 'many', INLAY_ENV: 'production' });
    expect(faulty.code).toBe(1);
    expect(faulty.out.match(/^fail {2}settings: INLAY_(?:PORT|SECRET_KEY)/gmu)).toHaveLength(2);
    const service = await startService({ env });
    await call(service.url, 'account', {
      key: env['INLAY_BOOTSTRAP_KEY'] ?? '',
      token: env['INLAY_BOOTSTRAP_TOKEN'] ?? '',
      properties: { provider: 'postgresql', token: 'a secret' },
    });
    await service.stop();
    chmodSync(join(env['INLAY_DATA_DIR'] ?? '', 'keys/secret.key'), 0o644);
    const other = createServer((socket) => socket.destroy());
    await new Promise<void>((listening) => other.listen(service.port, '127.0.0.1', listening));
    const open = await inlay(['doctor'], { ...env, INLAY_PORT: String(service.port) });
    await new Promise((closed) => other.close(closed));
    expect(open.code).toBe(1);
    expect(open.out).toMatch(/^fail {2}secret key: .*Run: chmod 600/mu);
    expect(open.out).toMatch(/^fail {2}port: another program/mu);
  });

  it('what is called wrongly is refused with a suggestion', async () => {
    const cases = [
      [['user', 'craete'], 'did you mean "user create"'],
      [['keys'], 'did you mean "keys rotate"'],
      [['user', 'create', '--emial', 'a@b.example'], 'did you mean --email'],
      [['backup'], 'FILE is missing'],
      [['backup', 'a', 'b'], 'an unexpected argument'],
      [['user', 'create', '--organization', 'x', '--email', 'nobody'], 'must be an e-mail address'],
      [['user', 'create', '--organization', 'x', '--email', 'a@b.example', '--owner', '--admin'], 'only one of'],
    ] as const;
    const ends = await Promise.all(cases.map(([args]) => inlay(args, {})));
    ends.forEach(({ code, out, err }, index) => {
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(cases[index]?.[1]);
    });
    expect((await inlay(['--version'], {})).out).toBe('0.1.0\n');
    expect((await inlay(['user', 'create', '--help'], {})).out).toContain('INLAY_NEW_PASSWORD');
  });
});
