import { describe, expect, it } from 'vitest';
import { jsonFaultAt, placeOf } from './json-fault.ts';

describe('where a text stops being JSON', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ["{'a': 1}", 1],
    ['[1, 2', 5],
    ['[1 2]', 3],
    ['[01]', 1],
    ['[1.]', 1],
    ['{"a": undefined}', 6],
    ['{"a": "x\n"}', 6],
    ['{"a": 1} x', 9],
    ['{"a": [1, {"b": tru}]}', 16],
    ['{"a": 1]', 7],
  ])('%j', (text, at) => {
    expect(jsonFaultAt(text)).toBe(at);
    expect(() => JSON.parse(text)).toThrow(/JSON/u);
  });

  it('is told by line and column', () => {
    const text = '{\n  "a": 1,\n  "b": oops\n}';
    expect(placeOf(text, jsonFaultAt(text))).toEqual({ line: 3, column: 8 });
  });
});
