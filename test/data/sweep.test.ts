import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
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
  const later = Date.now() + 2 * 24 * 3_600_000;
  for (const path of [young, coming, dirname(spilling)]) utimesSync(path, later / 1000, later / 1000);
  const { store } = app.service;
  const swept = await sweepRows({
    ...{ reader: store, engine: app.engine, now: () => later },
    ...{ datasets, passing: [uploads], spills },
  });
  expect(swept).toBe(5);
  expect([folder(gone), half, list, upload, dirname(spilled)].map((path) => existsSync(path))).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  expect([young, coming, spilling].map((path) => existsSync(path))).toEqual([true, true, true]);
  expect(parts.filter((path) => !existsSync(path))).toEqual([]);
  const measures = [{ dataset_id: long, column_id: '*', aggregation: { type: 'count' } }];
  expect(await api.ok('data', { action: 'get', find: { dimensions: [], measures } })).toMatchObject({
    data: [[10_001]],
  });
  expect(await api.ok('securable', { action: 'get', id: kept })).toMatchObject({ rows: 1 });
});
