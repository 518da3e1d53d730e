import { expect, it } from 'vitest';
import { actionLanguages, actionWordsFor } from './action-words.ts';

it('has every text about actions in six languages, with the same placeholders', () => {
  const placeholders = (language: string): unknown =>
    Object.entries(actionWordsFor(language)).map(([name, text]) => [name, text.split('{name}').length]);
  expect(actionLanguages).toEqual(['en', 'nl', 'fr', 'de', 'es', 'ar']);
  for (const language of actionLanguages) {
    expect(placeholders(language), language).toEqual(placeholders('en'));
    expect(Object.values(actionWordsFor(language)), language).not.toContain('');
  }
});
