import { describe, expect, it } from 'vitest';
import { rowsOf, useApi } from '../support/api.ts';
import { bothStores } from '../support/service.ts';
import { part } from '../support/world.ts';

describe.each(bothStores)('a search on %s', (store) => {
  const api = useApi(store);

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

  it('tells letter case apart with like and not with iLike, beyond English too', async () => {
    for (const name of ['Élan vital', 'élan vital', 'elan vital']) await api.create('account', { name });
    const names = async (test: object): Promise<readonly unknown[]> =>
      rowsOf(await api.ok('account', { find: { where: { name: { endsWith: 'vital', ...test } } } })).map(
        ({ name }) => name,
      );
    expect(await names({ like: 'É%' })).toEqual(['Élan vital']);
    expect(await names({ iLike: 'É%' })).toEqual(['Élan vital', 'élan vital']);
    expect(await names({ notILike: 'é%' })).toEqual(['elan vital']);
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
    expect(await ordered([['name.en', 'asc']])).toEqual(['null', 'alpha', 'étage', 'Étoile', 'Zulu']);
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
      expect((await api.refused('theme', { find: { order } })).code).toBe('find_invalid');
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
      expect((await api.refused('theme', { find: { attributes } })).code).toBe('find_invalid');
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
