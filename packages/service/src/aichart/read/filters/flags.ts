import type { ValueCondition } from '../../plan.ts';
import type { Profile } from '../../profile.ts';
import { opensGroup } from '../../vocabulary/groups.ts';
import { excludingStart } from '../../vocabulary/negation.ts';
import { isRateWord } from '../../vocabulary/rates.ts';
import type { Language } from '../../vocabulary/question-languages.ts';
import type { Word } from '../../vocabulary/words.ts';
import type { AffirmativeValues } from '../measures.ts';
import type { Mention } from '../find-mentions.ts';
import type { WordRange } from '../phrase.ts';
import { isContentWord, type NamedFlag } from './flag-names.ts';

/** Conditions that a column of yes and no is yes, and the words that state them. */
export interface FlagClauses {
  readonly conditions: readonly ValueCondition[];
  /** For each condition, the words that state it. */
  readonly taken: readonly WordRange[];
  /** True if a noun such as "cancellations" asks for the number of these rows. */
  readonly countsRows: boolean;
}

const alternating = new Set(['or', 'oder', 'ou']);
const reachBack = 5;
const articles = new Set(['a', 'an', 'the', 'ones', 'those']);

/** True for "share of visits with audio guide", which measures the flag. */
function isRated(words: readonly Word[], at: number): boolean {
  const before = words.slice(Math.max(0, at - reachBack), at).map(({ text }) => text);
  return before.slice(before.findLastIndex((text) => opensGroup(text)) + 1).some(isRateWord);
}

/** True for "cancellations" where a column of yes and no is called Cancelled, and for "late deliveries": its rows with yes. */
function isCountedNoun(
  { columns }: Profile,
  words: readonly Word[],
  { start, end }: WordRange,
  column: number,
): boolean {
  const text = words[end - 1]?.text ?? '';
  const isPlural = text.endsWith(end - start === 1 ? 'ions' : 's');
  return isPlural && columns[column]?.nameWords.includes(text) === false;
}

const isGroup = (before: string): boolean => before === 'and' || opensGroup(before);

/**
 * Returns where "excluding" starts before the name of a column of yes and no, also as in "except those with a scholarship";
 * null without it, or where it is a part of the name, as in a column called Without appointment.
 */
export function excludingBefore(
  { columns }: Profile,
  words: readonly Word[],
  { start, options }: Mention,
): number | null {
  const before = withoutArticles(words, start);
  const at = copulas.has(words[before - 1]?.text ?? '') ? withoutArticles(words, before - 1) : before;
  const from = excludingStart(words, before) ?? excludingStart(words, at);
  const names = columns[options[0]?.column ?? -1]?.nameWords ?? [];
  const isName = from !== null && words.slice(from, start).every(({ text }) => names.includes(text));
  return isName ? null : from;
}

/** Returns the place before the articles that end at a word. */
function withoutArticles(words: readonly Word[], end: number): number {
  let at = end;
  while (articles.has(words[at - 1]?.text ?? '')) at -= 1;
  return at;
}

/** Words between rows and what holds of them, as in "events that were free", in all languages of questions. */
const copulas = new Set(
  [
    'with only that are were was is been being get gets got who which having met zijn waren werd werden die avec etaient sont',
    'qui mit sind wurden con han sido estan son fueron que',
  ].flatMap((texts) => texts.split(' ')),
);
/** Nouns after the name of a column that ask for its values. */
const valueNouns = new Set(
  'rate percentage % share ratio quota status flag state column field yes not or vs versus'.split(' '),
);

/** The languages in which adjectives follow their noun. */
const following: ReadonlySet<Language> = new Set(['fr', 'es']);

/** Finds the noun that a yes/no column qualifies: the rows, as in "late trips", or an amount, as in "billable hours". */
class NounFinder {
  readonly #profile: Profile;
  readonly #words: readonly Word[];
  readonly #flags: readonly NamedFlag[];

  constructor(profile: Profile, words: readonly Word[], flags: readonly NamedFlag[]) {
    this.#profile = profile;
    this.#words = words;
    this.#flags = flags;
  }

  /** True for "late deliveries", "billable hours" and, where adjectives follow, "vols annulés". */
  isBeside({ start, end }: WordRange, from: number, language: Language): boolean {
    const { text: next = '' } = this.#words[end] ?? {};
    if (valueNouns.has(next) || isGroup(this.#words[from - 1]?.text ?? '')) return false;
    if (this.#isNoun(end)) return true;
    return this.#isRows(from - 1) || (end - start === 1 && following.has(language) && this.#isNoun(from - 1));
  }

  #isRows(at: number): boolean {
    return this.#profile.entity.has(this.#words[at]?.stem ?? '');
  }

  #isNoun(at: number): boolean {
    const word = this.#words[at];
    const isFlag = this.#flags.some(({ start, end }) => at >= start && at < end);
    return word !== undefined && !isFlag && isContentWord(word) && !isRateWord(word.text);
  }
}

/** Reads "late deliveries", "students with a scholarship" and "without audio guide". */
export function findFlags(
  profile: Profile,
  words: readonly Word[],
  flags: readonly NamedFlag[],
  affirmative: AffirmativeValues,
  language: Language,
  isOfRate: (at: number) => boolean,
): FlagClauses {
  const conditions: ValueCondition[] = [];
  const taken: WordRange[] = [];
  let countsRows = false;
  const nouns = new NounFinder(profile, words, flags);
  for (const { start, end, options, pointer, isNegated } of flags) {
    const column = options[0]?.column ?? -1;
    const values = affirmative(column);
    if ((!isOfRate(start) && isRated(words, start)) || words.slice(start, end).some(({ text }) => isRateWord(text)))
      continue;
    const at = withoutArticles(words, start);
    const excludedFrom = excludingBefore(profile, words, { start, end, options, pointer });
    const from = excludedFrom ?? at;
    const before = words[at - 1]?.text ?? '';
    const isNoun = isCountedNoun(profile, words, { start, end }, column) && !isGroup(before);
    if (isNoun && excludedFrom === null) {
      conditions.push({ kind: 'values', column, values, isExcluded: isNegated });
      taken.push({ start, end });
      countsRows = true;
      continue;
    }
    // "Hired in 2023 or working remotely"; groups are not joined by "or".
    const isClause = alternating.has(before) || (end - start > 1 && words[start]?.text.endsWith('ing') === true);
    const isAsked =
      copulas.has(before) ||
      nouns.isBeside({ start, end }, from, language) ||
      ((isNegated || isClause) && !isGroup(before));
    if (!isAsked && excludedFrom === null) continue;
    conditions.push({ kind: 'values', column, values, isExcluded: (excludedFrom !== null) !== isNegated });
    taken.push({ start: excludedFrom ?? (copulas.has(before) ? at - 1 : start), end });
  }
  return { conditions, taken, countsRows };
}
