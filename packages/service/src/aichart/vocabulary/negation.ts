import { folded } from '../../columns/name-words.ts';
import type { Language } from './question-languages.ts';
import type { Word } from './words.ts';

/** Words for "without", by language. They exclude, and take away from the chart before. */
const without: Readonly<Record<Language, string>> = { en: 'without', nl: 'zonder', fr: 'sans', de: 'ohne', es: 'sin' };

/** Words and phrases that exclude what follows them, by language: values, spans of time, flags and bounds. */
export const excluding: Readonly<Record<Language, string>> = {
  en:
    `${without.en},` +
    'except,except for,excl,not including,not include,not counting,not count,excluding,exclude,excludes,other than,apart from,aside from,but not,not,no,non,minus,omit,omitting,ignore,' +
    'ignoring,leave out,leaving out,leaves out,everything but,everyone but,all but,anything but,neither,nor,outside,outside of',
  nl: `${without.nl},behalve,uitgezonderd,exclusief,excl,niet,geen,anders dan,andere dan,buiten,met uitzondering van,op na`,
  fr: `sauf,hors,hormis,${without.fr},excepté,excluant,exclure,à part,à l'exception de,pas,autre que,autres que,non`,
  de: `außer,${without.de},ausgenommen,exkl,exklusive,nicht,kein,keine,keinen,keiner,bis auf,abgesehen von,mit ausnahme von`,
  es: `excepto,salvo,menos,${without.es},excluyendo,excluir,sin contar,quitando,a excepción de,no,que no sea,que no sean,aparte de`,
};

/** Verbs that take something away from the chart before, by language. */
const removing: Readonly<Record<Language, string>> = {
  en: 'drop,remove,clear,forget,delete,reset,undo',
  nl: 'verwijder,wis,weg',
  fr: 'enlève,enlever,supprime,supprimer,retire',
  de: 'entferne,lösche',
  es: 'quita,quitar,elimina,eliminar,borra',
};

const wordsIn = (lists: Readonly<Record<Language, string>>): readonly string[] =>
  Object.values(lists).flatMap((list) => list.split(',').map(folded));

const removalWords = new Set([...wordsIn(removing), ...wordsIn(without)]);

/** True for a word that takes something away from the chart before, such as "drop", in any language of questions. */
export const takesAway = (text: string): boolean => removalWords.has(text);

/** The phrases of all languages as folded words, the longest first. */
const phrases: readonly (readonly string[])[] = wordsIn(excluding)
  .map((phrase) => phrase.split(/[ ']/u))
  .toSorted((left, right) => right.length - left.length);

/** Returns where an excluding phrase starts that ends before a word; null if none does. */
export function excludingStart(words: readonly Word[], end: number): number | null {
  const phrase = phrases.find((texts) => texts.every((text, at) => words[end - texts.length + at]?.text === text));
  return phrase === undefined ? null : end - phrase.length;
}

const negatingPrefix = /^(?:un|non|dis)(?=\p{L}{4})/u;

/** Returns a word without the prefix that negates it, such as "approved" for "unapproved"; null if it has none. */
export const withoutNegation = (text: string): string | null =>
  negatingPrefix.test(text) ? text.replace(negatingPrefix, '') : null;
