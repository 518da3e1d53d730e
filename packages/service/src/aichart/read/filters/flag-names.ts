import type { Profile } from '../../profile.ts';
import { englishSynonymsOf } from '../../vocabulary/concepts.ts';
import { isFunctionWord } from '../../vocabulary/function-words.ts';
import { opensGroup } from '../../vocabulary/groups.ts';
import { cueWords, faintWords, stopWords } from '../../vocabulary/lexicon.ts';
import { withoutNegation } from '../../vocabulary/negation.ts';
import { languages } from '../../vocabulary/question-languages.ts';
import { stemOf, type Word } from '../../vocabulary/words.ts';
import { leastStrength, type Mention } from '../find-mentions.ts';
import type { AffirmativeValues } from '../measures.ts';
import { mentionFinder } from '../mentions.ts';

/** A column of yes and no that words name. */
export interface NamedFlag extends Mention {
  /** True if the words mean "no", such as "unpaid" for a column called Paid. */
  readonly isNegated: boolean;
}

/** Minimum length of an abbreviation that is the start of an adjective, such as `haz` of "hazardous" in `haz_fl`. */
const minBeginning = 3;

/** True for a word that may name something: it serves neither the grammar nor the clauses of a question. */
export const isContentWord = ({ kind, text }: Word): boolean =>
  kind === 'word' &&
  text.length > 2 &&
  !stopWords.has(text) &&
  !cueWords.has(text) &&
  !opensGroup(text) &&
  !languages.some((language) => isFunctionWord(text, language));

/** Returns what a word is the opposite of, such as "paid" for "unpaid" and "impayé"; null if that is unknown. */
const oppositeOf = (text: string): string | null =>
  [text, ...englishSynonymsOf(text)].map(withoutNegation).find((affirmed) => affirmed !== null) ?? null;

/** Finds the columns of yes and no that words of a question name, also where their opposite or the start of a translation does. */
export function namedFlags(
  profile: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  affirmative: AffirmativeValues,
): readonly NamedFlag[] {
  const flags = profile.columns.flatMap((_, column) => (affirmative(column).length > 0 ? [column] : []));
  if (flags.length === 0) return [];
  const isFlag = ({ options }: Mention): boolean => flags.includes(options[0]?.column ?? -1);
  const opposites = oppositeFlags(profile, words).filter(isFlag);
  const isOpposite = (start: number): boolean => opposites.some((flag) => flag.start === start);
  const named = joined(
    profile,
    words,
    mentions.filter((mention) => isFlag(mention) && !isOpposite(mention.start)),
  );
  const isExplained = (at: number): boolean =>
    [...opposites, ...mentions].some(({ start, end }) => at >= start && at < end);
  const begun = words.flatMap((word, at): readonly NamedFlag[] => {
    if (isExplained(at) || !isContentWord(word) || profile.entity.has(word.stem)) return [];
    const column = flags.find((flag) => begins(profile, flag, word.text));
    const options = column === undefined ? [] : [{ column, strength: leastStrength }];
    return column === undefined ? [] : [{ start: at, end: at + 1, options, pointer: false, isNegated: false }];
  });
  return [...named.map((mention) => ({ ...mention, isNegated: false })), ...opposites, ...begun].sort(
    (left, right) => left.start - right.start,
  );
}

/**
 * Joins mentions of one column that follow each other, and leaves the noun of the rows before them out: "visits without
 * appointment" names a column called Without appointment.
 */
function joined({ entity }: Profile, words: readonly Word[], mentions: readonly Mention[]): readonly Mention[] {
  const found: Mention[] = [];
  for (const mention of mentions) {
    const last = found.at(-1);
    const isOfLast = last?.end === mention.start && last.options[0]?.column === mention.options[0]?.column;
    if (last !== undefined && isOfLast) found[found.length - 1] = { ...last, end: mention.end };
    else found.push(mention);
  }
  return found.map((mention) => {
    const isRows = mention.end - mention.start > 1 && entity.has(words[mention.start]?.stem ?? '');
    return isRows ? { ...mention, start: mention.start + 1 } : mention;
  });
}

/** True for "facturables" where a column is called `bill_flg`: the name begins "billable". */
const begins = ({ columns }: Profile, flag: number, text: string): boolean =>
  (columns[flag]?.nameWords ?? []).some(
    (name) =>
      name.length >= minBeginning &&
      !faintWords.has(name) &&
      [text, ...englishSynonymsOf(text)].some((synonym) => synonym.startsWith(name)),
  );

/** Finds the columns whose opposite is named: those that the words mention without their negation. */
function oppositeFlags(profile: Profile, words: readonly Word[]): readonly NamedFlag[] {
  const affirmed = words.map(({ kind, text }) =>
    kind === 'word' && !profile.named.has(text) && !profile.entity.has(stemOf(text)) ? oppositeOf(text) : null,
  );
  if (affirmed.every((text) => text === null)) return [];
  const changed = words.map((word, at): Word => {
    const text = affirmed[at] ?? null;
    return text === null ? word : { ...word, text, stem: stemOf(text) };
  });
  return mentionFinder(profile, changed)()
    .mentions.filter(({ start, end }) => end - start === 1 && (affirmed[start] ?? null) !== null)
    .map((mention) => ({ ...mention, isNegated: true }));
}
