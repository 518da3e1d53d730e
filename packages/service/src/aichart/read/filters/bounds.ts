import type { BoundCondition } from '../../plan.ts';
import type { Profile } from '../../profile.ts';
import { opensGroup } from '../../vocabulary/groups.ts';
import { unitWords } from '../../vocabulary/lexicon.ts';
import type { Language } from '../../vocabulary/question-languages.ts';
import { stemOf, type Word } from '../../vocabulary/words.ts';
import type { BoundClause } from '../conditions/clauses.ts';
import type { Mention } from '../find-mentions.ts';
import type { WordRange } from '../phrase.ts';
import { excludingWords } from './excluded.ts';

/** The bounds of a question as conditions, and the words that state them. */
export interface BoundConditions {
  readonly conditions: readonly BoundCondition[];
  /** For each condition, where its number and comparison stand in the words as they were typed. */
  readonly places: readonly BoundPlace[];
  readonly taken: readonly WordRange[];
  /** Names of amounts after the number, as in "between 20 and 25 years old"; these are in `taken`, too. */
  readonly trailing: readonly WordRange[];
  /** Nouns of no column, as in "clerks with more than 400 files", for which the rows of each group are counted. */
  readonly rowNouns: readonly WordRange[];
  /** The words that state the bounds. */
  readonly applied: ReadonlySet<Word>;
}

export interface BoundPlace extends WordRange {
  /** True for a bound on rows to leave out, whose condition is the opposite. */
  readonly isExcluded: boolean;
}

/** Words before the number of a group, as in "hotels with revenue over 1000", in all languages of questions. */
const having = new Set('with having whose that met waarvan avec dont mit deren con cuyo cuya'.split(' '));
/** Words after a group that begin a clause about it, in all languages of questions. */
const clauseOpeners = new Set('who whose which that die dat qui dont que welche welcher'.split(' '));
/** Words that ask for a group, in all languages of questions. */
const interrogatives = new Set(
  'which what many welke welk quel quels quelle quelles welche welcher que cual cuales'.split(' '),
);
/** Words for "in total", in all languages of questions. */
const totals = new Set('total altogether overall totaal gesamt insgesamt'.split(' '));
const reachBack = 5;
/** Largest number of words from "with" to a bound, such as "with revenue of". */
const maxJoining = 3;

/** The group that a bound selects, and the end of its words. */
interface BoundSubject {
  readonly column: number;
  readonly end: number;
}

/** Returns where words that were typed stand after the cues were translated; null if none is left. */
function placeOf(words: readonly Word[], range: WordRange | null): WordRange | null {
  if (range === null) return null;
  const isTyped = ({ at = -1 }: Word): boolean => at >= range.start && at < range.end;
  const places = words.flatMap((word, at) => (isTyped(word) ? [at] : []));
  const [start] = places;
  const end = places.at(-1);
  return start === undefined || end === undefined ? null : { start, end: end + 1 };
}

/** A bound as a condition, and the words that state it. */
interface ReadBound {
  readonly condition: BoundCondition;
  readonly isExcluded: boolean;
  readonly taken: readonly WordRange[];
  readonly trailing?: WordRange | undefined;
  readonly rowNoun?: WordRange;
}

/** Words of comparisons of ages, and of columns that have ages. */
const ageComparisons = new Set('older younger ouder jonger alter junger ages agees'.split(' '));
const ageNames = new Set('age ages leeftijd alter edad old oud'.split(' '));
const yearUnits = new Set('year years yrs ans jaar jaren jahr jahre jahren ano anos'.split(' '));
const degreeUnits = new Set('degree degrees graden grad degre degres grado grados celsius fahrenheit'.split(' '));

/** Weaker mentions are nouns that mean something like a column. */
const nameStrength = 0.7;

/** What holds of the other rows. */
const inverse = { '>': '<=', '>=': '<', '<': '>=', '<=': '>', '=': '!=', '!=': '=', between: 'between' } as const;

/** Finds what a bound is about: the rows of groups, an amount by its unit, or the amount that is named before it. */
class BoundReader {
  readonly #profile: Profile;
  readonly #words: readonly Word[];
  readonly #mentions: readonly Mention[];
  readonly #language: Language;
  readonly #excludedRows: readonly WordRange[];

  constructor(
    profile: Profile,
    words: readonly Word[],
    mentions: readonly Mention[],
    language: Language,
    excludedRows: readonly WordRange[],
  ) {
    this.#excludedRows = excludedRows;
    this.#profile = profile;
    this.#words = words;
    this.#mentions = mentions;
    this.#language = language;
  }

  read(clause: BoundClause): ReadBound | null {
    const range = placeOf(this.#words, clause.range);
    if (range === null) return null;
    if (this.#isOfExcludedRows(range)) return null;
    const unit = this.#unitOf(clause);
    const excludingRange = this.#excludingWords(range.start);
    const isExcluded = excludingRange !== null;
    // Rows outside of two bounds need two conditions: they are left to the message.
    if (isExcluded && clause.operator === 'between') return null;
    const operator = isExcluded ? inverse[clause.operator] : clause.operator;
    const { values } = clause;
    const stated = [...(excludingRange === null ? [] : [excludingRange]), range];
    const ranges = [...stated, ...(unit === null ? [] : [unit])];
    if (unit !== null && this.#isEntity(unit)) {
      const rows = { column: null, aggregation: 'count' } as const;
      const group = this.#groupBefore(range.start);
      return {
        condition: { kind: 'groupBound', column: null, quantity: rows, group, operator, values },
        taken: ranges,
        isExcluded,
      };
    }
    const ofUnit = unit === null ? null : this.#amountOfUnit(unit);
    const subject = this.#subject(range.start);
    if (ofUnit !== null && this.#isAdditive(ofUnit) && (subject !== null || this.#isOfClause(range.start)))
      return { condition: this.#groupBound(ofUnit, range.start, { operator, values }), taken: ranges, isExcluded };
    if (ofUnit !== null) {
      const after = this.#mentionAfter(unit?.end ?? range.end, ofUnit);
      const trailing = after === null || unit === null ? (unit ?? undefined) : { start: unit.start, end: after.end };
      const condition: BoundCondition = { kind: 'bound', column: ofUnit, operator, values };
      return { condition, taken: [...ranges, ...(after === null ? [] : [after])], isExcluded, trailing };
    }
    if (subject !== null && unit !== null && this.#isUnknownNoun(unit)) {
      const rows = { column: null, aggregation: 'count' } as const;
      return {
        condition: { kind: 'groupBound', column: null, quantity: rows, group: subject.column, operator, values },
        taken: ranges,
        isExcluded,
        rowNoun: unit,
      };
    }
    if (subject !== null && unit === null && this.#amountBefore(range.start) === null) {
      const total = this.#totalOf(subject, range);
      if (total !== null)
        return { condition: this.#groupBound(total, range.start, { operator, values }), taken: ranges, isExcluded };
    }
    const isAge = this.#words.slice(range.start, range.end).some(({ text }) => ageComparisons.has(text));
    const named = this.#amountBefore(range.start);
    const mention = isAge && !this.#isAge(named?.options[0]?.column) ? null : named;
    const other = isAge ? this.#age() : this.#onlyAmount();
    const column = mention === null ? other : (mention.options[0]?.column ?? null);
    if (column !== null && !this.#fitsUnit(column, clause.percent, unit)) return null;
    if (column === null || this.#profile.columns[column]?.isFormula === true) return null;
    if (
      (mention !== null && this.#isOfGroup(mention)) ||
      (this.#isAdditive(column) && this.#isOfClause(mention?.start ?? range.start))
    )
      return {
        condition: this.#groupBound(column, mention?.start ?? range.start, { operator, values }),
        taken: stated,
        isExcluded,
      };
    const isOnlyMeasure = mention === null || !this.#hasOtherMeasure(mention);
    const after = this.#mentionAfter(unit?.start ?? range.end, column);
    return {
      condition: { kind: 'bound', column, operator, values },
      taken: [...stated, ...(isOnlyMeasure ? [] : [mention]), ...(after === null ? [] : [after])],
      isExcluded,
      trailing: after ?? undefined,
    };
  }

  /** Returns the words that exclude, as in "excluding stays over 10 nights"; null without them. */
  #excludingWords(at: number): WordRange | null {
    const isName = ({ options }: Mention): boolean => (options[0]?.strength ?? 0) >= nameStrength;
    // A name such as "Norway" is a condition of its own; in German, every noun has a capital.
    const isNoun = ({ capital }: Word): boolean => capital !== true || this.#language === 'de';
    return excludingWords(this.#profile, this.#words, this.#mentions, at, isName, isNoun);
  }

  #groupBound(
    column: number,
    at: number,
    { operator, values }: Pick<BoundClause, 'operator' | 'values'>,
  ): BoundCondition {
    const quantity = { column, aggregation: null };
    return { kind: 'groupBound', column, quantity, group: this.#groupBefore(at), operator, values };
  }

  /**
   * Returns the group that a question is about and that a bound at a word selects, as in "matters with over 100 hours" and
   * "which donors gave more than 5000". Returns null if the question starts with the rows or another group, or groups by
   * something else.
   */
  #subject(at: number): BoundSubject | null {
    const [first] = this.#mentions;
    const column = first?.options[0]?.column ?? -1;
    if (first === undefined || first.end > at || at - first.end > reachBack) return null;
    if (this.#profile.columns[column]?.type !== 'hierarchy') return null;
    const isGrouped = this.#words.some(({ text }) => opensGroup(text));
    const isOfRows = this.#words.slice(0, at).some(({ stem }) => this.#profile.entity.has(stem));
    if (isGrouped || isOfRows) return null;
    const opener = this.#words[first.end]?.text ?? '';
    const isAsked = this.#words.slice(0, first.start).some(({ text }) => interrogatives.has(text));
    const isClause = having.has(opener) || clauseOpeners.has(opener) || isAsked;
    return isClause ? { column, end: first.end } : null;
  }

  /**
   * True for the bound in "excluding guests from Norway with more than 10 nights". It is ambiguous whether the guests or
   * the nights are excluded, so the bound is reported in `message` and not applied.
   */
  #isOfExcludedRows({ start }: WordRange): boolean {
    return this.#excludedRows.some(
      ({ end }) => end < start && start - end <= maxJoining && having.has(this.#words[end]?.text ?? ''),
    );
  }

  /** Returns the words after the number, unless they only say that it is a total. */
  #unitOf({ unit }: BoundClause): WordRange | null {
    const range = placeOf(this.#words, unit);
    return range !== null && totals.has(this.#words[range.start]?.text ?? '') ? null : range;
  }

  /** True for a noun that names no column, or the time at which something happens: the rows are counted. */
  #isUnknownNoun({ start, end }: WordRange): boolean {
    const mention = this.#mentions.find((one) => one.start < end && start < one.end);
    const { type } = this.#profile.columns[mention?.options[0]?.column ?? -1] ?? {};
    const text = this.#words[start]?.text ?? '';
    const isUnit = unitWords.has(text) || yearUnits.has(text) || degreeUnits.has(text);
    return !isUnit && (mention === undefined || type === 'datetime');
  }

  /** Returns the amount that a bound without a noun is about: what the groups "gave", or have "in total". */
  #totalOf({ end }: BoundSubject, range: WordRange): number | null {
    const verbs = this.#words
      .slice(end, range.start)
      .filter(({ text }) => !having.has(text) && !clauseOpeners.has(text));
    const isTotal = this.#words.slice(range.end).some(({ text }) => totals.has(text));
    if (verbs.length === 0 && !isTotal) return null;
    return this.#onlyAmount() ?? this.#profile.ranked().amounts.find((column) => this.#isAdditive(column)) ?? null;
  }

  /** Returns the group that is named before "with" or "who"; null if there is none. */
  #groupBefore(at: number): number | null {
    const subject = this.#subject(at);
    if (subject !== null) return subject.column;
    const group = this.#mentions.findLast(
      ({ end, options }) => end < at && this.#profile.columns[options[0]?.column ?? -1]?.type === 'hierarchy',
    );
    const opener = this.#words[group?.end ?? -1]?.text ?? '';
    const isNear = group !== undefined && at - group.end <= reachBack;
    return isNear && (having.has(opener) || clauseOpeners.has(opener)) ? (group.options[0]?.column ?? null) : null;
  }

  #isEntity({ start, end }: WordRange): boolean {
    return this.#words.slice(start, end).some(({ stem }) => this.#profile.entity.has(stem));
  }

  #isAmount(column: number | undefined): boolean {
    return this.#profile.columns[column ?? -1]?.role === 'amount';
  }

  #isAge(column: number | undefined): boolean {
    const { role, nameWords = [] } = this.#profile.columns[column ?? -1] ?? {};
    return role === 'amount' && nameWords.some((word) => ageNames.has(word));
  }

  #age(): number | null {
    const column = this.#profile.columns.findIndex((_, index) => this.#isAge(index));
    return column < 0 ? null : column;
  }

  /** True if a number can have the unit that is written after it: no count is above 5 %, and no revenue above 65 years. */
  #fitsUnit(column: number, isPercent: boolean, unit: WordRange | null): boolean {
    const { nameWords = [], unit: written, additive } = this.#profile.columns[column] ?? {};
    if (isPercent) return additive !== true || written === '%';
    const text = unit === null ? '' : (this.#words[unit.start]?.text ?? '');
    if (yearUnits.has(text)) return this.#isAge(column) || nameWords.some((word) => yearUnits.has(word));
    return (
      !degreeUnits.has(text) || nameWords.some((word) => word.startsWith('temp')) || /^°?[cf]$/u.test(written ?? '')
    );
  }

  #isAdditive(column: number): boolean {
    return this.#profile.columns[column]?.additive === true;
  }

  #amountOfUnit({ start, end }: WordRange): number | null {
    const named = this.#mentions
      .filter((one) => one.start < end && start < one.end)
      .map(({ options }) => options[0]?.column)
      .find((column) => this.#isAmount(column));
    if (named !== undefined) return named;
    const unit = unitWords.get(this.#words[start]?.text ?? '');
    const column = this.#profile.columns.findIndex(
      ({ role, nameWords, unit: written }) =>
        role === 'amount' && unit !== undefined && [...nameWords, written].some((word) => unitWords.get(word) === unit),
    );
    return column < 0 ? null : column;
  }

  /** Returns the amount of a bound where it is named after the number, as in "between 20 and 25 years old". */
  #mentionAfter(at: number, column: number): Mention | null {
    const after = this.#mentions.find(({ start }) => start >= at && start - at <= 1);
    return after?.options[0]?.column === column ? after : null;
  }

  #amountBefore(at: number): Mention | null {
    return (
      this.#mentions.findLast(
        ({ end, options }) => end <= at && at - end <= reachBack && this.#isAmount(options[0]?.column),
      ) ?? null
    );
  }

  /** Returns the only amount, or that which the rows are called after, such as the grade in a dataset of grades. */
  #onlyAmount(): number | null {
    const { amounts } = this.#profile.ranked();
    const ofRows = amounts.filter((column) =>
      this.#profile.columns[column]?.nameWords.every((word) => this.#profile.entity.has(stemOf(word))),
    );
    const [amount] = amounts.length === 1 ? amounts : ofRows;
    return amount ?? null;
  }

  /** True for "cows that gave at least 400 litres": the sum of each cow is compared. */
  #isOfClause(at: number): boolean {
    const group = this.#mentions.findLast(
      ({ end, options }) => end < at && this.#profile.columns[options[0]?.column ?? -1]?.type === 'hierarchy',
    );
    return group !== undefined && at - group.end <= reachBack && clauseOpeners.has(this.#words[group.end]?.text ?? '');
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

/**
 * Reads bounds on numbers as conditions. A bound whose number is unclear is left in the question, and so is one on rows
 * that the question leaves out by a value, in `excludedRows`.
 */
export function readBounds(
  profile: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  bounds: readonly BoundClause[],
  language: Language,
  excludedRows: readonly WordRange[],
): BoundConditions {
  const reader = new BoundReader(profile, words, mentions, language, excludedRows);
  const found = bounds.flatMap((bound) => {
    const read = reader.read(bound);
    return read === null ? [] : [{ ...read, place: { ...bound.range, isExcluded: read.isExcluded } }];
  });
  const taken = found.flatMap(({ taken: ranges }) => ranges);
  return {
    conditions: found.map(({ condition }) => condition),
    places: found.map(({ place }) => place),
    taken,
    trailing: found.flatMap(({ trailing }) => trailing ?? []),
    rowNouns: found.flatMap(({ rowNoun }) => rowNoun ?? []),
    applied: new Set(taken.flatMap(({ start, end }) => words.slice(start, end))),
  };
}
