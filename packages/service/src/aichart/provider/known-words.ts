import { dataItemTypes } from '@inlay/contract';
import { wordsOfName } from '../../columns/name-words.ts';
import type { Profile } from '../profile.ts';
import { lexiconOf } from '../read/conditions/lexicon.ts';
import { affirmativeTexts } from '../read/filters/affirmative.ts';
import { isFunctionWord } from '../vocabulary/function-words.ts';
import { wordsOfCues } from '../vocabulary/languages.ts';
import { cueWords, stopWords, unitWords } from '../vocabulary/lexicon.ts';
import { languages } from '../vocabulary/question-languages.ts';
import { isUsualSuperlative } from '../vocabulary/superlatives.ts';

/** A word of a text: where it stands, and its parts in lower case and without accents. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly string[];
}

export const tokensOf = (text: string): readonly Token[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    parts: wordsOfName(word),
  }));

/** Returns the words of tokens as they are compared. */
export const keyOf = (tokens: readonly Token[]): string => tokens.flatMap(({ parts }) => parts).join(' ');

/** The words of questions that belong to no dataset. */
const vocabulary = (): ReadonlySet<string> =>
  (cache.words ??= new Set([
    ...stopWords,
    ...cueWords,
    ...unitWords.keys(),
    ...wordsOfCues(),
    ...dataItemTypes.flatMap((type) => type.split('-')),
    ...languages.flatMap((language) =>
      [...lexiconOf(language).entries.values()].flatMap((entries) => entries.flatMap(({ words }) => words)),
    ),
  ]));

const cache: { words?: ReadonlySet<string> } = {};

const isNumber = (text: string): boolean => /^\d{1,15}$/u.test(text);

/** Maximum number of tokens of a run that is looked up. No longer run of an earlier message is sent. */
export const maxRun = 12;
/** Numbers with as many digits are looked up on their own: smaller ones are limits, bounds and years. */
const digitsOfIds = 5;

export const isId = (text: string): boolean => isNumber(text) && text.length >= digitsOfIds;

/** Returns the long numbers in a message, which may be a part of a value. */
export const idsIn = (message: string): readonly string[] =>
  tokensOf(message)
    .map((token) => keyOf([token]))
    .filter(isId);

/** The words of messages that say nothing about rows: those of questions in general, and those of a dataset's metadata. */
export class KnownWords {
  /** The words in the names and descriptions of the dataset, which every request to a provider contains. */
  readonly #ofDataset: ReadonlySet<string>;

  constructor({ dataset }: Profile) {
    const described = [dataset, ...dataset.columns].flatMap(({ name, description }) =>
      [name, description].flatMap((words) => Object.values(words)),
    );
    this.#ofDataset = new Set(described.flatMap(wordsOfName));
  }

  /** True for words that join others, and those of the dataset's metadata: alone, they stand for no value. */
  #isPlain(text: string): boolean {
    return (
      stopWords.has(text) || this.#ofDataset.has(text) || languages.some((language) => isFunctionWord(text, language))
    );
  }

  has({ parts }: Token): boolean {
    return parts.every(
      (text) => isNumber(text) || this.#isPlain(text) || vocabulary().has(text) || isUsualSuperlative(text),
    );
  }

  /** Returns the runs of known words in a message, which together may be a value though each of them says nothing. */
  runsIn(message: string): readonly string[] {
    const tokens = tokensOf(message);
    const areKnown = tokens.map((token) => this.has(token));
    const runs: string[] = [];
    for (const start of tokens.keys())
      for (let end = start + 1; end <= start + maxRun && areKnown[end - 1] === true; end += 1) {
        const run = tokens.slice(start, end);
        if (run.flatMap(({ parts }) => parts).length > 1) runs.push(keyOf(run));
      }
    return runs;
  }

  /** Returns the words of an earlier message that may be a value on their own, such as "yes" and "Monday". */
  singlesIn(message: string): readonly string[] {
    return tokensOf(message)
      .map((token) => keyOf([token]))
      .filter((text) => (text.length > 1 && affirmativeTexts.includes(text)) || !this.#isPlain(text));
  }
}
