import { describe, expect, it } from 'vitest';
import { createMemberColors } from './member-colors.ts';

const countries = ['Belgium', 'France', 'Germany', 'Netherlands', 'Spain'];
const placesOf = (keys: readonly string[], colors = createMemberColors(8)): Readonly<Record<string, number>> => {
  colors.add('country', keys);
  return Object.fromEntries(keys.map((key) => [key, colors.place('country', key)]));
};

describe('the colour of a member', () => {
  it('does not depend on the order in which members come, in one piece or several', () => {
    const whole = placesOf(countries);
    expect(placesOf(countries.toReversed())).toEqual(whole);
    const colors = createMemberColors(8);
    for (const country of countries.toReversed()) colors.add('country', [country]);
    expect(placesOf(countries, colors)).toEqual(whole);
  });

  it('is that of no other member while there are colours left', () => {
    const places = Object.values(placesOf(countries));
    expect(new Set(places).size).toBe(countries.length);
    const many = Array.from({ length: 30 }, (_, index) => `member ${index}`);
    expect(Object.values(placesOf(many)).every((place) => place >= 0 && place < 8)).toBe(true);
  });

  it('stays once the page has shown it, whichever members come later', () => {
    const colors = createMemberColors(8);
    const before = placesOf(countries, colors);
    colors.settle();
    expect(colors.add('country', ['Austria', 'Poland', 'Italy', 'Greece'])).toBe(false);
    expect(placesOf(countries, colors)).toEqual(before);
  });

  it('says when a member that was shown has to give way to another', () => {
    const results = countries.flatMap((first) =>
      countries.map((second) => {
        const colors = createMemberColors(2);
        colors.add('country', [first]);
        const before = colors.place('country', first);
        const isMoved = colors.add('country', [second]);
        return isMoved === (colors.place('country', first) !== before);
      }),
    );
    expect(results.every(Boolean)).toBe(true);
  });
});
