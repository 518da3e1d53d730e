import { builtInThemes } from '@inlay/contract/built-in-themes';
import { rampOf } from '@inlay/contract/theme';
import { converter, differenceCiede2000, interpolate, parse } from 'culori';
import { describe, expect, it } from 'vitest';
import { measuredTheme, themeFaults } from './measure.ts';
import { seenColor } from './vision.ts';

const ids = Object.keys(builtInThemes);

describe('built-in themes', () => {
  it('are five, each in a light and a dark form', () => {
    const light = ids.filter((id) => !id.endsWith('_dark'));
    expect(light).toEqual(['default', 'paper', 'vivid', 'earth', 'high_contrast']);
    expect(ids.toSorted()).toEqual(light.flatMap((id) => [id, `${id}_dark`]).toSorted());
  });

  it.each(Object.entries(builtInThemes))(
    '%s has colours that are told apart, contrast and even ramps',
    (_id, theme) => {
      expect(themeFaults(theme)).toEqual([]);
    },
  );
});

it.each(['high_contrast', 'high_contrast_dark'])('%s has texts of 7:1 and marks of 4.5:1 throughout', (id) => {
  const { textContrast, markContrast } = measuredTheme(builtInThemes[id] ?? {});
  expect(textContrast).toBeGreaterThanOrEqual(7);
  expect(markContrast).toBeGreaterThanOrEqual(4.5);
});

describe('measuring a theme', () => {
  it('finds colours that only some viewers tell apart', () => {
    const colors = ['#c62828', '#2e7d32', '#0d47a1', '#6a1b9a', '#ef6c00', '#00838f', '#ad1457', '#424242'];
    expect(themeFaults({ colors }).join()).toMatch(/in protanopia vision .* in deuteranopia vision/u);
    expect(measuredTheme({ colors }).difference.normal).toBeGreaterThan(10);
  });

  it('finds pale marks, too few colours and ramps that step unevenly or hardly at all', () => {
    const faults = themeFaults({ colors: ['#ffe082', '#00629b'], sequential: ['#ffffff', '#eeeeee'] }).join('\n');
    expect(faults).toMatch(/the number of colours is 2\.00, less than 8/u);
    expect(faults).toMatch(/the contrast of marks is 1\.\d\d, less than 3/u);
    expect(faults).toMatch(/the lightness of the sequential ramp/u);
    const bent = themeFaults({ ...builtInThemes['default'], sequential: ['#ffffff', '#eeeeee', '#00629b'] });
    expect(bent.join()).toMatch(/a step of the sequential ramp is off by \d+ %/u);
  });
});

it('people without a kind of cone see what Machado, Oliveira and Fernandes measured', () => {
  const difference = differenceCiede2000();
  const grey = seenColor('#808080');
  for (const seen of Object.values(grey)) expect(difference(seen, grey.normal)).toBeLessThan(0.5);
  const [red, green] = [seenColor('#b3261e'), seenColor('#566b1c')];
  expect(difference(red.normal, green.normal)).toBeGreaterThan(40);
  expect(difference(red.deuteranopia, green.deuteranopia)).toBeLessThan(difference(red.normal, green.normal) / 3);
});

it('ramps are mixed in OKLab', () => {
  const stops = ['#00629b', '#f5f1e8', '#bd4900'];
  const [ours, theirs] = [rampOf(stops), interpolate(stops, 'oklab')];
  const toRgb = converter('rgb');
  for (const share of [0, 0.1, 0.3, 0.5, 0.77, 1]) {
    const { r, g, b } = toRgb(theirs(share));
    const rgb = toRgb(parse(ours(share)));
    for (const [one, other] of [
      [rgb?.r, r],
      [rgb?.g, g],
      [rgb?.b, b],
    ])
      expect(one).toBeCloseTo(other ?? Number.NaN, 2);
  }
});
