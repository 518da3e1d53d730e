import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emit, parseQueries, plan, unsupportedBy, type Model, type Plan } from '@inlay/query';
import { answerRows, engineNames, missingEngine, openEngine, type Engine, type Table } from './engines.ts';

/** One row with a value of every kind, and one of nulls. */
const columns = [
  { name: 'n', storageType: 'integer', type: 'numeric', value: 7 },
  { name: 'big', storageType: 'integer', type: 'numeric', value: '9007199254740993' },
  { name: 'd', storageType: 'decimal', type: 'numeric', value: '12.50' },
  { name: 'x', storageType: 'double', type: 'numeric', value: -2.5 },
  { name: 't', storageType: 'text', type: 'hierarchy', value: ' Été_50% \\ 🦆 ' },
  { name: 'w', storageType: 'text', type: 'hierarchy', value: 'hello' },
  { name: 'b', storageType: 'boolean', type: 'hierarchy', value: true },
  { name: 'day', storageType: 'date', type: 'datetime', value: '2024-02-29' },
  { name: 'at', storageType: 'timestamp', type: 'datetime', value: '2024-12-30 23:45:10.250' },
  { name: 'tz', storageType: 'timestamptz', type: 'datetime', value: '2024-03-31 00:30:00' },
  { name: 'nil', storageType: 'double', type: 'numeric', value: null },
] as const;

const table: Table = { name: 'one', columns, rows: [columns.map(({ value }) => value)] };
const model: Model = {
  datasets: new Map([
    [
      'one',
      {
        id: 'one',
        formulas: new Map(),
        columns: new Map(
          columns.map(({ name, storageType, type }) => [
            name,
            {
              id: name,
              datasetId: 'one',
              source: name,
              type,
              storageType,
              subtype: null,
              expression: null,
              separator: null,
              joins: [],
            },
          ]),
        ),
      },
    ],
  ]),
};

const planned = (formula: string, zone = 'UTC', rollup = false): Plan => {
  const { queries, faults } = parseQueries({
    dimensions: [],
    measures: [{ dataset_id: 'one', formula }],
    options: { rollup_data: rollup, timezone_id: zone },
  });
  const [query] = queries;
  if (query === undefined || faults.length > 0) throw new Error(JSON.stringify(faults));
  const context = { nowMs: Date.parse('2024-05-06T07:08:09.123Z'), timeZone: 'UTC', weekstart: 1, locale: 'en' };
  return plan(query, model, { ...context, rowLimit: 10, rowFilters: new Map() });
};

const iso = (text: string): string => new Date(text).toISOString();
type Case = readonly [formula: string, expected: unknown, zone?: string | undefined];
const cases: readonly Case[] = [
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['-{n} - -2', -5],
  ['1 / 2', 0.5],
  ['{n} / 2', 3.5],
  ['{n} / 0', null],
  ['{d} / ({n} - 7)', null],
  ['{n} % 4', 3],
  ['(0 - {n}) % 4', -3],
  ['-7 % {n}', 0],
  ['{n} % 0', null],
  ['{d} * 2', 25],
  ['{big} - {big}', 0],
  ['{n} = 7 and not {n} > 8', true],
  ['{n} in (1, 7)', true],
  ['{n} not in (1, 7)', false],
  ['{n} between 1 and 7', true],
  ['{nil} = 1', null],
  ['{nil} = 1 or true', true],
  ['{nil} is null', true],
  ['{n} is not null', true],
  ["{w} = 'Hello'", false],
  ["{w} = 'hello '", false],
  ["{w} < 'i'", true],
  ["{w} > 'Z'", true],
  ["'é' > 'z'", true],
  ['if({n} > 5, 1, 2)', 1],
  ['if({nil} > 5, 1)', null],
  ["case when {n} > 10 then 'a' when {n} > 5 then 'b' else 'c' end", 'b'],
  ["case when false then 'a' end", null],
  ['coalesce({nil}, {n})', 7],
  ['coalesce(null, {w})', 'hello'],
  ['nullif({n}, 7)', null],
  ["nullif({w}, 'HELLO')", 'hello'],
  ['round({x})', -3],
  ['round(2.5)', 3],
  ['round({d} / 3, 2)', 4.17],
  ['round(1234.5, -2)', 1200],
  ['floor({x})', -3],
  ['ceil({x})', -2],
  ['abs({x})', 2.5],
  ['sign({x})', -1],
  ['sqrt(2)', Math.SQRT2],
  ['sqrt({x})', null],
  ['ln(10)', Math.LN10],
  ['ln(0)', null],
  ['log(1000)', 3],
  ['log({x})', null],
  ['exp(1)', Math.E],
  ['exp(1000)', null],
  ['exp(-1000)', 0],
  ['power(2, 10)', 1024],
  ['power({x}, 2)', 6.25],
  ['power({x}, 0.5)', null],
  ['power(0, -1)', null],
  ['power(0, 0)', 1],
  ['power(10, 400)', null],
  ['power(10, -400)', 0],
  ['length({t})', 13],
  ["concat({w}, '-', null, 'x')", 'hello-x'],
  ['substring({w}, 2)', 'ello'],
  ['substring({w}, 2, 3)', 'ell'],
  ['substring({w}, 0, 3)', null],
  ['substring({w}, 2, -1)', null],
  ['substring({w}, 9, 1)', ''],
  ['substring({t}, 12, 1)', '🦆'],
  ["replace({w}, 'l', 'LL')", 'heLLLLo'],
  ["replace({w}, 'L', 'x')", 'hello'],
  ["replace({w}, '', 'x')", 'hello'],
  ['trim({t})', 'Été_50% \\ 🦆'],
  ['text({n})', '7'],
  ['text({day})', '2024-02-29'],
  ["concat('Q', text(quarter({day})))", 'Q1'],
  ["contains({t}, '50%')", true],
  ["contains({w}, 'L')", false],
  ["contains({w}, '')", true],
  ["startswith({t}, ' Ét')", true],
  ["startswith({w}, 'H')", false],
  ["endswith({t}, '🦆 ')", true],
  ["endswith({w}, 'o ')", false],
  ["like({t}, '%50\\%%')", true],
  ["like({t}, '%5_\\%%')", true],
  ["like({w}, 'H%')", false],
  ["like({t}, '%\\\\%')", true],
  ["like({w}, 'hell_')", true],
  ["like({w}, 'he!lo')", false],
  ["like({t}, '%🦆_')", true],
  ['lower({t})', ' été_50% \\ 🦆 '],
  ['upper({w})', 'HELLO'],
  ['year({day})', 2024],
  ['quarter({at})', 4],
  ['month({at})', 12],
  ['week({at})', 1],
  ['day({day})', 29],
  ['weekday({day})', 4],
  ['hour({at})', 23],
  ['hour({day})', 0],
  ['minute({at})', 45],
  ['second({at})', 10],
  ['hour({tz})', 1, 'Europe/Brussels'],
  ['day({at})', 31, 'Asia/Tokyo'],
  ['now()', '2024-05-06T07:08:09.123Z'],
  ['today()', iso('2024-05-06')],
  ['today()', iso('2024-05-05'), 'Pacific/Honolulu'],
  ["datetrunc('month', {day})", iso('2024-02-01')],
  ["datetrunc('week', {day})", iso('2024-02-26')],
  ["datetrunc('year', {at})", iso('2024-01-01')],
  ["datetrunc('quarter', {at})", iso('2024-10-01')],
  ["datetrunc('hour', {at})", iso('2024-12-30T23:00:00Z')],
  ["datetrunc('minute', {at})", iso('2024-12-30T23:45:00Z')],
  ["datetrunc('second', {at})", iso('2024-12-30T23:45:10Z')],
  ["datetrunc('day', {tz})", iso('2024-03-30T23:00:00Z'), 'Europe/Brussels'],
  ["dateadd('month', 12, {day})", iso('2025-02-28')],
  ["dateadd('day', 1, {day})", iso('2024-03-01')],
  ["dateadd('quarter', -1, {at})", iso('2024-09-30T23:45:10.250Z')],
  ["dateadd('hour', 1.9, {at})", iso('2024-12-31T00:45:10.250Z')],
  ["dateadd('hour', 30, {day})", iso('2024-03-01T06:00:00Z')],
  ["dateadd('day', 1, {tz})", iso('2024-03-31T23:30:00Z'), 'Europe/Brussels'],
  ["dateadd('month', {nil}, {day})", null],
  ["dateadd('year', 1000000, {day})", null],
  ["datediff('day', {day}, {at})", 305],
  ["datediff('week', {day}, {at})", 44],
  ["datediff('month', {day}, {at})", 10],
  ["datediff('quarter', {day}, {at})", 3],
  ["datediff('year', {at}, {day})", 0],
  ["datediff('hour', {tz}, {at})", 6599],
  ["datediff('minute', {at}, {at})", 0],
  ["datediff('second', date('2024-02-28'), {day})", 86400],
  ["{day} >= '2024-02-29'", true],
  ["{day} > '2024-02-29'", false],
  ["{at} < '2024-12-31'", true],
  ["{at} < datetime('2024-12-30T23:45:10.251Z')", true],
  ["{tz} < '2024-03-31 01:45'", true],
  ["{tz} >= '2024-03-31T01:30:00'", true, 'Europe/Brussels'],
  ['{day} < {at}', true],
  ['{b}', true],
  ['{b} = false', false],
  ['{d}', 12.5],
  ['{big}', '9007199254740993'],
];

const aggregates: readonly Case[] = [
  ['sum({d})', 12.5],
  ['sum({n} * {x})', -17.5],
  ['count(*)', 1],
  ['count({nil})', 0],
  ['count()', 1],
  ['count(* where {n} > 100)', 0],
  ["sum({n} where {w} = 'x')", null],
  ["sum({n} where {w} = 'hello') / count(*)", 7],
  ['distinctcount({w})', 1],
  ['avg({n})', 7],
  ['median({d})', 12.5],
  ['percentile({d}, 90)', 12.5],
  ['percentile({n}, 10 where {n} > 100)', null],
  ['stddev({n})', null],
  ['min({w})', 'hello'],
  ['max({day})', iso('2024-02-29')],
  ['max({b})', true],
  ['round(sum({d}) / sum({n}), 1) + 1', 2.8],
  ['if(count(*) > 0, sum({n}), null)', 7],
];

/** What a database leaves to DuckDB: everything else it must do itself. */
const leftOut = {
  duckdb: /^$/,
  postgres: /^(lower|upper)\(|^\(0 - \{n\}\) %/,
  mysql: /^(lower|upper|median|percentile)\(/,
  clickhouse: /^(lower|upper)\(/,
  trino: /^(lower|upper|median|percentile)\(|🦆_'/,
} as const;
const normal = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(12)) + 0 : value);

for (const name of engineNames)
  describe.skipIf(missingEngine(name) !== null)(`formulas mean the same on ${name}`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine(name);
      await engine.create(table);
    });
    afterAll(() => engine.close());

    const toDo = [
      ...cases.map(([formula, expected, zone]) => [formula, expected, zone, false] as const),
      ...aggregates.map(([formula, expected, zone]) => [formula, expected, zone, true] as const),
    ].map(([formula, expected, zone, rollup]) => ({ formula, expected, zone, rollup }));

    test.each(toDo)('$formula', async ({ formula, expected, zone, rollup }) => {
      const made = planned(formula, zone, rollup);
      const why = unsupportedBy(made, engine.dialect);
      if (leftOut[name].test(formula)) {
        expect(why).not.toBeNull();
        return;
      }
      expect(why).toBeNull();
      const statement = emit(made, engine.dialect, (id) => ({ kind: 'table', path: [id] }), 'rows');
      const [cell] = (await answerRows(engine, statement)).flat();
      expect(normal(cell), statement.sql).toEqual(normal(expected));
    });
  });
