import { itemQuery, readItem, type Json, type JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { timeIn, timesOf } from './file-times.ts';

const written = (iso: Json, zone: string, entry: JsonObject): ReturnType<typeof timeIn> => {
  const content = [{ datasetId: 'd', columnId: 'at', type: 'datetime', ...entry }];
  const item = readItem({ id: 'i', type: 'regular-table', slots: [{ name: 'columns', content }] });
  return timeIn(timesOf(item === null ? null : itemQuery(item), zone)[0], iso);
};
const text = (iso: string, zone: string, entry: JsonObject = {}): string | undefined => written(iso, zone, entry)?.text;

describe('times in files', () => {
  it.each([
    ['Europe/Brussels', '2026-06-02T22:00:00.000Z', '2026-06-03T00:00:00+02:00'],
    ['Europe/Brussels', '2026-10-25T00:30:00.000Z', '2026-10-25T02:30:00+02:00'],
    ['Europe/Brussels', '2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00+01:00'],
    ['America/St_Johns', '2026-06-03T00:00:00.250Z', '2026-06-02T21:30:00.250-02:30'],
    ['Asia/Kathmandu', '2026-06-03T00:00:00.000Z', '2026-06-03T05:45:00+05:45'],
    ['UTC', '2026-06-03T00:00:00.000Z', '2026-06-03T00:00:00+00:00'],
  ])('have the wall clock and the offset of the zone %s: %s', (zone, iso, wanted) => {
    expect(text(iso, zone)).toBe(wanted);
    expect(new Date(wanted).toISOString()).toBe(iso);
  });

  it.each([
    [1, '2025-12-31T23:00:00.000Z', '2026', 'yyyy'],
    [2, '2026-03-31T22:00:00.000Z', '2026-Q2', null],
    [3, '2026-03-31T22:00:00.000Z', '2026-04', 'yyyy-mm'],
    [4, '2026-05-31T22:00:00.000Z', '2026-W23', null],
    [4, '2024-12-29T23:00:00.000Z', '2025-W01', null],
    [4, '2026-12-27T23:00:00.000Z', '2026-W53', null],
    [5, '2026-06-02T22:00:00.000Z', '2026-06-03', 'yyyy-mm-dd'],
    [6, '2026-06-02T22:00:00.000Z', '2026-06-03T00:00:00+02:00', 'yyyy-mm-dd hh:mm'],
    [8, '2026-06-02T22:00:05.000Z', '2026-06-03T00:00:05+02:00', 'yyyy-mm-dd hh:mm:ss'],
  ])('of level %s are named by their period: %s', (level, iso, wanted, format) => {
    expect(text(iso, 'Europe/Brussels', { level })).toBe(wanted);
    expect(written(iso, 'Europe/Brussels', { level })?.cell?.format ?? null).toBe(format);
  });

  it('are the same date in every zone where they are dates without time', () => {
    for (const zone of ['America/New_York', 'Asia/Tokyo'])
      expect([null, 5, 3].map((level) => text('2026-06-01T00:00:00.000Z', zone, { subtype: 'date', level }))).toEqual([
        '2026-06-01',
        '2026-06-01',
        '2026-06',
      ]);
  });

  it('are texts where sheets have no such date, and none where a cell is no time', () => {
    expect(written('1899-12-31T00:00:00.000Z', 'UTC', { level: 5 })).toEqual({ text: '1899-12-31', cell: null });
    expect(written(null, 'UTC', {})).toBeNull();
    expect(written('soon', 'UTC', {})).toBeNull();
    expect(written('2026-06-03T00:00:00.000Z', 'UTC', { aggregationFunc: 'count' })).toBeNull();
  });
});
