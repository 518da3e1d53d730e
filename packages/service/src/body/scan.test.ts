import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problems/problem.ts';
import { readJson } from './read-json.ts';
import { Scan, type BodyScan } from './scan.ts';

const scanned = (bytes: Buffer, pieces: readonly number[] = [], maxValues = 100_000): BodyScan => {
  const scan = new Scan(maxValues, ['properties', 'data']);
  let at = 0;
  for (const size of pieces) {
    scan.feed(bytes.subarray(at, at + size));
    at += size;
  }
  scan.feed(bytes.subarray(at));
  return scan.end();
};
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'read';
  } catch (error) {
    return error instanceof Problem ? error.data.code : String(error);
  }
};
/** Writes a text as JSON with some characters as escapes. */
const escaped = (text: string): string =>
  `"${text
    .split('')
    .map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')}"`;

const json = fc.jsonValue({ maxDepth: 4 });
const credential = fc.string({ unit: 'grapheme', maxLength: 20 });
const space = fc.constantFrom('', ' ', '\n\t ');
const bodies = fc.record({
  key: fc.option(credential, { nil: undefined }),
  token: fc.option(credential, { nil: undefined }),
  data: fc.option(fc.array(json, { maxLength: 6 }), { nil: undefined }),
  others: fc.dictionary(fc.constantFrom('find', 'id', 'data', 'resource', 'Key', 'a"b', '\\'), json),
  inside: fc.dictionary(fc.constantFrom('key', 'token', 'options', 'type', 'properties'), json),
  order: fc.integer({ min: 0, max: 100 }),
  isEscaped: fc.boolean(),
  gap: space,
});

describe('looking through a body', () => {
  it('finds the same credentials and rows as parsing it, in pieces of any size', () => {
    fc.assert(
      fc.property(bodies, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }), (made, pieces) => {
        const { key, token, data, others, inside, order, isEscaped, gap } = made;
        const name = (text: string): string => (isEscaped ? escaped(text) : JSON.stringify(text));
        const rows = data?.map((row) => `${gap}${JSON.stringify(row)}${gap}`).join(',');
        const members = [
          ...Object.entries(others).map(
            ([member, value]) => `${JSON.stringify(member)}${gap}:${gap}${JSON.stringify(value)}`,
          ),
          `${name('properties')}:{${[
            ...Object.entries(inside).map(([member, value]) => `${name(member)}:${JSON.stringify(value)}`),
            ...(rows === undefined ? [] : [`${name('data')}:${gap}[${rows}]`]),
          ].join(`${gap},`)}}`,
          ...(key === undefined ? [] : [`${name('key')}:${gap}${JSON.stringify(key)}`]),
          ...(token === undefined ? [] : [`${name('token')}${gap}:${escaped(token)}`]),
        ];
        const turned = [...members.slice(order % members.length), ...members.slice(0, order % members.length)];
        const bytes = Buffer.from(`${gap}{${turned.join(`${gap},`)}}`);
        const found = scanned(bytes, pieces);
        expect([found.key, found.token]).toEqual([key, token]);
        if (data === undefined) {
          expect(found.list).toBe(null);
          return;
        }
        const { start, end, count, items } = found.list ?? { start: 0, end: 0, count: -1, items: [] };
        expect(count).toBe(data.length);
        const read = Array.from({ length: count }, (_, index): unknown =>
          JSON.parse(bytes.toString('utf8', items[index * 2], items[index * 2 + 1])),
        );
        expect(read).toEqual(JSON.parse(JSON.stringify(data)));
        const rest: unknown = JSON.parse(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]).toString());
        expect(rest).toMatchObject({ properties: { data: [] } });
      }),
      { numRuns: 1000, seed: 7 },
    );
  });

  it.each([
    '{"key":"a","key":"b"}',
    '{"key":"a","\\u006bey":"b"}',
    '{"token":1,"tok\\u0065n":"b"}',
    '{"properties":{},"properties":{}}',
    '{"properties":{"data":[],"d\\u0061ta":[]}}',
    '['.repeat(65),
    `{"a":[${'0,'.repeat(100_001)}`,
    `{"a":[${'{},'.repeat(100_001)}`,
  ])('refuses %.60s', (text) => {
    expect(codeOf(() => scanned(Buffer.from(text)))).toBe('json_invalid');
  });

  it('never fails but as json_invalid, and takes nothing for credentials that parsing would not', () => {
    const signs = fc
      .constantFrom(...Array.from('{}[]":,\\ "'), '"key"', '"token":', '"properties":{"data":[', '1')
      .map(String);
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 30 }), (parts) => {
        const bytes = Buffer.from(parts.join(''));
        expect(['read', 'json_invalid']).toContain(codeOf(() => scanned(bytes)));
        if (codeOf(() => readJson(bytes, 1000)) !== 'read' || codeOf(() => scanned(bytes)) !== 'read') return;
        const value: unknown = JSON.parse(bytes.toString());
        const { key, token } = scanned(bytes);
        const isMembers = typeof value === 'object' && value !== null && !Array.isArray(value);
        if (key !== undefined) expect(isMembers && 'key' in value ? value.key : null).toBe(key);
        if (token !== undefined) expect(isMembers && 'token' in value ? value.token : null).toBe(token);
      }),
      { numRuns: 5000, seed: 11 },
    );
  });
});

describe('the values of a body', () => {
  it.each([
    ['{}', 0],
    ['[]', 0],
    ['[ ]', 0],
    ['[1]', 1],
    ['[1,2,[]]', 3],
    ['{"a":1,"b":{}}', 2],
    ['[{},{},{}]', 3],
    ['[[1,2],[3]]', 5],
    ['{"a,b":"[1,2,3]"}', 1],
  ] as const)('of %s are %i', (text, count) => {
    for (const work of [
      (most: number) => readJson(Buffer.from(text), most),
      (most: number) => scanned(Buffer.from(text), [], most),
    ]) {
      expect(codeOf(() => work(count))).toBe('read');
      if (count > 0) expect(codeOf(() => work(count - 1))).toBe('json_invalid');
    }
  });
});
