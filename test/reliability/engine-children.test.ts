import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { jobOver, never, rowsOf, startTestEngine, type TestEngine } from '../support/engine.ts';

const columns = [
  { name: 'id', storageType: 'integer' },
  { name: 'word', storageType: 'text' },
] as const;
const sql = 'select json_array(count(*))::varchar from ds';

const opened: TestEngine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.stop();
});

/** Returns an engine with a version of 50 rows under this many datasets. */
async function startWith(datasets: number, options: Parameters<typeof startTestEngine>[0]) {
  const told: string[] = [];
  const engine = startTestEngine({ ...options, retired: (_reason, why) => void told.push(why) });
  opened.push(engine);
  await engine.writeRows(
    'v1',
    columns,
    Array.from({ length: 50 }, (_, id) => [id, `word ${id % 5}`]),
  );
  const paths = Array.from({ length: datasets }, (_, index) => engine.versionPath('here', `other${index}`, 'v1'));
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(engine.versionPath('here', 'ds', 'v1'), path);
  }
  const count = (path: string) =>
    rowsOf(
      engine.query(jobOver(engine, 'v1', sql, { tables: [{ name: 'ds', source: { kind: 'file', path } }] }), never),
    );
  return { engine, told, paths, count };
}

describe('a child of the engine', () => {
  it('that can open no more files is replaced, and its statements are answered by another', async () => {
    const { engine, told, paths, count } = await startWith(150, { descriptors: 72 });
    for (const path of paths) expect(await count(path), path).toEqual([[50]]);
    expect(engine.retired().get('descriptors')).toBeGreaterThan(0);
    expect(told).toContain('it could open no more files');
  });

  it('that holds most of its memory while nothing runs in it is replaced', async () => {
    const { engine, told, paths, count } = await startWith(3, { memoryMb: 130 });
    for (const path of paths) expect(await count(path), path).toEqual([[50]]);
    expect(engine.retired().get('memory_held')).toBe(3);
    expect(told).toHaveLength(3);
  });

  it('that is no longer needed is counted as no failure', async () => {
    const { engine, paths, count } = await startWith(1, { idleMs: 50 });
    for (const path of paths) expect(await count(path)).toEqual([[50]]);
    await expect.poll(() => engine.pool.children()).toEqual([]);
    expect([...engine.retired()]).toEqual([]);
  });

  it('that ends under a statement is counted, and one short of memory gives its statement a child of its own', async () => {
    const { engine } = await startWith(0, {});
    const grows = `select json_array(max(length(${'replace('.repeat(5)}word${", 'r', repeat('r', 40))".repeat(5)})))::varchar from ds`;
    await expect(rowsOf(engine.query(jobOver(engine, 'v1', grows), never))).rejects.toThrow('memory');
    expect(engine.retired().get('memory') ?? 0).toBeGreaterThanOrEqual(1);
    expect(await rowsOf(engine.query(jobOver(engine, 'v1', sql), never))).toEqual([[50]]);
  });
});
