import { mkdtempSync, rmSync, stat } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlaceCommand } from '../../../../../test/support/store/place.ts';
import { suiteMigrations } from '../../../../../test/support/store/schema.ts';
import { openSqliteStore } from './open.ts';
import { hinted, sql, type Sql, type Value } from '../sql.ts';
import type { Row, Store } from '../store.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-reads-'));
const file = join(folder, 'reads.db');
const count = sql`select count(*) as n from thing where id <> ${''}`;
let store: Store<PlaceCommand, number>;

beforeAll(async () => {
  store = await openSqliteStore<PlaceCommand, number>({
    file,
    performer: { module: new URL('../../../../../test/support/store/place.ts', import.meta.url).href, data: null },
    migrations: suiteMigrations,
  });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

it('what two ask at the same time by other values is answered to each by their own', async () => {
  const insert = (id: string, a: string): Sql => sql`insert into thing (id, a) values (${id}, ${a})`;
  await store.write({ statements: [insert('x y', 'z'), insert('x', 'y z')] });
  const thing = (id: string, a: string): Promise<readonly Row[]> =>
    store.rows(sql`select id from thing where id = ${id} and a = ${a}`);
  expect(await Promise.all([thing('x y', 'z'), thing('x', 'y z'), thing('x y', 'z')])).toEqual([
    [{ id: 'x y' }],
    [{ id: 'x' }],
    [{ id: 'x y' }],
  ]);
});

describe('what a cached statement gave', () => {
  const steady: Sql = hinted(sql`select a from thing where id = ${'steady'} and id <> ${''}`, { cached: true });
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const reads = async (): Promise<Value | undefined> => {
    await turn();
    const [row] = await store.rows(steady);
    return row?.['a'];
  };

  it('is not read again while nobody writes', async () => {
    await store.write({ statements: [sql`insert into thing (id, a) values ('steady', 'first')`] });
    await turn();
    const once = await store.rows(steady);
    await turn();
    expect(await store.rows(steady)).toBe(once);
    expect(once).toEqual([{ a: 'first' }]);
  });

  it('is read again after a write of this process', async () => {
    const set = (a: string): Promise<number> =>
      store.write({ statements: [sql`update thing set a = ${a} where id = 'steady'`] });
    expect(await reads()).toBe('first');
    await set('second');
    expect(await reads()).toBe('second');
    await Promise.all([set('third'), set('third'), set('third')]);
    expect(await reads()).toBe('third');
  });

  it('is read again after a write of another connection', async () => {
    const other = new DatabaseSync(file);
    expect(await reads()).toBe('third');
    other.exec("update thing set a = 'theirs' where id = 'steady'");
    expect(await reads()).toBe('theirs');
    other.exec("delete from thing where id = 'steady'");
    expect(await reads()).toBeUndefined();
    other.close();
  });
});

it('a request sees what another process wrote before the request came, even after a read late in a turn', async () => {
  const other = new DatabaseSync(file);
  const sees = await new Promise<readonly (readonly Row[])[]>((resolve, reject) => {
    // Runs after this iteration has polled for input; the next iteration polls before it runs the rest.
    setImmediate(() => {
      const before = store.rows(count);
      other.exec("insert into thing (id) values ('theirs')");
      stat(folder, () => void Promise.all([before, store.rows(count)]).then(resolve, reject));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    });
  });
  other.close();
  expect(sees).toEqual([[{ n: 2 }], [{ n: 3 }]]);
});

it('reads only: a statement that writes is refused, and every kind of select is read in one snapshot', async () => {
  await expect(store.rows(sql`insert into thing (id) values ('read') returning id`)).rejects.toThrow(/readonly/u);
  const other = new DatabaseSync(file);
  const before = await store.rows(count);
  other.exec("insert into thing (id) values ('meanwhile')");
  const withClause = sql`with found as (select id from thing where id <> ${''}) select count(*) as n from found`;
  expect(await store.rows(withClause)).toEqual(before);
  other.close();
});
