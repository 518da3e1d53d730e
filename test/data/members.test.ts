import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sameText } from '../../packages/service/src/engine/engine.ts';
import { isFull } from '../support/counts.ts';
import { jobOver, never, rowsOf, startTestEngine } from '../support/engine.ts';

const engine = startTestEngine();
afterAll(() => engine.stop());

const columns = [
  { name: 'region', storageType: 'text' },
  { name: 'note "x"', storageType: 'text' },
] as const;

/** Rows of which every text of the first column occurs often, and those of the second once. */
async function ingest(version: string, regions: readonly string[]): Promise<void> {
  async function* rows() {
    yield Array.from({ length: 400 }, (_, index) => [regions[index % regions.length] ?? null, `note ${index}`]);
  }
  const spec = { tenant: 'here', datasetId: 'ds', version, source: { kind: 'rows', columns, rows: rows() } } as const;
  for await (const _ of engine.ingest(spec, never));
}

const called = (column: string, of: string): string => `"${sameText('ds', column).replaceAll('"', '""')}"(${of})`;
const counting = (column: string): string =>
  `select json_array(count(*))::varchar from ds
    where ${called(column, `"${column.replaceAll('"', '""')}"`)} in (${called(column, '$1')}, ${called(column, '$2')})`;
const ask = (version: string, column: string, params: readonly string[]): Promise<unknown> =>
  rowsOf(engine.query(jobOver(engine, version, counting(column), { params }), never));

it('compares texts as members where there are few and as texts where there are many, in every version', async () => {
  await ingest('v1', ['North', 'South', 'East', 'West']);
  for (let round = 0; round < 3; round += 1) {
    expect(await ask('v1', 'region', ['North', 'South'])).toEqual([[200]]);
    expect(await ask('v1', 'region', ['North', 'Nowhere'])).toEqual([[100]]);
    expect(await ask('v1', 'note "x"', ['note 7', 'note 400'])).toEqual([[1]]);
  }
  await ingest('v2', ['Nowhere', 'North']);
  expect(await ask('v2', 'region', ['South', 'Nowhere'])).toEqual([[200]]);
  expect(await ask('v1', 'region', ['South', 'Nowhere'])).toEqual([[100]]);
});

it('answers in whole after an answer that was cut short', async () => {
  const sql = 'select json_array(region)::varchar from ds';
  for (const rowLimit of [10, 1000, 10, 1000])
    expect(await rowsOf(engine.query(jobOver(engine, 'v1', sql, { rowLimit }), never))).toHaveLength(
      Math.min(rowLimit, 400),
    );
});

it.each(isFull ? (['csv', 'ndjson'] as const) : (['csv'] as const))(
  'takes a member that comes after millions of rows without it, from %s',
  async (format) => {
    const rare = "CSV Error on Line: 1 'x'";
    const path = join(engine.dataDir, `rare.${format}`);
    const written = createWriteStream(path);
    const line = (word: string): string => (format === 'csv' ? `"${word}"\n` : `${JSON.stringify({ word })}\n`);
    if (format === 'csv') written.write('word\n');
    for (let part = 0; part < 101; part += 1) written.write((line('often') + line('as often')).repeat(10_000));
    written.end(line(rare));
    await once(written, 'finish');
    const source = { kind: 'file', path, format } as const;
    expect((await engine.write({ version: format, source })).rows).toBe(2_020_001);
    const words = await rowsOf(
      engine.query(
        jobOver(engine, format, 'select json_array(word, count(*))::varchar from ds group by word order by word'),
        never,
      ),
    );
    expect(words).toEqual([
      [rare, 1],
      ['as often', 1_010_000],
      ['often', 1_010_000],
    ]);
  },
);
