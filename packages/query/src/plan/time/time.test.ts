import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relativeSpan, type Clock, type Json, type Level } from '@inlay/contract';
import { column, context, filter, openWorld, type World } from '../../../../../test/support/shop.ts';
import { zoneNamed } from './zone.ts';

const clock = (now: string, zone = 'UTC', weekstart = 1): Clock => ({
  nowMs: Date.parse(now),
  zone: zoneNamed(zone, ''),
  weekstart,
});
const span = (expression: string, level: Level, quantity: number, at: Clock): readonly (string | null)[] => {
  const { from, until } = relativeSpan(expression, level, quantity, at);
  return [from, until].map((one) => (one === null ? null : new Date(one).toISOString().replace(':00.000Z', 'Z')));
};

describe('relative dates', () => {
  const now = clock('2024-05-15T10:30:00Z');

  test('mean spans from one moment until before another', () => {
    expect(span('last_now', 3, 2, now)).toEqual(['2024-03-15T10:30Z', '2024-05-15T10:30:00.001Z']);
    expect(span('to_date', 2, 1, now)).toEqual(['2024-04-01T00:00Z', '2024-05-15T10:30:00.001Z']);
    expect(span('to_date', 1, 2, now)).toEqual(['2023-01-01T00:00Z', '2024-05-15T10:30:00.001Z']);
    expect(span('last_completed', 3, 3, now)).toEqual(['2024-02-01T00:00Z', '2024-05-01T00:00Z']);
    expect(span('next_now', 6, 12, now)).toEqual(['2024-05-15T10:30Z', '2024-05-15T22:30:00.001Z']);
    expect(span('next_full', 4, 1, now)).toEqual(['2024-05-20T00:00Z', '2024-05-27T00:00Z']);
    expect(span('ago', 5, 1, now)).toEqual(['2024-05-14T00:00Z', '2024-05-15T00:00Z']);
    expect(span('ago', 5, 0, now)).toEqual(['2024-05-15T00:00Z', '2024-05-16T00:00Z']);
    expect(span('more_than_ago', 3, 1, now)).toEqual([null, '2024-04-15T10:30Z']);
  });

  test('follow the calendar of the asked zone through daylight saving', () => {
    const brussels = clock('2024-04-01T12:00:00Z', 'Europe/Brussels');
    expect(span('last_completed', 5, 1, brussels)).toEqual(['2024-03-30T23:00Z', '2024-03-31T22:00Z']);
    expect(span('last_completed', 3, 1, brussels)).toEqual(['2024-02-29T23:00Z', '2024-03-31T22:00Z']);
    expect(span('last_now', 5, 2, brussels)).toEqual(['2024-03-30T13:00Z', '2024-04-01T12:00:00.001Z']);
    expect(span('last_now', 6, 48, brussels)).toEqual(['2024-03-30T12:00Z', '2024-04-01T12:00:00.001Z']);
    const kiritimati = clock('2024-12-31T11:00:00Z', 'Pacific/Kiritimati');
    expect(span('to_date', 1, 1, kiritimati)).toEqual(['2024-12-31T10:00Z', '2024-12-31T11:00:00.001Z']);
  });

  test('weeks begin on the asked day', () => {
    expect(span('to_date', 4, 1, clock('2024-05-15T10:30:00Z', 'UTC', 7))[0]).toBe('2024-05-12T00:00Z');
    expect(span('to_date', 4, 1, clock('2024-05-15T10:30:00Z', 'UTC', 3))[0]).toBe('2024-05-15T00:00Z');
  });
});

describe('relative filters on rows', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  const ids = async (one: Json, options: Json = {}): Promise<readonly Json[]> =>
    (await world.answer({ dimensions: [column('orders.id')], where: [one], options })).flat();
  const unit = (word: string, quantity: number) => ({ unit: word, quantity });

  test('find times and days without time alike', async () => {
    expect(context.nowMs).toBe(Date.parse('2024-03-31T12:00:00Z'));
    expect(await ids(filter('orders.at', '? last_now ?', unit('day', 1)))).toEqual([4, 5]);
    expect(await ids(filter('orders.day', 'last_now', unit('day', 1)))).toEqual([4, 5]);
    expect(await ids(filter('orders.day', '? ago ?', unit('month', 1)))).toEqual([2, 3]);
    expect(await ids(filter('orders.at', '? more_than_ago ?', unit('week', 8)))).toEqual([1, 2]);
    expect(await ids(filter('orders.at', '? YTD'))).toEqual([1, 2, 3, 4, 5]);
    expect(await ids(filter('orders.at', 'MTD'))).toEqual([4, 5]);
    expect(await ids(filter('orders.at', '? next_full ?', unit(`day`, 1)))).toEqual([]);
  });

  test('last_available counts from the newest value, in the zone', async () => {
    expect(await ids(filter('orders.at', '? last_available ?', unit('month', 2)))).toEqual([2, 3, 4, 5]);
    expect(await ids(filter('orders.day', '? last_available ?', unit('month', 2)))).toEqual([2, 3, 4, 5]);
    const brussels = { timezone_id: 'Europe/Brussels' };
    expect(await ids(filter('orders.at', '? last_available ?', unit('month', 2)), brussels)).toEqual([1, 2, 3, 4, 5]);
    expect(await ids(filter('orders.at', '? last_available ?', unit('hour', 1)))).toEqual([5]);
  });
});
