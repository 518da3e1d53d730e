import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { suiteMigrations } from '../../../../../test/support/store/schema.ts';
import { becomeAlone, type PlaceCommand } from '../../../../../test/support/store/place.ts';
import { openSqliteStore } from './open.ts';
import { sql, text } from '../sql.ts';
import { StoreConflict, type Store } from '../store.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-alone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
const open = (file: string, fastFlushMs: number, othersWait?: () => boolean): Promise<Store<PlaceCommand, number>> =>
  openSqliteStore<PlaceCommand, number>({
    file,
    performer: { module: new URL('../../../../../test/support/store/place.ts', import.meta.url).href, data: null },
    migrations: suiteMigrations,
    fastFlushMs,
    ...(othersWait === undefined ? {} : { othersWait }),
  });

const insert = (id: string): PlaceCommand => ({ statements: [sql`insert into thing (id) values (${id})`] });
const counted = "select count(*) as n from thing where id <> 'indexed'";
const count = text(counted);

/** How far texts are indexed. */
const indexedUntil = async (store: Store<PlaceCommand, number>): Promise<number> => {
  const [row] = await store.rows(sql`select until from text_indexed where text_table = 'thing'`);
  return Number(row?.['until']);
};

describe('a write that is alone on a fast disk', () => {
  let file = '';
  let store: Store<PlaceCommand, number>;
  beforeEach(async () => {
    file = join(folder, `${(made += 1)}.db`);
    store = await open(file, Infinity);
    // The other thread indexes texts after its first write; a write that is alone and meets it at that is sent to it.
    await store.write(insert('indexed'));
    await expect.poll(() => indexedUntil(store)).toBeGreaterThan(0);
    await becomeAlone(store);
  });
  afterEach(() => store.close());

  // 20 ms after a write the other thread is told to tidy up, and writes are sent to it meanwhile: each test that says where a
  // write is done makes it right behind another one.
  it('is done on the thread that answers, and seen by the next read and by another connection', async () => {
    await becomeAlone(store);
    expect(await store.write(insert('x'))).toBe(threadId);
    expect(await store.rows(count)).toEqual([{ n: 1 }]);
    const other = new DatabaseSync(file, { readOnly: true });
    expect(other.prepare(counted).get()).toEqual({ n: 1 });
    other.close();
  });

  it('is told that a value is taken, and leaves nothing behind', async () => {
    await store.write(insert('x'));
    const statements = [...insert('y').statements, ...insert('x').statements];
    await expect(store.write({ statements })).rejects.toBeInstanceOf(StoreConflict);
    expect(await store.rows(count)).toEqual([{ n: 1 }]);
    // Writes on this thread go on; the first may meet the other one at work.
    await becomeAlone(store);
    await store.write(insert('z'));
    expect(await store.rows(count)).toEqual([{ n: 2 }]);
  });

  it('goes to the other thread once it has company, or takes long', async () => {
    const threads = await Promise.all(['a', 'b', 'c'].map((id) => store.write(insert(id))));
    expect(threads.some((thread) => thread === threadId)).toBe(false);
    await becomeAlone(store);
    expect(await store.write({ ...insert('d'), isLong: true })).not.toBe(threadId);
    expect(await store.rows(count)).toEqual([{ n: 4 }]);
  });

  it('waits on the other thread for another process that writes, while reads are answered', async () => {
    const other = new DatabaseSync(file);
    other.exec("begin immediate; insert into thing (id) values ('theirs')");
    const writing = store.write(insert('ours'));
    await pause(100);
    expect(await store.rows(count)).toEqual([{ n: 0 }]);
    expect(store.pending()).toBe(1);
    other.exec('commit');
    other.close();
    expect(await writing).not.toBe(threadId);
    expect(await store.rows(count)).toEqual([{ n: 2 }]);
  });

  it('is seen by nobody before its commit, and what comes meanwhile is written after it', async () => {
    await becomeAlone(store);
    const first = store.write({ ...insert('first'), ms: 100 });
    await pause(20);
    expect(await store.rows(count)).toEqual([{ n: 0 }]);
    const second = store.write(insert('second'));
    expect(await first).toBe(threadId);
    await second;
    expect(await store.rows(count)).toEqual([{ n: 2 }]);
  });

  it('has its text indexed by the other thread, with others: in a pause, and after 512 without one', async () => {
    const many = async (count: number, words: string): Promise<void> => {
      for (let row = 1; row <= count; row += 1) await store.write(insert(`${words} ${row}`));
    };
    const before = await indexedUntil(store);
    await many(130, 'then a pause');
    await expect.poll(() => indexedUntil(store)).toBeGreaterThanOrEqual(before + 128);
    const rested = await indexedUntil(store);
    await many(520, 'without one');
    expect(await indexedUntil(store)).toBeGreaterThanOrEqual(rested + 128);
  });

  it('is moved into the file by the other thread, with others, once nothing waits', async () => {
    const inFileAlone = (): number => {
      const copy = join(folder, `${(made += 1)}.db`);
      copyFileSync(file, copy);
      const copied = new DatabaseSync(copy, { readOnly: true });
      try {
        return Number(copied.prepare(counted).get()?.['n']);
      } finally {
        copied.close();
      }
    };
    expect(inFileAlone).toThrow('no such table');
    for (let row = 1; row <= 400; row += 1) await store.write(insert(`${row}`));
    await expect.poll(inFileAlone).toBe(400);
  });

  it('is finished before the store closes', async () => {
    await becomeAlone(store);
    const writing = store.write({ ...insert('x'), ms: 50 });
    await pause(10);
    await store.close();
    expect(await writing).toBe(threadId);
    store = await open(file, Infinity);
    expect(await store.rows(count)).toEqual([{ n: 1 }]);
  });
});

it('a write on a slow disk waits for it on the thread that answers where nobody else does, and never else', async () => {
  let others = true;
  const store = await open(join(folder, 'slow.db'), -1, () => others);
  await expect(becomeAlone(store)).rejects.toThrow('no write was taken for alone');
  others = false;
  await becomeAlone(store);
  others = true;
  expect(await store.write(insert('x'))).not.toBe(threadId);
  await store.close();
});
