import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { datasetIn, text } from '../support/world.ts';
import { ownRows, revenueRows, uploaded } from './own-rows.ts';

describe.each(storesToTest)('rows of one’s own on %s', (store) => {
  const api = useApi(store, {});
  const { push, made, columns, totals, refusal } = ownRows(api);

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

  it('are answered as a list of the one dataset; without a type they go to the one that is named, or make one', async () => {
    const create = (properties: JsonObject) => api.ok('data', { action: 'create', properties });
    const answer = await create({ data: [['n'], [1]], options: { header: true } });
    expect(answer).toEqual({ count: 1, rows: [expect.objectContaining({ type: 'dataset', rows: 1 })] });
    const { id } = datasetIn(answer);
    expect(await create({ securable_id: id, data: [[2], [3]] })).toMatchObject({ count: 1, rows: [{ id, rows: 3 }] });
    const odd = await create({ securable_id: id, data: [['x']], options: { on_invalid: 'null' } });
    expect(odd).toMatchObject({
      count: 1,
      rows: [{ id, rows: 4 }],
      warnings: [{ path: 'columns.n' }],
      warnings_count: 1,
    });
    const { body } = await uploaded(api)(`securable_id=${id}`, 'text/csv', Buffer.from('n\n9\n'));
    expect(body).toMatchObject({ id, rows: 5 });
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
    await push({
      type: 'replace',
      securable_id: id,
      data: [revenueRows[0], ['2025-01-01', 'Asia', 9]],
      options: header,
    });
    expect(await totals(id)).toEqual([['2025-01', 'Asia', 9]]);
  });

  it('keep what people set about a column when others take their place', async () => {
    const id = text(await made(), 'id');
    const region = text((await columns(id)).get('region'), 'id');
    await api.update('column', region, { name: { en: 'Sales region' } });
    await push({ type: 'replace', securable_id: id, data: revenueRows, options: { header: true } });
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
      message: 'The rows cannot be stored: row 2, column month: not a date such as 2026-01-31.',
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
    const once = await api.ok('data', body, undefined, headers);
    expect(datasetIn(once)).toMatchObject({ rows: 4 });
    expect(await api.ok('data', body, undefined, headers)).toEqual(once);
    expect(await api.ok('securable', { action: 'get', id })).toMatchObject({ rows: 4 });
  });

  /** Sends a file as a client does, in pieces. */
});
