import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectSqlite } from '../connection.ts';
import { createSqliteReaders } from './readers.ts';
import { sql } from '../../sql.ts';
import { ReadTooLong } from '../../store.ts';

describe('reads on threads of their own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-readers-'));
  const file = join(folder, 'store.db');
  beforeAll(() => {
    const connection = connectSqlite(file, { readOnly: false, busyMs: 100 });
    connection.keyword('create table t (n integer)');
    for (let n = 0; n < 100; n += 1) connection.run(sql`insert into t (n) values (${n})`);
    connection.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const count = sql`select count(*) as n from t`;
  /** At least a second of work inside SQLite that nothing can interrupt. */
  const long = sql`select count(*) as n from t a, t b, t c, t d where d.n < 30 and a.n + b.n + c.n + d.n = -1`;

  it('answer one after the other, and many at once', async () => {
    const readers = createSqliteReaders({ file, threads: 2, deadlineMs: 20_000, waiting: 100 });
    for (let turn = 0; turn < 5; turn += 1) expect(await readers.rows(count, 'a')).toEqual([{ n: 100 }]);
    const all = await Promise.all(Array.from({ length: 40 }, (_, at) => readers.rows(count, `t${at % 3}`)));
    expect(all).toEqual(Array.from({ length: 40 }, () => [{ n: 100 }]));
    await readers.close();
  });

  it('give rows of many messages whole and in order, also after the process was busy', async () => {
    const readers = createSqliteReaders({ file, threads: 2, deadlineMs: 20_000, waiting: 100 });
    const large = sql`select n, replace(hex(zeroblob(150000)), '00', 'ab') as words from t order by n`;
    const reads = [readers.rows(large, 'a'), readers.rows(large, 'b')];
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    const words = 'ab'.repeat(150_000);
    for (const rows of await Promise.all(reads)) {
      expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
      expect(rows.every((row) => row['words'] === words)).toBe(true);
    }
    await readers.close();
  });

  it('tell of a deadline at once, and let the next one run when the thread has ended', async () => {
    const readers = createSqliteReaders({ file, threads: 1, deadlineMs: 300, waiting: 100 });
    await readers.rows(count, 'a').catch(() => undefined);
    const startedMs = performance.now();
    await expect(readers.rows(long, 'a')).rejects.toThrow(ReadTooLong);
    const toldMs = performance.now() - startedMs;
    // A busy machine may not start a thread within the deadline of many reads.
    for (let tries = 0; tries < 200; tries += 1) {
      const found = await readers.rows(count, 'b').catch(() => null);
      if (found === null) continue;
      expect(found).toEqual([{ n: 100 }]);
      expect(performance.now() - startedMs).toBeGreaterThan(toldMs);
      await readers.close();
      return;
    }
    throw new Error('nothing was read after the deadline');
  });
});
