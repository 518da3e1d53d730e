import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { childrenOf, residentMb } from '../support/process-memory.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { isFull } from '../support/counts.ts';
import { datasetIn, part, text } from '../support/world.ts';

const columns = 500;
const owner = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };
const authorization = `Bearer ${owner.key}:${owner.token}`;
/**
 * What a child may take, as it is set where nothing is, and a tenth more: the service looks at intervals, and ends a
 * child that is above it then.
 */
const engineMb = 400 * 1.1;

type Cell = (row: number, column: number) => number | string;
const line = (cell: Cell, row: number): string =>
  Array.from({ length: columns }, (_, column) => JSON.stringify(cell(row, column))).join(',');
const lines = (cell: Cell, rows: number): readonly string[] =>
  Array.from({ length: rows }, (_, row) => line(cell, row));

describe('many rows of 500 columns, with the memory that the engine has where nothing is set', () => {
  let service: ServiceProcess;
  /** The most that a child of the service took, in MB. */
  const most = { childMb: 0 };

  const send = async (path: string, type: string, body: string): Promise<{ status: number; body: Json }> => {
    const watch = setInterval(() => {
      for (const child of childrenOf(service.pid).keys()) most.childMb = Math.max(most.childMb, safely(child));
    }, 100);
    const headers = { 'content-type': type, authorization };
    const answer = await fetch(`${service.url}/0.1.0/${path}`, { method: 'POST', headers, body });
    clearInterval(watch);
    const read: Json = JSON.parse(await answer.text());
    return { status: answer.status, body: read };
  };
  const safely = (pid: number): number => {
    try {
      return residentMb(pid);
    } catch {
      return 0;
    }
  };
  const push = (rows: readonly string[], more = ''): ReturnType<typeof send> =>
    send(
      'data',
      'application/json',
      `{"action":"create","properties":{"type":"create","data":[${rows.map((row) => `[${row}]`).join(',')}]${more}}}`,
    );
  const ok = async (resource: string, body: object): Promise<Json> => {
    const answer = await send(resource, 'application/json', JSON.stringify(body));
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  /** How many rows a dataset has, the sum (or the number of members) of some columns, and the cells of two of its rows. */
  async function held(made: Json, names: readonly string[], type: 'sum' | 'distinctcount'): Promise<Json> {
    const { id } = datasetIn(made);
    const found = part(await ok('column', { find: { where: { securable_id: id }, limit: 1000 } }), 'rows');
    const ids = new Map((isList(found) ? found : []).map((one) => [text(one, 'source_name'), text(one, 'id')]));
    expect(ids.size).toBe(columns);
    const on = (name: string): object => ({ dataset_id: id, column_id: ids.get(name) });
    const all = { dataset_id: id, column_id: '*', aggregation: { type: 'count' } };
    const answer = await ok('data', {
      action: 'get',
      find: { measures: [all, ...names.map((name) => ({ ...on(name), aggregation: { type } }))] },
    });
    const rows = part(answer, 'data');
    return isList(rows) ? (rows[0] ?? null) : null;
  }

  beforeAll(async () => {
    service = await startService({
      env: {
        INLAY_BOOTSTRAP_KEY: owner.key,
        INLAY_BOOTSTRAP_TOKEN: owner.token,
        INLAY_RATE_LIMIT: '0',
        INLAY_ENGINE_MEMORY_MB: undefined,
        // A busy machine takes minutes for what follows.
        INLAY_QUERY_TIMEOUT_S: '600',
      },
    });
  });
  afterAll(() => service.stop());

  const rows = 10_000;
  const numbers: Cell = (row, column) => row + column;
  const sumOf = (column: number): number => (rows * (rows - 1)) / 2 + rows * column;
  const ends = ['column_1', 'column_500'];

  it('are stored when they are pushed at once, and take in more rows', async () => {
    const made = await push(lines(numbers, rows));
    expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(200);
    expect(await held(made.body, ends, 'sum')).toEqual([rows, sumOf(0), sumOf(499)]);
    const more = { securable_id: datasetIn(made.body).id, type: 'append' };
    const data = [Array.from({ length: columns }, (_, column) => column)];
    await ok('data', { action: 'create', properties: { ...more, data } });
    expect(await held(made.body, ends, 'sum')).toEqual([rows + 1, sumOf(0), sumOf(499) + 499]);
    expect(most.childMb).toBeGreaterThan(0);
    expect(most.childMb).toBeLessThan(engineMb);
  }, 600_000);

  it.runIf(isFull)(
    'are stored as texts of 62 MB',
    async () => {
      const texts: Cell = (row, column) => `${row % 7} of ${column}`.padEnd(22, 'x');
      const made = await push(lines(texts, 5000));
      expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(200);
      expect(await held(made.body, ends, 'distinctcount')).toEqual([5000, 7, 7]);
      expect(most.childMb).toBeGreaterThan(0);
      expect(most.childMb).toBeLessThan(engineMb);
    },
    120_000,
  );

  it.runIf(isFull)(
    'are stored from a CSV file',
    async () => {
      const head = Array.from({ length: columns }, (_, column) => `column_${column + 1}`).join(',');
      const csv = `${head}\n${lines(numbers, rows).join('\n')}\n`;
      const made = await send('data/file?name=Wide&header=true', 'text/csv', csv);
      expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(200);
      expect(await held(made.body, ends, 'sum')).toEqual([rows, sumOf(0), sumOf(499)]);
      expect(most.childMb).toBeGreaterThan(0);
      expect(most.childMb).toBeLessThan(engineMb);
    },
    120_000,
  );

  it('are stored from a CSV file of long texts, no two of them alike', async () => {
    const head = Array.from({ length: columns }, (_, column) => `column_${column + 1}`).join(',');
    const texts: Cell = (row, column) => `text ${row} of ${column} with some more words`;
    const csv = `${head}\n${lines(texts, 5000).join('\n')}\n`;
    const made = await send('data/file?name=Wide&header=true', 'text/csv', csv);
    expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(200);
    expect(await held(made.body, ends, 'distinctcount')).toEqual([5000, 5000, 5000]);
    expect(most.childMb).toBeLessThan(engineMb);
  }, 600_000);

  it('are refused by number where one takes more than 4 MB', async () => {
    const { status, body } = await push(['"short"', `"${'x'.repeat(5 * 1024 * 1024)}"`]);
    expect([status, part(body, 'code')]).toEqual([400, 'rows_invalid']);
    expect(JSON.stringify(part(body, 'validation'))).toContain('"properties.data[1]":["takes 5.0 MB');
  });
});
