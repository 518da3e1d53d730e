import type { ValueCondition } from '../../plan.ts';
import type { Profile } from '../../profile.ts';
import { opensGroup } from '../../vocabulary/groups.ts';
import { excludingStart, withoutNegation } from '../../vocabulary/negation.ts';
import { isRateWord } from '../../vocabulary/rates.ts';
import { stemOf, type Word } from '../../vocabulary/words.ts';
import type { Mention } from '../find-mentions.ts';
import type { AffirmativeValues } from '../measures.ts';
import type { WordRange } from '../phrase.ts';

/** Conditions that a column of yes and no is yes, and the words that state them. */
export interface FlagClauses {
  readonly conditions: readonly ValueCondition[];
  /** For each condition, the words that state it. */
  readonly taken: readonly WordRange[];
  /** True if a noun such as "cancellations" asks for the number of these rows. */
  readonly countsRows: boolean;
}

const asking = new Set('with only that are who met avec mit con having'.split(' '));
const alternating = new Set(['or', 'oder', 'ou']);
const reachBack = 5;
const articles = new Set(['a', 'an', 'the', 'ones', 'those']);

/** True for "share of visits with audio guide", which measures the flag. */
function isRated(words: readonly Word[], at: number): boolean {
  const before = words.slice(Math.max(0, at - reachBack), at).map(({ text }) => text);
  return before.slice(before.findLastIndex((text) => opensGroup(text)) + 1).some(isRateWord);
}

/** True for "cancellations" where a column of yes and no is called Cancelled: they are its rows with yes. */
function isCountedNoun(
  { columns }: Profile,
  words: readonly Word[],
  { start, end }: WordRange,
  column: number,
): boolean {
  const text = words[start]?.text ?? '';
  return end - start === 1 && text.endsWith('ions') && columns[column]?.nameWords.includes(text) === false;
}

const isGroup = (before: string): boolean => before === 'and' || opensGroup(before);

/** Returns where "excluding" starts before a flag, also as in "except those with a scholarship"; null without it. */
function excludingBefore(words: readonly Word[], end: number): number | null {
  let at = end;
  if (asking.has(words[at - 1]?.text ?? '')) at -= 1;
  while (articles.has(words[at - 1]?.text ?? '')) at -= 1;
  return excludingStart(words, end) ?? excludingStart(words, at);
}

/** True for "unapproved" where a column of yes and no is called Approved. */
function isNegatedName(
  { columns }: Profile,
  words: readonly Word[],
  { start, end }: WordRange,
  column: number,
): boolean {
  const text = words[start]?.text ?? '';
  const affirmed = end - start === 1 ? withoutNegation(text) : null;
  const names = columns[column]?.nameWords ?? [];
  return affirmed !== null && !names.includes(text) && names.some((name) => stemOf(name) === stemOf(affirmed));
}

/** Reads "late deliveries", "students with a scholarship" and "without audio guide". */
export function findFlags(
  profile: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  affirmative: AffirmativeValues,
): FlagClauses {
  const conditions: ValueCondition[] = [];
  const taken: WordRange[] = [];
  let countsRows = false;
  for (const { start, end, options } of mentions) {
    const column = options[0]?.column ?? -1;
    const values = affirmative(column);
    if (values.length === 0 || isRated(words, start)) continue;
    let at = start;
    while (articles.has(words[at - 1]?.text ?? '')) at -= 1;
    const before = words[at - 1]?.text ?? '';
    const isOfRows = profile.entity.has(words[end]?.stem ?? '') && !isGroup(before) && !['%', 'of'].includes(before);
    const isNoun = isCountedNoun(profile, words, { start, end }, column) && !isGroup(before);
    if (isNoun) {
      conditions.push({ kind: 'values', column, values, isExcluded: false });
      taken.push({ start, end });
      countsRows = true;
      continue;
    }
    const excludedFrom = excludingBefore(words, at);
    const isNegated = isNegatedName(profile, words, { start, end }, column);
    // "Hired in 2023 or working remotely"; groups are not joined by "or".
    const isClause = alternating.has(before) || (end - start > 1 && words[start]?.text.endsWith('ing') === true);
    const isAsked = asking.has(before) || isOfRows || ((isNegated || isClause) && !isGroup(before));
    if (!isAsked && excludedFrom === null) continue;
    conditions.push({ kind: 'values', column, values, isExcluded: (excludedFrom !== null) !== isNegated });
    taken.push({ start: excludedFrom ?? (asking.has(before) ? at - 1 : start), end });
  }
  return { conditions, taken, countsRows };
}
