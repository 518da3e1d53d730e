import { expect, it } from 'vitest';
import { itemWordsFor } from './item-words.ts';
import { studioLanguages, studioWordsFor, type StudioWords } from './words.ts';

const placeholdersIn = (words: StudioWords): unknown =>
  Object.entries(words).map(([name, text]) => [name, [...text.matchAll(/\{\w+\}/gu)].map(String).toSorted()]);

it('has every text in six languages, with the same placeholders', () => {
  expect(studioLanguages).toEqual(['en', 'nl', 'fr', 'de', 'es', 'ar']);
  for (const language of studioLanguages)
    expect(placeholdersIn(studioWordsFor(language)), language).toEqual(placeholdersIn(studioWordsFor('en')));
});

it('names every type, slot, option and value in six languages', () => {
  for (const language of studioLanguages)
    for (const names of Object.values(itemWordsFor(language)))
      for (const [name, text] of Object.entries(names)) expect(text, `${language} ${name}`).not.toBe('');
});
