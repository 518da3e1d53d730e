import type { BoundCondition, EmptyCondition, ValueCondition } from '../../plan.ts';
import type { SpanClause } from '../conditions/clauses.ts';
import type { WordRange } from '../phrase.ts';
import { joinsAlternatives } from '../../vocabulary/joining.ts';
import { opensGroup } from '../../vocabulary/groups.ts';
import type { Language } from '../../vocabulary/question-languages.ts';
import type { Word } from '../../vocabulary/words.ts';

/** A condition of a question. Which time a span is about depends on the chart. */
export type ConditionClause = ValueCondition | EmptyCondition | BoundCondition | SpanClause;

/** A condition of a question, and where the words as they were typed state it. */
export interface PlacedClause {
  readonly clause: ConditionClause;
  readonly range: WordRange;
  /** True for a condition on rows to leave out. */
  readonly isExcluded: boolean;
}

/** Conditions that a question joins by "or", and the words that state them. */
export interface Alternatives {
  readonly clauses: readonly ConditionClause[];
  readonly excluded: 'none' | 'some' | 'all';
  readonly range: WordRange;
}

/** Largest number of words between two conditions that "or" joins, such as "guests or with revenue of". */
const maxGap = 8;

/** True if "or" stands between two places, and neither a group nor the end of a sentence does. */
function isJoined(typedWords: readonly Word[], language: Language, from: number, to: number): boolean {
  const gap = typedWords.slice(from, to);
  return (
    gap.length <= maxGap &&
    gap.some(({ text }) => joinsAlternatives(text, language)) &&
    !gap.some(({ kind, text }) => opensGroup(text, language) || (kind === 'mark' && /[.?!;:]/u.test(text)))
  );
}

function excludedOf(list: readonly PlacedClause[]): Alternatives['excluded'] {
  if (list.every(({ isExcluded }) => isExcluded)) return 'all';
  return list.some(({ isExcluded }) => isExcluded) ? 'some' : 'none';
}

/** Finds the conditions that a question joins by "or", as in "longer than 200 km or shorter than 20 km". */
export function findAlternatives(
  typedWords: readonly Word[],
  language: Language,
  placed: readonly PlacedClause[],
): readonly Alternatives[] {
  const lists: PlacedClause[][] = [];
  for (const clause of placed.toSorted((left, right) => left.range.start - right.range.start)) {
    const last = lists.at(-1)?.at(-1);
    if (last !== undefined && isJoined(typedWords, language, last.range.end, clause.range.start))
      lists.at(-1)?.push(clause);
    else lists.push([clause]);
  }
  return lists
    .filter((list) => list.length > 1)
    .map((list) => ({
      clauses: list.map(({ clause }) => clause),
      excluded: excludedOf(list),
      range: { start: list[0]?.range.start ?? 0, end: list.at(-1)?.range.end ?? 0 },
    }));
}
