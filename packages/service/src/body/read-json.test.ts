import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problems/problem.ts';
import { readJson } from './read-json.ts';

const read = (text: string): unknown => readJson(Buffer.from(text), 10_000);
const codeOf = (bytes: Uint8Array, maxValues = 10_000): string => {
  try {
    readJson(bytes, maxValues);
    return 'read';
  } catch (error) {
    return error instanceof Problem ? error.data.code : 'thrown';
  }
};

describe('a JSON body', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        const isKept = !/__proto__|"constructor"|"prototype"|\\u0000|\\ud[89a-f]|\d{16}|e[+-]?\d/iu.test(text);
        expect(isKept ? read(text) : null).toEqual(isKept ? JSON.parse(text) : null);
      }),
      { numRuns: 500 },
    );
  });

  it('never fails but as json_invalid, whatever the bytes are', () => {
    const signs = fc.constantFrom(...Array.from('{}[]":,\\0e- tfn')).map((sign) => sign.charCodeAt(0));
    const bytes = fc.array(fc.oneof(signs, fc.nat(255)), { maxLength: 40 }).map((all) => Uint8Array.from(all));
    fc.assert(
      fc.property(bytes, (given) => {
        expect(['read', 'json_invalid']).toContain(codeOf(given));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    '{"__proto__":{}}',
    '{"a":[{"constructor":1}]}',
    '{"prototype":1}',
    '{"\\u005f_proto__":1}',
    '{"c\\u006fnstructor":1}',
    '"\\u0000"',
    '"\\ud800"',
    '[1e400]',
    '[1E400]',
    '[1.5e+400]',
    '[9007199254740993]',
    '{"a":-9007199254740993}',
    '["\\"",9007199254740993]',
    '["\\\\",1e400]',
    '{"a":1,}',
    "{'a':1}",
    'NaN',
    '\u{feff}{',
  ])('is refused: %s', (text) => {
    expect(codeOf(Buffer.from(text))).toBe('json_invalid');
  });

  it('must be UTF-8', () => {
    expect(codeOf(Uint8Array.from([0x22, 0xff, 0x22]))).toBe('json_invalid');
    expect(codeOf(Uint8Array.from([0x22, 0xc3, 0x28, 0x22]))).toBe('json_invalid');
  });

  it('is at most 64 deep; signs inside texts do not count', () => {
    expect(codeOf(Buffer.from('['.repeat(64) + ']'.repeat(64)))).toBe('read');
    expect(codeOf(Buffer.from('['.repeat(65) + ']'.repeat(65)))).toBe('json_invalid');
    expect(read(JSON.stringify('[{"'.repeat(500)))).toBe('[{"'.repeat(500));
  });

  it('keeps long numbers and exponents that stay exact', () => {
    expect(read('[9007199254740991, 1e3, 1.5e-3]')).toEqual([9007199254740991, 1000, 0.0015]);
  });

  it('has at most 10,000 different names of members, in whatever objects they are; the same ones as often as values allow', () => {
    const bodyOf = (names: number, objects: number): Buffer => {
      const each = Array.from({ length: objects }, (_, index) =>
        Object.fromEntries(Array.from({ length: names / objects }, (_one, at) => [`a"${index}:${at}`, ':'])),
      );
      return Buffer.from(JSON.stringify(each));
    };
    for (const objects of [1, 100]) {
      expect(codeOf(bodyOf(10_000, objects), 100_000)).toBe('read');
      expect(codeOf(bodyOf(10_100, objects), 100_000)).toBe('json_invalid');
    }
    const same = JSON.stringify(Array.from({ length: 30_000 }, () => ({ a: 1 })));
    expect(codeOf(Buffer.from(same), 100_000)).toBe('read');
  });
});
