import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inWords, isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { WorkbookFault } from '../../packages/service/src/rows/workbook-fault.ts';
import { sheetRows } from '../../packages/service/src/rows/workbook.ts';
import { useApi } from '../support/api.ts';
import { storesToTest, type Credential } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const columnsOf = [
  ['month', 'region', 'revenue'],
  ['2024-01-01', 'Europe', 1200.5],
  ['2024-02-01', 'Asia', 800],
  ['2024-02-01', 'Europe', 10],
] as const;

describe.each(storesToTest)('rows of one’s own on %s', (store) => {
  const api = useApi(store, {});

  const push = (properties: JsonObject, by?: Credential): Promise<JsonObject> =>
    api.ok('data', { action: 'create', properties }, by);
  const made = (): Promise<JsonObject> =>
    push({ type: 'create', data: columnsOf, options: { header: true, name: { en: 'Revenue', nl: 'Omzet' } } });
  const columns = async (id: string): Promise<ReadonlyMap<string, JsonObject>> => {
    const rows = await api.find('column', { where: { securable_id: id } });
    return new Map(rows.map((row) => [text(row, 'source_name'), row]));
  };
  /** Revenue by month and region. */
  const totals = async (id: string): Promise<Json> => {
    const ids = await columns(id);
    const on = (name: string): JsonObject => ({ dataset_id: id, column_id: text(ids.get(name), 'id') });
    const answer = await api.ok('data', {
      action: 'get',
      find: {
        dimensions: [{ ...on('month'), level: 3 }, on('region')],
        measures: [{ ...on('revenue'), aggregation: { type: 'sum' } }],
      },
    });
    const rows = part(answer, 'data');
    return (isList(rows) ? rows : []).map((row): Json => {
      const [month, region, sum] = isList(row) ? row : [];
      return [inWords(month).slice(0, 7), isObject(region ?? null) ? text(region, 'id') : null, sum ?? null];
    });
  };
  const refusal = async (properties: JsonObject, by?: Credential): Promise<JsonObject> => {
    const { status, body } = await api.call('data', { action: 'create', properties }, by);
    return {
      status,
      code: text(body, 'code'),
      message: text(body, 'message'),
      validation: isObject(body) ? (body['validation'] ?? null) : null,
    };
  };

  it('make a dataset with columns of the types that the cells have', async () => {
    const dataset = await made();
    expect(dataset).toMatchObject({
      type: 'dataset',
      subtype: 'api',
      rows: 3,
      storage: 'columnar',
      uses_columnar_experimental: true,
      name: { en: 'Revenue', nl: 'Omzet' },
    });
    const found = await columns(text(dataset, 'id'));
    expect(found.get('month')).toMatchObject({ type: 'datetime', subtype: 'date', name: { en: 'Month' } });
    expect(found.get('region')).toMatchObject({ type: 'hierarchy', cardinality: 2 });
    expect(found.get('revenue')).toMatchObject({ type: 'numeric', aggregation_type: 'sum' });
  });

  it('are answered by queries as soon as they are pushed', async () => {
    const id = text(await made(), 'id');
    const before = [
      ['2024-01', 'Europe', 1200.5],
      ['2024-02', 'Asia', 800],
      ['2024-02', 'Europe', 10],
    ];
    expect(await totals(id)).toEqual(before);
    const rows = [
      ['region', 'month', 'revenue'],
      ['Asia', '2024-03-01', 5],
    ];
    expect(await push({ type: 'append', securable_id: id, data: rows, options: { header: true } })).toMatchObject({
      rows: 4,
    });
    expect(await totals(id)).toEqual([...before, ['2024-03', 'Asia', 5]]);
  });

  it('take the place of those with the same key, and of all of them', async () => {
    const id = text(await made(), 'id');
    const header = { header: true };
    await push({
      type: 'upsert',
      securable_id: id,
      data: [
        ['month', 'region', 'revenue'],
        ['2024-02-01', 'Asia', 1],
        ['2024-05-01', 'Asia', 2],
      ],
      options: { ...header, key: ['month', 'region'] },
    });
    expect(await totals(id)).toEqual([
      ['2024-01', 'Europe', 1200.5],
      ['2024-02', 'Asia', 1],
      ['2024-02', 'Europe', 10],
      ['2024-05', 'Asia', 2],
    ]);
    await push({ type: 'replace', securable_id: id, data: [columnsOf[0], ['2025-01-01', 'Asia', 9]], options: header });
    expect(await totals(id)).toEqual([['2025-01', 'Asia', 9]]);
  });

  it('keep what people set about a column when others take their place', async () => {
    const id = text(await made(), 'id');
    const region = text((await columns(id)).get('region'), 'id');
    await api.update('column', region, { name: { en: 'Sales region' } });
    await push({ type: 'replace', securable_id: id, data: columnsOf, options: { header: true } });
    expect((await columns(id)).get('region')).toMatchObject({ id: region, name: { en: 'Sales region' } });
  });

  it('are all there when several are added at once', async () => {
    const id = text(await made(), 'id');
    const one = (index: number): Promise<JsonObject> =>
      push({ type: 'append', securable_id: id, data: [[`2030-01-${String(index + 10)}`, 'Asia', 1]] });
    await Promise.all(Array.from({ length: 6 }, (_, index) => one(index)));
    expect(await api.ok('securable', { action: 'get', id })).toMatchObject({ rows: 9 });
  });

  it('are refused with row and column where a cell does not fit, and nothing changes', async () => {
    const id = text(await made(), 'id');
    const before = await totals(id);
    expect(
      await refusal({
        type: 'append',
        securable_id: id,
        data: [
          ['2024-03-01', 'Asia', 1],
          ['soon', 'Asia', 5],
        ],
      }),
    ).toMatchObject({
      status: 400,
      code: 'rows_invalid',
      message: 'The rows cannot be stored: row 2, column month: not a date.',
    });
    expect(await refusal({ type: 'append', securable_id: id, data: [['2024-03-01', 'Asia', 1, 2]] })).toMatchObject({
      code: 'rows_invalid',
    });
    expect(
      await refusal({
        type: 'append',
        securable_id: id,
        data: [
          ['month', 'colour'],
          ['2024-03-01', 'red'],
        ],
        options: { header: true },
      }),
    ).toMatchObject({ validation: { 'properties.data[0][1]': [expect.stringContaining('no column "colour"')] } });
    expect(await refusal({ type: 'append', securable_id: id, data: ['text'] })).toMatchObject({
      validation: { 'properties.data[0]': ['must be a list of cells'] },
    });
    expect(await totals(id)).toEqual(before);
  });

  it('are refused where the request makes no sense, every fault at once', async () => {
    const tooMany = Array.from({ length: 10_001 }, () => [1]);
    expect(await refusal({ type: 'create', data: tooMany })).toMatchObject({ status: 400 });
    expect(await refusal({ type: 'append', data: [[1]], options: { headr: true } })).toMatchObject({
      status: 400,
      validation: {
        'properties.securable_id': ['is required'],
        'properties.options.headr': [expect.stringContaining('known are')],
      },
    });
    expect(await refusal({ type: 'upsert', securable_id: text(await made(), 'id'), data: [[1]] })).toMatchObject({
      validation: { 'properties.options.key': [expect.stringContaining('is required')] },
    });
  });

  it('are stored by who may change the dataset, and by nobody else', async () => {
    const id = text(await made(), 'id');
    const editor = await api.person({ flagEditor: true });
    const member = await api.person({ flagMember: true });
    const rows = { type: 'append', securable_id: id, data: [['2024-03-01', 'Asia', 1]] };
    expect(await refusal(rows, editor.login)).toMatchObject({ status: 400, code: 'reference_unknown' });
    await api.ok('securable', {
      action: 'associate',
      id,
      resource: { role: 'Users', id: editor.id },
      properties: { flagUse: true },
    });
    expect(await refusal(rows, editor.login)).toMatchObject({ status: 403 });
    await api.ok('securable', {
      action: 'associate',
      id,
      resource: { role: 'Users', id: editor.id },
      properties: { flagModify: true },
    });
    expect(await push(rows, editor.login)).toMatchObject({ rows: 4 });
    expect(await refusal({ type: 'create', data: [[1]] }, member.login)).toMatchObject({ status: 403 });
  });

  it('are repeated once under an Idempotency-Key', async () => {
    const id = text(await made(), 'id');
    const body = {
      action: 'create',
      properties: { type: 'append', securable_id: id, data: [['2024-03-01', 'Asia', 1]] },
    };
    const headers = { 'idempotency-key': `push-${id}` };
    expect(await api.ok('data', body, undefined, headers)).toMatchObject({ rows: 4 });
    expect(await api.ok('data', body, undefined, headers)).toMatchObject({ rows: 4 });
    expect(await api.ok('securable', { action: 'get', id })).toMatchObject({ rows: 4 });
  });

  /** Sends a file as a client does, in pieces. */
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
      const dataset: Json = JSON.parse(body);
      expect(dataset).toMatchObject({ subtype: 'upload', name: { en: 'Sales' }, rows: 2 });
      expect(await totals(text(dataset, 'id')), type).toEqual(rows);
    }
  });

  it('take types that are given where those found are not wanted', async () => {
    const { body } = await upload(`header=true&columns=${encodeURIComponent('{"revenue":"text"}')}`, 'text/csv', csv);
    const found = await columns(text(JSON.parse(body), 'id'));
    expect(found.get('revenue')).toMatchObject({ type: 'hierarchy' });
  });

  it('tell how far a file has come, line by line', async () => {
    const { body } = await upload('header=true', 'text/csv', csv, { accept: 'application/x-ndjson' });
    const lines: readonly Json[] = body
      .trim()
      .split('\n')
      .map((line): Json => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ kind: 'done', dataset: { rows: 2 } });
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

describe('a workbook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-workbook-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'book.xlsx');
  beforeAll(async () => {
    const sheet: SheetData = [
      ['text', null, 'flag', 'time'],
      [
        '= not a formula',
        1.5,
        true,
        { value: new Date('2024-02-29T13:30:00Z'), type: Date, format: 'yyyy-mm-dd hh:mm' },
      ],
      [null, null, null, null],
      ['ünï', -2e-7, false, null],
    ];
    await writeXlsxFile(sheet).toFile(path);
  });

  it('is read row by row, with dates as dates', async () => {
    const rows = [];
    for await (const some of sheetRows(path, null)) rows.push(...some);
    expect(rows).toEqual([
      ['text', null, 'flag', 'time'],
      ['= not a formula', 1.5, true, '2024-02-29T13:30:00.000'],
      ['ünï', -2e-7, false],
    ]);
  });

  it('says which sheets it has where the one asked for is not there', async () => {
    await expect(sheetRows(path, 'Nowhere').next()).rejects.toThrow(WorkbookFault);
  });

  it('that is cut short is refused', async () => {
    const cut = join(folder, 'cut.xlsx');
    const whole = readFileSync(path);
    await import('node:fs/promises').then(({ writeFile }) => writeFile(cut, whole.subarray(0, whole.length - 40)));
    await expect(sheetRows(cut, null).next()).rejects.toThrow(WorkbookFault);
  });
});
