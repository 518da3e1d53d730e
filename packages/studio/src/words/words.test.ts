import { expect, it } from 'vitest';
import { itemWordsFor } from './item-words.ts';
import type { StudioWords } from './languages/en.ts';
import { studioTexts } from './words.ts';

const languages = ['nl', 'fr', 'de', 'es', 'ar'];

const placeholdersIn = (words: StudioWords): unknown =>
  Object.entries(words).map(([name, text]) => [name, [...text.matchAll(/\{\w+\}/gu)].map(String).toSorted()]);

it('has every text in six languages, with the same placeholders', async () => {
  expect(Object.keys(studioTexts.others)).toEqual(languages);
  for (const [language, load] of Object.entries(studioTexts.others))
    expect(placeholdersIn(await load()), language).toEqual(placeholdersIn(studioTexts.en));
});

it('names every type, slot, option and value in six languages', () => {
  for (const language of ['en', ...languages])
    for (const names of Object.values(itemWordsFor(language)))
      for (const [name, text] of Object.entries(names)) expect(text, `${language} ${name}`).not.toBe('');
});
