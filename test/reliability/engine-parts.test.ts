import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobOver, never, rowsOf, startTestEngine } from '../support/engine.ts';

const engine = startTestEngine();
afterAll(() => engine.stop());

const columns = [
  { name: 'id', storageType: 'integer' },
  { name: 'word', storageType: 'text' },
  { name: 'price', storageType: 'decimal' },
  { name: 'at', storageType: 'timestamp' },
] as const;
type Row = readonly (string | number | null)[];
const rowOf = (id: number): Row => [id, `word ${id % 7}`, `${id}.5`, '2026-01-02T00:00:00.000Z'];
const rowsFrom = (from: number, count: number): readonly Row[] =>
  Array.from({ length: count }, (_, at) => rowOf(from + at));
const source = (rows: readonly Row[], names: readonly { readonly name: string }[] = columns) =>
  ({
    kind: 'rows',
    columns: names,
    rows: (async function* () {
      yield rows;
    })(),
  }) as const;
const ask = (version: string, sql: string) => rowsOf(engine.query(jobOver(engine, version, sql), never));
const facts =
  'select json_array(count(*), sum(id), sum(price)::double, count(distinct word), max("at")::varchar)::varchar from ds';
const listOf = (version: string): unknown =>
  JSON.parse(readFileSync(engine.versionPath('here', 'ds', version).replace('.duckdb', '.parts'), 'utf8'));
const folder = (): readonly string[] => readdirSync(join(engine.dataDir, 'datasets', 'here', 'ds')).toSorted();
const sum = (count: number): number => (count * (count - 1)) / 2;

beforeAll(() => engine.writeRows('v1', columns, rowsFrom(0, 30_000)));

describe('rows put onto many', () => {
  it('are written without those there were, and read behind them', async () => {
    await engine.write({ version: 'v2', source: source(rowsFrom(30_000, 10)), onto: { version: 'v1', key: null } });
    expect(listOf('v2')).toEqual([{ version: 'v1', rows: 30_000 }]);
    expect(statSync(engine.versionPath('here', 'ds', 'v2')).size).toBeLessThan(200_000);
    expect(await ask('v2', facts)).toEqual([[30_010, sum(30_010), sum(30_010) + 15_005, 7, '2026-01-02 00:00:00']]);
    const order = 'select json_array(id)::varchar from ds limit 2 offset 29999';
    expect(await ask('v2', order)).toEqual([[29_999], [30_000]]);
    const typed = `select json_array(left(typeof(any_value(word)), 4))::varchar from ds`;
    expect(await ask('v2', typed)).toEqual([['ENUM']]);
  });

  it('may have other texts, no value in a column, and numbers of their own, of which the statistics tell', async () => {
    const more: Row[] = [
      [40_000, 'another word', '-7.5', '2027-01-01T00:00:00.000Z'],
      [40_001, null, null, null],
    ];
    const done = await engine.write({ version: 'v3', source: source(more), onto: { version: 'v2', key: null } });
    expect(listOf('v3')).toEqual([{ version: 'v1', rows: 30_000 }]);
    expect(done).toMatchObject({
      rows: 30_012,
      columns: [
        { name: 'id', storageType: 'integer', nullable: false, minimum: '0', maximum: '40001' },
        { name: 'word', storageType: 'text', nullable: true },
        { name: 'price', storageType: 'decimal', nullable: true, minimum: '-7.5', maximum: '30009.5' },
        { name: 'at', storageType: 'timestamp', nullable: true, maximum: '2027-01-01T00:00:00.000Z' },
      ],
    });
    const words = `select json_array(word, count(*))::varchar from ds where "ds:word"(word) = "ds:word"('another word') group by word`;
    expect(await ask('v3', words)).toEqual([['another word', 1]]);
    expect(await ask('v3', 'select json_array(count(*))::varchar from ds where word is null')).toEqual([[1]]);
    expect(await ask('v2', 'select json_array(count(*))::varchar from ds')).toEqual([[30_010]]);
    const table = { name: 'ds', source: { kind: 'file', path: engine.versionPath('here', 'ds', 'v3') } } as const;
    const described = await engine.describe({ tenant: 'here', tables: [table], userQuery: null }, never);
    expect(described).toMatchObject(done.kind === 'done' ? done.columns : []);
  });

  it('are put into a few files however often rows come, and into one where many came', async () => {
    let before = 'v3';
    for (let time = 0; time < 12; time += 1) {
      const version = `w${String(time).padStart(2, '0')}`;
      await engine.write({
        version,
        source: source(rowsFrom(50_000 + time * 900, 900)),
        onto: { version: before, key: null },
      });
      before = version;
    }
    const parts = listOf(before);
    expect(Array.isArray(parts) ? parts.length : 0).toBeLessThanOrEqual(3);
    const count = 'select json_array(count(*), count(distinct id))::varchar from ds';
    expect(await ask(before, count)).toEqual([[40_812, 40_812]]);
    await engine.write({
      version: 'x1',
      source: source(rowsFrom(70_000, 11_000)),
      onto: { version: before, key: null },
    });
    expect(existsSync(engine.versionPath('here', 'ds', 'x1').replace('.duckdb', '.parts'))).toBe(false);
    expect(await ask('x1', count)).toEqual([[51_812, 51_812]]);
  });

  it('take the place of rows with their key wherever those stand', async () => {
    const changed = [5, 30_005, 40_000, 90_000].map((id): Row => [id, 'changed', '1', null]);
    await engine.write({ version: 'k1', source: source(changed), onto: { version: 'v3', key: ['id'] } });
    const found = `select json_array(count(*), count(*) filter (word = 'changed'), count(distinct id))::varchar from ds`;
    expect(await ask('k1', found)).toEqual([[30_013, 4, 30_013]]);
  });

  it('make columns wider, and add some', async () => {
    const wider: Row[] = [['1.25', 'x', '0.125', '2026-01-01']];
    await engine.write({ version: 'z1', source: source(wider), onto: { version: 'v3', key: null } });
    expect(await ask('z1', 'select json_array(max(id)::double, min(id)::double, count(id))::varchar from ds')).toEqual([
      [40_001, 0, 30_013],
    ]);
    const names = [...columns, { name: 'more' }];
    await engine.write({
      version: 'z2',
      source: source([[1, 'x', '1', null, 'm']], names),
      onto: { version: 'v3', key: null },
    });
    expect(await ask('z2', 'select json_array(count(*), count(more))::varchar from ds')).toEqual([[30_013, 1]]);
  });

  it('keep the files of the rows before as long as a version needs them', async () => {
    await engine.dropVersion('here', 'ds', 'v1');
    expect(await ask('v3', 'select json_array(count(*))::varchar from ds')).toEqual([[30_012]]);
    await engine.keepVersions('here', 'ds', ['v3', 'z2']);
    expect(folder().filter((name) => !name.endsWith('.sha256'))).toEqual([
      'v1.duckdb',
      'v3.duckdb',
      'v3.parts',
      'z2.duckdb',
    ]);
    expect(await ask('v3', 'select json_array(count(*))::varchar from ds')).toEqual([[30_012]]);
    await engine.keepVersions('here', 'ds', ['z2']);
    await expect.poll(folder).toEqual(['z2.duckdb', 'z2.sha256']);
  });

  it('of a tenant take as many bytes as its files', async () => {
    const sizes = folder().map((name) => statSync(join(engine.dataDir, 'datasets', 'here', 'ds', name)).size);
    expect(await engine.usedBytes('here', null)).toBe(sizes.reduce((all, size) => all + size, 0));
  });
});
