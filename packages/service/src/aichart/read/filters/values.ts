import { folded } from '../../../columns/name-words.ts';
import type { Quantity, ValueCondition } from '../../plan.ts';
import type { Profile } from '../../profile.ts';
import type { FoundValue, FoundValues } from '../../values/found-values.ts';
import { languages } from '../../vocabulary/question-languages.ts';
import { affirmativeTexts } from './affirmative.ts';
import { excludingWords, isOfRows } from './excluded.ts';
import { isFunctionWord } from '../../vocabulary/function-words.ts';
import { opensGroup } from '../../vocabulary/groups.ts';
import { joinsList } from '../../vocabulary/joining.ts';
import { otherNamesOf } from '../../vocabulary/other-names.ts';
import { cueWords, stopWords } from '../../vocabulary/lexicon.ts';
import { excludingStart } from '../../vocabulary/negation.ts';
import { rateOpeners } from '../../vocabulary/rates.ts';
import { isSuperlative } from '../../vocabulary/superlatives.ts';
import { stemOf, type Word } from '../../vocabulary/words.ts';
import type { Mention } from '../find-mentions.ts';
import type { WordRange } from '../phrase.ts';

/** The values in a question as conditions, and the words that state them. */
export interface ValueClauses {
  readonly conditions: readonly ValueCondition[];
  /** For each condition, where its values stand, from the first to the last. */
  readonly places: readonly WordRange[];
  /** The share of rows that have a value, as in "share of women"; null if the question asks for none. */
  readonly measure: Quantity | null;
  /** The column whose values are set against each other, as in "Portugal vs Spain"; null if none are. */
  readonly compared: number | null;
  readonly taken: readonly WordRange[];
  /** Values of rows that a noun names and that are left out, as "excluding guests from Norway", with these words. */
  readonly excludedRows: readonly WordRange[];
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that only introduce values. */
const introducing = set(
  'only just for in from to at of with where is are was the a an and or all value values named called leave out everything ' +
    'alleen enkel slechts voor uit van met seulement uniquement que pour en dans de du des nur fur aus von mit bei solo solamente unicamente para con',
);
const versus = set('vs versus');
const maxWords = 4;
const maxTexts = 60;
/** Members of columns of yes and no. Without the name of their column, they mean something else. */
const yesOrNo = new Set([...affirmativeTexts, ...'no non nein nee false faux falsch onwaar n 0'.split(' ')]);
/** A mention that is at least this strong names its column rather than a value. */
const certainStrength = 0.97;

/** A run of words that may name a value. */
interface Phrase extends WordRange {
  readonly text: string;
}

/** Returns a word as it was written, where it stands for the rows of the dataset. */
const spelled = ({ text, typed }: Word): string => (typed === undefined || typed === '' ? text : folded(typed));

/** Returns words as one text; a number and the capital behind it are one word. */
const spelledRun = (words: readonly Word[]): string => {
  const [{ within } = { within: null }] = words;
  // "r24" is one name.
  if (within !== null && words.length > 1 && words.every((word) => word.within === within)) return within;
  return words
    .map((word, at) => (word.joinsNumber === true || at === 0 ? spelled(word) : ` ${spelled(word)}`))
    .join('');
};

/** True for "high" in "urgent or high": one of a list, so it may be a value although it usually orders. */
const isListed = (words: readonly Word[], at: number): boolean =>
  [words[at - 1]?.text, words[at + 1]?.text].some((text) => joinsList(text ?? ''));

/** True if a word may be a value: it is neither a word of the grammar nor surely the name of a column. */
const mayBeValue = (words: readonly Word[], mentions: readonly Mention[], profile: Profile, language: string) => {
  const certain = mentions.filter(({ options }) => (options[0]?.strength ?? 0) >= certainStrength);
  return (at: number): boolean => {
    const word = words[at];
    if (word === undefined || word.kind === 'mark' || word.kind === 'number') return false;
    if (word.kind === 'quoted' || word.endsCode === true) return true;
    if (cueWords.has(word.text) && isListed(words, at)) return true;
    if (stopWords.has(word.text) || cueWords.has(word.text) || isSuperlative(word.text)) return false;
    if (isFunctionWord(word.text, language) || profile.entity.has(stemOf(spelled(word)))) return false;
    return !certain.some(({ start, end }) => at >= start && at < end);
  };
};

/** Returns the runs of words that may name values, the longest first. */
function phrasesOf(words: readonly Word[], isValue: (at: number) => boolean): readonly Phrase[] {
  const phrases: Phrase[] = [];
  for (let length = maxWords; length > 0; length -= 1)
    for (let start = 0; start + length <= words.length; start += 1) {
      const run = words.slice(start, start + length);
      // "Gate 12" may be a value, 12 alone is none.
      const isNumbered = length > 1 && run.at(-1)?.kind === 'number';
      const isCode = length > 1 && run[0]?.kind === 'number' && run[1]?.joinsNumber === true;
      // "65+" may be a group of ages.
      const isOpenEnded = length === 2 && run[0]?.kind === 'number' && run[1]?.text === '+';
      if (!isOpenEnded && (!(isCode || isValue(start)) || !(isNumbered || isValue(start + length - 1)))) continue;
      if (run[0]?.joinsNumber === true) continue;
      if (!isOpenEnded && run.some(({ kind }) => kind === 'mark')) continue;
      phrases.push({ start, end: start + length, text: spelledRun(run) });
    }
  return phrases.slice(-maxTexts);
}

/** Returns the texts of a question that may name values. */
export const valueTexts = (
  profile: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  language: string,
): readonly string[] => [
  ...new Set(
    phrasesOf(words, mayBeValue(words, mentions, profile, language)).flatMap(({ text }) => [
      text,
      ...otherNamesOf(text),
    ]),
  ),
];

const origins = set('from origin departure source start begin sender van depuis von desde');
const targets = set('to dest destination arrival target end receiver naar vers nach hasta');

/** Chooses the column of a value that several columns have: that of the preposition, else the first. */
function chosen(profile: Profile, found: readonly FoundValue[], before: string): FoundValue | undefined {
  const [first] = found;
  const equal = found.filter(({ distance }) => distance === first?.distance);
  const named = origins.has(before) ? origins : targets.has(before) ? targets : null;
  const fitting =
    named === null
      ? undefined
      : equal.find(({ column }) => profile.columns[column]?.nameWords.some((word) => named.has(word)));
  return fitting ?? first;
}

/** Returns what was found for a text, or for another name of the same value. */
const foundFor = (byText: FoundValues['byText'], text: string): readonly FoundValue[] =>
  byText.get(text)?.length
    ? (byText.get(text) ?? [])
    : otherNamesOf(text).flatMap((name) => (byText.get(name) ?? []).filter(({ distance }) => distance === 0));

const isBesideName = (mentions: readonly Mention[], { start, end }: WordRange, column: number): boolean =>
  mentions.some(
    (mention) =>
      mention.options[0]?.column === column &&
      (Math.abs(mention.end - start) <= 1 || Math.abs(mention.start - end) <= 1),
  );

/** A value that words name, and all members that they may mean. */
export interface NamedValue extends Phrase {
  readonly found: FoundValue;
  readonly members: readonly FoundValue[];
  /** True if the words equal a value but name a group, as "branch" does in "per branch": no condition. */
  readonly isGroup: boolean;
}

const isList = (words: readonly Word[], from: number, to: number): boolean =>
  words.slice(from, to).every(({ text }) => joinsList(text));

/** Chooses for values in a list a column that has all of them, if there is one. */
function ofOneColumn(words: readonly Word[], values: readonly NamedValue[]): readonly NamedValue[] {
  const lists: NamedValue[][] = [];
  for (const value of values) {
    const last = lists.at(-1)?.at(-1);
    if (last !== undefined && isList(words, last.end, value.start)) lists.at(-1)?.push(value);
    else lists.push([value]);
  }
  return lists.flatMap((list) => {
    if (list.length === 1) return list;
    const column = list[0]?.members
      .map((member) => member.column)
      .find((one) => list.every(({ members }) => members.some((member) => member.column === one)));
    return list.map((value) => ({
      ...value,
      found: value.members.find((member) => member.column === column) ?? value.found,
    }));
  });
}

/** Finds the words that name values among the members that were looked up, in their order. */
export function namedValues(
  profile: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  language: string,
  { byText }: FoundValues,
): readonly NamedValue[] {
  if (byText.size === 0) return [];
  const isTaken = new Set<number>();
  const values: NamedValue[] = [];
  const mentionAt = (at: number): number =>
    Math.max(
      0,
      ...mentions.filter(({ start, end }) => at >= start && at < end).map(({ options }) => options[0]?.strength ?? 0),
    );
  for (const { start, end, text } of phrasesOf(words, mayBeValue(words, mentions, profile, language))) {
    if (words.slice(start, end).some((_, index) => isTaken.has(start + index))) continue;
    const members = foundFor(byText, text);
    const found = chosen(profile, members, words[start - 1]?.text ?? '');
    // A word that is nearly the name of a column, and not exactly a value, names the column.
    if (found === undefined || (found.distance > 0 && mentionAt(start) >= 0.6)) continue;
    if (found.distance > 0 && words[end - 1]?.kind === 'number') continue;
    // Words of the grammar of any language are no part of a value: `van` does not name Van Dijk.
    if (found.distance > 0 && languages.some((known) => isFunctionWord(text, known))) continue;
    if (yesOrNo.has(text) && !isBesideName(mentions, { start, end }, found.column)) continue;
    // A word after "by" is a value only if it is exactly one and names no column; after "per" it is a group.
    const before = words[start - 1]?.text ?? '';
    if (found.distance > 0 && (opensGroup(before) || cueWords.has(text))) continue;
    const isGroup = opensGroup(before) && (before !== 'by' || mentionAt(start) > 0);
    for (let at = start; at < end; at += 1) isTaken.add(at);
    values.push({ start, end, text, found, members, isGroup });
  }
  const ordered = values.toSorted((left, right) => left.start - right.start);
  return ofOneColumn(words, ordered);
}

/**
 * Finds the values that a question names, among the members that were looked up. `isRated` tells whether a share is asked
 * for at a word whose measure is something else: "% of delivery orders refunded" is no share of deliveries.
 */
export const findValues = (
  profile: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  language: string,
  found: FoundValues,
  isFlag: (column: number) => boolean,
  isRated: (at: number) => boolean,
): ValueClauses =>
  clausesOf(
    words,
    namedValues(profile, words, mentions, language, found).filter(({ isGroup }) => !isGroup),
    (at) =>
      excludingWords(profile, words, mentions, at, ({ options }) =>
        isOfRows(profile, options[0]?.column ?? -1, isFlag),
      ),
    isRated,
  );

/** Returns where "share of" or "percentage of" starts that ends before a word; null if there is none. */
function rateBefore(words: readonly Word[], end: number): number | null {
  const opener = rateOpeners.find((texts) => texts.every((text, at) => words[end - texts.length + at]?.text === text));
  return opener === undefined ? null : end - opener.length;
}

/** Most words between a value and the excluding word before its list. */
const longestList = 8;

/** True for "Oslo" in "without Atlantis and Oslo", where the first one was not found. */
function isOfExcludedList(words: readonly Word[], start: number): boolean {
  if (!joinsList(words[start - 1]?.text ?? '')) return false;
  for (let at = start - 1; at > 0 && start - at <= longestList; at -= 1) {
    if (excludingStart(words, at) !== null) return true;
    const { text = '', kind } = words[at - 1] ?? {};
    if (opensGroup(text) || (kind === 'mark' && text !== ',')) return false;
  }
  return false;
}

function clausesOf(
  words: readonly Word[],
  values: readonly NamedValue[],
  excludedBefore: (at: number) => WordRange | null,
  isRated: (at: number) => boolean,
): ValueClauses {
  const conditions: { column: number; values: string[]; isExcluded: boolean; place: WordRange }[] = [];
  let measure: Quantity | null = null;
  let compared: number | null = null;
  const taken: WordRange[] = [];
  const excludedRows: WordRange[] = [];
  let isExcluded = false;
  let previousEnd = -1;
  for (const { start, end, found } of values) {
    let from = start;
    const isListed = previousEnd >= 0 && isList(words, previousEnd, start);
    if (!isListed) isExcluded = false;
    else {
      const isVersus = words.slice(previousEnd, start).some(({ text }) => versus.has(text));
      if (isVersus && conditions.at(-1)?.column === found.column) compared = found.column;
      from = previousEnd;
    }
    while (!isListed && from > 0) {
      const excludedFrom = excludingStart(words, from);
      if (excludedFrom !== null) isExcluded = true;
      else if (!introducing.has(words[from - 1]?.text ?? '') || start - from > 4) break;
      from = excludedFrom ?? from - 1;
    }
    if (!isListed && !isExcluded) isExcluded = isOfExcludedList(words, start);
    const rows = isListed || isExcluded ? null : excludedBefore(from);
    if (rows !== null) {
      isExcluded = true;
      taken.push(rows);
      excludedRows.push({ start: rows.start, end });
    }
    const rateStart = isListed || isRated(start) ? null : rateBefore(words, start);
    if (rateStart !== null) {
      measure = {
        column: found.column,
        aggregation: null,
        computed: { kind: 'rate', values: [found.value] },
      };
      taken.push({ start: rateStart, end });
      continue;
    }
    const last = conditions.find(
      (condition) => condition.column === found.column && condition.isExcluded === isExcluded,
    );
    if (last === undefined)
      conditions.push({ column: found.column, values: [found.value], isExcluded, place: { start, end } });
    else {
      last.values.push(found.value);
      last.place = { start: last.place.start, end };
    }
    taken.push({ start: from, end });
    previousEnd = end;
  }
  return {
    conditions: conditions.map(({ column, values: members, isExcluded: isOut }) => ({
      kind: 'values',
      column,
      values: members,
      isExcluded: isOut,
    })),
    places: conditions.map(({ place }) => place),
    measure,
    compared,
    taken,
    excludedRows,
  };
}
