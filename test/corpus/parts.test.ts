import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TimePart } from '@inlay/contract';
import { emit, parseQueries, plan, type Model, type Plan } from '@inlay/query';
import { answerRows, engineNames, missingEngine, openEngine, type Engine, type Table } from './engines.ts';

type Zone = 'UTC' | 'Europe/Brussels' | 'Asia/Kolkata' | 'America/St_Johns' | 'Pacific/Auckland';
type Case = readonly [time: string, zone: Zone, weekstart: number, part: TimePart, expected: number | null];

/** Moments, and dates without time, with a part of them as a calendar on paper has it. */
const cases: readonly Case[] = [
  // Leap years.
  ['2024-02-29T12:00:00Z', 'UTC', 1, 'day_in_month', 29],
  ['2024-02-29T12:00:00Z', 'UTC', 1, 'day_in_year', 60],
  ['2024-12-31T12:00:00Z', 'UTC', 1, 'day_in_year', 366],
  ['2023-12-31T12:00:00Z', 'UTC', 1, 'day_in_year', 365],
  // The clocks go forward, then back: one hour is missing, another occurs twice.
  ['2024-03-31T00:30:00Z', 'Europe/Brussels', 1, 'hour_in_day', 1],
  ['2024-03-31T01:30:00Z', 'Europe/Brussels', 1, 'hour_in_day', 3],
  ['2024-10-27T00:15:00Z', 'Europe/Brussels', 1, 'hour_in_day', 2],
  ['2024-10-27T01:15:00Z', 'Europe/Brussels', 1, 'hour_in_day', 2],
  // Half an hour from UTC, over the end of a year.
  ['2024-12-31T18:31:00Z', 'Asia/Kolkata', 1, 'minute_in_hour', 1],
  ['2024-12-31T18:31:00Z', 'Asia/Kolkata', 1, 'hour_in_day', 0],
  ['2024-12-31T18:31:00Z', 'Asia/Kolkata', 1, 'weekday_name', 3],
  ['2024-12-31T18:31:00Z', 'Asia/Kolkata', 1, 'month_name', 1],
  ['2024-12-31T18:31:00Z', 'Asia/Kolkata', 1, 'quarter_number', 1],
  ['2024-12-31T18:31:00Z', 'Asia/Kolkata', 1, 'day_in_year', 1],
  ['2024-01-01T03:29:00Z', 'America/St_Johns', 1, 'minute_in_hour', 59],
  ['2024-01-01T03:29:00Z', 'America/St_Johns', 1, 'weekday_number', 7],
  ['2024-01-01T03:29:00Z', 'America/St_Johns', 7, 'weekday_number', 7],
  ['2024-01-01T03:29:00Z', 'America/St_Johns', 1, 'month_number', 12],
  // Weeks of ISO 8601: a year has 52 or 53.
  ['2020-12-31T12:00:00Z', 'UTC', 1, 'week_number', 53],
  ['2021-01-03T12:00:00Z', 'UTC', 1, 'week_number', 53],
  ['2021-01-04T12:00:00Z', 'UTC', 1, 'week_number', 1],
  ['2024-12-30T12:00:00Z', 'UTC', 1, 'week_number', 1],
  ['2023-12-31T12:00:00Z', 'UTC', 1, 'week_number', 52],
  ['2021-01-03T23:30:00Z', 'Europe/Brussels', 1, 'week_number', 1],
  // Weeks that begin on another day are numbered by the same rule.
  ['2023-12-31T12:00:00Z', 'UTC', 7, 'week_number', 1],
  ['2026-01-01T12:00:00Z', 'UTC', 7, 'week_number', 53],
  ['2022-01-01T12:00:00Z', 'UTC', 6, 'week_number', 1],
  // A date without time is its day, whatever the zone.
  ['2024-02-29', 'Pacific/Auckland', 1, 'weekday_number', 4],
  ['2024-02-29', 'Pacific/Auckland', 3, 'weekday_number', 4],
  ['2024-02-29', 'Pacific/Auckland', 1, 'day_in_month', 29],
  ['2024-02-29', 'Pacific/Auckland', 7, 'week_number', 9],
  ['2024-02-29', 'America/St_Johns', 1, 'hour_in_day', 0],
  ['2024-02-29', 'America/St_Johns', 1, 'minute_in_hour', 0],
  // Nothing has no part.
  ['', 'Europe/Brussels', 1, 'weekday_name', null],
  ['', 'UTC', 7, 'week_number', null],
];

const columns = [
  { name: 'id', storageType: 'integer', type: 'numeric' },
  { name: 'at', storageType: 'timestamptz', type: 'datetime' },
  { name: 'day', storageType: 'date', type: 'datetime' },
] as const;
const times = [...new Set(cases.map(([time]) => time))];
const isDay = (time: string): boolean => /^\d{4}-\d\d-\d\d$/u.test(time);
const table: Table = {
  name: 'times',
  columns,
  rows: times.map((time, id) => [
    id,
    time === '' || isDay(time) ? null : time.replace('T', ' ').replace('Z', ''),
    isDay(time) ? time : null,
  ]),
};
const model: Model = {
  datasets: new Map([
    [
      'times',
      {
        id: 'times',
        formulas: new Map(),
        columns: new Map(
          columns.map(({ name, storageType, type }) => [
            name,
            {
              id: name,
              datasetId: 'times',
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

const planned = ([time, zone, weekstart, part]: Case): Plan => {
  const on = { dataset_id: 'times', column_id: isDay(time) ? 'day' : 'at' };
  const { queries, faults } = parseQueries({
    dimensions: [{ ...on, part }],
    measures: [{ dataset_id: 'times', column_id: '*' }],
    where: [{ expression: '? = ?', parameters: [{ dataset_id: 'times', column_id: 'id' }, times.indexOf(time)] }],
    options: { timezone_id: zone, weekstart },
  });
  const [query] = queries;
  if (query === undefined || faults.length > 0) throw new Error(JSON.stringify(faults));
  const context = { nowMs: 0, timeZone: 'UTC', weekstart: 1, locale: 'en' };
  return plan(query, model, { ...context, rowLimit: 10, rowFilters: new Map() });
};

for (const name of engineNames)
  describe.skipIf(missingEngine(name) !== null)(`parts of a time on ${name}`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine(name);
      await engine.create(table);
    });
    afterAll(() => engine.close());

    test.each(cases)('%s in %s, weeks from day %i, has %s %s', async (...given) => {
      const statement = emit(planned(given), engine.dialect, (id) => ({ kind: 'table', path: [id] }), 'rows');
      expect(await answerRows(engine, statement), statement.sql).toEqual([[given[4], 1]]);
    });
  });
