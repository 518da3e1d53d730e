import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '@inlay/contract';
import { emit, parseQueries, plan, unsupportedBy, type StorageType, type Model, type Scalar } from '@inlay/query';
import { answerJson, answerRows, engineNames, missingEngine, openEngine, type Engine } from './engines.ts';

const columns: readonly { readonly name: string; readonly storageType: StorageType }[] = [
  { name: 'id', storageType: 'integer' },
  { name: 'whole', storageType: 'integer' },
  { name: 'money', storageType: 'decimal' },
  { name: 'real', storageType: 'double' },
  { name: 'at', storageType: 'timestamp' },
  { name: 'day', storageType: 'date' },
  { name: 'word', storageType: 'text' },
];
const most = '9223372036854775807';
const least = '-9223372036854775808';
const rows: readonly (readonly Scalar[])[] = [
  [1, most, '9999999999999999.99', '1e308', '1000-01-01 00:00:00.001', '1000-01-01', 'a'],
  [2, most, '9999999999999999.99', -1e-300, '9999-12-31 23:59:59.999', '9999-12-31', 'a '],
  [3, most, '-0.01', 0.1, '1969-12-31 23:59:59.500', '1969-12-31', 'A'],
  [4, least, '0.00', 0.2, '1970-01-01 00:00:00', '1970-01-01', 'á'],
  [5, '9007199254740992', '123456789012345.67', 1 / 3, '2024-02-29 12:00:00.123', '2024-02-29', ''],
  [6, '-9007199254740991', '12345678901234.50', -0, '2000-12-31 00:00:00', '2000-12-31', '\u{10ffff}'],
  [7, null, null, null, null, null, null],
];
const model: Model = {
  datasets: new Map([
    [
      'e',
      {
        id: 'e',
        formulas: new Map(),
        columns: new Map(
          columns.map(({ name, storageType }) => [
            name,
            {
              id: name,
              datasetId: 'e',
              source: name,
              storageType,
              subtype: null,
              expression: null,
              separator: null,

              joins: [],
              type:
                storageType === 'text'
                  ? 'hierarchy'
                  : storageType === 'date' || storageType === 'timestamp'
                    ? 'datetime'
                    : 'numeric',
            },
          ]),
        ),
      },
    ],
  ]),
};
const on = (column: string, more: Readonly<Record<string, Json>> = {}) => ({
  dataset_id: 'e',
  column_id: column,
  ...more,
});
const of = (column: string, type: string) => on(column, { aggregation: { type } });
const count = on('*', { aggregation: { type: 'count' } });
const where = (column: string, expression: string, value: Json) => [{ expression, parameters: [on(column), value] }];
const iso = (text: string): string => new Date(text).toISOString();

const cases: readonly { readonly name: string; readonly find: Json; readonly rows: readonly unknown[] }[] = [
  {
    name: 'sums of whole numbers do not overflow and keep their digits',
    find: { dimensions: [], measures: [of('whole', 'sum'), of('whole', 'max'), of('whole', 'min')] },
    rows: [['18446744073709551614', most, least]],
  },
  {
    name: 'whole numbers beyond 2^53 are texts, others numbers',
    find: { dimensions: [on('id')], measures: [of('whole', 'max')], where: where('id', '? in ?', [3, 5, 6]) },
    rows: [
      [3, most],
      [5, '9007199254740992'],
      [6, -9007199254740991],
    ],
  },
  {
    name: 'decimals of more than 15 digits are texts with all of them',
    find: { dimensions: [], measures: [of('money', 'sum'), of('money', 'max'), of('money', 'min')] },
    rows: [['20135802467913580.14', '9999999999999999.99', -0.01]],
  },
  {
    name: 'a decimal of 15 digits is a number',
    find: { dimensions: [on('money')], measures: [], where: where('id', '? in ?', [4, 5, 6]) },
    rows: [[0], [12345678901234.5], ['123456789012345.67']],
  },
  {
    name: 'a number with all its digits is found again',
    find: { dimensions: [on('id')], measures: [], where: where('money', '? = ?', '9999999999999999.99') },
    rows: [[1], [2]],
  },
  {
    name: 'doubles keep every bit',
    find: { dimensions: [on('real')], measures: [], where: where('id', '? <= ?', 5) },
    rows: [[-1e-300], [0.1], [0.2], [1 / 3], [1e308]],
  },
  {
    name: 'the first and last times of the calendar are cut into years',
    find: {
      dimensions: [on('at', { level: 1 }), on('day', { level: 1 })],
      measures: [count],
      where: where('id', '? in ?', [1, 2, 3]),
    },
    rows: [
      [iso('1000-01-01'), iso('1000-01-01'), 1],
      [iso('1969-01-01'), iso('1969-01-01'), 1],
      [iso('9999-01-01'), iso('9999-01-01'), 1],
    ],
  },
  {
    name: 'a half second before 1970 lies in the second before',
    find: { dimensions: [on('at', { level: 8 })], measures: [], where: where('id', '? in ?', [3, 4]) },
    rows: [[iso('1969-12-31T23:59:59Z')], [iso('1970-01-01')]],
  },
  {
    name: 'the millisecond is kept',
    find: { dimensions: [on('at')], measures: [], where: where('id', '? in ?', [1, 5]) },
    rows: [[iso('1000-01-01T00:00:00.001Z')], [iso('2024-02-29T12:00:00.123Z')]],
  },
  {
    name: 'seconds since 1970 and differences reach before it',
    find: {
      dimensions: [],
      measures: [
        "max(datediff('second', {at}, {day}) where {id} = 3)",
        "min(datediff('week', {day}, date('1970-01-05')) where {id} = 3)",
      ].map((formula) => ({ dataset_id: 'e', formula })),
    },
    rows: [[-86399, 1]],
  },
  {
    name: 'texts stand in the order of their code points, each apart',
    find: { dimensions: [on('word')], measures: [count] },
    rows: ['', 'A', 'a', 'a ', 'á', '\u{10ffff}']
      .map((id): unknown[] => [{ id, name: { en: id } }, 1])
      .concat([[null, 1]]),
  },
  {
    name: 'the least and greatest text go by code point',
    find: {
      dimensions: [],
      measures: ["min({word} where {word} != '')", 'max({word})'].map((formula) => ({ dataset_id: 'e', formula })),
    },
    rows: [['A', '\u{10ffff}']],
  },
];

for (const name of engineNames)
  describe.skipIf(missingEngine(name) !== null)(`values at the edge on ${name}`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine(name);
      await engine.create({ name: 'e', columns, rows });
    });
    afterAll(() => engine.close());

    const answer = async (find: Json): Promise<readonly unknown[]> => {
      const { queries, faults } = parseQueries(find);
      const [query] = queries;
      if (query === undefined || faults.length > 0) throw new Error(JSON.stringify(faults));
      const context = { nowMs: 0, timeZone: 'UTC', weekstart: 1, locale: 'en', rowLimit: 1000, rowFilters: new Map() };
      const planned = plan(query, model, context);
      expect(unsupportedBy(planned, engine.dialect)).toBeNull();
      const relations = (id: string) => ({ kind: 'table' as const, path: [id] });
      const found = await answerRows(engine, emit(planned, engine.dialect, relations, 'rows'));
      if (engine.dialect.jsonRow !== null)
        expect(await answerJson(engine, emit(planned, engine.dialect, relations, 'json'))).toEqual(found);
      return found;
    };

    test.each(cases)('$name', async ({ find, rows: expected }) => {
      expect(await answer(find)).toEqual(expected);
    });

    test.each(['real', 'whole', 'money'])('bins with round edges hold every number of %s', async (column) => {
      const cut = (type: string, bins: number, ids: readonly number[]) =>
        answer({
          dimensions: [on(column, { discretization: { type, bins } })],
          measures: [count],
          where: where('id', '? in ?', [...ids]),
        });
      for (const bins of [1, 2, 12, 1000])
        for (const ids of [
          [2, 3],
          [2, 6],
          [4, 6],
        ]) {
          const found = await cut('nice', bins, ids);
          const edges = found.flatMap((row) => (Array.isArray(row) && Array.isArray(row[0]) ? [row[0]] : []));
          expect(edges, `${bins} of ${ids.join()}`).toHaveLength(found.length);
          expect(
            edges.flat().filter((edge) => !Number.isFinite(edge)),
            `${bins} of ${ids.join()}: ${JSON.stringify(found)}`,
          ).toEqual([]);
        }
      // Beyond what a double can add up, parts are as wide as they come.
      if (column === 'real') expect(await cut('nice', 12, [1, 3])).toEqual(await cut('linear', 12, [1, 3]));
    });

    test.runIf(name !== 'mysql')('what is no number or endless is answered as null and fails nothing', async () => {
      const real = name === 'postgres' ? 'double precision' : 'double';
      const endless = ['NaN', 'Infinity', '-Infinity'].map(
        (text, index) => `(${8 + index}, cast('${text}' as ${real}))`,
      );
      await engine.rows(`insert into e (id, "real") values ${endless.join(', ')}`, []);
      const types = ['sum', 'average', 'max', 'stddev', ...(name === 'trino' ? [] : ['median'])];
      const measures = [...types, 'count'].map((type) => of('real', type));
      expect(await answer({ dimensions: [], measures, where: where('id', '? in ?', [3, 8]) })).toEqual([
        [...types.map(() => null), 2],
      ]);
      expect(
        await answer({ dimensions: [on('id')], measures: [of('real', 'max')], where: where('id', '? > ?', 7) }),
      ).toEqual([
        [8, null],
        [9, null],
        [10, null],
      ]);
      const cut = { dimensions: [on('real', { discretization: { type: 'linear', bins: 2 } })], measures: [count] };
      expect(await answer({ ...cut, where: where('id', '? in ?', [3, 4, 9]) })).toEqual([[null, 3]]);
      await engine.drop('e');
      await engine.create({ name: 'e', columns, rows });
    });
  });
