import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counted } from '../../../../../test/support/counts.ts';
import { column, openWorld, rowsIn, type World } from '../../../../../test/support/shop.ts';
import { move, startOf, type Level } from '@inlay/contract';
import { QueryProblem } from '../../problem.ts';
import { hasWholeQuarters, zoneNamed } from './zone.ts';

const zones = [
  'UTC',
  'Europe/Brussels',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
  'Pacific/Kiritimati',
  'Australia/Adelaide',
  'Pacific/Chatham',
  'America/New_York',
];
const levels: readonly Level[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe('calendars of zones', () => {
  test('a text that is no IANA zone is refused', () => {
    for (const name of ['', 'Mars/Olympus', "UTC'; drop table x", '+02:00', 'Europe/../etc'])
      expect(() => zoneNamed(name, 'here')).toThrow(QueryProblem);
  });

  test('a day that daylight saving shortens or that starts late keeps its bounds', () => {
    const brussels = zoneNamed('Europe/Brussels', '');
    const noon = Date.parse('2024-03-31T10:00:00Z');
    const start = startOf(noon, 5, brussels, 1);
    expect(new Date(start).toISOString()).toBe('2024-03-30T23:00:00.000Z');
    expect(move(start, 5, 1, brussels) - start).toBe(23 * 3_600_000);
    // Midnight of 4 November 2018 does not exist in São Paulo.
    const paulo = zoneNamed('America/Sao_Paulo', '');
    expect(new Date(startOf(Date.parse('2018-11-04T15:00:00Z'), 5, paulo, 1)).toISOString()).toBe(
      '2018-11-04T03:00:00.000Z',
    );
  });

  test('a month keeps the day where it has it, else its last day', () => {
    const utc = zoneNamed('UTC', '');
    const back = (count: number): string =>
      new Date(move(Date.parse('2024-03-31T08:00:00Z'), 3, count, utc)).toISOString();
    expect([back(-1), back(-13), back(1)]).toEqual([
      '2024-02-29T08:00:00.000Z',
      '2023-02-28T08:00:00.000Z',
      '2024-04-30T08:00:00.000Z',
    ]);
  });

  test('zones whose clocks changed within a quarter of an hour of UTC since 1970 are known', () => {
    const quarter = 900_000;
    const day = 86_400_000;
    const names = Intl.supportedValuesOf('timeZone');
    const tried =
      counted(0, 1) === 1 ? names : names.filter((name, index) => index % 60 === 0 || !hasWholeQuarters(name));
    for (const name of tried) {
      const { toLocal } = zoneNamed(name, '');
      const offset = (unixMs: number): number => toLocal(unixMs) - unixMs;
      let whole = offset(0) % quarter === 0;
      for (let unixMs = 20 * day; unixMs < Date.UTC(2038, 0, 1) && whole; unixMs += 20 * day) {
        let [before, after] = [unixMs - 20 * day, unixMs];
        while (offset(before) !== offset(after) && after - before > 1000) {
          const middle = Math.floor((before + after) / 2000) * 1000;
          if (offset(middle) === offset(before)) before = middle;
          else after = middle;
        }
        whole = offset(unixMs) % quarter === 0 && (offset(before) === offset(after) || after % quarter === 0);
      }
      expect(hasWholeQuarters(name), name).toBe(whole);
    }
  });

  test('DuckDB groups any time into the period that the calendar says, at every level, in every zone', async () => {
    const first = Date.UTC(1975, 0, 1);
    const times = fc.sample(fc.integer({ min: 0, max: Date.UTC(2036, 0, 1) - first }), counted(200, 5000));
    const changes = [
      '2024-03-31T00:30Z',
      '2024-10-27T00:10Z',
      '2024-10-27T01:10Z',
      '2018-11-04T03:05Z',
      '1969-12-31T23:59:59Z',
    ];
    const all = [...times.map((one) => one + first), ...changes.map((one) => Date.parse(one))];
    const values = all.map((unixMs) => `(make_timestamp(${unixMs}000))`).join(',');
    await world.run('create or replace table orders as select * from (values ' + values + ') t("at")', []);
    for (const timezone_id of zones) {
      const zone = zoneNamed(timezone_id, '');
      for (const level of levels) {
        for (const weekstart of level === 4 ? [1, 7] : [1]) {
          const rows = await world.answer(
            {
              dimensions: [column('orders.at', { level })],
              measures: [rowsIn('orders')],
              options: { timezone_id, weekstart },
            },
            { rowLimit: 100_000 },
          );
          const wanted = new Map<string, number>();
          for (const unixMs of all) {
            const start = new Date(startOf(unixMs, level, zone, weekstart)).toISOString();
            wanted.set(start, (wanted.get(start) ?? 0) + 1);
          }
          const sorted = [...wanted].toSorted(([left], [right]) => (left < right ? -1 : 1));
          expect(rows, `${timezone_id} ${level} ${weekstart}`).toEqual(sorted);
        }
      }
    }
  });
});
