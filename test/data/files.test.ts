import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Json } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { datasetIn } from '../support/world.ts';
import { ownRows } from './own-rows.ts';

describe.each(storesToTest)('rows of a file on %s', (store) => {
  const api = useApi(store, {});
  const { columns, totals } = ownRows(api);

  const upload = async (query: string, type: string, bytes: Buffer, headers: Record<string, string> = {}) => {
    const { key, token } = api.owner;
    const answer = await api.service.server.inject({
      method: 'POST',
      url: `/0.1.0/data/file?${query}`,
      headers: { authorization: `Bearer ${key}:${token}`, 'content-type': type, ...headers },
      payload: Readable.from(bytes.length === 0 ? [] : [bytes.subarray(0, 7), bytes.subarray(7)]),
    });
    return { status: answer.statusCode, body: answer.body };
  };
  const csv = Buffer.from('month,region,revenue\n2024-01-01,Europe,1200.5\n2024-02-01,"Asia, East",800\n');

  it('come from files of every format, to the same place', async () => {
    const ndjson = Buffer.from(
      '{"month":"2024-01-01","region":"Europe","revenue":3}\n{"month":"2024-02-01","region":"Asia","revenue":4}\n',
    );
    const sheet: SheetData = [
      ['month', 'region', 'revenue'],
      [{ value: new Date('2024-01-01T00:00:00Z'), type: Date, format: 'yyyy-mm-dd' }, 'Europe', 7.25],
      [{ value: new Date('2024-02-01T00:00:00Z'), type: Date, format: 'yyyy-mm-dd' }, 'Asia', 8],
    ];
    const xlsx = await writeXlsxFile(sheet).toBuffer();
    const files = [
      [
        'text/csv',
        csv,
        [
          ['2024-01', 'Europe', 1200.5],
          ['2024-02', 'Asia, East', 800],
        ],
      ],
      [
        'application/x-ndjson',
        ndjson,
        [
          ['2024-01', 'Europe', 3],
          ['2024-02', 'Asia', 4],
        ],
      ],
      [
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        xlsx,
        [
          ['2024-01', 'Europe', 7.25],
          ['2024-02', 'Asia', 8],
        ],
      ],
    ] as const;
    for (const [type, bytes, rows] of files) {
      const { status, body } = await upload('name=Sales&header=true', type, bytes);
      expect(status, body).toBe(200);
      const dataset = datasetIn(JSON.parse(body));
      expect(dataset).toMatchObject({ subtype: 'upload', name: { en: 'Sales' }, rows: 2 });
      expect(await totals(dataset.id), type).toEqual(rows);
    }
  });

  it('come as application/octet-stream where the URL names the format, as generated clients send them', async () => {
    const anyFile = 'application/octet-stream';
    const { status, body } = await upload('name=Sales&header=true&format=csv', anyFile, csv);
    expect(status, body).toBe(200);
    expect(await totals(datasetIn(JSON.parse(body)).id)).toEqual([
      ['2024-01', 'Europe', 1200.5],
      ['2024-02', 'Asia, East', 800],
    ]);
    const unnamed = await upload('header=true', anyFile, csv);
    expect(unnamed).toMatchObject({ status: 415, body: expect.stringContaining('?format=csv') });
    const unknown = await upload('format=xls', 'text/csv', csv);
    expect(unknown).toMatchObject({
      status: 400,
      body: expect.stringContaining('must be one of csv, ndjson, parquet'),
    });
  });

  it('take types that are given where those found are not wanted', async () => {
    const { body } = await upload(`header=true&columns=${encodeURIComponent('{"revenue":"text"}')}`, 'text/csv', csv);
    const found = await columns(datasetIn(JSON.parse(body)).id);
    expect(found.get('revenue')).toMatchObject({ type: 'hierarchy' });
  });

  it('tell how far a file has come, line by line', async () => {
    const { body } = await upload('header=true', 'text/csv', csv, { accept: 'application/x-ndjson' });
    const lines: readonly Json[] = body
      .trim()
      .split('\n')
      .map((line): Json => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ kind: 'done', rows: [{ rows: 2 }] });
    const failed = await upload('header=true', 'application/x-ndjson', Buffer.from('{"a":1}\nnonsense\n'), {
      accept: 'application/x-ndjson',
    });
    const last: Json = JSON.parse(failed.body.trim().split('\n').at(-1) ?? 'null');
    expect(last).toMatchObject({ kind: 'failed', error: { code: 'rows_invalid' } });
  });

  it('leave nothing behind where a file is none of its format', async () => {
    const before = await api.find('securable', { where: { type: 'dataset' } });
    for (const [type, bytes] of [
      ['application/vnd.apache.parquet', Buffer.from('not parquet at all')],
      [
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        Buffer.from('PK\u0003\u0004 not a workbook'),
      ],
      ['application/x-ndjson', Buffer.from('nonsense')],
      ['text/csv', Buffer.alloc(0)],
    ] as const) {
      const { status, body } = await upload('', type, bytes);
      expect(status, `${type} ${body}`).toBe(400);
      expect(body).not.toMatch(/\/tmp|duckdb/iu);
    }
    expect(await api.find('securable', { where: { type: 'dataset' } })).toHaveLength(before.length);
    const folder = join(api.service.dataDir, 'uploads');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are refused as a file without credentials, of another type, or with an unknown parameter', async () => {
    const bare = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/data/file',
      headers: { 'content-type': 'text/csv' },
      payload: csv,
    });
    expect(bare.statusCode).toBe(401);
    expect((await upload('', 'application/zip', csv)).status).toBe(415);
    const { status, body } = await upload('heade=true', 'text/csv', csv);
    expect([status, body]).toEqual([400, expect.stringContaining('header')]);
  });
});
