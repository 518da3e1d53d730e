import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { emptyWorld } from '../../../../test/access/world.ts';
import { hinted, sql, type Sql, type Value } from '../store/sql.ts';
import { StoreUnavailable, type Reader } from '../store/store.ts';
import { callerOfAuthorization } from './caller-of.ts';
import { identifyCaller } from './identify.ts';
import { confirming, presumeCaller, StaleCaller } from './presumed.ts';

const hash = (token: string): string => createHash('sha256').update(token).digest('base64url');
const nowMs = Date.parse('2026-03-01T12:00:00.000Z');
const expiry = '2026-03-02T12:00:00.000Z';
const world = emptyWorld();

for (const id of ['ada', 'bob']) {
  world.add('user', id, { email: id });
  world.link('ours', 'organization.Users', id, 1);
}
const authorization = (id: string, columns: Readonly<Record<string, Value>> = {}): void =>
  world.add('authorization', id, {
    type: 'api',
    user_id: 'ada',
    created_at: '2026-01-01T00:00:00.000Z',
    token_hash: hash(`token of ${id}`),
    ...columns,
  });
authorization('good', { expiry });
for (const id of ['a', 'b']) world.add('tag', id);

/** Creates a reader that records its statements in order. */
function listening(): Reader & { readonly asked: readonly Sql[] } {
  const asked: Sql[] = [];
  return {
    asked,
    dialect: world.reader.dialect,
    rows: (statement) => {
      asked.push(statement);
      return world.reader.rows(statement);
    },
  };
}

async function factsOf(key: string): Promise<string> {
  const facts = await confirming(world.reader, key).facts();
  if (facts === null) throw new TypeError(`nothing is known of ${key}`);
  return facts;
}

describe('a caller who is presumed', () => {
  authorization('unhashed', { token_hash: null });
  authorization('broken-hash', { token_hash: hash('token of broken-hash').slice(0, 20) });
  authorization('odd', { type: 'other' });

  it('is the one whom the store knows by the same key and token', async () => {
    const known = await identifyCaller(world.reader, 'good', 'token of good', nowMs);
    expect(known?.facts).toBe(await factsOf('good'));
    expect(presumeCaller(await factsOf('good'), 'token of good', nowMs)).toEqual(known);
  });

  it.each([
    ['a wrong token', 'good', 'token of goof'],
    ['an empty token', 'good', ''],
    ['the hash in place of the token', 'good', hash('token of good')],
    ['an authorization without a hash', 'unhashed', 'token of unhashed'],
    ['an authorization without a hash and no token', 'unhashed', ''],
    ['a hash of another length', 'broken-hash', 'token of broken-hash'],
    ['a type that does not exist', 'odd', 'token of odd'],
  ])('is nobody by %s', async (_name, key, token) => {
    expect(presumeCaller(await factsOf(key), token, nowMs)).toBeNull();
  });

  it('is nobody once the authorization has ended', async () => {
    expect(presumeCaller(await factsOf('good'), 'token of good', Date.parse(expiry))).toBeNull();
  });
});

describe('a key is confirmed', () => {
  const one = (id: string): Sql => hinted(sql`select t.id from tag t where t.id = ${id}`, { single: true });
  const many = sql`select t.id from tag t order by t.id`;

  it('in the statement that reads one record', async () => {
    const store = listening();
    const reader = confirming(store, 'good');
    expect(reader.dialect).toBe(store.dialect);
    expect(await reader.rows(one('a'))).toMatchObject([{ id: 'a' }]);
    expect(await reader.facts()).toBe(await factsOf('good'));
    expect(store.asked).toHaveLength(1);
  });

  it('where there is no such record, which stays absent', async () => {
    const store = listening();
    const reader = confirming(store, 'good');
    expect(await reader.rows(one('absent'))).toEqual([]);
    expect(await reader.facts()).toBe(await factsOf('good'));
    expect(store.asked).toHaveLength(1);
  });

  it('beside a statement of many rows, on the same way there and back', async () => {
    const store = listening();
    const reader = confirming(store, 'good');
    const rows = reader.rows(many);
    expect(store.asked).toHaveLength(2);
    expect(await rows).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(await reader.facts()).toBe(await factsOf('good'));
    expect(store.asked).toHaveLength(2);
  });

  it('once, with the first thing that is read; the rest is read as it is', async () => {
    const store = listening();
    const reader = confirming(store, 'good');
    await reader.rows(one('a'));
    expect(await reader.rows(one('b'))).toEqual([{ id: 'b' }]);
    expect(await reader.rows(many)).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(store.asked.slice(1)).toEqual([one('b'), many]);
  });

  it('by itself where nothing is read, and once', async () => {
    const store = listening();
    const reader = confirming(store, 'good');
    expect(await reader.facts()).toBe(await factsOf('good'));
    expect(await reader.facts()).toBe(await factsOf('good'));
    expect(store.asked).toHaveLength(1);
  });

  it('never where the store does not know it, and then no record is read with it', async () => {
    const reader = confirming(world.reader, 'unknown');
    expect(await reader.rows(one('a'))).toEqual([]);
    expect(await reader.facts()).toBeNull();
    expect(await confirming(world.reader, 'unknown').facts()).toBeNull();
  });

  it('never where the store is away: whoever asks is told, and nothing is left unheard', async () => {
    const away: Reader = {
      dialect: world.reader.dialect,
      rows: () => Promise.reject(new StoreUnavailable('away')),
    };
    const unheard: unknown[] = [];
    const hear = (reason: unknown): void => void unheard.push(reason);
    process.on('unhandledRejection', hear);
    const reader = confirming(away, 'good');
    await expect(reader.rows(one('a'))).rejects.toThrow(StoreUnavailable);
    await setImmediate();
    process.off('unhandledRejection', hear);
    expect(unheard).toEqual([]);
    await expect(reader.facts()).rejects.toThrow(StoreUnavailable);
  });
});

describe('the caller of a write', () => {
  authorization('of-bob', { user_id: 'bob' });

  it('is read without expecting anything where nobody was presumed', async () => {
    const store = listening();
    expect(await callerOfAuthorization(store, 'good', nowMs)).toMatchObject({ userId: 'ada' });
    expect(store.asked).toHaveLength(1);
    expect(store.asked[0]).not.toHaveProperty('expected');
  });

  it('is expected to be as presumed, and is when the store says so', async () => {
    const store = listening();
    const facts = await factsOf('good');
    expect(await callerOfAuthorization(store, 'good', nowMs, facts)).toMatchObject({ userId: 'ada' });
    expect(store.asked).toMatchObject([{ hints: { expected: { facts } } }]);
  });

  it('is nobody once the authorization has ended, though presumed', async () => {
    expect(await callerOfAuthorization(world.reader, 'good', Date.parse(expiry), await factsOf('good'))).toBeNull();
  });

  it('was misjudged where a group, and so a right, was gained or lost since', async () => {
    const facts = await factsOf('of-bob');
    world.link('writers', 'group.Users', 'bob', 1);
    const reloaded = callerOfAuthorization(world.reader, 'of-bob', nowMs, facts);
    await expect(reloaded).rejects.toThrow(StaleCaller);
    await expect(reloaded).rejects.toThrow('the caller was another one');
    expect(await callerOfAuthorization(world.reader, 'of-bob', nowMs)).toMatchObject({
      subjects: { ids: ['bob', 'writers'], groupsOf: null },
    });
  });

  it('was misjudged where the key is gone since', async () => {
    const facts = await factsOf('good');
    await expect(callerOfAuthorization(world.reader, 'unknown', nowMs, facts)).rejects.toThrow(StaleCaller);
  });
});
