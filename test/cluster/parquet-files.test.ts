import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { jobOver, never, rowsOf, startTestEngine } from '../support/engine.ts';

const engine = startTestEngine();
afterAll(() => engine.stop());

const folderOf = (name: string): string => {
  const folder = join(engine.dataDir, name);
  mkdirSync(folder);
  return folder;
};

const readFiles = (folder: string, sql: string): Promise<unknown> => {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const tables = [{ name: 'files', source: { kind: 'files', format: 'parquet', paths } as const }];
  return rowsOf(engine.query({ ...jobOver(engine, 'one', sql), tables }, never));
};

it('a version is written as files with plain types, whose columns are named by position', async () => {
  await engine.writeRows(
    'one',
    [
      { name: 'Name, or "none"', storageType: 'text' },
      { name: 'big', storageType: 'integer' },
      { name: 'amount', storageType: 'decimal' },
      { name: 'ratio', storageType: 'double' },
      { name: 'paid', storageType: 'boolean' },
      { name: 'day', storageType: 'date' },
      { name: 'at', storageType: 'timestamp' },
      { name: 'seen', storageType: 'timestamptz' },
      { name: 'more', storageType: 'json' },
    ],
    [
      [
        'b',
        '170141183460469231731687303715884105',
        '1.50',
        0.25,
        true,
        '2024-02-29',
        '2024-01-01T00:00:00.123456',
        '2024-01-01T00:00:00.123456Z',
        '{"b": 1, "a": 2}',
      ],
      ['a', 1, '2.25', null, false, '0001-01-01', null, null, null],
    ],
  );
  const folder = folderOf('types');
  const progress: number[] = [];
  const written = await engine.writeParquet(
    { tenant: 'here', datasetId: 'ds', version: 'one', folder, order: ['gone', 'Name, or "none"'] },
    (rows) => progress.push(rows),
    never,
  );
  expect(written).toMatchObject({ rows: 2, files: 1 });
  expect(progress).toEqual([2]);
  expect(written.columns.map(({ name, type }) => `${name}: ${type}`)).toMatchInlineSnapshot(`
    [
      "Name, or "none": VARCHAR",
      "big: DECIMAL(38,0)",
      "amount: DECIMAL(18,2)",
      "ratio: DOUBLE",
      "paid: BOOLEAN",
      "day: DATE",
      "at: TIMESTAMP",
      "seen: TIMESTAMP",
      "more: VARCHAR",
    ]
  `);
  expect(readdirSync(folder)).toEqual(['000000.parquet']);
  expect(
    await readFiles(folder, 'select json_array(c0, c1::VARCHAR, c2::VARCHAR, c6::VARCHAR, c7::VARCHAR, c8) from files'),
  ).toMatchInlineSnapshot(`
    [
      [
        "a",
        "1",
        "2.25",
        null,
        null,
        null,
      ],
      [
        "b",
        "170141183460469231731687303715884105",
        "1.50",
        "2024-01-01 00:00:00.123456",
        "2024-01-01 00:00:00.123456",
        "{"b": 1, "a": 2}",
      ],
    ]
  `);
});

it('the rows of all parts of a version are written, each file sorted', async () => {
  const columns = [
    { name: 'id', storageType: 'integer' },
    { name: 'tenant', storageType: 'text' },
  ] as const;
  const rows = (from: number) => Array.from({ length: 50_000 }, (_, index) => [from + index, `t${index % 7}`]);
  await engine.writeRows('first', columns, rows(0));
  await engine.write({
    version: 'second',
    source: {
      kind: 'rows',
      columns,
      rows: (async function* () {
        yield rows(50_000).slice(0, 1000);
      })(),
    },
    onto: { version: 'first', key: null },
  });
  const folder = folderOf('parts');
  const written = await engine.writeParquet(
    { tenant: 'here', datasetId: 'ds', version: 'second', folder, order: ['tenant'] },
    () => undefined,
    never,
  );
  expect(written).toMatchObject({ rows: 51_000, files: 2 });
  expect(await readFiles(folder, 'select json_array(count(*), sum(c0), count(distinct c1)) from files')).toEqual([
    [51_000, (51_000 * 50_999) / 2, 7],
  ]);
});

it('a version that is gone is not written', async () => {
  const spec = { tenant: 'here', datasetId: 'ds', version: 'never', folder: folderOf('gone'), order: [] };
  await expect(engine.writeParquet(spec, () => undefined, never)).rejects.toMatchObject({ cause: 'missing' });
});
