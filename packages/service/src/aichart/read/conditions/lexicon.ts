import { wordsOf } from '../../vocabulary/words.ts';
import type { Language } from '../../vocabulary/question-languages.ts';
import type { PlainTag, RankedTag, Vocabulary } from './vocabulary.ts';
import { growthPhrases } from './words/growth.ts';
import { dutch } from './words/nl.ts';
import { english } from './words/en.ts';
import { french } from './words/fr.ts';
import { german } from './words/de.ts';
import { spanish } from './words/es.ts';

const vocabularies: Readonly<Record<Language, Vocabulary>> = {
  en: english,
  nl: dutch,
  fr: french,
  de: german,
  es: spanish,
};

/** A phrase of a vocabulary: its words, what they are, and the number that they stand for. */
export interface Entry {
  readonly words: readonly string[];
  readonly tag: PlainTag | RankedTag;
  readonly value: number | null;
}

/** The phrases of a language, by their first word. */
export interface Lexicon extends Vocabulary {
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
}

const entriesOf = <Tag extends PlainTag | RankedTag>(tag: Tag, list: string, value: number | null): readonly Entry[] =>
  list
    .split(',')
    .map((phrase) => ({ words: wordsOf(phrase.trim()).map(({ text }) => text), tag, value }))
    .filter(({ words }) => words.length > 0);

/** The names of a record's properties, with their types. */
const tagsOf = <Tag extends string>(record: Readonly<Record<Tag, unknown>>): readonly Tag[] => {
  const isTag = (name: string): name is Tag => Object.hasOwn(record, name);
  return Object.keys(record).filter(isTag);
};

/** Splits the phrases as questions are split, so that both have the same words. */
function readLexicon(vocabulary: Vocabulary, language: Language): Lexicon {
  const { plain, ranked } = vocabulary;
  const all = [
    ...tagsOf(plain).flatMap((tag) => entriesOf(tag, plain[tag], null)),
    ...tagsOf(ranked).flatMap((tag) => ranked[tag].flatMap((list, at) => entriesOf(tag, list, at + 1))),
    ...growthPhrases(language).flatMap((list, at) => entriesOf('growth', list, at + 1)),
  ];
  return { ...vocabulary, entries: Map.groupBy(all, ({ words }) => words[0] ?? '') };
}

const cache: { [language in Language]?: Lexicon } = {};
/** Returns the lexicon of a language. It is prepared on the first call, so that nothing happens on import. */
export const lexiconOf = (language: Language): Lexicon =>
  (cache[language] ??= readLexicon(vocabularies[language], language));
