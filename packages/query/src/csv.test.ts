import { expect, test } from 'vitest';
import { csvLine, csvText } from './csv.ts';
import { formulaTexts } from '../../../test/support/formula-texts.ts';

test.each(formulaTexts)('no spreadsheet takes %j for a formula, however it splits the line', (text, written) => {
  expect(csvText(text)).toBe(`"${written}"`);
});

test('a line holds numbers as numbers and texts as texts', () => {
  expect(csvLine([-1.5, 2e300, '-1.5', '-1,5', '2024', 'a,b', 'say "no"', true, null, ''])).toBe(
    '-1.5,2e+300,"-1.5","-1,5","2024","a,b","say ""no""",true,,""\r\n',
  );
});
