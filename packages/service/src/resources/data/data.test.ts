import { expect, test } from 'vitest';
import { listCountries } from './countries.ts';
import { listLocales } from './locales.ts';

test.each([
  ['locales', listLocales(), 183, /^[a-z]{2}$/u],
  ['countries', listCountries(), 249, /^[A-Z]{2}$/u],
] as const)('the %s are complete, sorted and named in English', (_, rows, count, form) => {
  const codes = rows.map((row) => row.code);
  expect(codes).toHaveLength(count);
  expect(codes).toEqual([...new Set(codes)].toSorted());
  for (const row of rows) {
    expect(row.code).toMatch(form);
    expect(row.names['en']).toBeTruthy();
  }
});

test('names come in the language of the reader', () => {
  expect(listCountries().find((row) => row.code === 'BE')?.names).toMatchObject({
    en: 'Belgium',
    nl: 'België',
    ar: 'بلجيكا',
  });
  expect(listLocales().find((row) => row.code === 'nl')?.names).toMatchObject({
    en: 'Dutch',
    fr: 'néerlandais',
    ja: 'オランダ語',
  });
});
