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
  readonly said: readonly CuedMention[];
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

const inside = (at: number, range: WordRange): boolean => at >= range.start && at < range.end;
const overlaps = (left: WordRange, right: WordRange): boolean => left.start < right.end && right.start < left.end;

/** Parses a question: clauses first, then the columns in the remaining words. */
export function read(profile: Profile, words: readonly Word[]): QuestionReading {
  const find = mentionFinder(profile, words);
  const everything = find();
  const surely = everything.mentions.filter(
    ({ options, start, end }) => (options[0]?.strength ?? 0) >= 0.97 && end - start > 1,
  );
  const phrase = phraseOf(words);
  const chart = findChart(phrase, (range) => !surely.some((mention) => overlaps(mention, range)));
  const charted = (at: number): boolean => chart.taken.some((range) => inside(at, range));
  const requested = findSort(phrase, words, charted);
  const named = (range: WordRange): boolean =>
    everything.mentions.some(
      ({ start, end, options: [first] }) =>
        (first?.strength ?? 0) >= 0.7 && overlaps({ start, end }, range) && end - start > range.end - range.start,
    );
  // "the best finishes" with a column of that name is no order.
  const stated = requested !== null && requested.target === null && named(requested.taken) ? null : requested;
  const sort = stated ?? leading(profile, words, everything.mentions);
  const sorted = (at: number): boolean => sort !== null && sort.foremost !== true && inside(at, sort.taken);
  const rest = phraseOf(words, (at) => !charted(at) && !sorted(at));
  const limit = findLimit(rest);
  const grained = findGrain(phraseOf(words, (at) => !charted(at) && !sorted(at)));
  const filters = findFilters(rest, words);
  // "day of the week" does not mean a column called Date, although "day" alone could.
  const isUnit = (at: number): boolean =>
    grained !== null && inside(at, grained.unit) && !profile.named.has(words[at]?.text ?? '');
  const free = (at: number): boolean =>
    !charted(at) &&
    !sorted(at) &&
    !isUnit(at) &&
    !(limit !== null && words[at]?.kind === 'number' && inside(at, limit.taken));
  const { mentions, hints } = find(free);
  const covered = mentions.some(
    ({ start, end, options }) =>
      grained !== null &&
      start <= grained.unit.start &&
      end >= grained.unit.end &&
      end - start > grained.unit.end - grained.unit.start &&
      profile.columns[options[0]?.column ?? -1]?.type !== 'datetime',
  );
  const grain = grained !== null && !grained.sure && covered ? null : grained;
  const target = sort?.target ?? null;
  const ordering = target === null ? [] : find((at) => inside(at, target)).mentions;
  const all = [...mentions, ...ordering];
  const isFiltered = (mention: WordRange): boolean => filters.some((range) => overlaps(range, mention));
  const cues = readCues(
    words.map((word, at) => {
      if (charted(at) || sorted(at)) return { ...word, text: '.' };
      // "the 5 countries with the largest population": the superlative ranks the countries and is no aggregation.
      const first = (limit !== null && inside(at, limit.taken)) || (sort?.foremost === true && inside(at, sort.taken));
      return first && isSuperlative(word.text) ? { ...word, text: '_' } : word;
    }),
    mentions,
  );
  const orderCues = readCues(words, ordering);
  return {
    words,
    chart,
    sort,
    limit,
    grain,
    filters,
    said: all.flatMap((mention, index) => {
      const own = index < mentions.length ? cues[index] : orderCues[index - mentions.length];
      if (own === undefined) return [];
      return [{ ...mention, cues: own, filtered: isFiltered(mention), ordering: index >= mentions.length }];
    }),
    hints,
    counts: asksForCount(
      phraseOf(
        words,
        (at) =>
          !charted(at) &&
          !sorted(at) &&
          !mentions.some((mention) => inside(at, mention)) &&
          !filters.some((range) => inside(at, range)),
      ).text,
    ),
    eachEntity: eachEntity(profile, words, limit !== null),
    fewRows: limit !== null && profile.entity.has(words[limit.taken.end]?.stem ?? ''),
    onlyFiltered: mentions.every(isFiltered),
  };
}

const opening = new Set('show list find give me name what which who is are was the our my'.split(' '));
const dividing = new Set(['by', 'per', 'each', 'every', 'across']);

/** "cheapest origin", "which is the windiest station": orders by the next mention if nothing else is grouped. */
function leading(profile: Profile, words: readonly Word[], mentions: readonly Mention[]): SortClause | null {
  const at = words.findIndex(({ text }) => !opening.has(text));
  const adjective = words[at]?.text ?? '';
  const end = /^(?:most|least)$/u.test(adjective) ? at + 2 : at + 1;
  if (at < 0 || !isSuperlative(adjective) || words.some(({ text }) => dividing.has(text))) return null;
  const next = mentions.find(({ start }) => start === end)?.options[0];
  if (next === undefined || profile.columns[next.column]?.type !== 'hierarchy') return null;
  return { order: endOf(adjective), target: null, taken: { start: at, end }, foremost: true };
}

function eachEntity(profile: Profile, words: readonly Word[], limited: boolean): boolean {
  return words.some((word, at) => {
    const before = words[at - 1]?.text ?? '';
    return profile.entity.has(word.stem) && (limited || ['each', 'every', 'per', 'all', 'by'].includes(before));
  });
}
