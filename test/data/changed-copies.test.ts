import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IngestSpec } from '../../packages/service/src/engine/engine.ts';
import { jobOver, never, rowsOf, startTestEngine } from '../support/engine.ts';
import { runOf } from '../support/arbitrary.ts';
import { counted } from '../support/counts.ts';

const engine = startTestEngine();
afterAll(() => engine.stop());

const columns = [
  { name: 'id', storageType: 'integer' },
  { name: 'word', storageType: 'text' },
  { name: 'amount', storageType: 'decimal' },
] as const;
type Row = readonly [number, string | null, string | null];
const rowCount = 120_000;
const first = Array.from({ length: rowCount }, (_, id): Row => [id, `word ${id % 50}`, `${id % 1000}.25`]);

const batches = (rows: readonly Row[]): IngestSpec['source'] => ({
  kind: 'rows',
  columns,
  rows: (async function* () {
    yield rows;
  })(),
});
const ask = (version: string, sql: string) => rowsOf(engine.query(jobOver(engine, version, sql), never));

/** What the file says of how it came about. */
async function changesOf(version: string): Promise<readonly number[]> {
  const instance = await DuckDBInstance.create(engine.versionPath('here', 'ds', version), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll('select whole, changed from "changes"');
  connection.closeSync();
  instance.closeSync();
  return (reader.getRows()[0] ?? []).map(Number);
}

beforeAll(async () => {
  const path = join(engine.dataDir, 'first.csv');
  writeFileSync(path, `id,word,amount\n${first.map((row) => row.join(',')).join('\n')}\n`);
  await engine.write({
    version: 'v1',
    source: { kind: 'file', format: 'csv', path },
    overrides: new Map([['amount', 'decimal']]),
  });
});

describe('rows put onto a large version by their key', () => {
  it('change a copy of it, and bring new members with them', async () => {
    const news: readonly Row[] = [
      [rowCount, 'a word before all', '1.5'],
      [rowCount + 1, 'word 7', null],
      [rowCount + 2, null, '3'],
    ];
    const done = await engine.write({ version: 'v2', source: batches(news), onto: { version: 'v1', key: ['id'] } });
    expect(done).toMatchObject({
      rows: rowCount + 3,
      columns: [
        { name: 'id', minimum: '0', maximum: `${rowCount + 2}` },
        { name: 'word', nullable: true, cardinality: 51 },
        { name: 'amount', nullable: true },
      ],
    });
    expect(await changesOf('v2')).toEqual([rowCount, 6]);
    expect(
      await ask(
        'v2',
        `select json_array(word, count(*), typeof(any_value(word)) like 'ENUM%')::varchar from ds
          where word is null or word < 'word 1' or word = 'word 7' group by word order by word nulls last`,
      ),
    ).toEqual([
      ['a word before all', 1, true],
      ['word 0', 2400, true],
      ['word 7', 2401, true],
      [null, 1, true],
    ]);
  });

  it('leave the version before them as it was', async () => {
    expect(await ask('v1', 'select json_array(count(*), count(distinct word))::varchar from ds')).toEqual([
      [rowCount, 50],
    ]);
  });

  it('bring more members than are kept as such, and their column becomes text', async () => {
    const many = Array.from({ length: 30_000 }, (_, at): Row => [at, String(at).padStart(150, '0'), null]);
    const done = await engine.write({ version: 'v3', source: batches(many), onto: { version: 'v1', key: ['id'] } });
    expect(done.rows).toBe(rowCount);
    expect(await changesOf('v3')).toEqual([rowCount, 2 * many.length]);
    expect(
      await ask('v3', 'select json_array(typeof(any_value(word)), count(word), min(word))::varchar from ds'),
    ).toEqual([['VARCHAR', rowCount, '0'.repeat(150)]]);
  });

  it('are written with all others where they bring another column, or too many changes', async () => {
    const source = {
      kind: 'rows',
      columns: [...columns, { name: 'note', storageType: 'text' }],
      rows: (async function* () {
        yield [[1, 'x', '2', 'noted']];
      })(),
    } as const;
    await engine.write({ version: 'v4', source, onto: { version: 'v1', key: null } });
    expect(await changesOf('v4')).toEqual([rowCount + 1, 0]);
    expect(await ask('v4', 'select json_array(word, note)::varchar from ds where note is not null')).toEqual([
      ['x', 'noted'],
    ]);
    const half = first.slice(0, rowCount * 0.6);
    await engine.write({ version: 'v5', source: batches(half), onto: { version: 'v1', key: ['id'] } });
    expect(await changesOf('v5')).toEqual([rowCount, 0]);
  });

  it.each([
    ['which the dataset does not have', 'nope', columns],
    ['which the rows do not have', 'id', columns.slice(1)],
  ] as const)('are refused where their key names a column %s', async (says, key, some) => {
    const source = {
      kind: 'rows',
      columns: some,
      rows: (async function* () {
        yield [some.map(() => '1')];
      })(),
    } as const;
    await expect(engine.write({ version: 'v6', source, onto: { version: 'v1', key: [key] } })).rejects.toThrow(
      `the key names the column ${key}, ${says}`,
    );
  });

  it('give what their order says, whatever is appended and put in place of what', async () => {
    const row = fc.tuple(
      fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: rowCount - 5, max: rowCount + 20 })),
      fc.option(fc.constantFrom('word 1', 'word 2', 'new', "it's", '')),
      fc.option(fc.integer({ min: 0, max: 99 }).map((cents) => `${cents}.50`)),
    );
    const step = fc.record({ upsert: fc.boolean(), rows: fc.array(row, { minLength: 1, maxLength: 30 }) });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        let version = 'v1';
        let model: readonly Row[] = first;
        for (const { upsert, rows } of steps) {
          const next = `w${(number += 1)}`;
          await engine.write({ version: next, source: batches(rows), onto: { version, key: upsert ? ['id'] : null } });
          version = next;
          const last = upsert ? [...new Map(rows.map((one) => [one[0], one])).values()] : rows;
          const ids = new Set(upsert ? last.map(([id]) => id) : []);
          model = [...model.filter(([id]) => !ids.has(id)), ...last];
        }
        expect((await changesOf(version))[0]).toBe(rowCount);
        const text = (cells: readonly unknown[]): string => JSON.stringify(cells);
        const near = ([id]: Row): boolean => id <= 40 || id >= rowCount - 5;
        const expected = model
          .filter(near)
          .map(([id, word, amount]) => text([id, word, amount === null ? null : Number(amount)]));
        const found = await ask(
          version,
          `select json_array(id, word, amount::double)::varchar from ds where id <= 40 or id >= ${rowCount - 5}`,
        );
        expect((Array.isArray(found) ? found : []).map(text).toSorted()).toEqual(expected.toSorted());
        expect(await ask(version, 'select json_array(count(*))::varchar from ds')).toEqual([[model.length]]);
      }),
      runOf('rows put onto a large version', counted(6, 100)),
    );
  });
});
