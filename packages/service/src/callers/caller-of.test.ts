import { createHash } from 'node:crypto';
import { featuresOf } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { emptyWorld } from '../../../../test/access/world.ts';
import type { Value } from '../store/sql.ts';
import { callerOfAuthorization } from './caller-of.ts';
import { identifyCaller } from './identify.ts';

const hash = (token: string): string => createHash('sha256').update(token).digest('base64url');
const now = '2026-03-01T12:00:00.000Z';
const nowMs = Date.parse(now);
const world = emptyWorld();

for (const [id, suborganization] of [
  ['ada', null],
  ['bob', 'north'],
  ['cyd', null],
] as const) {
  world.add('user', id, { email: id, suborganization });
}
world.link('ours', 'organization.Users', 'ada', 3);
world.link('ours', 'organization.Users', 'bob', 1);
world.link('another', 'organization.Users', 'ada', 4);
world.link('another', 'organization.Users', 'cyd', 4);
world.link('ours', 'organization.Editors', 'cyd', 2);
world.link('ours', 'organization.Editors', 'ada', 2);
for (const group of ['writers', 'readers']) world.link(group, 'group.Users', 'ada', 1);
world.link('board', 'securable.Users', 'ada', 4);

const authorization = (id: string, columns: Readonly<Record<string, Value>>): void =>
  world.add('authorization', id, {
    user_id: 'ada',
    created_at: '2026-01-01T00:00:00.000Z',
    token_hash: hash(`token of ${id}`),
    ...columns,
  });

const identified = (id: string, token = `token of ${id}`): ReturnType<typeof identifyCaller> =>
  identifyCaller(world.reader, id, token, nowMs);

const ada = {
  organizationId: 'ours',
  userId: 'ada',
  subjects: { ids: ['ada', 'readers', 'writers'], groupsOf: null },
  rank: 3,
  suborganization: null,
  username: null,
  ceiling: 4,
  issuer: null,
  hiddenColumns: [],
  features: null,
};

describe('a person', () => {
  authorization('login', { type: 'login', last_used_at: '2026-02-28T12:00:00.000Z' });
  authorization('api', {
    type: 'api',
    rate_limit: 7,
    role: 'viewer',
    suborganization: 'south',
    hidden_columns: '["x"]',
  });
  authorization('of-bob', { type: 'api', user_id: 'bob' });
  authorization('of-cyd', { type: 'api', user_id: 'cyd' });
  authorization('embed-of-cyd', { type: 'embed', user_id: 'cyd' });

  it('is known by a login with their groups and their rank in that organization', async () => {
    const caller = { authorizationId: 'login', type: 'login', ...ada };
    expect(await identified('login')).toMatchObject({
      caller,
      lastUsedMs: Date.parse('2026-02-28T12:00:00.000Z'),
      rateLimit: null,
    });
    expect(await callerOfAuthorization(world.reader, 'login', nowMs)).toEqual(caller);
  });

  it('is known by an api token, which limits nothing', async () => {
    const caller = { authorizationId: 'api', type: 'api', ...ada };
    expect(await identified('api')).toMatchObject({ caller, lastUsedMs: null, rateLimit: 7 });
  });

  it('without groups has none, and their own suborganization', async () => {
    expect((await identified('of-bob'))?.caller).toEqual({
      ...ada,
      authorizationId: 'of-bob',
      type: 'api',
      userId: 'bob',
      subjects: { ids: ['bob'], groupsOf: null },
      rank: 1,
      suborganization: 'north',
    });
  });
});

describe('a person who is no member of the organization any more', () => {
  it('is nobody in it, and so is what they issued', async () => {
    expect(await identified('of-cyd')).toBeNull();
    expect(await identified('embed-of-cyd')).toBeNull();
  });
});

describe('an embed token', () => {
  authorization('embed', { type: 'embed', role: 'viewer', suborganization: 'south' });
  authorization('embed-of-bob', { type: 'embed', role: 'viewer', user_id: 'bob' });
  const hidden = { list: '["C1",5,"c2"]', none: '[]', other: '{"c1":true}', nothing: null };
  for (const [id, hidden_columns] of Object.entries(hidden)) authorization(id, { type: 'embed', hidden_columns });
  const roles = { viewer: 2, unsaid: 2, unheard: 2, designer: 4, owner: 4 };
  for (const role of Object.keys(roles)) {
    authorization(`embed-${role}`, { type: 'embed', role: role === 'unsaid' ? null : role });
  }

  it('acts for itself alone, bounded by what its issuer is now', async () => {
    expect((await identified('embed'))?.caller).toEqual({
      authorizationId: 'embed',
      type: 'embed',
      organizationId: 'ours',
      userId: null,
      subjects: { ids: ['embed'], groupsOf: null },
      rank: 0,
      suborganization: 'south',
      username: null,
      ceiling: 2,
      issuer: { subjects: { ids: ['ada', 'readers', 'writers'], groupsOf: null }, rank: 3 },
      hiddenColumns: [],
      features: featuresOf('viewer', []),
    });
  });

  it('has what belongs to its end user, whom organization, suborganization and username identify', async () => {
    for (const [id, username, suborganization] of [
      ['first', 'eve', 'south'],
      ['second', 'eve', 'south'],
      ['elsewhere', 'eve', 'north'],
      ['nowhere', 'eve', null],
      ['swapped', 'south', 'eve'],
    ] as const)
      authorization(`of-eve-${id}`, { type: 'embed', role: 'viewer', username, suborganization });
    const endUser = async (id: string) => (await identified(`of-eve-${id}`))?.caller.subjects.ids.slice(1);
    const first = await endUser('first');
    expect(first).toHaveLength(1);
    expect(await endUser('second')).toEqual(first);
    const others = [await endUser('elsewhere'), await endUser('nowhere'), await endUser('swapped')];
    expect(new Set([first, ...others].map(String)).size).toBe(4);
  });

  it('has its own suborganization, not its issuer’s', async () => {
    const known = await identified('embed-of-bob');
    expect(known?.caller).toMatchObject({
      suborganization: null,
      issuer: { subjects: { ids: ['bob'], groupsOf: null }, rank: 1 },
    });
  });

  it.each(Object.entries(roles))('that is %s has the ceiling %i', async (role, ceiling) => {
    expect((await identified(`embed-${role}`))?.caller.ceiling).toBe(ceiling);
  });

  it.each<[keyof typeof hidden, readonly string[]]>([
    ['list', ['c1', 'c2']],
    ['none', []],
    ['other', []],
    ['nothing', []],
  ])('hides the columns it lists: %s', async (id, columns) => {
    expect((await identified(id))?.caller.hiddenColumns).toEqual(columns);
  });
});

describe('nobody is known', () => {
  authorization('good', { type: 'api' });
  authorization('unhashed', { type: 'api', token_hash: null });
  authorization('broken-hash', { type: 'api', token_hash: hash('token of broken-hash').slice(0, 20) });
  authorization('homeless', { type: 'api', organization_id: null });
  authorization('orphan', { type: 'api', user_id: null });
  authorization('left-behind', { type: 'api', user_id: 'somebody-deleted' });
  authorization('odd', { type: 'other' });

  it.each([
    ['an unknown key', 'unknown', 'token of unknown'],
    ['an unknown key and no token', 'unknown', ''],
    ['a wrong token', 'good', 'token of goof'],
    ['an empty token', 'good', ''],
    ['the hash in place of the token', 'good', hash('token of good')],
    ['an authorization without a hash', 'unhashed', 'token of unhashed'],
    ['an authorization without a hash and no token', 'unhashed', ''],
    ['a hash of another length', 'broken-hash', 'token of broken-hash'],
    ['an authorization of no organization', 'homeless', 'token of homeless'],
    ['an authorization of no person', 'orphan', 'token of orphan'],
    ['an authorization of a person who is gone', 'left-behind', 'token of left-behind'],
    ['a type that does not exist', 'odd', 'token of odd'],
  ])('by %s', async (_name, key, token) => {
    expect(await identified(key, token)).toBeNull();
    expect(await identified('good')).not.toBeNull();
  });

  it.each(['unknown', 'homeless', 'orphan', 'left-behind', 'odd'])('when read again: %s', async (key) => {
    expect(await callerOfAuthorization(world.reader, key, nowMs)).toBeNull();
  });
});

describe('an authorization ends', () => {
  const long = '2026-01-01T00:00:00.000Z';
  it.each<[string, Readonly<Record<string, Value>>, boolean]>([
    ['never, where nothing is said', {}, false],
    ['not before its expiry', { expiry: '2026-03-01T12:00:00.001Z' }, false],
    ['at its expiry', { expiry: now }, true],
    ['after its expiry', { expiry: '2026-03-01T11:59:59.999Z' }, true],
    ['not by inactivity where the interval is 0', { inactivity_interval: 0, last_used_at: long }, false],
    ['not by inactivity where there is no interval', { inactivity_interval: null, last_used_at: long }, false],
    ['not while used lately', { inactivity_interval: 120, last_used_at: '2026-03-01T11:58:00.001Z' }, false],
    ['when unused for its interval', { inactivity_interval: 120, last_used_at: '2026-03-01T11:58:00.000Z' }, true],
    ['when unused for longer', { inactivity_interval: 120, last_used_at: '2026-03-01T11:57:59.999Z' }, true],
    ['not while new', { inactivity_interval: 120, created_at: '2026-03-01T11:58:00.001Z' }, false],
    ['when never used for its interval', { inactivity_interval: 120, created_at: '2026-03-01T11:58:00.000Z' }, true],
    ['at its expiry though used lately', { inactivity_interval: 120, last_used_at: now, expiry: now }, true],
    [
      'when unused though not expired',
      { inactivity_interval: 120, last_used_at: long, expiry: '2027-01-01T00:00:00.000Z' },
      true,
    ],
  ])('%s', async (name, columns, ended) => {
    authorization(name, { type: 'embed', ...columns });
    expect((await identified(name)) === null).toBe(ended);
    expect((await callerOfAuthorization(world.reader, name, nowMs)) === null).toBe(ended);
  });
});
