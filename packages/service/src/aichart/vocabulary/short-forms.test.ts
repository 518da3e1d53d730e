import { describe, expect, test } from 'vitest';
import { areSynonyms } from './concepts.ts';
import { abbreviates, longFormsOf, looksAbbreviated, shortForms } from '../../columns/short-forms.ts';

describe('abbreviations in column names', () => {
  test('are at least 250', () => {
    expect(shortForms.size).toBeGreaterThanOrEqual(250);
  });

  test.each([
    ['atty', 'attorney'],
    ['agt', 'agent'],
    ['chnl', 'channel'],
    ['cncl', 'cancelled'],
    ['mbr', 'member'],
    ['slvd', 'solved'],
    ['rslt', 'result'],
    ['resp', 'response'],
    ['pmt', 'payment'],
    ['whse', 'warehouse'],
    ['mfr', 'manufacturer'],
    ['veh', 'vehicle'],
    ['nm', 'name'],
    ['tp', 'type'],
    ['cd', 'code'],
    ['flg', 'flag'],
  ])('"%s" is "%s"', (form, complete) => {
    expect(shortForms.get(form)).toBe(complete);
  });

  test.each([
    ['comp', ['complaint', 'compensation']],
    ['act', ['activity', 'actual']],
    ['ent', ['entry', 'entity']],
    ['coll', ['collected', 'collection']],
  ])('"%s" is not spelled out, since it is one of %j', (form, words) => {
    expect(shortForms.get(form)).toBeUndefined();
    expect(longFormsOf(form)).toEqual(expect.arrayContaining(words));
  });

  test.each(['constructor', '__proto__', 'toString', 'revenue'])('"%s" is none', (word) => {
    expect(longFormsOf(word)).toEqual([]);
  });

  test.each([
    ['abogado', 'atty'],
    ['kanaal', 'chnl'],
    ['spender', 'dnr'],
    ['facturables', 'blbl'],
    ['fahrer', 'drv'],
    ['entrepot', 'whse'],
  ])('are reached by words of other languages: "%s" is %s', (word, form) => {
    expect(longFormsOf(form).some((complete) => areSynonyms(word, complete))).toBe(true);
  });
});

describe('a name without a table', () => {
  test.each([
    ['atty', 'attorney'],
    ['chnl', 'channel'],
    ['mbr', 'member'],
    ['prac', 'practice'],
    ['stdm', 'stadium'],
    ['pltfrm', 'platform'],
    ['clks', 'clicks'],
  ])('"%s" abbreviates "%s"', (name, word) => {
    expect(looksAbbreviated(name) && abbreviates(name, word)).toBe(true);
  });

  test.each([
    ['sms', 'systems', 'too few of its consonants'],
    ['mbr', 'number', 'another first letter'],
    ['chnl', 'chain', 'letters that the word lacks'],
    ['cost', 'customer', 'its vowels'],
    ['trp', 'transport', 'too few of its consonants'],
    ['ab', 'about', 'too few letters'],
    ['item', 'items', 'nearly all letters'],
  ])('"%s" does not abbreviate "%s": %s', (name, word) => {
    expect(looksAbbreviated(name) && abbreviates(name, word)).toBe(false);
  });
});
