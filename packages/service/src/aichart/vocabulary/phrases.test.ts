import { describe, expect, test } from 'vitest';
import { inEnglish, languageOf } from './languages.ts';
import { languages, type Language } from './question-languages.ts';
import { phrasesOf } from './phrases.ts';
import { wordsOf } from './words.ts';

const english = (text: string, language: Language): string =>
  inEnglish(wordsOf(text), language)
    .map((word) => word.text)
    .join(' ');

/** By language, phrases as people write them, and what they read in English. */
const examples: Readonly<Record<Language, readonly (readonly [phrase: string, reads: string])[]>> = {
  en: [
    ['what month', 'which month'],
    ['what day of the week', 'which day of the week'],
    ['what time', 'which hour of day'],
    ['how often', 'how many'],
  ],
  nl: [
    ['welke weekdagen', 'which weekday'],
    ['dagen van de week', 'weekday'],
    ['maand van het jaar', 'month of year'],
    ['tijdstip van de dag', 'hour of day'],
    ['hoe laat', 'which hour of day'],
    ['welk kwartaal', 'which quarter'],
    ['maandelijkse', 'monthly'],
    ['hoe lang', 'how long'],
    ['hoe vaak', 'how many'],
    ['wat kost', 'how much'],
    ['omzetgroei', 'omzet growth'],
  ],
  fr: [
    ['quels jours de la semaine', 'which weekday'],
    ["mois de l'année", 'month of year'],
    ['heure de la journée', 'hour of day'],
    ['quelle heure', 'which hour'],
    ['quel trimestre', 'which quarter'],
    ['mensuelles', 'monthly'],
    ['combien de temps', 'how long'],
    ['combien de fois', 'how many'],
    ['combien coûte', 'how much'],
    ['quel âge', 'how old'],
  ],
  de: [
    ['welchen Wochentagen', 'which weekday'],
    ['Monat des Jahres', 'month of year'],
    ['Monaten im Jahr', 'month of year'],
    ['Tage des Monats', 'day of month'],
    ['Uhrzeiten', 'hour of day'],
    ['um wie viel Uhr', 'um which hour of day'],
    ['in welchen Monaten', 'in which month'],
    ['monatlicher', 'monthly'],
    ['vierteljährlichen', 'quarterly'],
    ['wie lange', 'how long'],
    ['wie viel kostet', 'how much'],
    ['wie oft', 'how many'],
    ['Umsatzwachstum', 'umsatz growth'],
  ],
  es: [
    ['qué día de la semana', 'which weekday'],
    ['meses del año', 'month of year'],
    ['horas del día', 'hour of day'],
    ['a qué hora', 'a which hour'],
    ['en qué mes', 'in which month'],
    ['mensuales', 'monthly'],
    ['cuánto tiempo', 'how long'],
    ['cuántas veces', 'how many'],
    ['cuánto cuesta', 'how much'],
    ['qué edad', 'how old'],
  ],
};

describe.each(languages)('phrases in %s', (language) => {
  test.each(examples[language])('"%s" reads "%s"', (phrase, reads) => {
    expect(english(phrase, language)).toBe(reads);
  });

  test('mean one thing each', () => {
    const phrases = phrasesOf(language);
    const meanings = new Map(phrases.map(({ phrase, reads }) => [phrase, reads]));
    expect(phrases.filter(({ phrase, reads }) => meanings.get(phrase) !== reads)).toEqual([]);
  });
});

describe('English names of times', () => {
  test.each(['day of week', 'month of year', 'week number', 'time of day'])(
    '"%s" may be a column, so it stays',
    (name) => {
      expect(english(name, 'en')).toBe(name);
    },
  );
});

describe('the language of a question', () => {
  test.each([
    ['uitleningen per filiaal', 'nl'],
    ['afval per wijk', 'nl'],
    ['Bewerbungen nach Quelle', 'de'],
    ['sinistres par cause', 'fr'],
    ['siniestros por causa', 'es'],
    ['claims per branch', 'en'],
  ])('of "%s" is %s, as its nouns tell, over columns with English names', (question, language) => {
    expect(languageOf(wordsOf(question), new Set(), ['en'])).toBe(language);
  });
});
