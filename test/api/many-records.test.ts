import type { JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../packages/service/src/access/caller.ts';
import { Faults } from '../../packages/service/src/problems/problem.ts';
import { readFind } from '../../packages/service/src/search/read.ts';
import { search } from '../../packages/service/src/search/search.ts';
import { sql, text as fixed, type Sql } from '../../packages/service/src/store/sql.ts';
import { rowsOf, runBehind, useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

/** More than are counted where others wait. */
const many = 2500;

describe.each(storesToTest)('a search of very many records on %s', (store) => {
  const api = useApi(store);
  const token = async (username: string): Promise<string> => {
    const properties = { type: 'embed', username, suborganization: `tenant of ${username}` };
    return text(await api.ok('authorization', { action: 'create', properties }), 'id');
  };

  /** Copies a record by statements of the store; the copies have ids in order, and differ by nothing else. */
  const copies = async (table: string, id: string): Promise<void> => {
    const columns = (await api.service.app.service.reader.rows(fixed(`select * from "${table}" limit 1`))).flatMap(
      (row) => Object.keys(row).filter((column) => column !== 'seq' && column !== 'slug'),
    );
    const number = `substr('00000000' || cast(n as text), -8)`;
    const padded = store === 'sqlite' ? number : `lpad(cast(n as text), 8, '0')`;
    const newId = `'018f0000-0000-7000-8000-0000' || ${padded}`;
    const values = columns.map((column) =>
      column === 'id' ? newId : column === 'record' ? `replace(t.record, t.id, ${newId})` : `t."${column}"`,
    );
    await runBehind(
      api.service,
      `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${many})
        select ${values.join(', ')} from numbers cross join "${table}" t where t.id = '${id}'; analyze "${table}"`,
    );
  };

  beforeAll(async () => {
    await copies('authorization', await token('copied'));
    await token('alone');
    const { id } = await api.create('tag', { name: { en: 'Copied' } });
    await copies('tag', id);
  });

  it('gives each of them once, page by page after the last id, in both directions', async () => {
    const all = await api.findIds('tag', { limit: 10_000 });
    expect(all).toHaveLength(many + 1);
    for (const [direction, operator] of [
      ['asc', 'gt'],
      ['desc', 'lt'],
    ] as const) {
      const seen: string[] = [];
      for (let last: string | null = null; ; last = seen.at(-1) ?? null) {
        const where: JsonObject = last === null ? {} : { id: { [operator]: last } };
        const page = await api.ok('tag', { find: { where, order: [['id', direction]], limit: 400, count: false } });
        expect(page['count']).toBeNull();
        if (rowsOf(page).length === 0) break;
        seen.push(...rowsOf(page).map((row) => text(row, 'id')));
      }
      expect(seen).toEqual(direction === 'asc' ? all : all.toReversed());
    }
  });

  it('counts all of them, at the start, far in, past the end and in any order', async () => {
    const count = async (resource: string, find: JsonObject): Promise<unknown> =>
      part(await api.ok(resource, { find: { attributes: ['id'], ...find } }), 'count');
    const total = many + 1;
    expect(await count('tag', { limit: 5 })).toBe(total);
    expect(await count('tag', { limit: 5, offset: many - 1 })).toBe(total);
    expect(await count('tag', { limit: 5, offset: 10 * many })).toBe(total);
    expect(await count('tag', { limit: 0 })).toBe(total);
    expect(await count('tag', { limit: 5, order: [['name', 'desc']] })).toBe(total);
    expect(await count('tag', { limit: 5, order: ['id'] })).toBe(total);
    expect(await count('tag', { limit: 5, where: { id: { gt: '018f0000-0000-7000-8000-000000000500' } } })).toBe(
      total - 500,
    );
    expect(await count('authorization', { limit: 5, where: { username: 'copied' } })).toBe(total);
    expect(await count('authorization', { limit: 5, where: { username: 'alone' } })).toBe(1);
  });

  /** Returns the plans of all statements of a search as an owner of the whole organization. */
  const plans = async (resource: string, find: JsonObject): Promise<string> => {
    const { reader, registry } = api.service.app.service;
    const caller: Caller = {
      authorizationId: api.owner.key,
      type: 'api',
      organizationId: api.organizationId,
      userId: api.userId,
      subjects: { ids: [api.userId], groupsOf: null },
      rank: 3,
      suborganization: null,
      ceiling: 4,
      issuer: null,
      hiddenColumns: [],
      features: null,
      username: null,
    };
    const asked: Sql[] = [];
    const rows = (statement: Sql) => {
      asked.push(statement);
      return reader.rows(statement);
    };
    const declared = registry.resource(resource);
    const read = readFind(registry, declared, { limit: 10, ...find }, new Faults());
    await search({ registry, caller, reader: { dialect: reader.dialect, rows } }, declared, read);
    const word = fixed(store === 'sqlite' ? 'explain query plan ' : 'explain (costs off) ');
    const told = await Promise.all(asked.map((statement) => reader.rows(sql`${word}${statement}`)));
    return told.flatMap((lines) => lines.map((line) => String(line['detail'] ?? line['QUERY PLAN']))).join('\n');
  };

  it.each([
    ['tokens of a user name', 'authorization', { where: { username: 'alone' } }, 'authorization__username__page'],
    [
      'tokens of a suborganization',
      'authorization',
      { where: { suborganization: 'tenant of alone' } },
      'authorization__suborganization__page',
    ],
    [
      'tokens by their expiry',
      'authorization',
      { where: { expiry: { gt: '2020-01-01T00:00:00Z' } }, order: [['expiry', 'asc']], count: false },
      'authorization__expiry__page',
    ],
    [
      'one record',
      'tag',
      { where: { id: '018f0000-0000-7000-8000-000000000500' } },
      /tag__(organization__index|id__unique)/u,
    ],
    [
      'the records after one',
      'tag',
      { where: { id: { gt: '018f0000-0000-7000-8000-000000002000' } }, order: ['id'], count: false },
      /tag__(organization__index|id__unique)/u,
    ],
  ] as const)('finds %s by an index', async (_what, resource, find, index) => {
    const plan = await plans(resource, JSON.parse(JSON.stringify(find)));
    expect(plan).toMatch(index);
    // Nothing is read whole or sorted but the page itself.
    expect(plan).not.toMatch(/Seq Scan on|SCAN t\b/u);
  });

  it.runIf(store === 'sqlite')('finds people by their name or address through the index of texts alone', async () => {
    const plan = await plans('user', { search: { keyphrase: 'wilhelmina' } });
    expect(plan).toMatch(/MULTI-INDEX OR/u);
    expect(plan).not.toMatch(/user__organization__index|SCAN t\b/u);
  });
});
