import type { ValueCondition } from '../../plan.ts';
import type { Profile } from '../../profile.ts';
import type { Word } from '../../vocabulary/words.ts';
import type { Mention } from '../find-mentions.ts';
import type { AffirmativeValues } from '../measures.ts';
import type { WordRange } from '../phrase.ts';

/** Conditions that a column of yes and no is yes, and the words that state them. */
export interface FlagClauses {
  readonly conditions: readonly ValueCondition[];
  readonly taken: readonly WordRange[];
}

const asking = new Set('with only that are who met avec mit con having'.split(' '));
const denying = new Set('without not no zonder sans ohne sin'.split(' '));
const rateWords = new Set('share percentage percent % rate proportion fraction'.split(' '));
const dividing = new Set('by per each every across'.split(' '));
const reachBack = 5;
const articles = new Set(['a', 'an', 'the', 'ones', 'those']);

/** True for "share of visits with audio guide", which measures the flag. */
function isRated(words: readonly Word[], at: number): boolean {
  const before = words.slice(Math.max(0, at - reachBack), at).map(({ text }) => text);
  return before.slice(before.findLastIndex((text) => dividing.has(text)) + 1).some((text) => rateWords.has(text));
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
  for (const { start, end, options } of mentions) {
    const column = options[0]?.column ?? -1;
    const values = affirmative(column);
    if (values.length === 0 || isRated(words, start)) continue;
    let at = start;
    while (articles.has(words[at - 1]?.text ?? '')) at -= 1;
    const before = words[at - 1]?.text ?? '';
    const isOfRows = profile.entity.has(words[end]?.stem ?? '') && !/^(?:by|per|each|every|and|%|of)$/u.test(before);
    if (!asking.has(before) && !denying.has(before) && !isOfRows) continue;
    conditions.push({ kind: 'values', column, values, isExcluded: denying.has(before) });
    taken.push({ start: isOfRows && !asking.has(before) ? start : at - 1, end });
  }
  return { conditions, taken };
}
