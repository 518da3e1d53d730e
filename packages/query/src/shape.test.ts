import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Json } from '@inlay/contract';
import { column, context, measure, model, queryOf, rowsIn, rowsOfWorld } from '../../../test/support/shop.ts';
import type { OutColumn } from './cell.ts';
import { duckdb } from './dialect/duckdb.ts';
import { emit } from './emit.ts';
import { plan } from './plan.ts';
import { shape } from './shape.ts';

const one = (cell: OutColumn['cell'], ...values: readonly unknown[]): string =>
  shape([values], [{ name: 'c', cell }], 'en').slice(1, -1);
const number = (type: 'integer' | 'decimal' | 'double', value: unknown): string => one({ kind: 'number', type }, value);

describe('cells made of what drivers answer', () => {
  test('numbers keep their value: what a double cannot hold is a text with all its digits', () => {
    expect(number('integer', 9007199254740991n)).toBe('9007199254740991');
    expect(number('integer', 9007199254740992n)).toBe('"9007199254740992"');
    expect(number('integer', '-170141183460469231731687303715884105728')).toBe(
      '"-170141183460469231731687303715884105728"',
    );
    expect(number('decimal', '10.50')).toBe('10.5');
    expect(number('decimal', '20.00')).toBe('20');
    expect(number('decimal', '-.5')).toBe('-0.5');
    expect(number('decimal', '1234567890123456.78')).toBe('"1234567890123456.78"');
    expect(number('double', Number.NaN)).toBe('null');
    expect(number('double', 'Infinity')).toBe('null');
    expect(number('double', 1e300)).toBe('1e+300');
    expect(number('integer', null)).toBe('null');
  });

  test('times are ISO 8601 in UTC with milliseconds, however the driver gives them', () => {
    const time = (value: unknown): string => one({ kind: 'datetime' }, value);
    expect(time(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"');
    expect(time('2024-02-29')).toBe('"2024-02-29T00:00:00.000Z"');
    expect(time('2024-02-29 10:00:00.123999')).toBe('"2024-02-29T10:00:00.123Z"');
    expect(time('2024-02-29 10:00:00+00')).toBe('"2024-02-29T10:00:00.000Z"');
    expect(time('infinity')).toBe('null');
  });

  test('members and bins are objects and pairs, and null stays null', () => {
    expect(one({ kind: 'member', separator: '/', type: 'text' }, 'a/"b"')).toBe(
      String.raw`{"id":"a/\"b\"","name":{"en":"\"b\""}}`,
    );
    expect(one({ kind: 'member', separator: null, type: 'integer' }, 5)).toBe('{"id":"5","name":{"en":"5"}}');
    expect(one({ kind: 'bin', bins: 4 }, 3, 0, 10)).toBe('[7.5,10]');
    expect(one({ kind: 'bin', bins: 4 }, null, 0, 10)).toBe('null');
    expect(one({ kind: 'member', separator: null, type: 'text' }, null)).toBe('null');
  });
});

describe('rows shaped here and rows built by DuckDB', () => {
  let instance: DuckDBInstance;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
  });
  afterAll(() => instance.closeSync());

  test('are the same', async () => {
    const connection = await instance.connect();
    await connection.run(rowsOfWorld);
    const queries: readonly Json[] = [
      {
        dimensions: [column('orders.at', { level: 3 })],
        measures: [measure('orders.amount', 'sum'), rowsIn('orders')],
      },
      { dimensions: [column('orders.at', { level: 5 })], options: { timezone_id: 'America/New_York' } },
      {
        dimensions: [column('orders.place', { level: 2 }), column('orders.paid')],
        measures: [measure('orders.weight', 'average')],
      },
      {
        dimensions: [column('orders.amount', { discretization: { bins: 3 } })],
        order: [{ ...rowsIn('orders'), order: 'desc' }],
      },
      { dimensions: [column('orders.day', { level: 2 }), column('orders.id')], options: { rollup_data: false } },
      {
        measures: [measure('orders.at', 'max'), measure('orders.weight', 'stddev')],
        dimensions: [column('customers.country')],
      },
    ];
    for (const json of queries) {
      const planned = plan(queryOf(json), model, context);
      const relations = (id: string) => ({ kind: 'table', path: [id] }) as const;
      const rows = emit(planned, duckdb, relations, 'rows');
      const text = emit(planned, duckdb, relations, 'json');
      const plain = await connection.runAndReadAll(rows.sql, [...rows.params]);
      const built = await connection.runAndReadAll(text.sql, [...text.params]);
      const shaped: Json = JSON.parse(`[${shape(plain.getRowsJson(), rows.columns, planned.locale)}]`);
      expect(shaped, rows.sql).toEqual(
        built.getRowsJson().map(([row]): Json => JSON.parse(typeof row === 'string' ? row : '')),
      );
    }
    connection.closeSync();
  });
});
