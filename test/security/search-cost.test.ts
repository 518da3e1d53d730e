import type { JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf, runBehind, useApi } from '../support/api.ts';
import { oneStore, storesToTest } from '../support/service.ts';
import { startWorkClock } from '../support/work-clock.ts';
import { part, text } from '../support/world.ts';

/** Longer than the service works for any honest answer here, shorter than a stopped event loop. */
const hangMs = 5000;

describe.each([oneStore])('a search that asks for too much on %s', (store) => {
  const api = useApi(store, { INLAY_ANSWER_MB: '2' });
  const large: string[] = [];
  beforeAll(async () => {
    const languages = Array.from('abcdefghijklmnopqrst', (letter) => `x${letter}`);
    const description = Object.fromEntries(languages.map((language) => [language, `${'a'.repeat(9990)}b`]));
    for (let index = 0; index < 15; index += 1)
      large.push((await api.create('dashboard', { name: { en: `Large ${index}` }, description })).id);
  });

  it('is refused with more than 100 wildcards in all patterns together', async () => {
    const where = { or: [{ 'name.en': { like: '%_'.repeat(30) } }, { description: { iLike: '%_'.repeat(30) } }] };
    const { code, validation } = await api.refused('dashboard', { find: { where } });
    expect([code, Object.keys(validation)]).toEqual(['find_invalid', ['find.where.or[1].description.iLike']]);
    const escaped = { 'name.en': { like: '\\%\\_'.repeat(80) } };
    expect(await api.findIds('dashboard', { where: escaped })).toEqual([]);
  });

  it('does not keep others waiting, whatever it matches', async () => {
    const pattern = `%${'_a'.repeat(49)}c%`;
    const terms = Array.from({ length: 1 }, () => ({ description: { iLike: pattern } }));
    const slow = api.call('dashboard', { find: { where: { or: terms } } });
    const waits: number[] = [];
    let isOver = false;
    void slow.finally(() => (isOver = true));
    for (let turn = 0; turn < 20 || (!isOver && turn < 400); turn += 1) {
      const clock = startWorkClock();
      await api.get('dashboard', large[0]);
      waits.push(clock.passedMs());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(Math.max(...waits)).toBeLessThan(hangMs);
    const { status, body } = await slow;
    // Over in its time, or ended by it.
    expect([200, 400, 503]).toContain(status);
    if (status === 400) expect(part(body, 'code')).toBe('find_too_long');
    if (status === 200) expect(rowsOf(body)).toEqual([]);
  });

  it('finds with patterns what they match', async () => {
    const found = async (where: JsonObject): Promise<number> =>
      (await api.findIds('dashboard', { where, attributes: ['id'] })).length;
    expect(await found({ 'name.en': { like: 'Large _' } })).toBe(10);
    expect(await found({ 'name.en': { iLike: '%LARGE%4' } })).toBe(2);
    expect(await found({ 'name.en': { startsWith: 'Large 1' } })).toBe(6);
    expect(await found({ description: { endsWith: 'ab' } })).toBe(15);
    expect(await found({ 'name.en': { notLike: '%Large%' } })).toBe(0);
  });

  it('is refused where its answer would be too large, and told how to ask for less', async () => {
    const find = { where: { id: large } };
    const { status, body } = await api.call('dashboard', { find });
    expect([status, part(body, 'code')]).toEqual([400, 'answer_too_large']);
    expect(String(part(body, 'message'))).toMatch(/2 MB.*"limit".*"attributes"/u);
    const named = await api.find('dashboard', { ...find, attributes: ['name'] });
    expect(named.map((row) => Object.keys(row))).toEqual(large.map(() => ['id', 'name']));
    const paged = await api.ok('dashboard', { find: { ...find, limit: 4 } });
    expect([paged['count'], rowsOf(paged).length]).toEqual([large.length, 4]);
  });

  it('is answered in pieces where it is large, the same as in small pages', async () => {
    const order = [['name', 'asc']];
    const whole = await api.find('dashboard', { where: { id: large }, order, limit: 9 });
    const pages: JsonObject[] = [];
    for (let offset = 0; offset < 9; offset += 3)
      pages.push(...(await api.find('dashboard', { where: { id: large }, order, limit: 3, offset })));
    expect(whole).toEqual(pages);
    const { id } = await api.create('collection', { name: { en: 'All' } });
    for (const one of large.slice(0, 8)) await api.associate('securable', one, 'Collections', id);
    const [collection] = await api.find('collection', { where: { id }, include: [{ model: 'Securables' }] });
    expect(part(collection, 'securables')).toHaveLength(8);
    expect(await api.ok('collection', { action: 'get', id, find: { include: [{ model: 'Securables' }] } })).toEqual(
      collection,
    );
    for (const one of large.slice(8)) await api.associate('securable', one, 'Collections', id);
    const include = [{ model: 'Securables' }];
    const names = [{ model: 'Securables', attributes: ['name'] }];
    const [named] = await api.find('collection', { where: { id }, include: names });
    expect(part(named, 'securables')).toHaveLength(15);
    // A get of one record includes as much as a search may, and no more.
    for (const asked of [{ find: { where: { id }, include } }, { action: 'get', id, find: { include } }])
      expect((await api.refused('collection', asked)).code).toBe('answer_too_large');
    expect(await api.ok('collection', { action: 'get', id, find: { include: names } })).toEqual(named);
  });

  it('is cut into pieces between characters, never within one', async () => {
    const texts = ['', 'x'].map((start) => `${start}${'😀'.repeat(170_000)}`);
    const ids: string[] = [];
    for (const text of texts)
      ids.push((await api.create('dashboard', { contents: { version: '1.0.0', note: text } })).id);
    const found = await api.find('dashboard', { where: { id: ids } });
    expect(found.map((row) => part(row['contents'], 'note'))).toEqual(texts);
  });

  it('includes at most 100,000 rows in the whole tree', async () => {
    const tags = `select t.id from tag t`;
    for (let index = 0; index < 350; index += 1) await api.create('tag', { name: { en: `T${index}` } });
    const ids: { readonly id: string }[] = [];
    for (let index = 0; index < 300; index += 1) ids.push(await api.create('dashboard', {}));
    const listed = ids.map(({ id }) => `'${id}'`).join(', ');
    await runBehind(
      api.service,
      `insert into link (first_id, target_id, association) select s.id, t.id, 'securable.Tags'
        from securable s cross join (${tags}) t where s.id in (${listed})`,
    );
    const find = { where: { id: ids.map(({ id }) => id) }, attributes: ['id'] };
    const include = [{ model: 'Tags', attributes: ['id'] }];
    expect((await api.refused('securable', { find: { ...find, include } })).code).toBe('answer_too_large');
    const few = await api.ok('securable', { find: { ...find, include, limit: 20 } });
    expect(rowsOf(few).flatMap((row) => Object.values(row['tags'] ?? {}))).toHaveLength(20 * 350);
  });

  it('counts a record as often as its answer has it, however few there are', async () => {
    const tags: string[] = [];
    for (let index = 0; index < 60; index += 1) tags.push((await api.create('tag', { name: { en: `R${index}` } })).id);
    const ids: string[] = [];
    for (let index = 0; index < 60; index += 1) ids.push((await api.create('dashboard', { name: { en: 'R' } })).id);
    const listed = (all: readonly string[]): string => all.map((id) => `'${id}'`).join(', ');
    await runBehind(
      api.service,
      `insert into link (first_id, target_id, association) select s.id, t.id, 'securable.Tags'
        from securable s cross join tag t where s.id in (${listed(ids)}) and t.id in (${listed(tags)})`,
    );
    // 3,600 links, and 60 times as many records under them.
    const include = [{ model: 'Tags', attributes: ['id'], include: [{ model: 'Securables', attributes: ['id'] }] }];
    const find = { where: { id: ids }, attributes: ['id'], include };
    expect((await api.refused('dashboard', { find })).code).toBe('answer_too_large');
    const few = await api.ok('dashboard', { find: { ...find, limit: 5 } });
    expect(JSON.stringify(few).match(/"securables":/gu)).toHaveLength(5 * 60);
  });

  it('does not keep others waiting, however many paths required includes may take', async () => {
    await Promise.all(Array.from({ length: 80 }, () => api.create('dashboard', {})));
    const tags = Array.from({ length: 60 }, (_, index) => api.create('tag', { name: { en: `Path ${index}` } }));
    const made = (await Promise.all(tags)).map(({ id }) => `'${id}'`).join(', ');
    await runBehind(
      api.service,
      `insert into link (first_id, target_id, association) select s.id, t.id, 'securable.Tags'
        from securable s cross join tag t where t.id in (${made})`,
    );
    const last = { model: 'Tags', required: true, where: { 'name.en': 'nowhere' } };
    const include = [
      { model: 'Tags', required: true, include: [{ model: 'Securables', required: true, include: [last] }] },
    ];
    const clock = startWorkClock();
    const slow = api.call('dashboard', { find: { limit: 1, include } });
    await api.get('dashboard', large[0]);
    expect(clock.passedMs()).toBeLessThan(hangMs);
    expect([200, 400, 503]).toContain((await slow).status);
  });
});

describe.each(storesToTest)('a search for a long fragment in long repetitive texts on %s', (store) => {
  const api = useApi(store);
  const languages = Array.from(
    { length: 100 },
    (_, at) => `x${'abcdefghij'[Math.floor(at / 10)]}${'abcdefghij'[at % 10]}`,
  );
  const named = (start: string): JsonObject =>
    Object.fromEntries(languages.map((language, at) => [language, `${start}${'a'.repeat(8990)}${at}`]));
  const ids: string[] = [];
  beforeAll(async () => {
    for (let index = 0; index < 3; index += 1) ids.push((await api.create('tag', { name: named(`${index} `) })).id);
  });

  const long = 'a'.repeat(4000);
  const searches: readonly (readonly [string, JsonObject, number])[] = [
    ['contains', { where: { name: { contains: `${long}b` } } }, 0],
    ['contains what is there', { where: { name: { contains: `${long}99` } } }, 3],
    ['startsWith', { where: { name: { startsWith: `${long}b` } } }, 0],
    ['startsWith what is there', { where: { name: { startsWith: `1 ${long}` } } }, 1],
    ['endsWith', { where: { name: { endsWith: `b${long}` } } }, 0],
    ['eq', { where: { name: `${long}b` } }, 0],
    ['like', { where: { name: { like: `%${long}%b${long}%` } } }, 0],
    ['iLike', { where: { name: { iLike: `%${long}B%` } } }, 0],
    ['notLike', { where: { name: { notLike: `%${long}b${long}%` } } }, 3],
    ['a key phrase', { search: { keyphrase: `${'a'.repeat(240)}b${'a'.repeat(240)}` } }, 0],
    ['a key phrase that is there', { search: { keyphrase: `${'a'.repeat(400)}99` } }, 3],
    [
      'many terms',
      { where: { or: Array.from({ length: 190 }, (_, at) => ({ name: { contains: `${long}b${at}` } })) } },
      0,
    ],
  ];
  it('is refused again and again where it compares too many texts, and never fails', async () => {
    const terms = Array.from({ length: 190 }, (_, at) => ({ name: { contains: `${long}b${at}` } }));
    const ask = () => api.call('tag', { find: { where: { or: terms }, attributes: ['id'] } });
    for (const { status, body } of [...(await Promise.all([ask(), ask()])), await ask()])
      expect(status === 200 ? 'found' : part(body, 'code')).toBeOneOf(['found', 'find_too_long']);
  });

  it.each(searches)(
    'keeps nobody waiting: %s',
    async (name, find, count) => {
      const isMany = name === 'many terms';
      let slowestMs = 0;
      let isOver = false;
      const search = api.call('tag', { find: { ...find, attributes: ['id'] } }).finally(() => (isOver = true));
      while (!isOver) {
        const clock = startWorkClock();
        await api.find('tag', { where: { id: ids[0] }, attributes: ['id'] });
        slowestMs = Math.max(slowestMs, clock.passedMs());
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const { status, body } = await search;
      // PostgreSQL compares in the product of both lengths and cannot be interrupted within a text, so it may be ended.
      const ended = store === 'postgres' ? ['find_too_long', 'store_unavailable'] : isMany ? ['find_too_long'] : [];
      const code = status === 200 ? null : text(body, 'code');
      if (code === null || !ended.includes(code)) expect([code, part(body, 'count')]).toEqual([null, count]);
      expect(slowestMs).toBeLessThan(hangMs);
    },
    60_000,
  );
});
