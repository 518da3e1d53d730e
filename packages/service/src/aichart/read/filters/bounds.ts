import type { BoundCondition } from '../../plan.ts';
import type { Profile } from '../../profile.ts';
import { unitWords } from '../../vocabulary/lexicon.ts';
import type { Word } from '../../vocabulary/words.ts';
import type { BoundClause } from '../conditions/clauses.ts';
import type { Mention } from '../find-mentions.ts';
import type { WordRange } from '../phrase.ts';

/** A bound with the words as they were typed, to which its ranges refer. */
export interface TypedBound {
  readonly clause: BoundClause;
  readonly typedWords: readonly Word[];
}

/** The bounds of a question as conditions, and the words that state them. */
export interface BoundConditions {
  readonly conditions: readonly BoundCondition[];
  readonly taken: readonly WordRange[];
  /** The words that state the bounds. */
  readonly applied: ReadonlySet<Word>;
}

/** Words before the number of a group, as in "hotels with revenue over 1000", in all languages of questions. */
const having = new Set('with having whose that met waarvan avec dont mit deren con cuyo cuya'.split(' '));
const reachBack = 5;

/** Returns where words that were typed stand after the cues were translated; null if none is left. */
function placeOf(words: readonly Word[], typedWords: readonly Word[], range: WordRange | null): WordRange | null {
  if (range === null) return null;
  const typed = new Set(typedWords.slice(range.start, range.end));
  const places = words.flatMap((word, at) => (typed.has(word) ? [at] : []));
  const [start] = places;
  const end = places.at(-1);
  return start === undefined || end === undefined ? null : { start, end: end + 1 };
}

/** Finds what a bound is about: the rows of groups, an amount by its unit, or the amount that is named before it. */
class BoundReader {
  readonly #profile: Profile;
  readonly #words: readonly Word[];
  readonly #mentions: readonly Mention[];

  constructor(profile: Profile, words: readonly Word[], mentions: readonly Mention[]) {
    this.#profile = profile;
    this.#words = words;
    this.#mentions = mentions;
  }

  read({ clause, typedWords }: TypedBound): { condition: BoundCondition; taken: readonly WordRange[] } | null {
    const range = placeOf(this.#words, typedWords, clause.range);
    if (range === null) return null;
    const unit = placeOf(this.#words, typedWords, clause.unit);
    const { operator, values } = clause;
    const ranges = [range, ...(unit === null ? [] : [unit])];
    if (unit !== null && this.#isEntity(unit)) {
      const rows = { column: null, aggregation: 'count' } as const;
      return { condition: { kind: 'groupBound', column: null, quantity: rows, operator, values }, taken: ranges };
    }
    const ofUnit = unit === null ? null : this.#amountOfUnit(unit);
    if (ofUnit !== null) return { condition: { kind: 'bound', column: ofUnit, operator, values }, taken: ranges };
    const mention = this.#amountBefore(range.start);
    const column = mention === null ? this.#onlyAmount() : (mention.options[0]?.column ?? null);
    if (column === null) return null;
    if (mention !== null && this.#isOfGroup(mention))
      return {
        condition: { kind: 'groupBound', column, quantity: { column, aggregation: null }, operator, values },
        taken: [range],
      };
    const isOnlyMeasure = mention === null || !this.#hasOtherMeasure(mention);
    return {
      condition: { kind: 'bound', column, operator, values },
      taken: [range, ...(isOnlyMeasure ? [] : [mention])],
    };
  }

  #isEntity({ start, end }: WordRange): boolean {
    return this.#words.slice(start, end).some(({ stem }) => this.#profile.entity.has(stem));
  }

  #isAmount(column: number | undefined): boolean {
    return this.#profile.columns[column ?? -1]?.role === 'amount';
  }

  #amountOfUnit({ start, end }: WordRange): number | null {
    const mention = this.#mentions.find((one) => one.start < end && start < one.end);
    if (this.#isAmount(mention?.options[0]?.column)) return mention?.options[0]?.column ?? null;
    const unit = unitWords.get(this.#words[start]?.text ?? '');
    const column = this.#profile.columns.findIndex(
      ({ role, nameWords, unit: written }) =>
        role === 'amount' && unit !== undefined && [...nameWords, written].some((word) => unitWords.get(word) === unit),
    );
    return column < 0 ? null : column;
  }

  #amountBefore(at: number): Mention | null {
    return (
      this.#mentions.findLast(
        ({ end, options }) => end <= at && at - end <= reachBack && this.#isAmount(options[0]?.column),
      ) ?? null
    );
  }

  #onlyAmount(): number | null {
    const { amounts } = this.#profile.ranked();
    return amounts.length === 1 ? (amounts[0] ?? null) : null;
  }

  /** True for "hotels with revenue over 1000": the sum of each group is compared, not the number of a row. */
  #isOfGroup({ start }: Mention): boolean {
    let at = start;
    while (['a', 'an', 'the', 'total', 'average'].includes(this.#words[at - 1]?.text ?? '')) at -= 1;
    if (!having.has(this.#words[at - 1]?.text ?? '')) return false;
    const group = this.#mentions.find(({ end }) => end === at - 1);
    return this.#profile.columns[group?.options[0]?.column ?? -1]?.type === 'hierarchy';
  }

  #hasOtherMeasure(mention: Mention): boolean {
    return (
      this.#mentions.some((other) => other !== mention && this.#isAmount(other.options[0]?.column)) ||
      this.#words.slice(0, mention.start).some(({ stem, text }) => this.#profile.entity.has(stem) || text === 'number')
    );
  }
}

/** Reads bounds on numbers as conditions. A bound whose number is unclear is left in the question. */
export function readBounds(
  profile: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  bounds: readonly TypedBound[],
): BoundConditions {
  const reader = new BoundReader(profile, words, mentions);
  const found = bounds.flatMap((bound) => reader.read(bound) ?? []);
  const taken = found.flatMap(({ taken: ranges }) => ranges);
  return {
    conditions: found.map(({ condition }) => condition),
    taken,
    applied: new Set(taken.flatMap(({ start, end }) => words.slice(start, end))),
  };
}
