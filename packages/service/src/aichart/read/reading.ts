import { findChart, type ChartClause } from './clause-chart.ts';
import { findFilters } from './clause-filter.ts';
import { isPartOfTime } from '../grain.ts';
import { findGrain, findPart, type GrainClause } from './clause-grain.ts';
import { findLimit, type LimitClause } from './clause-limit.ts';
import { findSort, type SortClause } from './clause-sort.ts';
import { asksForCount, readCues, type Cues } from './cues.ts';
import { MeasureFinder, type AffirmativeValues } from './measures.ts';
import { mentionFinder } from './mentions.ts';
import type { Mention } from './find-mentions.ts';
import type { Quantity } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { phraseOf, type WordRange } from './phrase.ts';
import { opensGroup } from '../vocabulary/groups.ts';
import { endOf, isSuperlative } from '../vocabulary/superlatives.ts';
import type { Word } from '../vocabulary/words.ts';

/** A mention with its cues. `filtered` is true if the mention is in a condition. */
export interface CuedMention extends Mention {
  readonly cues: Cues;
  readonly filtered: boolean;
  /** True if the mention is a sort key in the sort clause. */
  readonly ordering: boolean;
}

/** A question that has been parsed: its clauses, and the columns that it mentions. */
export interface QuestionReading {
  readonly words: readonly Word[];
  readonly chart: ChartClause;
  readonly sort: SortClause | null;
  readonly limit: LimitClause | null;
  readonly grain: GrainClause | null;
  /** A second grain of the same time, as in "by weekday and hour". */
  readonly furtherGrain: GrainClause | null;
  readonly filters: readonly WordRange[];
  readonly mentions: readonly CuedMention[];
  /** Words whose conditions the chart has. */
  readonly applied: ReadonlySet<Word>;
  /** Nouns for which a bound counts the rows of each group, cleaned for quotes. */
  readonly rowNouns: readonly string[];
  /** A measure that combines columns; null if the question names columns alone. */
  readonly measure: Quantity | null;
  /** For each column, how strongly any words refer to it, even if that is too weak for a mention. */
  readonly hints: ReadonlyMap<number, number>;
  readonly counts: boolean;
  /** True for "each station" in a dataset of stations: each row is a group. */
  readonly eachEntity: boolean;
  /** True for "the longest 3 flights" in a dataset of flights: the limit is a number of rows. */
  readonly fewRows: boolean;
  /** True if every mention is in a condition. */
  readonly onlyFiltered: boolean;
}

const isInside = (at: number, range: WordRange): boolean => at >= range.start && at < range.end;
const overlaps = (left: WordRange, right: WordRange): boolean => left.start < right.end && right.start < left.end;

/** True for a mention that the words group by. */
const isGroup = ({ cues }: CuedMention): boolean => cues.grouped === 2;

/** Reads the clauses of a question, one after the other. A clause does not use the words of previous clauses. */
class QuestionReader {
  readonly #profile: Profile;
  readonly #words: readonly Word[];
  readonly #find: ReturnType<typeof mentionFinder>;
  readonly #chart: ChartClause;
  readonly #sort: SortClause | null;
  readonly #limit: LimitClause | null;
  /** The grain that the question asks for. Its words may also turn out to be the name of a column. */
  readonly #statedGrain: GrainClause | null;
  readonly #furtherGrain: GrainClause | null;
  readonly #filters: readonly WordRange[];

  constructor(profile: Profile, words: readonly Word[]) {
    this.#profile = profile;
    this.#words = words;
    this.#find = mentionFinder(profile, words);
    const { mentions } = this.#find();
    const phrase = phraseOf(words);
    const certainMentions = mentions.filter(
      ({ options, start, end }) => (options[0]?.strength ?? 0) >= 0.97 && end - start > 1,
    );
    this.#chart = findChart(phrase, (range) => !certainMentions.some((mention) => overlaps(mention, range)));
    this.#sort = this.#sortOf(
      findSort(phrase, words, (at) => this.#isCharted(at)),
      mentions,
    );
    const remainingPhrase = phraseOf(words, (at) => !this.#isOfClause(at));
    this.#limit = findLimit(remainingPhrase);
    this.#statedGrain = findGrain(remainingPhrase);
    this.#furtherGrain = this.#furtherGrainOf(words);
    this.#filters = findFilters(remainingPhrase, words);
  }

  read(): QuestionReading {
    const { mentions, hints } = this.#find((at) => this.#isFree(at));
    const limit = this.#limit;
    return {
      words: this.#words,
      chart: this.#chart,
      sort: this.#sort,
      limit,
      grain: this.#grainOf(mentions),
      furtherGrain: this.#furtherGrain,
      filters: this.#filters,
      mentions: this.#cued(mentions),
      hints,
      measure: null,
      applied: new Set(),
      rowNouns: [],
      counts: this.#asksForCount(mentions) || this.#namesRows(mentions),
      eachEntity: eachEntity(this.#profile, this.#words, limit !== null),
      fewRows: limit !== null && this.#profile.entity.has(this.#words[limit.taken.end]?.stem ?? ''),
      onlyFiltered: mentions.every((mention) => this.#isFiltered(mention)),
    };
  }

  #sortOf(statedSort: SortClause | null, mentions: readonly Mention[]): SortClause | null {
    const isName = ({ taken }: SortClause): boolean =>
      mentions.some(
        ({ start, end, options: [firstOption] }) =>
          (firstOption?.strength ?? 0) >= 0.7 &&
          overlaps({ start, end }, taken) &&
          end - start > taken.end - taken.start,
      );
    // In "the best finishes", "best" is no order if there is a column with that name.
    const sort = statedSort !== null && statedSort.target === null && isName(statedSort) ? null : statedSort;
    return sort ?? leading(this.#profile, this.#words, mentions);
  }

  /** Returns the second grain, if one of both is a part of a time: a month already has its year. */
  #furtherGrainOf(words: readonly Word[]): GrainClause | null {
    const first = this.#statedGrain;
    if (first === null) return null;
    const isNamed = (at: number): boolean => this.#profile.named.has(words[at]?.text ?? '');
    const rest = phraseOf(words, (at) => !this.#isOfClause(at) && !isInside(at, first.unit) && !isNamed(at));
    const second = findGrain(rest) ?? findPart(rest);
    const isApart = second !== null && second.grain !== first.grain;
    return isApart && [first, second].some(({ grain }) => isPartOfTime(grain)) ? second : null;
  }

  #isCharted(at: number): boolean {
    return this.#chart.taken.some((range) => isInside(at, range));
  }

  #isSorted(at: number): boolean {
    return this.#sort !== null && this.#sort.foremost !== true && isInside(at, this.#sort.taken);
  }

  /** True if a word belongs to the clause of the chart type or of the order. */
  #isOfClause(at: number): boolean {
    return this.#isCharted(at) || this.#isSorted(at);
  }

  /**
   * True if a word is a part of the unit of the grain and of no column name. In "day of the week", no word means a
   * column called Date.
   */
  #isUnit(at: number): boolean {
    return (
      [this.#statedGrain, this.#furtherGrain].some((grain) => grain !== null && isInside(at, grain.unit)) &&
      !this.#profile.named.has(this.#words[at]?.text ?? '')
    );
  }

  /** True if a word may belong to the name of a column. */
  #isFree(at: number): boolean {
    const isLimit = this.#limit !== null && this.#words[at]?.kind === 'number' && isInside(at, this.#limit.taken);
    return !this.#isOfClause(at) && !this.#isUnit(at) && !isLimit;
  }

  #isFiltered(mention: WordRange): boolean {
    return this.#filters.some((range) => overlaps(range, mention));
  }

  /** Returns the grain. Null if its words are only part of a longer column name. */
  #grainOf(mentions: readonly Mention[]): GrainClause | null {
    const grain = this.#statedGrain;
    if (grain === null || grain.sure) return grain;
    const { start: unitStart, end: unitEnd } = grain.unit;
    const isName = mentions.some(
      ({ start, end, options }) =>
        start <= unitStart &&
        end >= unitEnd &&
        end - start > unitEnd - unitStart &&
        this.#profile.columns[options[0]?.column ?? -1]?.type !== 'datetime',
    );
    return isName ? null : grain;
  }

  /** Returns the mentions with their cues, including the mentions in the sort clause. */
  #cued(mentions: readonly Mention[]): readonly CuedMention[] {
    const target = this.#sort?.target ?? null;
    const ordering = target === null ? [] : this.#find((at) => isInside(at, target)).mentions;
    const cues = readCues(this.#cueWords(), mentions);
    const orderCues = readCues(this.#words, ordering);
    const cued = this.#withCues(mentions, cues, false);
    const isGrouped = this.#statedGrain !== null || cued.some((mention) => isGroup(mention) && !this.#isRow(mention));
    const groups =
      isGrouped && this.#limit === null && this.#sort === null
        ? cued.filter((one) => isGroup(one) || !this.#isRow(one))
        : cued;
    return [...groups, ...this.#withCues(ordering, orderCues, true)];
  }

  /** True for "events" in "cost of events per quarter", in a dataset of events with a column of that name. */
  #isRow({ start, end }: WordRange): boolean {
    const { stem = '', text = '' } = this.#words[start] ?? {};
    return end - start === 1 && text.endsWith('s') && this.#profile.entity.has(stem);
  }

  #withCues(mentions: readonly Mention[], cues: readonly Cues[], ordering: boolean): readonly CuedMention[] {
    return mentions.flatMap((mention, index) => {
      const mentionCues = cues[index];
      return mentionCues === undefined
        ? []
        : [{ ...mention, cues: mentionCues, filtered: this.#isFiltered(mention), ordering }];
    });
  }

  /** Returns the words with those of the chart type and the sort clause replaced, so that they give no cues. */
  #cueWords(): readonly Word[] {
    const [limit, sort] = [this.#limit, this.#sort];
    return this.#words.map((word, at) => {
      if (this.#isOfClause(at)) return { ...word, text: '.' };
      // In "the 5 countries with the largest population", the superlative ranks the countries. It is no aggregation.
      const isRankWord =
        (limit !== null && isInside(at, limit.taken)) || (sort?.foremost === true && isInside(at, sort.taken));
      return isRankWord && isSuperlative(word.text) ? { ...word, text: '_' } : word;
    });
  }

  /** True for "enrolments growth" in a dataset of enrolments: the rows are named, and no amount is. */
  #namesRows(mentions: readonly Mention[]): boolean {
    const isAmount = ({ options: [option] }: Mention): boolean =>
      this.#profile.columns[option?.column ?? -1]?.role === 'amount';
    if (mentions.some((mention) => isAmount(mention) && !this.#isFiltered(mention))) return false;
    return this.#words.some(
      ({ stem, text }, at) =>
        this.#profile.entity.has(stem) &&
        text.endsWith('s') &&
        !opensGroup(this.#words[at - 1]?.text ?? '') &&
        ![...mentions, ...this.#filters].some((range) => isInside(at, range)),
    );
  }

  #asksForCount(mentions: readonly Mention[]): boolean {
    const isLeft = (at: number): boolean =>
      !this.#isOfClause(at) && ![...mentions, ...this.#filters].some((range) => isInside(at, range));
    return asksForCount(phraseOf(this.#words, isLeft).text);
  }
}

/**
 * Parses a question: first a measure that combines columns, then the clauses, then the columns that the remaining words
 * mention.
 */
export function read(
  profile: Profile,
  words: readonly Word[],
  affirmative: AffirmativeValues = () => [],
  measure: Quantity | null = null,
): QuestionReading {
  if (measure !== null) return { ...new QuestionReader(profile, words).read(), counts: true, measure };
  const { mentions } = mentionFinder(profile, words)();
  const clause = new MeasureFinder(profile, words, mentions, affirmative).find();
  if (clause === null) return new QuestionReader(profile, words).read();
  const rest = words.filter((_, at) => !isInside(at, clause.taken));
  return { ...new QuestionReader(profile, rest).read(), counts: true, measure: clause.quantity };
}

const opening = new Set('show list find give me name what which who is are was the our my'.split(' '));

/**
 * Reads a superlative at the start, as in "cheapest origin" and "which is the windiest station". The next mention is
 * then sorted. Returns null if the question asks for other groups.
 */
function leading(profile: Profile, words: readonly Word[], mentions: readonly Mention[]): SortClause | null {
  const at = words.findIndex(({ text }) => !opening.has(text));
  const adjective = words[at]?.text ?? '';
  const end = /^(?:most|least)$/u.test(adjective) ? at + 2 : at + 1;
  if (at < 0 || !isSuperlative(adjective)) return null;
  const typeAt = (place: number): string | undefined =>
    profile.columns[mentions.find(({ start }) => start === place)?.options[0]?.column ?? -1]?.type;
  // "The best hotels by rating" orders by the rating, "by month" groups.
  if (words.some(({ text }, place) => opensGroup(text) && typeAt(place + 1) !== 'numeric')) return null;
  // In "worst rated hotels", the rating is named before what is ordered by it.
  const rated = /^(?:best|worst|top|bottom)$/u.test(adjective) && typeAt(end) === 'numeric' ? 1 : 0;
  if (typeAt(end + rated) !== 'hierarchy') return null;
  return { order: endOf(adjective), target: null, taken: { start: at, end }, foremost: true };
}

function eachEntity(profile: Profile, words: readonly Word[], isLimited: boolean): boolean {
  return words.some((word, at) => {
    const wordBefore = words[at - 1]?.text ?? '';
    return profile.entity.has(word.stem) && (isLimited || wordBefore === 'all' || opensGroup(wordBefore));
  });
}
