import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { rowsOf, useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

describe.each(storesToTest)('a search on %s', (store) => {
  const api = useApi(store);
  const refused = async (resource: string, find: object): Promise<readonly string[]> => {
    const { status, code, validation } = await api.refused(resource, { find });
    expect([find, status, code]).toEqual([find, 400, 'find_invalid']);
    return Object.keys(validation);
  };

  it('searches themes and plugins with the same find', async () => {
    const slug = `both-${store}`;
    const theme = await api.create('theme', { name: { en: 'Both of them' } });
    const plugin = await api.create('plugin', { slug, name: { en: 'Both of them' } });
    for (const [resource, id] of [['theme', theme['id']] as const, ['plugin', plugin['id']] as const]) {
      const find = {
        where: { name: { startsWith: 'Both' } },
        search: { keyphrase: 'them' },
        include: [{ model: 'Organization' }],
        attributes: ['id', 'name'],
        order: [['name', 'desc']],
        limit: 10,
        offset: 0,
      };
      const found = await api.ok(resource, { find });
      expect(found['count']).toBe(1);
      expect(rowsOf(found)).toMatchObject([{ id, name: { en: 'Both of them' } }]);
    }
  });

  it('takes every member of find together', async () => {
    const names = ['Delta', 'Alpha', 'Charlie', 'Bravo', 'Echo'];
    const tag = await api.create('tag', { name: { en: 'Together' } });
    for (const en of names) {
      const { id } = await api.create('securable', {
        name: { en: `Together ${en}` },
        type: 'dataset',
        cache: en.length,
      });
      if (en !== 'Echo') await api.associate('securable', id, 'Tags', tag['id']);
    }
    const find = {
      where: { cache: { gte: 5 } },
      search: { keyphrase: 'together' },
      include: [{ model: 'Tags', required: true, attributes: ['name'] }],
      attributes: ['name', 'cache'],
      order: [['name', 'desc']],
      limit: 2,
      offset: 1,
    };
    const { count, rows } = await api.ok('securable', { find });
    const tags = [expect.objectContaining({ id: tag['id'], name: { en: 'Together' } })];
    expect([count, rows]).toEqual([
      4,
      [
        { id: expect.anything(), name: { en: 'Together Charlie' }, cache: 7, tags },
        { id: expect.anything(), name: { en: 'Together Bravo' }, cache: 5, tags },
      ],
    ]);
  });

  it('counts all matches before the limit', async () => {
    for (let at = 0; at < 7; at += 1) await api.create('tag', { name: { en: `Counted ${at}` } });
    const where = { name: { startsWith: 'Counted' } };
    const pages = [
      [{}, 7],
      [{ limit: 3 }, 3],
      [{ limit: 3, offset: 6 }, 1],
      [{ limit: 3, offset: 7 }, 0],
      [{ limit: 0 }, 0],
      [{ offset: 1_000_000 }, 0],
      [{ limit: 7 }, 7],
    ] as const;
    for (const [page, held] of pages) {
      const { count, rows } = await api.ok('tag', { find: { where, ...page } });
      expect([page, count, rows]).toEqual([page, 7, expect.objectContaining({ length: held })]);
    }
  });

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

  it('gives a thousand rows where no limit is given', async () => {
    const found = await api.ok('locale', { find: {} });
    expect(rowsOf(found)).toHaveLength(Math.min(1000, Number(found['count'])));
  });

  it('treats empty members as not given', async () => {
    const { count } = await api.ok('theme', { find: {} });
    const empty = { where: {}, search: {}, include: [], attributes: [], order: [] };
    expect((await api.ok('theme', { find: empty }))['count']).toBe(count);
    const nulls = { where: null, search: null, include: null, attributes: null, order: null };
    expect((await api.ok('theme', { find: nulls }))['count']).toBe(count);
    expect((await api.ok('theme', { find: { search: { keyphrase: '  ' } } }))['count']).toBe(count);
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
      expect(await refused('account', { attributes: [hidden] })).toHaveLength(1);
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
    await api.ok('tag', { find: { where: nested(7) } });
    expect(await refused('tag', { where: nested(8) })).toHaveLength(1);
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
    const lists = Array.from({ length: 12 }, () => ({ cache: { notIn: numbers } }));
    await refused('account', { where: { and: lists } });
    expect(await refused('account', { where: { name: { in: [...many, 'x'] } } })).toHaveLength(1);
  });

  it('orders both ways, by several fields, without case and accents in several languages', async () => {
    const made = [
      ['Étoile', 2],
      ['alpha', 1],
      ['Zulu', 1],
      ['étage', 2],
      [null, 2],
    ] as const;
    const ids = new Map<string, string>();
    for (const [name, cache] of made) {
      const { id } = await api.create('dataset', {
        subtype: 'ordered',
        name: name === null ? null : { en: name },
        cache,
      });
      ids.set(id, name ?? 'null');
    }
    const ordered = async (order: object): Promise<readonly (string | undefined)[]> =>
      (await api.findIds('securable', { where: { subtype: 'ordered' }, order })).map((id) => ids.get(id));
    expect(await ordered([['name', 'asc']])).toEqual(['null', 'alpha', 'étage', 'Étoile', 'Zulu']);
    expect(await ordered([['name', 'DESC']])).toEqual(['Zulu', 'Étoile', 'étage', 'alpha', 'null']);
    expect(await ordered(['name', 'desc'])).toEqual(['Zulu', 'Étoile', 'étage', 'alpha', 'null']);
    expect(await ordered([['cache', 'desc'], 'name'])).toEqual(['null', 'étage', 'Étoile', 'alpha', 'Zulu']);
    expect(await ordered([['name.en', 'asc']])).toEqual(['null', 'Zulu', 'alpha', 'Étoile', 'étage']);
    const ties = await api.findIds('securable', { where: { subtype: 'ordered' }, order: [['cache', 'desc']] });
    expect(ties).toEqual([...ties.slice(0, 3).toSorted(), ...ties.slice(3).toSorted()]);
    for (const order of [
      [['nothing']],
      [['name', 'up']],
      [['name', 'asc', 'x']],
      [[]],
      [7],
      'name',
      { name: 'asc' },
      [['theme']],
    ]) {
      await refused('theme', { order });
    }
  });

  it('gives the fields that are asked for, and the id always', async () => {
    const { id } = await api.create('theme', { name: { en: 'Few' } });
    expect(await api.find('theme', { where: { id }, attributes: ['name'] })).toEqual([{ id, name: { en: 'Few' } }]);
    expect(await api.find('theme', { where: { id }, attributes: ['id'] })).toEqual([{ id }]);
    expect(await api.ok('theme', { action: 'get', id, find: { attributes: ['name'] } })).toEqual({
      id,
      name: { en: 'Few' },
    });
    for (const attributes of [['nothing'], [7], 'name', { name: true }, ['name.en']])
      await refused('theme', { attributes });
  });

  it('leaves out what the caller may not see, in rows and count', async () => {
    const person = await api.person();
    const seen = await api.create('dashboard', { name: { en: 'Partly seen' } });
    await api.create('dashboard', { name: { en: 'Partly seen' } });
    await api.associate('securable', seen['id'], 'Users', person.id, { flagRead: true });
    const find = { search: { keyphrase: 'partly seen' } };
    expect((await api.ok('securable', { find }))['count']).toBe(2);
    const { count, rows } = await api.ok('securable', { find }, person.login);
    expect([count, part(rows, 'length') ?? Object.keys(Object(rows)).length]).toEqual([1, 1]);
    expect(await api.ok('securable', { find: { ...find, limit: 0 } }, person.login)).toEqual({ count: 1, rows: [] });
  });

  it('tells nothing of a field that the caller may not see', async () => {
    const ada = await api.person(undefined, { email: `ada-${store}@people.example`, name: 'Ada' });
    const bob = await api.person(undefined, { email: `bob-${store}@people.example`, name: 'Bob' });
    const email = `ada-${store}@people.example`;
    expect(await api.findIds('user', { where: { email } })).toEqual([ada.id]);
    expect(await api.findIds('user', { where: { email } }, ada.login)).toEqual([ada.id]);
    expect(await api.findIds('user', { where: { email } }, bob.login)).toEqual([]);
    const [shown] = await api.find('user', { where: { id: ada.id } }, bob.login);
    expect(shown).toMatchObject({ name: 'Ada', email: null });
    expect(await api.findIds('user', { where: { id: ada.id, email: { isNull: true } } }, bob.login)).toEqual([ada.id]);
    expect(await api.findIds('user', { where: { id: ada.id, email: { startsWith: 'a' } } }, bob.login)).toEqual([]);
    const both = { where: { id: [ada.id, bob.id] } };
    const byEmail = await api.findIds('user', { ...both, order: [['email', 'desc']] }, bob.login);
    expect(byEmail).toEqual([bob.id, ada.id]);
    const byName = await api.findIds('user', { ...both, order: [['email', 'asc']] }, bob.login);
    expect(byName).toEqual([ada.id, bob.id]);
  });

  it('takes any pattern without failing', async () => {
    const names = ['100%', '50_50', 'back\\slash', "quote'd", 'x', '"q"', '[a]', 'a*'];
    const ids = new Map<string, string>();
    for (const name of names) ids.set((await api.create('account', { name, provider: 'patterns' })).id, name);
    const matching = async (name: object): Promise<readonly (string | undefined)[]> =>
      (await api.findIds('account', { where: { provider: 'patterns', name }, order: ['id', 'asc'] })).map((id) =>
        ids.get(id),
      );
    expect(await matching({ like: '%\\%' })).toEqual(['100%']);
    expect(await matching({ like: '%\\_%' })).toEqual(['50_50']);
    expect(await matching({ like: '%\\\\%' })).toEqual(['back\\slash']);
    expect(await matching({ contains: '\\' })).toEqual(['back\\slash']);
    expect(await matching({ contains: '_' })).toEqual(['50_50']);
    expect(await matching({ endsWith: '%' })).toEqual(['100%']);
    expect(await matching({ startsWith: '[' })).toEqual(['[a]']);
    expect(await matching({ like: '_' })).toEqual(['x']);
    expect(await matching({ contains: "'" })).toEqual(["quote'd"]);
    expect(await matching({ contains: '' })).toEqual(names);
    for (const pattern of ['abc\\', '\\', '%\\', '\\\\\\', 'abc\\d', '%'.repeat(500), '']) {
      for (const operator of ['like', 'notLike', 'iLike', 'notILike']) {
        const { status } = await api.call('account', { find: { where: { name: { [operator]: pattern } } } });
        expect([pattern, operator, status]).toEqual([
          pattern,
          operator,
          expect.toSatisfy((code) => code === 200 || code === 400),
        ]);
      }
    }
  });
});
