import { findChart, type ChartClause } from './clause-chart.ts';
import { findFilters } from './clause-filter.ts';
import { findGrain, type GrainClause } from './clause-grain.ts';
import { findLimit, type LimitClause } from './clause-limit.ts';
import { findSort, type SortClause } from './clause-sort.ts';
import { asksForCount, readCues, type Cues } from './cues.ts';
import { mentionFinder } from './mentions.ts';
import type { Mention } from './find-mentions.ts';
import type { Profile } from '../profile.ts';
import { phraseOf, type WordRange } from './phrase.ts';
import { endOf, isSuperlative } from '../vocabulary/superlatives.ts';
import type { Word } from '../vocabulary/words.ts';

/** A mention with its cues, and whether it is inside a condition. */
export interface CuedMention extends Mention {
  readonly cues: Cues;
  readonly filtered: boolean;
  /** Mentioned only as a sort key. */
  readonly ordering: boolean;
}

/** A parsed question: its clauses and the columns it mentions. */
export interface QuestionReading {
  readonly words: readonly Word[];
  readonly chart: ChartClause;
  readonly sort: SortClause | null;
  readonly limit: LimitClause | null;
  readonly grain: GrainClause | null;
  readonly filters: readonly WordRange[];
  readonly mentions: readonly CuedMention[];
  /** The weakest match strength of each column, including those too weak for a mention. */
  readonly hints: ReadonlyMap<number, number>;
  readonly counts: boolean;
  /** "each station" in a dataset of stations: a group per row name. */
  readonly eachEntity: boolean;
  /** "the longest 3 flights" in a dataset of flights: limits the rows. */
  readonly fewRows: boolean;
  /** Every mentioned column is inside a condition. */
  readonly onlyFiltered: boolean;
}

const isInside = (at: number, range: WordRange): boolean => at >= range.start && at < range.end;
const overlaps = (left: WordRange, right: WordRange): boolean => left.start < right.end && right.start < left.end;

/** Reads the clauses of a question in order; each ignores the words of previous clauses. */
class QuestionReader {
  readonly #profile: Profile;
  readonly #words: readonly Word[];
  readonly #find: ReturnType<typeof mentionFinder>;
  readonly #chart: ChartClause;
  readonly #sort: SortClause | null;
  readonly #limit: LimitClause | null;
  /** The date grain in the question, even if its words turn out to be a column name. */
  readonly #statedGrain: GrainClause | null;
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
    this.#statedGrain = findGrain(phraseOf(words, (at) => !this.#isOfClause(at)));
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
      filters: this.#filters,
      mentions: this.#cued(mentions),
      hints,
      counts: this.#asksForCount(mentions),
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
    // In "the best finishes" with a column of that name, "best" does not sort.
    const sort = statedSort !== null && statedSort.target === null && isName(statedSort) ? null : statedSort;
    return sort ?? leading(this.#profile, this.#words, mentions);
  }

  #isCharted(at: number): boolean {
    return this.#chart.taken.some((range) => isInside(at, range));
  }

  #isSorted(at: number): boolean {
    return this.#sort !== null && this.#sort.foremost !== true && isInside(at, this.#sort.taken);
  }

  /** True if a word belongs to the chart type or the sort clause. */
  #isOfClause(at: number): boolean {
    return this.#isCharted(at) || this.#isSorted(at);
  }

  /** "day of the week" does not mean a column called Date, although "day" alone could. */
  #isUnit(at: number): boolean {
    const grain = this.#statedGrain;
    return grain !== null && isInside(at, grain.unit) && !this.#profile.named.has(this.#words[at]?.text ?? '');
  }

  /** True if a word may be part of a column name. */
  #isFree(at: number): boolean {
    const isLimit = this.#limit !== null && this.#words[at]?.kind === 'number' && isInside(at, this.#limit.taken);
    return !this.#isOfClause(at) && !this.#isUnit(at) && !isLimit;
  }

  #isFiltered(mention: WordRange): boolean {
    return this.#filters.some((range) => overlaps(range, mention));
  }

  /** Returns the date grain, or null if its words are part of a longer column name. */
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

  /** Returns the mentions with their cues, including those of the sort clause. */
  #cued(mentions: readonly Mention[]): readonly CuedMention[] {
    const target = this.#sort?.target ?? null;
    const ordering = target === null ? [] : this.#find((at) => isInside(at, target)).mentions;
    const cues = readCues(this.#cueWords(), mentions);
    const orderCues = readCues(this.#words, ordering);
    return [...this.#withCues(mentions, cues, false), ...this.#withCues(ordering, orderCues, true)];
  }

  #withCues(mentions: readonly Mention[], cues: readonly Cues[], ordering: boolean): readonly CuedMention[] {
    return mentions.flatMap((mention, index) => {
      const mentionCues = cues[index];
      return mentionCues === undefined
        ? []
        : [{ ...mention, cues: mentionCues, filtered: this.#isFiltered(mention), ordering }];
    });
  }

  /** Masks the words of the chart type and the sort clause. */
  #cueWords(): readonly Word[] {
    const [limit, sort] = [this.#limit, this.#sort];
    return this.#words.map((word, at) => {
      if (this.#isOfClause(at)) return { ...word, text: '.' };
      // "the 5 countries with the largest population": the superlative ranks the countries and is not an
      // aggregation.
      const isRankWord =
        (limit !== null && isInside(at, limit.taken)) || (sort?.foremost === true && isInside(at, sort.taken));
      return isRankWord && isSuperlative(word.text) ? { ...word, text: '_' } : word;
    });
  }

  #asksForCount(mentions: readonly Mention[]): boolean {
    const isLeft = (at: number): boolean =>
      !this.#isOfClause(at) && ![...mentions, ...this.#filters].some((range) => isInside(at, range));
    return asksForCount(phraseOf(this.#words, isLeft).text);
  }
}

/** Parses a question: clauses first, then the columns in the remaining words. */
export const read = (profile: Profile, words: readonly Word[]): QuestionReading =>
  new QuestionReader(profile, words).read();

const opening = new Set('show list find give me name what which who is are was the our my'.split(' '));
const dividing = new Set(['by', 'per', 'each', 'every', 'across']);

/** "cheapest origin", "which is the windiest station": orders by the next mention if nothing else is grouped. */
function leading(profile: Profile, words: readonly Word[], mentions: readonly Mention[]): SortClause | null {
  const at = words.findIndex(({ text }) => !opening.has(text));
  const adjective = words[at]?.text ?? '';
  const end = /^(?:most|least)$/u.test(adjective) ? at + 2 : at + 1;
  if (at < 0 || !isSuperlative(adjective) || words.some(({ text }) => dividing.has(text))) return null;
  const nextOption = mentions.find(({ start }) => start === end)?.options[0];
  if (nextOption === undefined || profile.columns[nextOption.column]?.type !== 'hierarchy') return null;
  return { order: endOf(adjective), target: null, taken: { start: at, end }, foremost: true };
}

function eachEntity(profile: Profile, words: readonly Word[], isLimited: boolean): boolean {
  return words.some((word, at) => {
    const wordBefore = words[at - 1]?.text ?? '';
    return profile.entity.has(word.stem) && (isLimited || ['each', 'every', 'per', 'all', 'by'].includes(wordBefore));
  });
}
