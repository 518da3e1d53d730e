import { stemmer } from 'stemmer';
import { folded, wordsOfName } from '../../columns/name-words.ts';

/** A word, number, quoted text or punctuation mark of a question. */
export interface Word {
  readonly kind: 'word' | 'number' | 'quoted' | 'mark';
  /** The text in lower case and without accents. */
  readonly text: string;
  /** The text as it was typed; missing if that is `text`. */
  readonly typed?: string;
  readonly stem: string;
  /** Which word of the question it is, or the first that it translates; missing if it is none. */
  readonly at?: number;
  /**
   * If the word is a part of a name such as `order_date` or `orderDate`, the whole name in one word; otherwise null.
   */
  readonly within: string | null;
  /** True if the word is capitalized in the middle of a sentence, so that it is probably a name. */
  readonly capital?: true;
  /** True for a capital right behind a number, such as the `B` of class 3B: both may be one name. */
  readonly endsCode?: true;
  /** True for letters right behind a number, such as the `g` of 5g. */
  readonly joinsNumber?: true;
}

const pieces =
  /["“”«]([^"“”«»]{1,60})["“”»]|(?<=^|[\s(=])['‘’`]([^'‘’`]{1,40})['’`](?![\p{L}])|(\d[\d.,]*\d|\d)|([\p{L}_][\p{L}\p{N}\p{M}_]*(?:['’][\p{L}]+)?(?:-[\p{L}\p{N}]+)*)|([.,;:?!()*×%=<>/&+])/gu;

/**
 * Returns the stem of a folded word, by the rules of English. A word with fewer than three letters or with characters
 * other than a to z is its own stem.
 */
export const stemOf = (text: string): string => (/^[a-z]{3,}$/u.test(text) ? stemmer(text) : text);

const make = (kind: Word['kind'], text: string, within: string | null = null): Word => ({
  kind,
  text,
  stem: kind === 'word' ? stemOf(text) : text,
  within,
});

/** Removes a part before or after an apostrophe: `d'âge` becomes `âge`, and `customer's` becomes `customer`. */
const withoutApostrophe = (text: string): string => {
  const at = text.search(/['’]/u);
  if (at < 0) return text;
  return at <= 2 && text.length - at > 3 ? text.slice(at + 1) : text.slice(0, at);
};

/**
 * Reduces a name to letters and digits, in lower case and without accents. `Order_Date`, `orderdate` and `order date`
 * become equal.
 */
export const joinedName = (name: string): string => folded(name).replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Words that are only written with a full stop because they are abbreviated. */
const alwaysCut = new Set([
  'vs',
  'avg',
  'approx',
  'incl',
  'excl',
  'bzw',
  'inkl',
  'exkl',
  'ggu',
  'durchschn',
  'gem',
  'moy',
  'prom',
]);

/** Maximum number of words of a question that are read, so that the longest one holds nobody up. */
export const maxWords = 120;

/** Splits a text into words, numbers, quoted texts and punctuation marks; at most `maxWords`. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let end = 0;
  const written = text.slice(0, 8192).replaceAll(/\bw\/o\b/giu, 'without');
  for (const match of written.matchAll(pieces)) {
    const { index } = match;
    const [, doubleQuoted, singleQuoted, number, word, mark] = match;
    if (words.length >= maxWords) break;
    const quotedText = doubleQuoted ?? singleQuoted;
    if (quotedText !== undefined) words.push({ ...make('quoted', folded(quotedText)), typed: quotedText });
    else if (number !== undefined) words.push(make('number', number));
    else if (mark !== undefined) {
      // The full stop of an abbreviation ends no sentence.
      const follows = written.slice(index + 1, index + 4);
      const before = words.at(-1)?.text ?? '';
      const isCut = before.length >= 3 && /^ \p{Ll}/u.test(follows);
      const isAbbreviation = mark === '.' && (isCut || alwaysCut.has(before));
      if (!isAbbreviation) words.push(make('mark', mark));
    } else if (word !== undefined) {
      const begins = words.length === 0 || /^[.?!:]$/u.test(words.at(-1)?.text ?? '');
      const parts = partsOf(word);
      const isCapital = !begins && /^\p{Lu}\p{Ll}/u.test(word);
      const typed = parts.length === 1 && parts[0]?.text !== word ? { typed: word } : {};
      const joinsNumber = words.at(-1)?.kind === 'number' && index === end;
      const endsCode = joinsNumber && /^\p{Lu}$/u.test(word);
      const marks = {
        ...(isCapital ? { capital: true as const } : {}),
        ...(endsCode ? { endsCode: true as const } : {}),
        ...(joinsNumber ? { joinsNumber: true as const } : {}),
      };
      words.push(...parts.map((part) => ({ ...part, ...typed, ...marks })));
    }
    end = index + match[0].length;
  }
  return words.map((word, at) => ({ ...word, at }));
}

function partsOf(raw: string): readonly Word[] {
  const text = withoutApostrophe(raw);
  if (/^[xy]-?ax[ie]s$/iu.test(text)) return [make('word', folded(text.slice(0, 1))), make('word', 'axis')];
  const parts = wordsOfName(text);
  const verbatimName = parts.length > 1 && !text.includes('-') ? joinedName(text) : null;
  return parts.map((part) => make('word', part, verbatimName));
}
