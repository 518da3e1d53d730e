import { distance } from 'fastest-levenshtein';
import { recent, type RecentMap } from '../../store/recent.ts';
import { areSynonyms, englishSynonymsOf, isTranslation } from '../vocabulary/concepts.ts';
import { cueWords, faintWords, stopWords, unitWords } from '../vocabulary/lexicon.ts';
import { pointers } from '../vocabulary/tables/pointers.ts';
import { compoundParts, isKnownWord, relatedness } from '../vocabulary/related-words.ts';
import { isFunctionWord } from '../vocabulary/function-words.ts';
import { languages } from '../vocabulary/question-languages.ts';
import { abbreviates, longFormsOf, looksAbbreviated, shortForms } from '../../columns/short-forms.ts';
import type { Alias, Profile } from '../profile.ts';
import { isSuperlative } from '../vocabulary/superlatives.ts';
import {
  leastStrength,
  preference,
  findMentions,
  type FoundMentions,
  type Mention,
  type WordRun,
} from './find-mentions.ts';
import { stemOf, type Word } from '../vocabulary/words.ts';

/** True if swapping two adjacent characters makes the words equal. */
function isSwapped(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return left[at] === right[at + 1] && left[at + 1] === right[at] && left.slice(at + 2) === right.slice(at + 2);
}

/**
 * Returns the similarity of a word of the question to a word of a name, from 0 to 1: by their letters, or else by their
 * meaning. `adjectival` is true if the word follows "most", "least", "best" or "worst".
 */
function likeness(word: Word, name: string, nameStem: string, adjectival = false): number {
  const like = likenessOfLetters(word, name, nameStem, adjectival);
  if (like > 0 || cueWords.has(word.text) || stopWords.has(word.text)) return like;
  const [meant = name] = longFormsOf(name);
  const meaningOf = (text: string): number => (faintWords.has(name) ? 0 : likenessOfMeaning(text, meant));
  const ofParts = compoundParts(word.text).map(
    ({ text, share }) => share * Math.max(likenessOfLetters(wordOf(text), name, nameStem, false), meaningOf(text)),
  );
  return Math.max(meaningOf(word.text), ...ofParts);
}

const wordOf = (text: string): Word => ({ kind: 'word', text, stem: stemOf(text), within: null });

/** Returns the similarity of two words by their letters, as common abbreviations of each other, or as synonyms. */
function likenessOfLetters(word: Word, name: string, nameStem: string, adjectival: boolean): number {
  const text = word.text;
  if (text === name) return 1;
  if (word.stem === nameStem) return 0.98;
  const longForms = longFormsOf(name);
  if (longForms.some((longForm) => longForm === text || stemOf(longForm) === word.stem)) return 0.92;
  if (shortForms.get(text) === name) return 0.92;
  if (cueWords.has(text)) return 0;
  // A superlative of the name, such as "windiest" for a column called Wind.
  if (name.length >= 4 && text.startsWith(name) && isSuperlative(text)) return 0.9;
  const unit = unitWords.get(text);
  if (unit !== undefined && unit === unitWords.get(name)) return 0.9;
  if ([name, ...longForms].some((one) => isTranslation(text, one))) return 0.85;
  if ([name, ...longForms].some((one) => areSynonyms(text, one))) return 0.66;
  if (text.length < 3 || name.length < 3) return 0;
  if (!/^\d/u.test(text)) {
    const shorterLength = Math.min(text.length, name.length);
    const longerLength = Math.max(text.length, name.length);
    let prefixLength = 0;
    while (prefixLength < shorterLength && text[prefixLength] === name[prefixLength]) prefixLength += 1;
    // A verb is weaker evidence than a noun: "played" for a column called Player.
    const verb = !adjectival && /(?:ed|ing|s)$/u.test(text) && !/(?:ed|ing)$/u.test(name) && prefixLength < name.length;
    if (prefixLength >= 5 && longerLength - prefixLength <= 3) return verb ? 0.5 : 0.85;
    if (prefixLength === shorterLength && prefixLength >= 4 && longerLength - prefixLength <= 4)
      return verb || text.length < name.length ? 0.6 : 0.8;
    // The name is an abbreviation of the word, such as `enr` for enrollment.
    if (prefixLength === name.length && prefixLength >= 3 && longerLength - prefixLength >= 3 && longerLength <= 12)
      return 0.7;
    if (shorterLength >= 4 && longerLength - shorterLength <= 2) {
      const edits = isSwapped(text, name) ? 1 : distance(text, name);
      if (edits === 1 && shorterLength >= 5) return 0.85;
      if (edits === 1 && text[0] === name[0]) return 0.72;
      if (edits === 2 && shorterLength >= 7) return 0.75;
    }
  }
  return 0;
}

/** True if the words of a mention are only related in meaning to the name of its column. */
export const isOfMeaning = (
  profile: Profile,
  words: readonly Word[],
  { start, end, options, pointer }: Mention,
): boolean =>
  !pointer &&
  words
    .slice(start, end)
    .every((word) =>
      profile.aliases
        .filter(({ column }) => column === options[0]?.column)
        .every((alias) => alias.words.every(({ text, stem }) => likenessOfLetters(word, text, stem, true) === 0)),
    );

/** The similarity of words that are related in meaning. It is weak: the rest of the question may overrule it. */
function likenessOfMeaning(text: string, name: string): number {
  const closeness = relatedness(text, name);
  if (closeness >= 0.6) return closeness >= 0.8 ? 0.64 : closeness >= 0.68 ? 0.56 : 0.46;
  return englishSynonymsOf(name).some((other) => relatedness(text, other) >= 0.78) ? 0.5 : 0;
}

interface Likenesses {
  readonly like: (at: number, name: string) => number;
  /** The names that contain a word similar to a word of the question. */
  readonly near: readonly Alias[];
}

type LikenessByName = ReadonlyMap<string, number>;
const noLikeness: LikenessByName = new Map();

/** What is known of the names of a dataset: their stems, and the similarity of recent words to them. */
interface NameLikeness {
  readonly stems: ReadonlyMap<string, string>;
  readonly recentWords: RecentMap<string, LikenessByName>;
}

const maxRecentWords = 500;
const likenessByNames = new WeakMap<readonly Alias[], NameLikeness>();

/** Returns the similarity of a word to each word of the names. A question is read several times, so it is kept for a while. */
function likenessOf(aliases: readonly Alias[], word: Word, adjectival: boolean): LikenessByName {
  const known = likenessByNames.get(aliases) ?? {
    stems: new Map(aliases.flatMap((alias) => alias.words.map(({ text, stem }) => [text, stem] as const))),
    recentWords: recent<string, LikenessByName>(maxRecentWords),
  };
  likenessByNames.set(aliases, known);
  const key = `${word.kind} ${word.text} ${adjectival}`;
  const earlier = known.recentWords.get(key);
  if (earlier !== undefined) return earlier;
  const row = new Map<string, number>();
  for (const [name, stem] of known.stems) {
    const like = likeness(word, name, stem, adjectival);
    if (like > 0 && (like > 0.9 || !stopWords.has(word.text))) row.set(name, like);
  }
  known.recentWords.set(key, row);
  return row;
}

/** Computes the similarity of each word of the question to each different word of the names, once per question. */
function compare(words: readonly Word[], aliases: readonly Alias[]): Likenesses {
  const likenessByWord = new Map<string, LikenessByName>();
  const rows = words.map((word, at) => {
    const adjectival = /^(?:most|least|best|worst)$/u.test(words[at - 1]?.text ?? '');
    const earlier = likenessByWord.get(word.text);
    if (word.kind === 'mark' || word.kind === 'quoted') return earlier ?? noLikeness;
    const row = earlier ?? likenessOf(aliases, word, adjectival);
    likenessByWord.set(word.text, row);
    return row;
  });
  const likedWords = new Set([...likenessByWord.values()].flatMap((row) => [...row.keys()]));
  return {
    like: (at, name) => rows[at]?.get(name) ?? 0,
    near: aliases.filter((alias) => alias.words.some(({ text }) => likedWords.has(text))),
  };
}

/** Returns how strongly a single word refers to any column. */
function strengthOf(profile: Profile, word: Word): number {
  const likes = likenessOf(profile.aliases, word, false);
  const strengths = profile.aliases.map(({ words, trust }) => {
    const totalWeight = words.reduce((sum, { weight }) => sum + weight, 0);
    return (Math.max(...words.map(({ text, weight }) => weight * (likes.get(text) ?? 0))) / totalWeight) * trust;
  });
  return Math.max(0, ...strengths);
}

/** How similar a word must be to the noun of a dataset to name its rows. */
const rowLikeness = 0.64;

/** How similar "subs" is to the noun of rows "subscriptions", which people shorten. */
function shortened({ text }: Word, noun: string): number {
  const start = text.replace(/s$/u, '');
  const isShort = start.length >= 3 && noun.startsWith(start) && noun.length - start.length >= 4;
  // A word with a meaning of its own is no short form.
  return isShort && englishSynonymsOf(text).length === 0 ? 0.7 : 0;
}

/**
 * Replaces words that mean the rows of the dataset, such as "reservas" for a dataset of bookings, by the noun in its
 * name. Words that name a column are left alone.
 */
export function withRowNouns(profile: Profile, words: readonly Word[]): readonly Word[] {
  return words.flatMap((word, at): Word | readonly Word[] => {
    // "Ticket volume" is the number of tickets.
    if (word.text === 'volume' && profile.entity.has(words[at - 1]?.stem ?? '') && !profile.named.has('volume'))
      return { ...word, text: 'count', stem: 'count', typed: word.typed ?? word.text };
    if (word.kind !== 'word' || profile.entity.has(word.stem) || profile.named.has(word.text)) return word;
    if (stopWords.has(word.text) || cueWords.has(word.text) || word.text.length < 3) return word;
    const likes = profile.nouns.map((noun) =>
      Math.max(likeness(word, noun.text, noun.stem), shortened(word, noun.text)),
    );
    const best = Math.max(0, ...likes);
    // In a dataset of trips, "tips" are those of a column called Tip.
    if (best < Math.max(0, ...likenessOf(profile.aliases, word, false).values())) return word;
    const noun = profile.nouns[likes.indexOf(best)];
    if (noun === undefined || best < rowLikeness) return word;
    // The revenue of a dataset of sales is no number of sales.
    if (best < 0.8 && areSynonyms(word.text, 'revenue')) return word;
    if (strengthOf(profile, word) >= best) return word;
    const rows: Word = { ...word, text: noun.text, stem: noun.stem, typed: word.typed ?? word.text };
    // "Gastbezoeken" are visits of which a column called Guest says more.
    const first = compoundParts(word.text)[1];
    const part = first === undefined ? null : { ...word, ...wordOf(first.text), typed: rows.typed ?? '' };
    return part !== null && strengthOf(profile, part) >= leastStrength ? [part, { ...rows, typed: '' }] : rows;
  });
}

/** How much more similar a compound is to a name that has both of its parts. */
const ofBothParts = 0.15;

/** How similar a word must be to the only word that tells a name from others. */
const tellingLikeness = 0.62;

/** Words that may occur within a mention of a name, as in "names of all the documents". */
const between = new Set(['of', 'the', 'per', 's', 'all', 'a', 'each']);

function runsOf(
  alias: Alias,
  words: readonly Word[],
  like: (at: number, name: string) => number,
  isFree: (at: number) => boolean,
  isEntity: (at: number) => boolean,
): WordRun[] {
  const totalWeight = alias.words.reduce((sum, { weight }) => sum + weight, 0);
  const runs: WordRun[] = [];
  let start = -1;
  let end = -1;
  let matchedWeight = 0;
  let count = 0;
  let usedIndexes = new Set<number>();
  // True if a matched word occurs in no other name. It identifies the name, even if the name has many other words.
  let isTelling = false;
  const close = (): void => {
    if (start >= 0) {
      const strength = Math.max(matchedWeight / totalWeight, isTelling ? leastStrength + 0.02 : 0) * alias.trust;
      runs.push({ start, end, column: alias.column, strength, words: count });
    }
    start = -1;
    matchedWeight = 0;
    count = 0;
    isTelling = false;
    usedIndexes = new Set();
  };
  // In "bookings per channel", the bookings are the rows, even if there is a column called Booking channel.
  const isBetween = (at: number): boolean => {
    const text = words[at]?.text ?? '';
    return between.has(text) && !(text === 'per' && end - start === 1 && isEntity(start));
  };
  for (let at = 0; at < words.length; at += 1) {
    let best = -1;
    let bestLike = 0;
    if (isFree(at)) {
      alias.words.forEach(({ text }, index) => {
        const wordLikeness = usedIndexes.has(index) ? 0 : like(at, text);
        if (wordLikeness > bestLike) {
          best = index;
          bestLike = wordLikeness;
        }
      });
    }
    const word = words[at];
    const isStop =
      word === undefined || (stopWords.has(word.text) && !alias.words.some(({ text }) => text === word.text));
    if (best >= 0 && !(start < 0 && isStop)) {
      if (start < 0) start = at;
      const part = alias.words[best];
      matchedWeight += (part?.weight ?? 0) * bestLike;
      isTelling ||= part?.weight === 1 && bestLike >= tellingLikeness;
      count += isStop ? 0.3 : 1;
      usedIndexes.add(best);
      // Each part of a compound may match a word of the name, as `zahlungsart` matches both of "payment method".
      if (compoundParts(word?.text ?? '').length > 0) {
        alias.words.forEach(({ text, weight }, index) => {
          if (usedIndexes.has(index) || like(at, text) === 0) return;
          matchedWeight += weight * like(at, text) + (alias.words[best]?.weight ?? 0) * bestLike * ofBothParts;
          count += 1;
          usedIndexes.add(index);
        });
      }
      end = at + 1;
    } else if (start >= 0 && !(at - end < 3 && isBetween(at))) {
      close();
      if (isFree(at) && !isStop && alias.words.some(({ text }) => like(at, text) > 0)) at -= 1;
    }
  }
  close();
  return runs;
}

/**
 * Finds names that are written as one word, such as `gameid` for the column `GameID`, and names in their exact
 * spelling, such as `Order_Date`.
 */
function verbatimRuns(profile: Profile, words: readonly Word[], isFree: (at: number) => boolean): WordRun[] {
  const runs: WordRun[] = [];
  words.forEach((word, at) => {
    if (word.kind !== 'word' || !isFree(at)) return;
    const joinedName = word.within ?? word.text;
    let end = at + 1;
    if (word.within !== null) {
      if (at > 0 && words[at - 1]?.within === word.within && !startsHere(words, at)) return;
      while (end < words.length && words[end]?.within === word.within && !startsHere(words, end)) end += 1;
    }
    for (const column of profile.byJoined.get(joinedName) ?? []) {
      const strength = word.within === null ? 1.02 : 1.3;
      runs.push({ start: at, end, column, strength, words: end - at + 0.5 });
    }
  });
  return runs;
}

/** True if a name starts at this word. The same name may directly follow itself. */
const startsHere = (words: readonly Word[], at: number): boolean => {
  const joinedName = words[at]?.within;
  if (joinedName === undefined || joinedName === null || words[at - 1]?.within !== joinedName) return true;
  let textBefore = '';
  for (let back = at - 1; back >= 0 && words[back]?.within === joinedName; back -= 1)
    textBefore = (words[back]?.text ?? '') + textBefore;
  return textBefore.length % joinedName.length === 0 && joinedName.startsWith(words[at]?.text ?? ' ');
};

function pointerRuns(profile: Profile, words: readonly Word[], isFree: (at: number) => boolean): WordRun[] {
  const starts: number[] = [];
  let text = '';
  for (const word of words) {
    starts.push(text.length);
    text += `${word.text} `;
  }
  return pointers.flatMap(({ pattern, means, units, strength }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const start = starts.findIndex((place) => place >= match.index);
      const lastWord = starts.findLastIndex((place) => place < match.index + match[0].length);
      if (start < 0 || !isFree(start)) return [];
      const isMeant = (word: string): boolean =>
        word === means || [word, ...longFormsOf(word)].some((one) => areSynonyms(means, one));
      const run = { start, end: lastWord + 1, words: 1, pointer: true as const };
      return profile.aliases.flatMap(({ column, words: name }) => {
        if (name.some(({ text: word }) => isMeant(word))) return [{ ...run, column, strength }];
        return isInUnit(profile, column, units) ? [{ ...run, column, strength: strength * byUnit }] : [];
      });
    }),
  );
}

/** Units of times also are groups: "by hours". */
const timeUnits = new Set('s min h day'.split(' '));

/** Finds amounts by their unit alone: "kilometers by driver" for `dist_km`, if no other amount has that unit. */
const unitRuns = (profile: Profile, words: readonly Word[], isFree: (at: number) => boolean): WordRun[] =>
  words.flatMap(({ text }, at) => {
    const unit = text.length > 2 && isFree(at) ? unitWords.get(text) : undefined;
    if (unit === undefined || timeUnits.has(unit) || words[at - 1]?.kind === 'number') return [];
    const columns = profile.columns.flatMap((_, column) => (isInUnit(profile, column, [unit]) ? [column] : []));
    const [column] = columns;
    if (column === undefined || columns.length > 1) return [];
    return [{ start: at, end: at + 1, column, strength: leastStrength + 0.02, words: 1 }];
  });

/** How much less a phrase refers to a column by its unit than by its name. */
const byUnit = 0.8;

/** True for an amount in one of some units, which its name has as a word or in brackets: `wait_minutes`, "Duration (h)". */
function isInUnit({ columns }: Profile, column: number, units: readonly string[]): boolean {
  const { role, nameWords = [], unit = '' } = columns[column] ?? {};
  const written = [...nameWords.slice(-1), ...nameWords.slice(0, 1), unit];
  return role === 'amount' && written.some((word) => units.includes(unitWords.get(word) ?? ''));
}

/**
 * True if "number", "count" or "total" means a row count here. It does not if the words match a name such as
 * `number_of_employees`.
 */
const counts = (profile: Profile, alias: Alias, words: readonly Word[], at: number): boolean => {
  const text = words[at]?.text;
  if (text === undefined || !/^(?:numbers?|counts?|total)$/u.test(text) || alias.words.length < 2) return false;
  const isNamed = (place: number): boolean =>
    !stopWords.has(words[place]?.text ?? '') && alias.words.some((word) => word.stem === words[place]?.stem);
  const hasOf = words[at + 1]?.text === 'of' && alias.words.some((word) => word.text === 'of');
  const isNamedAfter = isNamed(at + 1) || (hasOf && isNamed(at + 2));
  if (isNamed(at - 1) && words[at - 1]?.text !== 'total') return false;
  if (profile.columns[alias.column]?.role === 'amount' && (isNamedAfter || isNamed(at + 2))) return false;
  return !isNamedAfter || words[at - 1]?.text === 'total';
};

/**
 * True if the words only mean rows. In a dataset of customers, "customers" means its rows, not the column
 * `customer_id`.
 */
const onlyEntity = (profile: Profile, words: readonly Word[], run: WordRun): boolean =>
  (run.strength < 0.9 || isCountedName(profile, words, run)) &&
  words.slice(run.start, run.end).every(({ stem }) => profile.entity.has(stem)) &&
  !isAmountOfEntity(profile, words, run);

/**
 * True for "number of sessions" and "sessions by source" in a dataset called Web sessions, even if it has a column called
 * Session.
 */
function isCountedName({ nouns, columns }: Profile, words: readonly Word[], { start, end, column }: WordRun): boolean {
  const isCounted = /^(?:number|numbers|many|count) (?:of )?$/u.test(
    `${words[start - 2]?.text ?? ''} ${words[start - 1]?.text ?? ''} `.replace(/^\S* (?=many )/u, ''),
  );
  const isHead = end - start === 1 && words[start]?.stem === nouns.at(-1)?.stem;
  const isFirst = start === 0 && words[0]?.text.endsWith('s') === true;
  return isHead && (isCounted || isFirst) && columns[column]?.role !== 'amount';
}

/** True if the words are all that the name of an amount says, such as "consumption" for `Consumption (kWh)`. */
function isAmountOfEntity(profile: Profile, words: readonly Word[], { start, end, column }: WordRun): boolean {
  const { role, nameWords = [] } = profile.columns[column] ?? {};
  const telling = nameWords.filter((word) => !faintWords.has(word));
  const isCounted = /^(?:number|many|count|of)$/u.test(words[start - 1]?.text ?? '');
  return role === 'amount' && !isCounted && telling.length === 1 && end - start === 1;
}

/** True if the words only mean an aggregation, such as "total", even if there is a column called `cost_total`. */
const onlyCues = (words: readonly Word[], run: WordRun): boolean =>
  run.strength < 0.9 && words.slice(run.start, run.end).every(({ text }) => computing.has(text));
const computing = new Set(['total', 'average', 'mean', 'sum', 'maximum', 'minimum', 'max', 'min', 'highest', 'lowest']);

/** Finds mentions of columns. Uses only the words for which `free` returns true. */
export type MentionFinder = (free?: (at: number) => boolean) => FoundMentions;

/**
 * Creates a function that finds the columns which a question mentions, in the order of the words. Mentions do not
 * overlap: longer and more certain mentions are preferred. Other columns that match the same words almost as well are
 * further options of a mention.
 */
export function mentionFinder(profile: Profile, words: readonly Word[]): MentionFinder {
  const { like, near: isNear } = compare(words, profile.aliases);
  return (isFree = () => true) => {
    const runs = [
      ...verbatimRuns(profile, words, isFree),
      ...pointerRuns(profile, words, isFree),
      ...unitRuns(profile, words, isFree),
      ...isNear.flatMap((alias) =>
        runsOf(
          alias,
          words,
          like,
          (at) => isFree(at) && !counts(profile, alias, words, at),
          (at) => profile.entity.has(words[at]?.stem ?? ''),
        ),
      ),
    ].filter((run) => !onlyCues(words, run));
    const tellingRuns = runs.filter((run) => !onlyEntity(profile, words, run));
    const rankByColumn = new Map<number, number>();
    const preferenceOf = (column: number): number => {
      const rank = rankByColumn.get(column) ?? preference(profile.columns[column]?.nameWords ?? []);
      rankByColumn.set(column, rank);
      return rank;
    };
    const { mentions: found, hints } = findMentions(words, tellingRuns, runs, preferenceOf);
    const mentions = found.map((mention) => ofPeople(profile, words, narrowed(mention, found)));
    const abbreviated = abbreviationMentions(profile, words, mentions, isFree);
    return { mentions: [...mentions, ...abbreviated].sort((left, right) => left.start - right.start), hints };
  };
}

/** In "how long do patients wait", "how long" refers to the column that "wait" names, if it may refer to it. */
function narrowed(mention: Mention, mentions: readonly Mention[]): Mention {
  if (!mention.pointer) return mention;
  const option = mention.options.find(({ column }) =>
    mentions.some((other) => !other.pointer && other.options[0]?.column === column),
  );
  return option === undefined ? mention : { ...mention, options: [option] };
}

/** How much weaker a category may be than a time of the same name, to be what a word without a time names. */
const categoryShare = 0.8;
const timeWord = /^(?:date|dates|time|times|day|days|when|year|month|week|hour)$/u;

/** "Inspector" names `insp_nm` rather than `insp_ts`. */
function ofPeople(profile: Profile, words: readonly Word[], mention: Mention): Mention {
  const [first] = mention.options;
  if (first === undefined || profile.columns[first.column]?.type !== 'datetime') return mention;
  if (words.slice(mention.start, mention.end).some(({ text }) => timeWord.test(text))) return mention;
  const category = mention.options.find(
    ({ column, strength }) =>
      profile.columns[column]?.type === 'hierarchy' && strength >= first.strength * categoryShare,
  );
  if (category === undefined || first.strength >= certain) return mention;
  return { ...mention, options: [category, ...mention.options.filter((option) => option !== category)] };
}

/** A name of this strength is complete. */
const certain = 0.97;

/** Words of column names that may be abbreviations which no table explains, with their columns. */
interface ShortName {
  readonly text: string;
  readonly column: number;
}

const shortNames = new WeakMap<readonly Alias[], readonly ShortName[]>();

function shortNamesOf({ aliases }: Profile): readonly ShortName[] {
  const known = shortNames.get(aliases);
  if (known !== undefined) return known;
  const found = aliases.flatMap(({ words, column, trust }) =>
    words
      .filter(
        ({ text }) => trust === 1 && looksAbbreviated(text) && longFormsOf(text).length === 0 && !isKnownWord(text),
      )
      .filter(({ text }) => !faintWords.has(text) && !stopWords.has(text) && !cueWords.has(text))
      .map(({ text }) => ({ text, column })),
  );
  shortNames.set(aliases, found);
  return found;
}

/** An abbreviation that no table explains is weaker than any other name. */
const abbreviationStrength = leastStrength + 0.01;

/**
 * Finds columns whose names abbreviate a word that nothing else explains, in English or as its translation: `brchr` for
 * "brochures". Leaves out words that several columns abbreviate.
 */
function abbreviationMentions(
  profile: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  isFree: (at: number) => boolean,
): readonly Mention[] {
  const names = shortNamesOf(profile);
  if (names.length === 0) return [];
  return words.flatMap((word, at): readonly Mention[] => {
    const { kind, text, stem, capital } = word;
    const isExplained = mentions.some(({ start, end }) => at >= start && at < end) || profile.entity.has(stem);
    const isName = capital === true && !isKnownWord(text);
    const isJoint = stopWords.has(text) || cueWords.has(text) || languages.some((one) => isFunctionWord(text, one));
    if (kind !== 'word' || isExplained || isJoint || isName || !isFree(at)) return [];
    const columnsFor = (text: string): readonly number[] => [
      ...new Set(names.flatMap((name) => (abbreviates(name.text, text) ? [name.column] : []))),
    ];
    const direct = columnsFor(text);
    const meanings = [text, ...compoundParts(text).map((part) => part.text)];
    const columns = direct.length > 0 ? direct : [...new Set(meanings.flatMap(englishSynonymsOf).flatMap(columnsFor))];
    const [column] = columns;
    if (column === undefined || columns.length > 1) return [];
    return [{ start: at, end: at + 1, options: [{ column, strength: abbreviationStrength }], pointer: false }];
  });
}
