import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { uuidV7 } from '@inlay/contract';
import { sweepRows } from '../../packages/service/src/rows/sweep.ts';
import { useApi } from '../support/api.ts';

const api = useApi('sqlite', {});

it('files that nothing leads to any more are removed, and no others', async () => {
  const { dataDir, app } = api.service;
  const push = async (): Promise<string> => (await api.create('data', { type: 'create', data: [[1]] })).id;
  const [kept, gone] = [await push(), await push()];
  await api.ok('securable', { action: 'delete', id: gone });
  const datasets = join(dataDir, 'datasets');
  const folder = (id: string): string => join(datasets, api.organizationId, id);
  const many = Array.from({ length: 10_000 }, (_, n) => [n, 1, 2, 3, 4, 5]);
  const long = (await api.create('data', { type: 'create', data: many })).id;
  await api.create('data', { type: 'append', securable_id: long, data: [many[0] ?? []] });
  const parts = readdirSync(folder(long)).map((name) => join(folder(long), name));
  expect(parts.filter((path) => path.endsWith('.parts'))).toHaveLength(1);
  const list = join(folder(kept), '01890a5d-ac96-774b-bcce-b302099a8057.duckdb.01890a5d-ac96-774b-bcce.parts');
  const half = join(folder(kept), '01890a5d-ac96-774b-bcce-b302099a8057.duckdb');
  const young = join(folder(kept), '01890a5d-ac96-774b-bcce-b302099a8058.duckdb');
  const uploads = join(dataDir, 'uploads');
  mkdirSync(uploads, { recursive: true });
  const [upload, coming] = [join(uploads, 'left.csv'), join(uploads, 'coming.csv')];
  const spills = join(dataDir, 'work', 'engine');
  const [spilled, spilling] = [join(spills, 'child-left', 'a.tmp'), join(spills, 'child-lives', 'a.tmp')];
  for (const path of [spilled, spilling]) mkdirSync(dirname(path), { recursive: true });
  for (const path of [half, list, young, upload, coming, spilled, spilling]) writeFileSync(path, 'x');
  const results = join(dataDir, 'results');
  const resultFile = (): string => join(results, api.organizationId, `${randomUUID()}.${randomUUID()}`);
  const [expired, making] = [resultFile(), resultFile()];
  for (const path of [expired, making]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
  }
  const later = Date.now() + 2 * 24 * 3_600_000;
  for (const path of [making, young, coming, dirname(spilling)]) utimesSync(path, later / 1000, later / 1000);
  const { store } = app.service;
  const swept = await sweepRows({
    reader: store,
    engine: app.engine,
    now: () => later,
    startedMs: 0,
    datasets,
    results,
    passing: [uploads],
    spills,
  });
  expect(swept).toBe(6);
  expect([folder(gone), half, list, upload, dirname(spilled)].map((path) => existsSync(path))).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(existsSync(expired)).toBe(false);
  expect([making, young, coming, spilling].map((path) => existsSync(path))).toEqual([true, true, true, true]);
  expect(parts.filter((path) => !existsSync(path))).toEqual([]);
  const measures = [{ dataset_id: long, column_id: '*', aggregation: { type: 'count' } }];
  expect(await api.ok('data', { action: 'get', find: { dimensions: [], measures } })).toMatchObject({
    data: [[10_001]],
  });
  expect(await api.ok('securable', { action: 'get', id: kept })).toMatchObject({ rows: 1 });
});

it('rows of another store in the same folder stay', async () => {
  const { dataDir, app } = api.service;
  const other = join(dataDir, 'datasets', randomUUID(), randomUUID(), `${randomUUID()}.duckdb`);
  mkdirSync(dirname(other), { recursive: true });
  writeFileSync(other, 'x');
  const later = Date.now() + 2 * 24 * 3_600_000;
  await sweepRows({
    reader: app.service.store,
    engine: app.engine,
    now: () => later,
    startedMs: later,
    datasets: join(dataDir, 'datasets'),
    results: join(dataDir, 'results'),
    passing: [],
    spills: join(dataDir, 'work', 'engine'),
  });
  expect(existsSync(other)).toBe(true);
});

it('files that an instance left when it was killed are removed after the next start, and none of an instance that runs', async () => {
  const { dataDir, app } = api.service;
  const { store } = app.service;
  const { id } = await api.create('data', { type: 'create', data: [[1]] });
  const startedMs = Date.now() + 60_000;
  const folder = join(dataDir, 'datasets', api.organizationId, id);
  const left = [
    join(folder, '01890a5d-ac96-774b-bcce-b302099a8057.duckdb'),
    join(folder, '01890a5d-ac96-774b-bcce-b302099a8057.duckdb.01890a5d.parts'),
    join(dataDir, 'uploads', 'killed.csv'),
    join(dataDir, 'work', 'engine', 'child-killed', 'a.tmp'),
  ];
  const held = join(dataDir, 'datasets', '.backup', 'runs', 'a.duckdb');
  for (const path of [...left, held]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
  }
  const sweep = (): Promise<number> =>
    sweepRows({
      reader: store,
      engine: app.engine,
      now: Date.now,
      startedMs,
      datasets: join(dataDir, 'datasets'),
      results: join(dataDir, 'results'),
      passing: [join(dataDir, 'uploads')],
      spills: join(dataDir, 'work', 'engine'),
    });
  const lease = (at: number, random: string) => ({ id: uuidV7(at, random), version: '0.1.0', schema: 1 });
  const mine = lease(startedMs, '00000000-0000-4000-8000-000000000001');
  const other = lease(Date.now() - 60_000, '00000000-0000-4000-8000-000000000002');
  for (const one of [mine, other]) await store.write({ kind: 'lease', ...one });
  await sweep();
  expect(left.filter((path) => !existsSync(path))).toEqual([]);
  await store.write({ kind: 'lease end', id: other.id });
  await sweep();
  expect(left.filter((path) => existsSync(path))).toEqual([]);
  expect(existsSync(held)).toBe(true);
  expect(await api.ok('securable', { action: 'get', id })).toMatchObject({ rows: 1 });
  await store.write({ kind: 'lease end', id: mine.id });
});
