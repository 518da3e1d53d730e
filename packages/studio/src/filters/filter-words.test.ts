import { operatorNames } from '@inlay/contract';
import { expect, it } from 'vitest';
import { filterLanguages, filterWordsFor, operatorName } from './filter-words.ts';

it('names everything about filters in six languages, with the same placeholders', () => {
  const placeholders = (language: string): unknown =>
    Object.entries(filterWordsFor(language)).map(([name, text]) => [
      name,
      [...text.matchAll(/\{\w+\}/gu)].map(String).toSorted(),
    ]);
  expect(filterLanguages).toEqual(['en', 'nl', 'fr', 'de', 'es', 'ar']);
  for (const language of filterLanguages) {
    expect(placeholders(language), language).toEqual(placeholders('en'));
    for (const type of ['numeric', 'datetime']) {
      const names = operatorNames.map((operator) => operatorName(language, operator, type));
      expect(new Set(names).size, `${language} ${type}`).toBe(operatorNames.length);
      expect(names, language).not.toContain('');
    }
  }
});
