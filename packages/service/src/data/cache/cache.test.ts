import { expect, it } from 'vitest';
import { createAnswerCache } from './cache.ts';

const rows = (bytes: number) => ({ text: new Uint8Array(bytes), rows: 1, truncated: false, source: 'engine' as const });

it('keeps answers until they are too old', () => {
  const cache = createAnswerCache(10_000);
  cache.put('a', rows(10), 100);
  expect(cache.get('a', 99)?.rows).toBe(1);
  expect(cache.get('a', 100)).toBeUndefined();
  expect(cache.bytes).toBe(0);
});

it('never takes more memory than it may, and lets go of what was used longest ago', () => {
  const cache = createAnswerCache(10_000);
  for (const key of ['a', 'b', 'c']) cache.put(key, rows(2000), 100);
  cache.get('a', 0);
  cache.put('d', rows(4000), 100);
  expect(cache.bytes).toBeLessThanOrEqual(10_000);
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key, 0) !== undefined)).toEqual([true, false, true, true]);
  for (let index = 0; index < 1000; index += 1) cache.put(String(index), rows(index * 20), 100);
  expect(cache.bytes).toBeLessThanOrEqual(10_000);
});

it('keeps nothing that is larger than all it may take, and nothing where it may take nothing', () => {
  const cache = createAnswerCache(0);
  cache.put('a', rows(0), 100);
  expect(cache.get('a', 0)).toBeUndefined();
});

it('counts an answer that is put again once', () => {
  const cache = createAnswerCache(10_000);
  cache.put('a', rows(1000), 100);
  const { bytes } = cache;
  cache.put('a', rows(1000), 200);
  expect(cache.bytes).toBe(bytes);
});
