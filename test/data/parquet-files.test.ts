import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { fileTypes } from '../support/hostile-files.ts';
import { versionPath, versionRows, type VersionRows } from '../support/version-rows.ts';
import { part, text } from '../support/world.ts';
import { ownRows, uploaded } from './own-rows.ts';

describe('a Parquet file', () => {
  const api = useApi('sqlite', {});
  const upload = uploaded(api);
  const { columns } = ownRows(api);
  const folder = mkdtempSync(join(tmpdir(), 'inlay-parquet-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const made = async (query: string, options = ''): Promise<Buffer> => {
    const path = join(folder, 'made.parquet');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`copy (${query}) to '${path}' (format parquet${options})`);
    connection.closeSync();
    instance.closeSync();
    return readFileSync(path);
  };
  /** Files that pyarrow wrote. */
  const fixture = (name: string): Promise<Buffer> =>
    Promise.resolve(readFileSync(join(import.meta.dirname, '../fixtures/parquet', `${name}.parquet`)));
  const stored = async (bytes: Buffer): Promise<VersionRows & { readonly id: string }> => {
    const { status, body } = await upload('', fileTypes.parquet, bytes);
    expect(status, JSON.stringify(body)).toBe(200);
    const id = text(body, 'id');
    return { id, ...(await versionRows(versionPath(api.service.dataDir, id))) };
  };

  const nested = (rows: number, most: number): string => `select i as id, 'k' || i % 3 as kind,
    list_transform(range(case when i % 7 = 0 then 0 else ${most} end),
      lambda j: {'id': i * ${most} + j, 'name': md5((i * ${most} + j)::varchar), 'tags': ['a', 'b', null], 'at': {'x': j / 7, 'y': null}}) as items
    from range(${rows}) t(i)`;

  it('of 1,200 rows with nested values is stored with each of them, and every column of it can be queried', async () => {
    const { id, rows, types } = await stored(await made(nested(1200, 150)));
    expect(types).toEqual(['BIGINT', 'VARCHAR', 'JSON']);
    expect(rows).toHaveLength(1200);
    expect(rows.map(([at]) => Number(at))).toEqual(Array.from({ length: 1200 }, (_, at) => at));
    for (const at of [0, 1, 128, 1199]) {
      const items: unknown = JSON.parse(rows[at]?.[2] ?? 'null');
      expect(Array.isArray(items) ? items.length : null).toBe(at % 7 === 0 ? 0 : 150);
      if (at % 7 > 0 && Array.isArray(items)) expect(items[0]).toMatchObject({ id: at * 150, at: { x: 0, y: null } });
    }
    for (const column of (await columns(id)).values()) {
      const on = { dataset_id: id, column_id: text(column, 'id') };
      for (const find of [
        { dimensions: [on], measures: [{ ...on, aggregation: { type: 'count' } }], limit: { by: 10 } },
        { measures: [{ ...on, aggregation: { type: 'distinctcount' } }] },
      ]) {
        const { status, body } = await api.call('data', { action: 'get', find });
        expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
      }
    }
  });

  it('is the same whether nested values are many or few at once', async () => {
    const [one, other] = [
      await stored(await made(nested(300, 400))),
      await stored(await made(nested(300, 400), ', row_group_size 100')),
    ];
    expect(one.rows).toEqual(other.rows);
  });

  it('with values of any type keeps them as JSON', async () => {
    const query = `select {'a': 5, 'b': [1, 2]}::variant as v union all select 'x'::variant union all select null`;
    expect((await stored(await made(query))).rows).toEqual([['{"a":5,"b":[1,2]}'], ['"x"'], [null]]);
  });

  it.each(['snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw', 'uncompressed'])(
    'compressed with %s is read',
    async (codec) => {
      const { rows } = await stored(await made(`select 'a' || i as a from range(3) t(i)`, `, codec '${codec}'`));
      expect(rows).toEqual([['a0'], ['a1'], ['a2']]);
    },
  );

  /** Returns the number of a codec in the footer, and of LZO in its place. */
  const asLzo = (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString('latin1').replaceAll('\u0015\u0002\u0016', '\u0015\u0006\u0016'), 'latin1');
  const plain = (): Promise<Buffer> => made('select 1 as n');

  it.each([
    [
      'a compression that is not read',
      async () => asLzo(await plain()),
      /column n: the compression LZO is not read; .*snappy/u,
    ],
    [
      'an encoding that is not read',
      () => fixture('byte-stream-split'),
      /column n: the encoding BYTE_STREAM_SPLIT of INT64 .*PLAIN/u,
    ],
    [
      'more digits than a decimal holds',
      () => fixture('wide-decimal'),
      /column n: the type DECIMAL\(50, 2\) .*38 digits/u,
    ],
    [
      'an encrypted footer',
      async () => Buffer.concat([(await plain()).subarray(0, -4), Buffer.from('PARE')]),
      /encrypted/u,
    ],
    ['its end cut off', async () => (await plain()).subarray(0, -9), /cut off/u],
    ['no rows of its own', () => Promise.resolve(Buffer.from('PAR1PAR1')), /cut off|damaged/u],
  ])('with %s is refused by what it has, with what helps', async (_what, bytes, says) => {
    const { status, body } = await upload('', fileTypes.parquet, await bytes());
    expect([status, part(body, 'code')], JSON.stringify(body)).toEqual([400, 'rows_invalid']);
    expect(text(body, 'message')).toMatch(says);
  });
});
