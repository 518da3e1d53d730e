import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isColor } from './color.ts';
import { isUuid, uuidV7 } from './id.ts';
import { sameJson, type Json } from './json.ts';
import { fold, isLanguage } from './multilingual.ts';
import { parseTimestamp, timestamp } from './timestamp.ts';

describe('times', () => {
  it('come back as they were written', () => {
    const day = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, (date) => {
        expect(parseTimestamp(timestamp(date.getTime()))).toBe(date.toISOString());
      }),
    );
  });

  it('with an offset are the same moment in UTC', () => {
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
    const ms = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(ms, offset, (unixMs, minutes) => {
        const two = (value: number): string => String(value).padStart(2, '0');
        const zone = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
        const local = new Date(unixMs + minutes * 60_000).toISOString().replace('Z', zone);
        expect(parseTimestamp(local)).toBe(new Date(unixMs).toISOString());
      }),
    );
  });

  it.each([
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-01-01T00:00:00+15:00',
    '0000-01-01T00:00:00+01:00',
  ])('refuse %s', (text) => expect(parseTimestamp(text)).toBeUndefined());
});

describe('ids', () => {
  it('sort by the time they were made', () => {
    const moment = fc.integer({ min: 0, max: 2 ** 47 });
    const random = fc.uuid({ version: 4 });
    fc.assert(
      fc.property(moment, moment, random, random, (left, right, one, other) => {
        const [first, second] = [uuidV7(left, one), uuidV7(right, other)];
        expect(isUuid(first) && /^.{14}7.{4}[89ab]/u.test(first)).toBe(true);
        expect(left < right ? first < second : left > right ? first > second : true).toBe(true);
      }),
    );
  });
});

describe('folded text', () => {
  it('of a piece is a piece of the folded text', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, texts, (before, piece, after) => {
        expect(fold(before + piece + after)).toContain(fold(piece));
      }),
      { numRuns: 2000 },
    );
  });

  it('has neither case nor accents', () => {
    for (const [left, right] of [
      ['Élan', 'elan'],
      ['ŠKODA', 'skoda'],
      ['ΣΟΦΟΣ', 'σοφος'],
      ['İ', 'i'],
    ] as const) {
      expect(fold(left)).toBe(fold(right));
    }
  });
});

describe('JSON values', () => {
  it('are the same whatever the order of their members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const json: Json = JSON.parse(JSON.stringify(given));
        const turned: Json = Object.fromEntries(
          Object.entries(Object(json))
            .toReversed()
            .map(([name, value]): [string, Json] => [name, JSON.parse(JSON.stringify(value))]),
        );
        expect(sameJson(json, turned)).toBe(true);
        expect(sameJson(json, [json])).toBe(false);
      }),
    );
    expect(sameJson({ a: 1 }, { b: 1 })).toBe(false);
    expect(sameJson([1, 2], [2, 1])).toBe(false);
  });
});

describe('colours and languages', () => {
  it.each([
    '#abc',
    '#ABCD',
    '#a1b2c3',
    '#a1b2c3d4',
    'rgb(1,2,3)',
    'rgba(1, 2, 3, 0.5)',
    'rgb(1 2 3 / 50%)',
    'hsl(120deg 50% 50%)',
    'Teal',
  ])('%s is a colour', (text) => expect(isColor(text)).toBe(true));
  it.each(['#ab', '#xyz', 'rgb(1,2)', 'rgb(a,b,c)', 'url(x)', 'red;', 'rgb(1,2,3);', 'var(--x)', ''])(
    '%s is no colour',
    (text) => expect(isColor(text)).toBe(false),
  );
  it.each(['en', 'nld', 'nl-BE', 'zh-Hans-CN', 'sr-Latn'])('%s is a language', (code) =>
    expect(isLanguage(code)).toBe(true),
  );
  it.each(['e', 'EN', 'english', 'nl_BE', 'nl-', '-BE', '', 'en-a'])('%s is no language', (code) =>
    expect(isLanguage(code)).toBe(false),
  );
});
