import { describe, expect, it } from 'vitest';
import { editDistance, foldedText, typosAllowed } from './folded-text.ts';
import { MemberCache } from './member-cache.ts';
import { MemberIndex } from './member-index.ts';

const indexOf = (...names: readonly string[]): MemberIndex =>
  new MemberIndex(names.map((name) => ({ id: name, texts: [name] })));
const found = (index: MemberIndex, text: string): readonly (readonly [string, number])[] =>
  index.find(text).map(({ member, distance }) => [member.id, distance]);

describe('folded texts', () => {
  it.each([
    ['São-Paulo!', 'sao paulo'],
    ['Straße', 'strasse'],
    ['CŒUR', 'coeur'],
    ['Tromsø', 'tromso'],
    ['  e-mail  campaign ', 'e mail campaign'],
    ['…', ''],
  ])('%s is compared as %s', (text, folded) => {
    expect(foldedText(text)).toBe(folded);
  });

  it.each([
    ['oslo', 'oslo', 0],
    ['oslo', 'osol', 1],
    ['lisbon', 'lisbn', 1],
    ['lisbon', 'lissbon', 1],
    ['lisbon', 'lizbon', 1],
    ['lisbon', 'madrid', 3],
    ['', 'abc', 3],
  ])('%s and %s are %i apart', (left, right, distance) => {
    expect(editDistance(left, right, 2)).toBe(distance);
    expect(editDistance(right, left, 2)).toBe(distance);
  });

  it('may have more typos where they are longer', () => {
    expect([4, 5, 8, 9].map(typosAllowed)).toEqual([0, 1, 1, 2]);
  });
});

describe('members of a column', () => {
  const cities = indexOf('New York', 'Los Angeles', 'York', 'Oslo', 'Köln', 'FedEx Express', 'DHL Express', '12', '');

  it.each([
    ['new york', 'New York', 0],
    ['york', 'York', 0],
    ['OSLO', 'Oslo', 0],
    ['koln', 'Köln', 0],
    ['los angles', 'Los Angeles', 1],
    ['los anglse', 'Los Angeles', 2],
    ['fedex', 'FedEx Express', 1],
    ['angeles', 'Los Angeles', 1],
    ['12', '12', 0],
  ])('are found by %s', (text, name, distance) => {
    expect(found(cities, text)).toEqual([[name, distance]]);
  });

  it.each(['express', 'osla', 'bergen', '', '?', 'ne', 'los york'])('are not found by "%s"', (text) => {
    expect(found(cities, text)).toEqual([]);
  });

  it('are all named where they differ in case alone', () => {
    expect(found(indexOf('open', 'Open'), 'OPEN')).toEqual([
      ['open', 0],
      ['Open', 0],
    ]);
  });
});

describe('members that are kept', () => {
  it('take no more than the limit, and go in the order of their last use', () => {
    const index = indexOf('Oslo');
    const cache = new MemberCache(2 * (index.bytes + 200));
    for (const key of ['a', 'b']) cache.put(key, index, 10);
    expect(cache.get('a', 0)).toBe(index);
    cache.put('c', index, 10);
    expect(['a', 'b', 'c'].map((key) => cache.get(key, 0) === index)).toEqual([true, false, true]);
    expect(cache.bytes).toBe(2 * (index.bytes + 200));
    expect(cache.get('a', 10)).toBeUndefined();
    expect(cache.bytes).toBe(index.bytes + 200);
  });
});
