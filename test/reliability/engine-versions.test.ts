import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { causeOf, jobOver, never, rowsOf, startTestEngine } from '../support/engine.ts';

const engine = startTestEngine();
afterAll(() => engine.stop());

const columns = [
  { name: 'id', storageType: 'integer' },
  { name: 'word', storageType: 'text' },
] as const;
const rows = (from: number, to: number, word: string) =>
  Array.from({ length: to - from }, (_, at) => [from + at, word] as const);
const file = (name: string, text: string): string => {
  const path = join(engine.dataDir, name);
  writeFileSync(path, text);
  return path;
};
const ask = (version: string, sql: string) => rowsOf(engine.query(jobOver(engine, version, sql), never));
const counts = (version: string) =>
  ask(version, 'select json_array(word, count(*))::varchar from ds group by word order by word');
const folder = (): readonly string[] => readdirSync(join(engine.dataDir, 'datasets', 'here', 'ds'));

beforeAll(() => engine.writeRows('v1', columns, rows(0, 1000, 'first')));

describe('a dataset version', () => {
  it('is read with the values of each query, where the same statement ran before with others', async () => {
    const select = (sql: string, ...params: readonly (string | number | boolean | null)[]) =>
      rowsOf(engine.query(jobOver(engine, 'v1', sql, { params }), never));
    const byId = 'select json_array(id, word)::varchar from ds where id = cast($1 as bigint)';
    const values = 'select json_array(cast($1 as double), cast($2 as varchar), cast($3 as boolean))::varchar';
    for (const round of [1, 2]) {
      for (const id of [7, '8', 9.0]) expect(await select(byId, id), `round ${round}`).toEqual([[Number(id), 'first']]);
      expect(await select(byId, 1000)).toEqual([]);
      expect(await select(byId, null)).toEqual([]);
      expect(await select(values, 1, 'a', true)).toEqual([[1, 'a', true]]);
      expect(await select(values, 1.5, null, null)).toEqual([[1.5, null, null]]);
      expect(await select(values, null, 'b', false)).toEqual([[null, 'b', false]]);
      // More statements than a connection keeps.
      for (let other = 0; other < 40; other += 1)
        expect(await select(`select json_array(${other}, $1::varchar)::varchar`, 'c')).toEqual([[other, 'c']]);
    }
  });

  it('is written whole or not at all, with what its columns hold', async () => {
    const done = await engine.writeRows(
      'typed',
      [
        { name: 'n', storageType: 'decimal' },
        { name: 'at', storageType: 'timestamp' },
        { name: 'day', storageType: 'date' },
        { name: 'word', storageType: 'text' },
      ],
      [
        ['1.5', '2026-01-01T10:00:00.000Z', '2026-01-01', 'a'],
        ['-3', '2026-02-01T10:00:00.000Z', null, 'a'],
      ],
    );
    const told = {
      rows: 2,
      columns: [
        {
          name: 'n',
          storageType: 'decimal',
          nullable: false,
          empty: 0,
          cardinality: 2,
          minimum: '-3.0',
          maximum: '1.5',
        },
        {
          name: 'at',
          storageType: 'timestamp',
          nullable: false,
          empty: 0,
          cardinality: 2,
          minimum: '2026-01-01T10:00:00.000Z',
          maximum: '2026-02-01T10:00:00.000Z',
        },
        {
          name: 'day',
          storageType: 'date',
          nullable: true,
          empty: 1,
          cardinality: 1,
          minimum: '2026-01-01',
          maximum: '2026-01-01',
        },
        { name: 'word', storageType: 'text', nullable: false, empty: 0, cardinality: 1, minimum: null, maximum: null },
      ],
    };
    expect(done).toMatchObject({ kind: 'done', ...told });
    const described = await engine.describe(
      {
        tenant: 'here',
        tables: [{ name: 'ds', source: { kind: 'file', path: engine.versionPath('here', 'ds', 'typed') } }],
        userQuery: null,
      },
      never,
    );
    expect(described).toEqual(told.columns);
  });

  it('answers as text does where its words are kept as members', async () => {
    await engine.writeRows(
      'texts',
      columns,
      ['b', 'Z', 'é', 'a', '', 'ba'].flatMap((word) => rows(0, 50, word)),
    );
    expect(await counts('texts')).toEqual(['', 'Z', 'a', 'b', 'ba', 'é'].map((word) => [word, 50]));
    const one = (test: string) =>
      ask('texts', `select json_array(count(*), min(word), max(word))::varchar from ds where ${test}`);
    expect(await one("word = 'not there'")).toEqual([[0, null, null]]);
    expect(await one("word in ('a', 'not there')")).toEqual([[50, 'a', 'a']]);
    expect(await one("word >= 'b' and word < 'c'")).toEqual([[100, 'b', 'ba']]);
    expect(await one("word like 'b%' or lower(word) = 'z'")).toEqual([[150, 'Z', 'ba']]);
    expect(
      await ask(
        'texts',
        "select json_array(coalesce(nullif(word, 'a'), 'none') || '!')::varchar from ds group by 1 order by 1",
      ),
    ).toEqual([['!'], ['Z!'], ['b!'], ['ba!'], ['none!'], ['é!']]);
  });

  it('is written without a log that repeats the members of its columns for each group of rows', async () => {
    const words = Array.from({ length: 60_000 }, (_, at) => String(at).padStart(64, '0'));
    const path = file('words.csv', `word\n${`${words.join('\n')}\n`.repeat(12)}`);
    let most = 0;
    const watch = setInterval(() => {
      for (const name of folder().filter((one) => one.endsWith('.wal')))
        most = Math.max(
          most,
          statSync(join(engine.dataDir, 'datasets', 'here', 'ds', name), { throwIfNoEntry: false })?.size ?? 0,
        );
    }, 2);
    await engine
      .write({ version: 'many', source: { kind: 'file', format: 'csv', path } })
      .finally(() => clearInterval(watch));
    expect(
      await ask('many', "select json_array(typeof(any_value(word)) like 'ENUM%', count(*))::varchar from ds"),
    ).toEqual([[true, 720_000]]);
    // With the log it was 50 MB for six groups of rows.
    expect(most).toBeLessThan(5_000_000);
  });

  it('is the older one with rows behind it, or with rows of the same key replaced', async () => {
    const source = (list: ReturnType<typeof rows>) =>
      ({
        kind: 'rows',
        columns,
        rows: (async function* () {
          yield list;
        })(),
      }) as const;
    await engine.write({
      version: 'v2',
      source: source(rows(1000, 1500, 'second')),
      onto: { version: 'v1', key: null },
    });
    expect(await counts('v2')).toEqual([
      ['first', 1000],
      ['second', 500],
    ]);
    const twice = [...rows(900, 1100, 'lost'), ...rows(900, 1100, 'third'), ...rows(5000, 5010, 'third')];
    await engine.write({ version: 'v3', source: source(twice), onto: { version: 'v2', key: ['id'] } });
    expect(await counts('v3')).toEqual([
      ['first', 900],
      ['second', 400],
      ['third', 210],
    ]);
    expect(await counts('v1')).toEqual([['first', 1000]]);
  });

  it('is read from CSV, NDJSON and Parquet, and types not seen in the first rows are found', async () => {
    const csv = `id,word,late\n${Array.from({ length: 30_000 }, (_, id) => `${id},w${id % 3},${id}`).join('\n')}\n30000,w0,none\n`;
    const done = await engine.write({
      version: 'csv',
      source: { kind: 'file', format: 'csv', path: file('a.csv', csv) },
    });
    expect(done).toMatchObject({
      rows: 30_001,
      columns: [{ storageType: 'integer' }, { storageType: 'text' }, { storageType: 'text' }],
    });
    const ndjson = '{"a":1,"b":{"c":[1]},"t":"2026-01-01T10:00:00Z"}\n{"a":2.5,"d":"x"}\n';
    const read = await engine.write({
      version: 'json',
      source: { kind: 'file', format: 'ndjson', path: file('a.ndjson', ndjson) },
    });
    expect(read).toMatchObject({
      columns: [
        { storageType: 'double' },
        { storageType: 'json' },
        { storageType: 'timestamptz' },
        { storageType: 'text' },
      ],
    });
  });

  it('has what only the end of a large file shows: another member of a column, and cells in quotes', async () => {
    const csv = `word,size\n${'even,2\nodd,1\n'.repeat(1_050_000)}late,3\n"quoted, late",4\n`;
    const done = await engine.write({
      version: 'large',
      source: { kind: 'file', format: 'csv', path: file('large.csv', csv) },
    });
    expect(done).toMatchObject({
      rows: 2_100_002,
      columns: [{ storageType: 'text', cardinality: 4 }, { storageType: 'integer' }],
    });
  });

  it('is refused with row or line and column where a value does not fit, and leaves nothing behind', async () => {
    const before = folder();
    const refused = (version: string, path: string, format: 'csv' | 'ndjson' | 'parquet') =>
      engine.write({ version, source: { kind: 'file', format, path }, overrides: new Map([['id', 'integer']]) }).then(
        () => 'none',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      );
    expect(await refused('bad', file('bad.csv', 'id,word\n1,a\nx,b\n'), 'csv')).toContain('row 2, column id');
    expect(await refused('bad', file('bad.ndjson', '{"id":1}\n{"id":\n'), 'ndjson')).toContain('line');
    expect(await refused('bad', file('bad.parquet', 'PAR1 no'), 'parquet')).toContain('not a Parquet file');
    expect(await refused('bad', join(engine.dataDir, 'gone.csv'), 'csv')).toContain('not there');
    await expect(
      engine.writeRows('bad', columns, [
        [1, 'a'],
        ['one', 'b'],
      ]),
    ).rejects.toThrow('row 2, column id: not a whole number');
    expect(folder()).toEqual(before);
  });

  it('is written again in peace after its writer was given up', async () => {
    const abort = new AbortController();
    const endless = (async function* () {
      for (;;) yield rows(0, 1000, 'x');
    })();
    const write = async () => {
      const spec = {
        tenant: 'here',
        datasetId: 'ds',
        version: 'late',
        source: { kind: 'rows', columns, rows: endless },
      } as const;
      for await (const { kind } of engine.ingest(spec, abort.signal))
        if (kind === 'progress') abort.abort(new Error('given up'));
    };
    expect(await causeOf(write())).toBe('given up');
    await expect.poll(() => folder().filter((name) => name.startsWith('late'))).toEqual([]);
    await engine.writeRows('late', columns, rows(0, 10, 'y'));
    expect(await counts('late')).toEqual([['y', 10]]);
  });

  it('is removed only when nothing reads it any more', async () => {
    await engine.writeRows('old', columns, rows(0, 1000, 'old'));
    const path = engine.versionPath('here', 'ds', 'old');
    const sql = "select json_array(a.id, repeat('x', 1000))::varchar from ds a, ds b";
    const answer = await engine.query(jobOver(engine, 'old', sql), never);
    await engine.keepVersions('here', 'ds', ['v3']);
    expect(existsSync(path)).toBe(true);
    for await (const _ of answer.chunks);
    await expect.poll(folder).toEqual(['v3.duckdb', 'v3.sha256']);
    expect(await counts('v3')).toHaveLength(3);
  });

  it('has only names that stay in their folder', () => {
    for (const name of ['..', '../x', 'a/b', '', '.hidden', 'a\0b', 'x'.repeat(101)])
      expect(() => engine.versionPath('here', name, 'v1'), name).toThrow(RangeError);
  });

  it('can be read beside more others than a child may hold open files, in any order and again', async () => {
    await engine.writeRows('many', columns, rows(0, 1000, 'many'));
    const paths = Array.from({ length: 700 }, (_, index) => engine.versionPath('here', `many${index}`, 'v1'));
    for (const path of paths) {
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(engine.versionPath('here', 'ds', 'many'), path);
    }
    const count = (path: string) =>
      rowsOf(
        engine.query(
          jobOver(engine, 'many', 'select json_array(count(*))::varchar from ds', {
            tables: [{ name: 'ds', source: { kind: 'file', path } }],
          }),
          never,
        ),
      );
    for (const path of paths) expect(await count(path), path).toEqual([[1000]]);
    const again = [...paths.slice(0, 3), ...paths.slice(-3), ...paths.slice(0, 3)].map(count);
    for (const one of await Promise.all(again)) expect(one).toEqual([[1000]]);
  });
});
