import { afterAll, expect, it } from 'vitest';
import { openEngine } from '../../packages/service/src/engine/open-engine.ts';
import { causeOf, jobOver, never, rowsOf, startTestEngine } from '../support/engine.ts';

const options = { memoryMb: 400, children: 2, threads: 2, deadlineMs: 60_000, spillMb: 100 };
const engine = startTestEngine(options);
const other = openEngine({ ...options, dataDir: engine.dataDir });
afterAll(async () => {
  await other.close();
  await engine.stop();
});

it('a version in parts that was removed while it is open answers nothing, rather than the rows of its own file', async () => {
  const columns = [{ name: 'n', storageType: 'integer' }] as const;
  const before = 200_000;
  await engine.writeRows(
    'v1',
    columns,
    Array.from({ length: before }, (_, n) => [n]),
  );
  const append = (version: string, onto: string): Promise<unknown> =>
    engine.write({
      version,
      onto: { version: onto, key: null },
      source: {
        kind: 'rows',
        columns,
        rows: (async function* () {
          yield [[1]];
        })(),
      },
    });
  await append('v2', 'v1');
  const rows = (): Promise<unknown> =>
    rowsOf(engine.query(jobOver(engine, 'v2', 'select json_array(count(*))::varchar from ds'), never));
  expect(await rows()).toEqual([[before + 1]]);
  await append('v3', 'v2');
  await append('v4', 'v3');
  await other.keepVersions('here', 'ds', ['v4', 'v3']);
  expect(await causeOf(rows())).toBe('missing');
});
