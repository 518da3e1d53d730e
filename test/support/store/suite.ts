import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { foldCase } from '../../../packages/service/src/store/fold.ts';
import { migrate, MigrationRefused } from '../../../packages/service/src/store/migrate.ts';
import { join, list, name, sql, text, type Sql, type Value } from '../../../packages/service/src/store/sql.ts';
import {
  SnapshotLost,
  StoreConflict,
  StoreNewer,
  StoreUnavailable,
  type Reader,
  type Row,
  type Snapshots,
  type Store,
} from '../../../packages/service/src/store/store.ts';
import type { TestAnswer, TestCommand } from './performer.ts';
import { suiteMigrations } from './schema.ts';

type TestStore = Store<TestCommand, TestAnswer>;

const hostile = [
  "'; drop table thing; --",
  '" or 1=1 --',
  '\\',
  "\\'",
  '$1 ? :a @b',
  '%_\\%',
  '{"a":1}',
  'a\nb\tc',
  'ĄĆ 数据 عربي 😀 e\u0301',
  '*"NEAR(',
  '{name} : x',
  '',
];

const insert = (id: string, extra: { a?: Value; b?: Value; record?: Value } = {}): Sql =>
  sql`insert into thing (id, a, b, record) values (${id}, ${extra.a ?? null}, ${extra.b ?? null}, ${extra.record ?? null})`;

const words = (seq: number, nameText: string, note: string | null): Sql =>
  sql`update thing set name_text = ${foldCase(nameText)}, note_text = ${note === null ? null : foldCase(note)} where seq = ${seq}`;

/** What every store does alike. `open` gives a store on a new, empty place with the schema of the tests. */
export function storeSuite(title: string, open: () => Promise<TestStore>): void {
  describe(`${title}: beside a newer program`, () => {
    it('refuses every write from the moment on at which the schema was changed, and answers reads', async () => {
      const store = await open();
      await store.write({ statements: [insert('before')] });
      const newer = suiteMigrations.length + 1;
      await store.write({ statements: [sql`update schema_compatible set compatible_from = ${newer}`] });
      const ends = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) => store.write({ statements: [insert(String(index))] })),
      );
      for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(StoreNewer) });
      expect(await store.rows(sql`select id from thing`)).toEqual([{ id: 'before' }]);
      await store.close();
    });
  });

  describe(`${title}: what it does`, () => {
    let store: TestStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());
    beforeEach(async () => {
      await store.write({ statements: [sql`delete from thing`] });
    });

    const write = (...statements: readonly Sql[]): Promise<TestAnswer> => store.write({ statements });
    const ids = async (where: Sql, order: Sql = text('order by seq')): Promise<readonly Value[]> =>
      (await store.rows(sql`select id from thing where ${where} ${order}`)).map((row) => row['id'] ?? null);
    const counting = sql`select count(*) as n from thing`;
    const count = async (): Promise<Value | undefined> => (await store.rows(counting))[0]?.['n'];
    const snapshots = (): Snapshots => {
      if (store.snapshots === undefined) throw new Error('the store has no snapshots');
      return store.snapshots;
    };

    it('gives back text, whole and broken numbers and nothing as they were written', async () => {
      await write(insert('x', { a: 'text', b: -2147483648, record: null }));
      const [row] = await store.rows(sql`select id, a, b, record, seq > 0 as positive, 1.5 as half from thing`);
      expect(row).toEqual({ id: 'x', a: 'text', b: -2147483648, record: null, positive: 1, half: 1.5 });
    });

    it('counts as numbers', async () => {
      await write(insert('x'), insert('y'));
      expect(await count()).toBe(2);
    });

    it.each(hostile)('keeps and finds %j as plain data', async (value) => {
      await write(
        insert(`id ${value}`, { a: value, record: JSON.stringify({ [value]: value, list: { [value]: value } }) }),
      );
      const record = text('record');
      const equals = (found: Sql): Sql => sql`${found} = ${value}`;
      for (const where of [
        sql`a = ${value}`,
        sql`id in ${list([`id ${value}`, 'other'])}`,
        equals(store.dialect.member(record, [value], 'text')),
        equals(store.dialect.member(record, ['list', value], 'text')),
        store.dialect.anyValue(record, ['list'], equals),
      ]) {
        expect(await ids(where)).toEqual([`id ${value}`]);
      }
      const pattern = `%${value.replaceAll(/[\\%_]/gu, '\\$&')}%`;
      expect(await ids(store.dialect.like(text('a'), sql`${pattern}`))).toHaveLength(1);
      expect(await ids(store.dialect.iLike(text('a'), sql`${pattern}`))).toHaveLength(1);
    });

    it.each(hostile)('finds the fragment %j in the text columns and nothing else', async (value) => {
      await write(insert('hit'), insert('miss'));
      const [hit, miss] = await store.rows(sql`select seq from thing order by seq`);
      await write(
        words(Number(hit?.['seq']), `before${value}after`, null),
        words(Number(miss?.['seq']), 'plain', 'words'),
      );
      const found = await ids(store.dialect.fragment('thing', text('thing'), ['name', 'note'], foldCase(value)));
      expect(found).toEqual(value === '' ? ['hit', 'miss'] : ['hit']);
    });

    it('finds fragments of any length, only in the columns asked for', async () => {
      await write(insert('one'), insert('two'));
      const [one, two] = (await store.rows(sql`select seq from thing order by seq`)).map((row) => Number(row['seq']));
      await write(words(one ?? 0, 'Zażółć Gęślą', 'sales'), words(two ?? 0, 'Sales report', null));
      const find = (fragment: string, columns: readonly string[]): Promise<readonly Value[]> =>
        ids(store.dialect.fragment('thing', text('thing'), columns, fragment));
      expect(await find('sal', ['name'])).toEqual(['two']);
      expect(await find('sales', ['name', 'note'])).toEqual(['one', 'two']);
      expect(await find('ę', ['name'])).toEqual(['one']);
      expect(await find('żółć gę', ['name'])).toEqual(['one']);
      expect(await find('zolc', ['name'])).toEqual([]);
      expect(await find('s r', ['name', 'note'])).toEqual(['two']);
      expect(await find('a\0b', ['name'])).toEqual([]);
      await write(sql`delete from thing where seq = ${two ?? 0}`);
      await write(sql`update thing set name_text = ${'other'} where seq = ${one ?? 0}`);
      expect(await find('sales', ['name'])).toEqual([]);
      expect(await find('gęślą', ['name'])).toEqual([]);
      expect(await find('other', ['name'])).toEqual(['one']);
    });

    it('takes a member out of JSON by what it holds', async () => {
      const record = { name: { en: 'Hi', n: 3, yes: true, no: false, none: null, inner: {} }, list: ['Hi'] };
      await write(insert('x', { record: JSON.stringify(record) }));
      const { member } = store.dialect;
      const cells = {
        text: member(text('record'), ['name', 'en'], 'text'),
        textOfNumber: member(text('record'), ['name', 'n'], 'text'),
        number: member(text('record'), ['name', 'n'], 'number'),
        numberOfText: member(text('record'), ['name', 'en'], 'number'),
        yes: member(text('record'), ['name', 'yes'], 'boolean'),
        no: member(text('record'), ['name', 'no'], 'boolean'),
        none: member(text('record'), ['name', 'none'], 'text'),
        missing: member(text('record'), ['name', 'missing', 'deep'], 'text'),
        inner: member(text('record'), ['name', 'inner'], 'text'),
        inList: member(text('record'), ['list', '0'], 'text'),
      };
      const columns = Object.entries(cells).map(([key, cell]) => sql`${cell} as ${name(foldCase(key))}`);
      const [row] = await store.rows(sql`select ${join(columns, ', ')} from thing`);
      expect(row).toEqual({
        text: 'Hi',
        textofnumber: null,
        number: 3,
        numberoftext: null,
        yes: 1,
        no: 0,
        none: null,
        missing: null,
        inner: null,
        inlist: null,
      });
    });

    it('tells what is set in JSON from what is null or missing', async () => {
      await write(
        insert('x', { record: JSON.stringify({ list: [], object: {}, no: false, none: null, name: { en: '' } }) }),
      );
      const set = async (...path: readonly string[]): Promise<boolean> =>
        (await ids(store.dialect.isSet(text('record'), path))).length === 1;
      const paths = [
        ['list'],
        ['object'],
        ['no'],
        ['name', 'en'],
        ['none'],
        ['missing'],
        ['name', 'nl'],
        ['no', 'deep'],
      ];
      const found = await Promise.all(paths.map((path) => set(...path)));
      expect(found).toEqual([true, true, true, true, false, false, false, false]);
    });

    it('tests any text of a JSON object', async () => {
      await write(
        insert('en', { record: JSON.stringify({ name: { en: 'Sales', nl: 'Verkoop' } }) }),
        insert('other', { record: JSON.stringify({ name: { en: 7, nl: null, de: ['Sales'] } }) }),
        insert('list', { record: JSON.stringify({ name: ['Sales'] }) }),
        insert('plain', { record: JSON.stringify({ name: 'Sales' }) }),
        insert('none', { record: '{}' }),
      );
      const like = (value: Sql): Sql => store.dialect.iLike(value, sql`${'%SALES%'}`);
      expect(await ids(store.dialect.anyValue(text('record'), ['name'], like))).toEqual(['en']);
    });

    it('tells letter case apart with like and not with iLike, beyond English too', async () => {
      await write(insert('Éclair_1'), insert('éclair 2'), insert('100%'));
      const { like, iLike } = store.dialect;
      expect(await ids(like(text('id'), sql`${'é%'}`))).toEqual(['éclair 2']);
      for (const id of [text('id'), store.dialect.ordered(text('id'))])
        expect(await ids(iLike(id, sql`${'ÉCLAIR%'}`))).toEqual(['Éclair_1', 'éclair 2']);
      expect(await ids(like(text('id'), sql`${'%\\_%'}`))).toEqual(['Éclair_1']);
      expect(await ids(iLike(text('id'), sql`${'%\\%'}`))).toEqual(['100%']);
    });

    it('orders text by code point', async () => {
      await write(...['b', 'B', 'é', 'a', '_', '😀', '\uffee', ' a'].map((id) => insert(id)));
      const order = sql`order by ${store.dialect.ordered(text('id'))}`;
      expect(await ids(text('1 = 1'), order)).toEqual([' a', 'B', '_', 'a', 'b', 'é', '\uffee', '😀']);
      expect(await ids(sql`${store.dialect.ordered(text('id'))} > ${'b'}`, order)).toEqual(['é', '\uffee', '😀']);
    });

    it('keeps nothing of a command that asks to be undone, and still answers', async () => {
      const answer = await store.write({ statements: [insert('x'), sql`select id from thing`], end: 'undo' });
      expect(answer.rows).toEqual([{ id: 'x' }]);
      expect(await count()).toBe(0);
    });

    it('keeps nothing of a command that raises, and raises the same class', async () => {
      const raise = (end: NonNullable<TestCommand['end']>): Promise<TestAnswer> =>
        store.write({ statements: [insert('x')], end });
      await expect(raise('throw')).rejects.toThrow(/^as told$/u);
      await expect(raise('unavailable')).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(raise('conflict')).rejects.toEqual(new StoreConflict('thing', 'a,b'));
      expect(await count()).toBe(0);
    });

    it('names the unique rule that refuses a write', async () => {
      await write(insert('x', { a: 'a', b: 1 }));
      await expect(write(insert('x'))).rejects.toMatchObject({ table: 'thing', columns: 'id' });
      await expect(write(insert('y', { a: 'a', b: 1 }))).rejects.toMatchObject({ table: 'thing', columns: 'a,b' });
      await expect(write(insert('y', { a: 'a', b: 1 }))).rejects.toBeInstanceOf(StoreConflict);
      const [row] = await store.rows(sql`select seq from thing`);
      const again = write(sql`insert into thing (seq, id) values (${row?.['seq'] ?? null}, ${'z'})`);
      await expect(again).rejects.toMatchObject({ table: 'thing', columns: 'seq' });
    });

    it('undoes a command that goes on after a refused statement', async () => {
      await write(insert('x'));
      const swallowed = store.write({ statements: [insert('y'), insert('x'), insert('z')], end: 'swallow' });
      await expect(swallowed).rejects.toBeInstanceOf(StoreConflict);
      expect(await ids(text('1 = 1'))).toEqual(['x']);
    });

    it('lets one failing command among many undo only itself', async () => {
      const commands = Array.from({ length: 60 }, (_, index): TestCommand => {
        const end = (['commit', 'throw', 'undo', 'commit', 'conflict'] as const)[index % 5] ?? 'commit';
        return { statements: [insert(`id ${index}`), ...(index % 10 === 3 ? [insert('id 0')] : [])], end };
      });
      const ended = await Promise.allSettled(commands.map((command) => store.write(command)));
      const expected = commands.flatMap(({ end }, index) =>
        end === 'commit' && index % 10 !== 3 ? [`id ${index}`] : [],
      );
      expect(new Set(await ids(text('1 = 1')))).toEqual(new Set(expected));
      expect(ended.map(({ status }) => status)).toEqual(
        commands.map(({ end }, index) =>
          end === 'undo' || (end === 'commit' && index % 10 !== 3) ? 'fulfilled' : 'rejected',
        ),
      );
    });

    it('shows a write to every read that comes after its answer', async () => {
      for (let index = 0; index < 20; index += 1) {
        await write(insert(`id ${index}`));
        expect(await count()).toBe(index + 1);
      }
    });

    it('loses no update when many change one row', async () => {
      await write(insert('x', { b: 0 }));
      const add = sql`update thing set b = b + 1 where id = ${'x'}`;
      await Promise.all(Array.from({ length: 50 }, () => write(add)));
      expect((await store.rows(sql`select b from thing`))[0]).toEqual({ b: 50 });
    });

    it('locks the rows it selects for an update', async () => {
      await write(insert('x', { b: 0 }));
      const lock = sql`select b from thing where id = ${'x'}${store.dialect.forUpdate}`;
      expect((await write(lock)).rows).toEqual([{ b: 0 }]);
    });

    it('reads one state in a snapshot apart, whatever is written meanwhile', async () => {
      await write(insert('x'));
      const counted = await snapshots().apart('a', async (reader) => {
        const before = await reader.rows(counting);
        await write(insert('y'), insert('z'));
        const together = await Promise.all([reader.rows(counting), reader.rows(sql`select id from thing`)]);
        return [before, ...together];
      });
      expect(counted).toEqual([[{ n: 1 }], [{ n: 1 }], [{ id: 'x' }]]);
      expect(await count()).toBe(3);
      expect(await snapshots().apart('a', (reader) => reader.rows(counting))).toEqual([{ n: 3 }]);
    });

    it('reads one state in a snapshot near, or says that it is lost', async () => {
      await write(insert('x'));
      const both = (reader: Reader, between: () => Promise<unknown>): Promise<readonly (readonly Row[])[]> =>
        reader.rows(counting).then(async (before) => {
          await between();
          return [before, await reader.rows(counting)];
        });
      expect(await snapshots().near((reader) => both(reader, () => reader.rows(counting)))).toEqual([
        [{ n: 1 }],
        [{ n: 1 }],
      ]);
      const across = await snapshots()
        .near((reader) => both(reader, () => write(insert('y'))))
        .catch((error: unknown) => error);
      if (!(across instanceof SnapshotLost)) expect(across).toEqual([[{ n: 1 }], [{ n: 1 }]]);
      expect(await count()).toBe(2);
      expect(await snapshots().near((reader) => reader.rows(counting))).toEqual([{ n: 2 }]);
    });

    it('takes no long read near, and no read of a snapshot that has ended', async () => {
      const long = snapshots().near(async (reader) => reader.long?.rows(counting, 'a'));
      await expect(long).rejects.toThrow(SnapshotLost);
      const { apart } = snapshots();
      const left = await apart('a', async (reader) => ({ reader }));
      await expect(left.reader.rows(counting)).rejects.toThrow(StoreUnavailable);
      // What is still under way when the work fails is not left to anyone who reads next.
      const failing = apart('a', async (reader) => {
        void reader
          .rows(counting)
          .then(() => reader.rows(counting))
          .catch(() => undefined);
        throw new TypeError('as told');
      });
      await expect(failing).rejects.toThrow('as told');
      const next = Array.from({ length: 8 }, () => apart('a', (reader) => reader.rows(counting)));
      expect(await Promise.all(next)).toEqual(next.map(() => [{ n: 0 }]));
    });

    it('raises a plain error for SQL that is wrong', async () => {
      const wrong = [store.rows(text('select nothing from nowhere')), write(text('update nowhere set a = 1'))];
      for (const result of wrong) {
        const error: unknown = await result.catch((raised: unknown) => raised);
        expect(error).toBeInstanceOf(Error);
        expect(error).not.toBeInstanceOf(StoreUnavailable);
        expect(error).not.toBeInstanceOf(StoreConflict);
      }
    });

    it('answers a ping, and counts the writes under way', async () => {
      await store.ping();
      const work = write(insert('x'));
      expect(store.pending()).toBe(1);
      await work;
      expect(store.pending()).toBe(0);
    });
  });

  describe(`${title}: its schema`, () => {
    it('finishes the writes it took before it closes, and takes none after', async () => {
      const store = await open();
      const works = Array.from({ length: 20 }, (_, index) => store.write({ statements: [insert(`id ${index}`)] }));
      await store.close();
      expect(await Promise.all(works)).toHaveLength(20);
      await expect(store.write({ statements: [] })).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it('refuses migrations that are not numbered in order', async () => {
      const [first] = suiteMigrations;
      await expect(
        migrate(() => Promise.reject(new Error('not reached')), first === undefined ? [] : [first, first]),
      ).rejects.toBeInstanceOf(MigrationRefused);
    });
  });
}
