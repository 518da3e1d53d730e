import { formulaFunctions, signatureOf } from '@inlay/query';
import { expect, it } from 'vitest';
import { functionWordsFor } from './function-words.ts';
import { formulaLanguages, formulaWordsFor, type FormulaWords } from './words.ts';

const placeholdersIn = (words: FormulaWords): unknown =>
  Object.entries(words).map(([name, text]) => [name, [...text.matchAll(/\{\w+\}/gu)].map(String).toSorted()]);

it('has every text in six languages, with the same placeholders', () => {
  expect(formulaLanguages).toEqual(['en', 'nl', 'fr', 'de', 'es', 'ar']);
  for (const language of formulaLanguages)
    expect(placeholdersIn(formulaWordsFor(language)), language).toEqual(placeholdersIn(formulaWordsFor('en')));
});

it('says of every function what it gives and takes, in six languages', () => {
  const english = formulaFunctions.map((one) => functionWordsFor('en').describe(one));
  expect(english).toEqual(formulaFunctions.map(({ description }) => description));
  expect(formulaFunctions.map((one) => signatureOf(one, functionWordsFor('en').nameOf))).toEqual(
    formulaFunctions.map((one) => signatureOf(one)),
  );
  for (const language of formulaLanguages.slice(1)) {
    const words = functionWordsFor(language);
    const said = formulaFunctions.map((one) => words.describe(one));
    // One sentence too few or too many would shift all others.
    expect(
      said.filter((text, index) => text === '' || text === english[index]),
      language,
    ).toEqual([]);
    expect(said.at(-1), language).toContain('count(*)');
    for (const { parameters } of formulaFunctions)
      for (const { takes } of parameters) expect(words.nameOf(takes), `${language} ${takes}`).not.toBe('');
  }
});
