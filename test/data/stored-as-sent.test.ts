import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { datasetIn, text } from '../support/world.ts';
import { ownRows, sentText, uploaded } from './own-rows.ts';

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

const pushed = (whole: string, decimal: string): string =>
  `{"type":"create","data":[["w","d"],[${whole},${decimal}]],"options":{"header":true}}`;

describe.each(storesToTest)('values are stored as they were sent, on %s', (store) => {
  const api = useApi(store, {});
  const { push, columns, refusal } = ownRows(api);
  const upload = uploaded(api);

  const made = async (data: readonly (readonly Json[])[], options: JsonObject = { header: true }): Promise<string> =>
    text(await push({ type: 'create', data, options }), 'id');
  const file = async (content: string, type: keyof typeof types = 'csv', query = ''): Promise<string> => {
    const { status, body } = await upload(query, types[type], Buffer.from(content));
    expect(status, JSON.stringify(body)).toBe(200);
    return text(body, 'id');
  };
  const refused = async (content: string, query = '', type: keyof typeof types = 'csv'): Promise<string> => {
    const { status, body } = await upload(query, types[type], Buffer.from(content));
    expect(status, JSON.stringify(body)).toBe(400);
    return text(body, 'message');
  };

  /** Returns the rows of a dataset, columns in the order of their names. */
  const rows = async (id: string, ...names: string[]): Promise<Json> => {
    const ids = await columns(id);
    const find = {
      dimensions: names.map((name) => ({ dataset_id: id, column_id: text(ids.get(name), 'id') })),
      options: { rollup_data: false },
    };
    const { data = null } = await api.ok('data', { action: 'get', find });
    const plain = (cell: Json): Json => (isObject(cell) ? (cell['id'] ?? null) : cell);
    return (isList(data) ? data : []).map((row) => (isList(row) ? row.map(plain) : row));
  };
  const sum = async (id: string, name: string): Promise<Json> => {
    const column_id = text((await columns(id)).get(name), 'id');
    const find = { measures: [{ dataset_id: id, column_id, aggregation: { type: 'sum' } }] };
    const { data = null } = await api.ok('data', { action: 'get', find });
    return data;
  };
  const count = async (id: string): Promise<Json> => (await api.get('securable', id))['rows'] ?? null;

  it('where a column of whole numbers gets decimals', async () => {
    const id = await made([['price'], [10], [20]]);
    await push({ type: 'append', securable_id: id, data: [[0.49], [10.5]] });
    expect(await sum(id, 'price')).toEqual([[40.99]]);
    await push({ type: 'append', securable_id: id, data: [[1]] });
    expect(await sum(id, 'price')).toEqual([[41.99]]);
  });

  it('where decimals take the place of whole numbers', async () => {
    const id = await made([
      ['sku', 'price'],
      ['a', 1],
      ['b', 2],
    ]);
    const data = [
      ['sku', 'price'],
      ['b', 1.75],
    ];
    await push({ type: 'upsert', securable_id: id, data, options: { header: true, key: ['sku'] } });
    expect(await sum(id, 'price')).toEqual([[2.75]]);
  });

  it.each(['', 'n\n'])('whatever comes after the first rows of a CSV file that begins with %j', async (header) => {
    const id = await file(`${header}${'1\n'.repeat(20_480)}2.5\n`);
    expect(await sum(id, header === '' ? 'column_1' : 'n')).toEqual([[20_482.5]]);
  });

  it('whatever comes after the first lines of NDJSON', async () => {
    const id = await file(`${'{"n":1}\n'.repeat(20_480)}{"n":2.5}\n`, 'ndjson');
    expect(await sum(id, 'n')).toEqual([[20_482.5]]);
    const late = await file(`{"n":1}\n{"n":null,"late":{"a":[1]}}\n`, 'ndjson');
    expect((await columns(late)).get('late')).toMatchObject({ type: 'hierarchy' });
    expect(await rows(late, 'n', 'late')).toEqual([
      [1, null],
      [null, '{"a":[1]}'],
    ]);
  });

  it('where a column of dates gets a time', async () => {
    const id = await made([['at'], ['2026-01-01']]);
    expect((await columns(id)).get('at')).toMatchObject({ subtype: 'date', lowestLevel: 5 });
    await push({ type: 'append', securable_id: id, data: [['2026-01-02T10:30:00']] });
    expect((await columns(id)).get('at')).toMatchObject({ type: 'datetime', subtype: 'datetime', lowestLevel: 9 });
    expect(JSON.stringify(await rows(id, 'at'))).toContain('2026-01-02T10:30:00.000Z');
  });

  it('where columns had no value before', async () => {
    const id = await made([
      ['a', 'b'],
      ['x', null],
    ]);
    await push({ type: 'append', securable_id: id, data: [['y', 5]] });
    expect((await columns(id)).get('b')).toMatchObject({ type: 'numeric' });
    expect(await sum(id, 'b')).toEqual([[5]]);
  });

  it('and rows of another length are refused, each by its number', async () => {
    const id = await made([
      ['a', 'b', 'c'],
      [1, 2, 3],
    ]);
    expect(await refusal({ type: 'append', securable_id: id, data: [[1, 2, 3], [9]] })).toMatchObject({
      status: 400,
      validation: { 'properties.data[1]': [expect.stringContaining('has 1 cells, there are 3 columns')] },
    });
    expect(await refusal({ type: 'create', data: [[1, 2], [3]] })).toMatchObject({
      validation: { 'properties.data[1]': [expect.stringContaining('has 1 cells')] },
    });
    expect(await refused('x,y\n1\n1,2,3\n')).toContain('line 2: has 1 cells, there are 2 columns');
    expect(await refused(`a,b,c\n${'1,2,3\n'.repeat(100)}1,2\n1,2,3,4\n`)).toContain('line 102: has 2 cells');
  });

  it('and a header is one by what stands below it', async () => {
    const id = await file('f\ntrue\nfalse\n');
    expect([...(await columns(id)).keys()]).toEqual(['f']);
    expect(await rows(id, 'f')).toEqual([['true'], ['false']]);
    expect([...(await columns(await file('1;2,5\n2;3,5\n'))).keys()].toSorted()).toEqual(['column_1', 'column_2']);
    const named = await push({ type: 'create', data: [[1, 2]], options: { header: ['one', 'two'] } });
    expect([...(await columns(text(named, 'id'))).keys()].toSorted()).toEqual(['one', 'two']);
  });

  it.each(['push', 'csv'])(
    'and rows that replace all others without a header have their columns, by %s',
    async (way) => {
      const id = await made([
        ['region', 'price'],
        ['Europe', 10],
      ]);
      const before = await columns(id);
      if (way === 'push') await push({ type: 'replace', securable_id: id, data: [['Asia', 2.5]] });
      else await file('Asia,2.5\n', 'csv', `type=replace&securable_id=${id}&header=false`);
      const after = await columns(id);
      expect([...after].map(([name, column]) => [name, column['id'], column['hidden']])).toEqual(
        [...before].map(([name, column]) => [name, column['id'], column['hidden']]),
      );
      expect(await rows(id, 'region', 'price')).toEqual([['Asia', 2.5]]);
      expect(await refusal({ type: 'replace', securable_id: id, data: [['Asia']] })).toMatchObject({ status: 400 });
    },
  );

  it('and a dataset can be emptied, and filled again', async () => {
    const id = await made([
      ['region', 'price'],
      ['Europe', 10],
    ]);
    const before = await columns(id);
    await push({ type: 'replace', securable_id: id, data: [] });
    expect(await count(id)).toBe(0);
    const after = await columns(id);
    for (const [name, column] of before)
      expect(after.get(name)).toMatchObject({ id: column['id'] ?? null, type: column['type'] ?? null, hidden: false });
    await push({ type: 'append', securable_id: id, data: [['Asia', 1.5]] });
    expect(await rows(id, 'region', 'price')).toEqual([['Asia', 1.5]]);
  });

  it('and what fits no wider type is refused, or becomes null where that is asked for', async () => {
    const id = await made([['price'], [10]]);
    const data = [[11], ['soon'], ['12.5'], ['']];
    expect(await refusal({ type: 'append', securable_id: id, data })).toMatchObject({
      status: 400,
      code: 'rows_invalid',
      message: expect.stringContaining('row 2, column price: not a number'),
    });
    const answer = await push({ type: 'append', securable_id: id, data, options: { on_invalid: 'null' } });
    expect(answer).toMatchObject({
      rows: 5,
      warnings: [{ path: 'columns.price', code: 'values_invalid', message: expect.stringContaining('2 cells') }],
      warnings_count: 1,
    });
    expect(await sum(id, 'price')).toEqual([[33.5]]);
    expect(await refused('price\n1\nx\n', `type=append&securable_id=${id}`)).toContain('row 2, column price');
  });

  it('and quoted empty fields of a CSV are empty texts, unquoted ones are null', async () => {
    const id = await file('a,b\nx,""\ny,\n\nz,q\n\n');
    expect(await rows(id, 'a', 'b')).toEqual([
      ['x', ''],
      ['y', null],
      ['z', 'q'],
    ]);
    expect(await count(await file('a\n1\n\n2\n\n\n'))).toBe(3);
  });

  it('and what a number would not say again stays a text', async () => {
    const id = await file('zip,sign,zeros,power,spaced\n01234,+5,10.50,1e3,1\n99999,-5,2.00,2E-1, 2\n');
    const found = await columns(id);
    expect(Object.fromEntries([...found].map(([name, column]) => [name, column['type']]))).toEqual({
      zip: 'hierarchy',
      sign: 'numeric',
      zeros: 'numeric',
      power: 'numeric',
      spaced: 'hierarchy',
    });
    expect(await rows(id, 'zip', 'sign', 'zeros', 'power', 'spaced')).toEqual([
      ['01234', 5, 10.5, 1000, '1'],
      ['99999', -5, 2, 0.2, ' 2'],
    ]);
  });

  it.each(['push', 'csv', 'ndjson'] as const)('and numbers that a double cannot hold are exact, by %s', async (way) => {
    const [whole, decimal] = ['9007199254740993', '12345678901234567890.123456789012345678'];
    const id =
      way === 'csv'
        ? await file(`w,d\n${whole},${decimal}\n`)
        : way === 'ndjson'
          ? await file(`{"w":${whole},"d":${decimal}}\n`, 'ndjson')
          : datasetIn(JSON.parse(await sentText(api, `{"action":"create","properties":${pushed(whole, decimal)}}`))).id;
    const ids = await columns(id);
    const dimensions = ['w', 'd'].map((name) => ({ dataset_id: id, column_id: text(ids.get(name), 'id') }));
    const find = { dimensions, options: { rollup_data: false } };
    expect(await sentText(api, JSON.stringify({ action: 'get', find }))).toContain(`[["${whole}","${decimal}"]]`);
  });
});
