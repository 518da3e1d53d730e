import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { bothStores } from '../support/service.ts';

describe.each(bothStores)('a search with too much or what is not known, on %s', (store) => {
  const api = useApi(store);
  const refused = async (resource: string, find: object): Promise<readonly string[]> => {
    const { status, code, validation } = await api.refused(resource, { find });
    expect([find, status, code]).toEqual([find, 400, 'find_invalid']);
    return Object.keys(validation);
  };

  it('refuses a limit or offset outside its bounds', async () => {
    for (const wrong of [-1, 10_001, 1.5, '10', true, {}]) {
      expect(await refused('theme', { limit: wrong })).toEqual(['find.limit']);
    }
    for (const wrong of [-1, 1.5, '10', true, {}]) {
      expect(await refused('theme', { offset: wrong })).toEqual(['find.offset']);
    }
    for (const find of [{ limit: 10_000 }, { limit: 0 }, { limit: null, offset: null }, { offset: 0 }])
      await api.ok('theme', { find });
  });

  it('refuses what it does not know, each at its place', async () => {
    expect(await refused('theme', { wher: {}, limit: -1 })).toEqual(['find.wher', 'find.limit']);
    const wheres: JsonObject[] = [
      { nothing: 1 },
      { name: {} },
      { name: { equals: 'x' } },
      { name: { gt: null } },
      { name: { like: 7 } },
      { name: { in: 'x' } },
      { name: { between: ['a'] } },
      { name: { between: ['a', null] } },
      { name: { isNull: 'yes' } },
      { name: 7 },
      { 'name.e': 'x' },
      { 'name.en.fr': 'x' },
      { 'id.en': 'x' },
      { id: 'no uuid' },
      { id: { in: ['no uuid'] } },
      { created_at: 'yesterday' },
      { created_at: { gt: '2026-01-01' } },
      { theme: { eq: 'x' } },
      { theme: { like: 'x' } },
      { and: [] },
      { or: [{}] },
      { not: 'x' },
      { toString: 1 },
      { '': 1 },
      { 'name.__proto_': 'x' },
    ];
    for (const where of wheres) expect(await refused('theme', { where })).toHaveLength(1);
    for (const where of [[1], 'x', 7, true]) expect(await refused('theme', { where })).toEqual(['find.where']);
    const typed: JsonObject[] = [
      { active: 1 },
      { active: 'true' },
      { cache: '5' },
      { cache: { like: '5' } },
      { active: { contains: 't' } },
    ];
    for (const where of typed) expect(await refused('account', { where })).toHaveLength(1);
    for (const hidden of ['organization_id', 'token', 'shape', 'record', 'seq', 'secrets', 'revision']) {
      expect(await refused('account', { where: { [hidden]: 'x' } })).toEqual([`find.where.${hidden}`]);
      expect(await refused('account', { order: [[hidden, 'asc']] })).toHaveLength(1);
      if (hidden !== 'token') expect(await refused('account', { attributes: [hidden] })).toHaveLength(1);
    }
    for (const hidden of ['password', 'password_hash'])
      expect(await refused('user', { where: { [hidden]: 'x' } })).toHaveLength(1);
  });

  it('suggests the operator or field that was meant', async () => {
    const { validation } = await api.refused('theme', { find: { where: { nmae: 'x', name: { $startWith: 'x' } } } });
    expect(validation).toEqual({
      'find.where.nmae': ['is not known; did you mean "name"?'],
      'find.where.name.$startWith': ['is not known; did you mean "startsWith"?'],
    });
  });

  it('takes groups at most 8 deep and 200 terms', async () => {
    const nested = (depth: number): object => (depth === 0 ? { name: null } : { not: nested(depth - 1) });
    await api.ok('tag', { find: { where: nested(8) } });
    expect(await refused('tag', { where: nested(9) })).toHaveLength(1);
    const terms = (count: number): object => ({ or: Array.from({ length: count }, (_, at) => ({ name: `x${at}` })) });
    await api.ok('tag', { find: { where: terms(200) } });
    expect(await refused('tag', { where: terms(201) })).toContain('find.where');
  });

  it('answers the longest lists it takes', async () => {
    const { id } = await api.create('account', { name: 'In a long list', cache: 1 });
    const many = Array.from({ length: 10_000 }, (_, at) => `n${at}`);
    expect(await api.findIds('account', { where: { name: { in: [...many.slice(1), 'In a long list'] } } })).toEqual([
      id,
    ]);
    const numbers = Array.from({ length: 10_000 }, (_, at) => at + 2);
    const find = {
      where: { id, cache: { notIn: numbers } },
      include: ['Users', 'Groups', 'Securables', 'Plugin'].map((model) => ({ model, where: { name: { in: many } } })),
    };
    for (const required of [false, true]) {
      const include = find.include.map((one) => ({ ...one, required }));
      const { status } = await api.call('account', { find: { ...find, include } });
      expect([required, status]).toEqual([required, expect.toSatisfy((code) => code === 200 || code === 400)]);
    }
    const lists = Array.from({ length: 6 }, () => ({ cache: { notIn: numbers } }));
    await refused('account', { where: { and: lists } });
    expect(await refused('account', { where: { name: { in: [...many, 'x'] } } })).toHaveLength(1);
  });
});
