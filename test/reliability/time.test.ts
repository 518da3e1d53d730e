import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@inlay/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { done, firstOwner, openClient, textIn } from '../support/load.ts';
import { runs } from '../support/installed.ts';
import { datasetIn } from '../support/world.ts';
import { startService } from '../support/process.ts';
import { startTestService, havePostgresServer } from '../support/service.ts';

const hourMs = 3_600_000;
const datetime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u;
const moments = {
  'a leap day': '2028-02-29T12:00:00.000Z',
  'the end of 32-bit time': '2038-01-19T03:14:07.999Z',
  'the last day of 2999': '2999-12-31T23:59:59.999Z',
  'the last day of 9999': '9999-12-31T00:00:00.000Z',
} as const;

// The embedded store writes in a thread of its own, to which no clock can be handed; it is moved below.
describe.skipIf(!havePostgresServer)('with a clock of its own', () => {
  const store = 'postgres';
  test('updated_at never goes back while the clock jumps an hour to and fro', async () => {
    let nowMs = Date.parse('2027-03-28T00:59:00.000Z');
    const service = await startTestService({ store, now: () => nowMs });
    const made = await service.call('tag', { action: 'create', properties: { name: { en: 'tag' } } }, service.owner);
    const id = textIn(made.body, 'id');
    let before = textIn(made.body, 'updated_at');
    for (const jump of [hourMs, -hourMs, -hourMs, 1, hourMs, -2 * hourMs, 3 * hourMs]) {
      nowMs += jump;
      const answer = await service.call(
        'tag',
        { action: 'update', id, properties: { name: { en: `tag ${jump}` } } },
        service.owner,
      );
      const after = textIn(answer.body, 'updated_at');
      expect(after).toMatch(datetime);
      expect(after >= before, `${after} after ${before}`).toBe(true);
      before = after;
    }
    await service.stop();
  });

  test.each(Object.entries(moments))('%s is a day like any other', async (_, moment) => {
    const service = await startTestService({ store, now: () => Date.parse(moment) });
    const headers = { 'idempotency-key': 'once' };
    const make = { action: 'create', properties: { name: 'Account', provider: 'postgresql', expiry: moment } };
    const made = await service.call('account', make, service.owner, headers);
    expect(made.status).toBe(200);
    for (const name of ['created_at', 'updated_at', 'date', 'expiry']) expect(textIn(made.body, name)).toBe(moment);
    expect(await service.call('account', make, service.owner, headers)).toMatchObject({
      status: 200,
      body: { id: textIn(made.body, 'id') },
    });
    const person = { email: 'ada@people.example', name: 'Ada', password: 'a long way up the hill' };
    expect((await service.call('user', { action: 'create', properties: person }, service.owner)).status).toBe(200);
    const login = await service.call('authorization', {
      action: 'create',
      properties: { type: 'login', email: person.email, password: person.password },
    });
    expect(login.status).toBe(200);
    expect(textIn(login.body, 'expiry')).toMatch(datetime);
    await service.stop();
  });
});

const contract = new URL('../../packages/contract/src/', import.meta.url).href;
const script = `
const { parseTimestamp, timestamp } = await import('${contract}timestamp.ts');
const { uuidV7 } = await import('${contract}id.ts');
const texts = ['2028-02-29T00:00:00Z', '2027-02-29T00:00:00Z', '2038-01-19T03:14:08Z', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-01:00',
  '2026-03-29T02:30:00+01:00', '2026-10-25T02:30:00.5+02:00', '2026-11-01T01:30:00-02:30', '1970-01-01T00:00:00+14:00', '2026-01-01T00:00:00', '2026-03-29 02:30:00Z'];
const moments = [0, 951782400000, 1774747800000, 2147483648000, 253402300799999];
console.log(JSON.stringify([texts.map((text) => parseTimestamp(text) ?? null), moments.map(timestamp), moments.map((ms) => uuidV7(ms, '00000000-0000-4000-8000-000000000000'))]));
`;

test.each(['UTC', 'Pacific/Kiritimati', 'America/St_Johns', 'Europe/Brussels'])(
  'times are the same in the zone %s',
  (zone) => {
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
    });
    const [parsed, written]: [Json, Json] = JSON.parse(said);
    expect(parsed).toEqual([
      '2028-02-29T00:00:00.000Z',
      null,
      '2038-01-19T03:14:08.000Z',
      '9999-12-31T23:59:59.999Z',
      null,
      '2026-03-29T01:30:00.000Z',
      '2026-10-25T00:30:00.500Z',
      '2026-11-01T04:00:00.000Z',
      '1969-12-31T10:00:00.000Z',
      null,
      null,
    ]);
    expect(written).toEqual([
      '1970-01-01T00:00:00.000Z',
      '2000-02-29T00:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2038-01-19T03:14:08.000Z',
      '9999-12-31T23:59:59.999Z',
    ]);
  },
);

describe.skipIf(!runs('faketime', ['-f', '+1h', 'true']))('under faketime', () => {
  /** Returns a service on the embedded store whose clock can be moved while it runs. */
  async function startMoved(zone: string) {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-clock-'));
    const clock = join(folder, 'clock');
    const move = (to: string): void => writeFileSync(clock, to);
    move('+0');
    const owner = firstOwner();
    const moved = {
      TZ: zone,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    // By variables, without a program in between that would take the signal to stop.
    const prefix = ['env', ...preload()];
    const service = await startService({ env: { ...owner.settings, ...moved }, prefix, readyLimitMs: 30_000 });
    const client = openClient(service.url, owner.credential);
    onTestFinished(() => {
      client.close();
      service.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    });
    return { service, client, move };
  }

  test.each([
    ['+3600', 'Pacific/Kiritimati', hourMs],
    ['-3600', 'America/St_Johns', -hourMs],
  ])('a service whose clock is off by %s s in %s answers in UTC and stops', async (off, zone, offMs) => {
    const { service, client, move } = await startMoved(zone);
    move(off);
    const made = done(await client.call('tag', { action: 'create', properties: { name: { en: 'tag' } } }));
    const at = textIn(made, 'created_at');
    expect(at).toMatch(datetime);
    expect(Math.abs(Date.parse(at) - Date.now() - offMs)).toBeLessThan(60_000);
    expect(await service.stop()).toBe(0);
  });

  test('rows are stored and queried, and tokens end by the clock, while it jumps by days', async () => {
    const { service, client, move } = await startMoved('UTC');
    const push = { type: 'create', data: [['n'], [0]], options: { header: true } };
    const pushed = done(await client.call('data', { action: 'create', properties: push }));
    const { id } = datasetIn(pushed);
    const access = { datasets: [{ id, rights: 'use' }] };
    const expiry = new Date(Date.now() + 12 * hourMs).toISOString();
    const properties = { type: 'embed', username: 'ada', access, expiry };
    const made = done(await client.call('authorization', { action: 'create', properties }));
    const viewer = openClient(service.url, { key: textIn(made, 'id'), token: textIn(made, 'token') });
    const measures = [{ dataset_id: id, column_id: '*', aggregation: { type: 'count' } }];
    const count = { action: 'get', find: { dimensions: [], measures } };
    let rows = 1;
    for (const [off, isExpired] of [
      ['-86400', false],
      ['+86400', true],
      ['+0', false],
      ['+259200', true],
      ['-3600', false],
    ] as const) {
      move(off);
      const append = { type: 'append', securable_id: id, data: [[rows]] };
      done(await client.call('data', { action: 'create', properties: append }));
      rows += 1;
      expect(done(await client.call('data', count))).toMatchObject({ data: [[rows]] });
      expect((await viewer.call('data', count)).status, off).toBe(isExpired ? 401 : 200);
      expect((await fetch(`${service.url}/readyz`, { headers: { connection: 'close' } })).status).toBe(200);
    }
    viewer.close();
    expect(await service.stop()).toBe(0);
    expect(service.output()).not.toContain('"level":50');
  });

  test('updated_at never goes back while the clock of the embedded store jumps', async () => {
    const { service, client, move } = await startMoved('Europe/Brussels');
    const made = done(await client.call('tag', { action: 'create', properties: { name: { en: 'tag' } } }));
    const id = textIn(made, 'id');
    let before = textIn(made, 'updated_at');
    const seen = new Set<string>();
    for (const off of [
      '+3600',
      '+0',
      '-3600',
      '+1',
      '@2038-01-19 03:14:07',
      '+0',
      '@2028-02-29 12:00:00',
      '@9999-12-31 00:00:00',
      '+0',
    ]) {
      move(off);
      const properties = { name: { en: `tag ${off}` } };
      const after = textIn(done(await client.call('tag', { action: 'update', id, properties })), 'updated_at');
      expect(after).toMatch(datetime);
      expect(after >= before, `${after} after ${before}`).toBe(true);
      seen.add(after.slice(0, 4));
      before = after;
    }
    expect([...seen]).toContain('9999');
    expect(await service.stop()).toBe(0);
  });
});

/** What faketime makes the programs it starts load. */
const preload = (): readonly string[] =>
  execFileSync('faketime', ['-f', '+0', 'env'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith('LD_PRELOAD='));
