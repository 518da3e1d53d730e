import { isFilterType, type DataItemType } from '@inlay/contract';
import { arrange, numberToBin } from './arrange.ts';
import { candidates } from './candidates.ts';
import { familyOf, isSingleNumber } from './families.ts';
import type { Assumption, Group, Plan, ScoredHypothesis } from '../plan.ts';
import { cueWords, stopWords, massNouns } from '../vocabulary/lexicon.ts';
import { isPartOfTime } from '../grain.ts';
import { orderOf } from './order.ts';
import { hasPlace, isMap } from './place.ts';
import { preferredCharts } from './preferences.ts';
import type { Profile } from '../profile.ts';
import type { QuestionReading, CuedMention } from '../read/reading.ts';
import { reasonsFor, weigh, type Scale } from './score.ts';
import { mentionsOfColumns, candidatesFor } from '../read/candidates.ts';

/** True if a question names two numbers that can be plotted against each other. The row count is one, too. */
const relates = (profile: Profile, reading: QuestionReading): boolean => {
  const numbers = reading.mentions.flatMap(({ options: [firstOption], filtered, ordering }) =>
    firstOption !== undefined &&
    !filtered &&
    !ordering &&
    ['amount', 'identifier', 'period'].includes(profile.columns[firstOption.column]?.role ?? '')
      ? [firstOption.column]
      : [],
  );
  return new Set(numbers).size + (reading.counts ? 1 : 0) >= 2;
};

const amountsSaid = (profile: Profile, reading: QuestionReading): number =>
  new Set(
    reading.mentions.flatMap(({ options: [firstOption], filtered, ordering }) =>
      !filtered && !ordering && profile.columns[firstOption?.column ?? -1]?.role === 'amount'
        ? [firstOption?.column]
        : [],
    ),
  ).size;

/** True for questions such as "salary versus age": two numbers, and no group except perhaps a legend. */
const opposes = (profile: Profile, reading: QuestionReading): boolean => {
  const spokenMentions = reading.mentions.filter(
    ({ filtered, ordering, cues }) => !filtered && !ordering && !cues.legend,
  );
  const isAmount = ({ options: [firstOption] }: CuedMention): boolean =>
    profile.columns[firstOption?.column ?? -1]?.role === 'amount';
  const columnCount = new Set(spokenMentions.map(({ options: [firstOption] }) => firstOption?.column)).size;
  const versus = spokenMentions.some(({ cues }) => cues.versus);
  return versus && columnCount === 2 && spokenMentions.every(isAmount) && reading.grain === null;
};

function typeAsked(
  profile: Profile,
  reading: QuestionReading,
  requestedType: DataItemType | null,
): DataItemType | null {
  if (requestedType !== null) return requestedType;
  const { kind } = reading.chart;
  if (kind?.kind === 'type') return kind.type;
  if (kind?.kind === 'idea' && kind.idea === 'relation' && relates(profile, reading))
    return preferredCharts.relation[0];
  return kind === null && opposes(profile, reading) ? preferredCharts.relation[0] : null;
}

/** Scores every chart that the words could mean. Returns up to `maxCount` charts, the best first. */
function weighAll(
  profile: Profile,
  reading: QuestionReading,
  requestedType: DataItemType | null,
  maxCount = 1,
): readonly ScoredHypothesis[] {
  const { kind } = reading.chart;
  const type = typeAsked(profile, reading, requestedType);
  const family = type === null ? null : familyOf(type);
  const amounts = reading.mentions.every(
    ({ options: [firstOption] }) => profile.columns[firstOption?.column ?? -1]?.role === 'amount',
  );
  const scale: Scale = {
    speaksOf: mentionsOfColumns(reading),
    candidates: candidatesFor(reading),
    numbers: amountsSaid(profile, reading),
    profile,
    reading,
    plane: family === 'points',
    stacked: (kind?.kind === 'type' && kind.stacked) || family === 'pivot' || family === 'levels',
    dated: profile.columns.some((column) => column.type === 'datetime'),
    trend: kind?.kind === 'idea' && kind.idea === 'trend',
    overTime: (kind?.kind === 'idea' && kind.idea === 'trend') || family === 'lines',
    spread: kind?.kind === 'idea' && kind.idea === 'distribution' && amounts && reading.mentions.length > 0,
    grouped: type !== null && !isSingleNumber(type) && family !== 'table' && !isFilterType(type),
  };
  const weighedHypotheses = candidates(scale).map((hypothesis) => ({ hypothesis, score: weigh(scale, hypothesis) }));
  const bestFirst = weighedHypotheses.sort((left, right) => right.score - left.score).slice(0, maxCount);
  return bestFirst.map(({ hypothesis, score }) => ({ ...hypothesis, score, reasons: reasonsFor(scale, hypothesis) }));
}

/** Returns chart types that suit the content if the question names no type. The best type comes first. */
function typesFor(profile: Profile, reading: QuestionReading, best: ScoredHypothesis): readonly DataItemType[] {
  const { kind } = reading.chart;
  const idea = kind?.kind === 'idea' ? kind.idea : null;
  const group = best.x === null ? undefined : profile.columns[best.x.column];
  if (best.across !== null) return preferredCharts.relation;
  if (group === undefined) {
    const hasSeveral = reading.mentions.some(({ cues, filtered }) => !filtered && new Set(cues.aggregations).size > 1);
    return hasSeveral ? preferredCharts.numbers : preferredCharts.number;
  }
  if (idea === 'share' && best.legend === null) return preferredCharts.share;
  const isStacked = reading.words.some(({ text }) => /^stack(?:s|ed|ing)?$/u.test(text));
  if (isStacked && best.legend !== null) return preferredCharts.stack;
  const isPart = isPartOfTime(best.x?.grain ?? null);
  if (group.type === 'datetime' && !isPart) return preferredCharts.time;
  if (group.role === 'period' && idea === 'trend') return preferredCharts.time;
  if (group.role === 'period' || isPart || group.role === 'amount') return preferredCharts.step;
  if (best.legend !== null) return preferredCharts.series;
  return preferredCharts.category;
}

/**
 * True if the question has a superlative that belongs to no column, as in "the highest revenue" without such a column.
 */
const foremost = ({ words, mentions }: QuestionReading): boolean =>
  words.some(({ text }, at) => {
    const nextWord = words[at + 1];
    const isOpen = nextWord?.kind === 'word' && !stopWords.has(nextWord.text) && !cueWords.has(nextWord.text);
    return (
      /^(?:highest|lowest|largest|greatest|smallest)$/u.test(text) &&
      isOpen &&
      !mentions.some(({ start, end }) => at + 1 >= start && at + 1 < end)
    );
  });

/** True for questions such as "largest 10 claims". A chart with one count per row would have no meaningful order. */
const asksForFewest = ({ fewRows, limit, words }: QuestionReading): boolean =>
  fewRows &&
  limit !== null &&
  words
    .slice(limit.taken.start, limit.taken.end)
    .some(({ text }) => text.endsWith('est') && text !== 'fewest' && text !== 'busiest');

/** True for "total tickets" in a dataset of tickets, which is their number. */
const totalsRows = (profile: Profile, { words }: QuestionReading): boolean =>
  words.some(({ text }, at) => text === 'total' && profile.entity.has(words[at + 1]?.stem ?? ''));

/** True for "milk by barn" in a dataset called Milk. */
const namesMass = (profile: Profile, { words, mentions }: QuestionReading): boolean =>
  words.some(
    ({ text, stem }, at) =>
      profile.entity.has(stem) && massNouns.has(text) && !mentions.some(({ start, end }) => at >= start && at < end),
  );

/**
 * For a question such as "average order value" without such a column, or "milk by barn" in a dataset of that name: uses
 * the main number, and adds a note.
 */
function withNumber(
  profile: Profile,
  reading: QuestionReading,
  best: ScoredHypothesis,
): { best: ScoredHypothesis; assumed: readonly Assumption[] } {
  const [amount] = profile.ranked().amounts;
  const text = reading.words.flatMap((word, at) =>
    reading.filters.some(({ start, end }) => at >= start && at < end) ? [] : [word.text],
  );
  const aggregation =
    text.includes('average') || text.includes('mean')
      ? 'average'
      : (text.includes('total') && !totalsRows(profile, reading)) ||
          foremost(reading) ||
          asksForFewest(reading) ||
          namesMass(profile, reading)
        ? 'sum'
        : null;
  if (
    amount === undefined ||
    aggregation === null ||
    best.y.aggregation !== 'count' ||
    reading.counts ||
    best.across !== null
  )
    return { best, assumed: [] };
  return {
    best: { ...best, y: { column: amount, aggregation: aggregation } },
    assumed: [{ kind: 'numberOfDataset', column: amount }],
  };
}

/**
 * For a question such as "which industry has the highest rate" without such a column: uses the main category, and adds
 * a note.
 */
function withGroup(
  profile: Profile,
  reading: QuestionReading,
  best: ScoredHypothesis,
): { best: ScoredHypothesis; assumed: readonly Assumption[] } {
  const { categories } = profile.ranked();
  const firstWord = reading.words[0]?.text ?? '';
  const title = categories.find((column) => profile.columns[column]?.role === 'title');
  const category = firstWord === 'who' ? (title ?? categories[0]) : categories[0];
  const asksWhich = /^(?:which|who)$/u.test(firstWord) && reading.sort !== null;
  if (!asksWhich || category === undefined || best.x !== null || best.across !== null) return { best, assumed: [] };
  return {
    best: { ...best, x: { column: category, grain: null } },
    assumed: [{ kind: 'groupOfDataset', column: category }],
  };
}

/** A running total runs along a time: without a group of the question, along the months of the dataset. */
function alongTime(profile: Profile, { measure }: QuestionReading, best: ScoredHypothesis): ScoredHypothesis {
  const [time] = profile.ranked().times;
  const runs = measure?.aggregation === 'cumulativesum' && best.x === null && best.across === null;
  return runs && time !== undefined ? { ...best, x: { column: time, grain: 'month' } } : best;
}

/**
 * Returns a type that can show the content. A histogram shows bins of a number; people also call a number by category
 * or time a histogram, which becomes a column chart. A map without places becomes a bar chart.
 */
function asDrawable(profile: Profile, best: ScoredHypothesis, type: DataItemType): DataItemType {
  if (isMap(type) && !hasPlace(profile, [best.x, best.legend], type)) return preferredCharts.category[0];
  return familyOf(type) === 'bins' && numberToBin(profile, best) === null ? preferredCharts.step[0] : type;
}

/** Returns the second group by the same time, as in "by weekday and hour"; null if there is none. */
function furtherGroup(profile: Profile, { furtherGrain }: QuestionReading, { x }: ScoredHypothesis): Group | null {
  return furtherGrain !== null && x !== null && profile.columns[x.column]?.type === 'datetime'
    ? { column: x.column, grain: furtherGrain.grain }
    : null;
}

/** Returns a chart of a number by two grains of one time. */
const twoGrains = ({ x, y, reasons }: ScoredHypothesis, further: Group, assumed: readonly Assumption[]): Plan => ({
  type: preferredCharts.matrix[0],
  groups: [...(x === null ? [] : [x]), further],
  legend: null,
  quantities: [y],
  across: null,
  sort: null,
  limit: null,
  conditions: [],
  assumed,
  reasons,
});

/**
 * Chooses at most three charts of different types for a question, the best first. Returns an empty list if the question
 * mentions nothing that is in the dataset.
 */
export function choose(
  profile: Profile,
  reading: QuestionReading,
  requestedType: DataItemType | null,
): readonly Plan[] {
  const [bestHypothesis] = weighAll(profile, reading, requestedType);
  if (bestHypothesis === undefined) return [];
  const hypothesisWithNumber =
    reading.measure === null
      ? withNumber(profile, reading, bestHypothesis)
      : { best: { ...bestHypothesis, y: reading.measure }, assumed: [] };
  const { best: grouped, assumed } = withGroup(profile, reading, hypothesisWithNumber.best);
  const best = requestedType === null ? alongTime(profile, reading, grouped) : grouped;
  const namedType = typeAsked(profile, reading, requestedType);
  const requested = namedType === null || requestedType !== null ? namedType : asDrawable(profile, best, namedType);
  const further = furtherGroup(profile, reading, best);
  if (further !== null && (requested === null || familyOf(requested) === 'matrix'))
    return [twoGrains(best, further, hypothesisWithNumber.assumed)];
  const types =
    requested === null
      ? typesFor(profile, reading, best)
      : [requested, ...typesFor(profile, reading, best).filter((type) => type !== requested)];
  const arrangements = types.slice(0, 3).map((type) => ({ type, arranged: arrange(profile, reading, best, type) }));
  return arrangements.map(({ type, arranged }) => ({
    ...arranged,
    type,
    sort: orderOf(reading, best),
    limit: reading.limit?.count ?? null,
    conditions: [],
    assumed: [...arranged.assumed, ...hypothesisWithNumber.assumed, ...assumed],
    reasons: best.reasons,
  }));
}
