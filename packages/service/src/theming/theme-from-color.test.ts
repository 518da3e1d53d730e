import { checkTheme } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { describe, expect, it } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { themeFaults } from './measure.ts';
import { themeFromColor } from './theme-from-color.ts';
import fc from 'fast-check';

/** Returns the faults of themes created from a colour; empty if both forms pass every measurement. */
function faultsOf(color: string): readonly string[] {
  const faults: string[] = [];
  for (const [form, theme] of Object.entries(themeFromColor(color))) {
    faults.push(...themeFaults(theme).map((fault) => `${form}: ${fault}`));
    checkTheme(theme, form, (at, message) => faults.push(`${at} ${message}`));
  }
  return faults;
}

describe('a theme of one colour', () => {
  it.each(['#e4002b', '#00ffff', '#000000', '#ffffff', '#808080'])(
    'keeps to what is measured of themes: %s',
    (color) => expect(faultsOf(color)).toEqual([]),
    60_000,
  );

  it('does so whatever the colour is', () => {
    const part = fc.integer({ min: 0, max: 255 });
    const checked = fc.check(
      fc.property(part, part, part, (r, g, b) => {
        expect(faultsOf(`rgb(${r}, ${g}, ${b})`)).toEqual([]);
      }),
      { numRuns: counted(2, 200), endOnFailure: true },
    );
    expect(checked.counterexample).toBeNull();
  }, 600_000);

  it('has the colour itself as its main one where it can be seen, and is the same each time', () => {
    const { light, dark } = themeFromColor('#1d4e89');
    expect(light['mainColor']).toBe('#1d4e89');
    expect(resolveTheme([light]).colors[0]).toBe('rgb(29,78,137)');
    expect([resolveTheme([light]).dark, resolveTheme([dark]).dark]).toEqual([false, true]);
    expect(themeFromColor('#1d4e89')).toEqual({ light, dark });
  });

  it('darkens a colour that cannot be seen on white', () => {
    expect(themeFromColor('#ffcc00').light['mainColor']).toMatch(/^#[ab]\w8\w00$/u);
    expect(themeFromColor('#ffcc00').dark['mainColor']).toBe('#ffcc00');
  });
});
