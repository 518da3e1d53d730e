import type { EmptyCondition } from '../../plan.ts';
import type { Profile } from '../../profile.ts';
import type { Word } from '../../vocabulary/words.ts';
import type { Mention } from '../find-mentions.ts';
import type { WordRange } from '../phrase.ts';

/** A condition that a column is empty, and the words that state it. */
export interface EmptyClause {
  readonly condition: EmptyCondition;
  readonly range: WordRange;
}

/** Words in all languages of questions, once the cues are in English. */
const set = (texts: string): ReadonlySet<string> => new Set(texts.split(' '));
const having = set('with having met avec mit con');
const lacking = set('without no zonder geen sans ohne kein keine keinen sin ningun ninguna');
const articles = set('a an any een un une ein eine einen einem una');
/** A mention that is weaker is hardly the name of a column. */
const leastStrength = 0.6;

/** Finds rows that have nothing in a column, as in "visits with no trainer", or something, as in "visits with a trainer". */
export function findEmpty(
  { columns, entity }: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  isFlag: (column: number) => boolean,
): readonly EmptyClause[] {
  return mentions.flatMap(({ start, end, options: [option] }): readonly EmptyClause[] => {
    const { column = -1, strength = 0 } = option ?? {};
    const { type } = columns[column] ?? {};
    if (type === undefined || type === 'numeric' || isFlag(column) || strength < leastStrength) return [];
    const textAt = (at: number): string => words[at]?.text ?? '';
    const article = articles.has(textAt(start - 1)) ? start - 1 : start;
    const isLacking = lacking.has(textAt(article - 1));
    const opener = isLacking ? article - 1 : article;
    const from = having.has(textAt(opener - 1)) ? opener - 1 : opener;
    const isStated = isLacking || (from < opener && article < start);
    if (!isStated || !entity.has(words[from - 1]?.stem ?? '')) return [];
    return [{ condition: { kind: 'empty', column, isExcluded: !isLacking }, range: { start: from, end } }];
  });
}
