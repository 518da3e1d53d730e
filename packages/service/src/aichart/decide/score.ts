import type { Hypothesis, Quantity, Reason } from '../plan.ts';
import type { ProfiledColumn } from '../profiled-column.ts';
import type { Profile } from '../profile.ts';
import type { QuestionReading, CuedMention } from '../read/reading.ts';
import type { MentionCandidates } from '../read/candidates.ts';
import { groupRules, leftOutRules, legendRules, quantityRules, scoreOf, type WeighedMention } from './weights.ts';

/** Scales how well a mention fits by its strength. A weak mention has a smaller bonus and a larger penalty. */
const scaledFit = (fit: number, strength: number): number => (fit >= 0 ? fit * strength : fit * (2 - strength));

/** Returns how strongly a mention refers to a column; 0 if it does not refer to the column. */
const strengthOf = (mention: CuedMention, column: number): number =>
  mention.options.find((option) => option.column === column)?.strength ?? 0;

/** Adds a weight. `rule` may be a function, so that its text is only built if reasons are requested. */
type AddWeight = (rule: string | (() => string), weight: number) => void;

/** A question that is prepared for scoring. It contains everything that does not depend on the hypothesis. */
export interface Scale {
  readonly profile: Profile;
  readonly reading: QuestionReading;
  /** True for scatter and bubble charts, which plot numbers against numbers. */
  readonly plane: boolean;
  readonly stacked: boolean;
  /** True if the question asks for a chart that has groups. */
  readonly grouped: boolean;
  readonly dated: boolean;
  /** True if the question asks for a trend, in words or by a chart type such as a line chart. */
  readonly overTime: boolean;
  /** True if the question asks for a trend in words, such as "over time". */
  readonly trend: boolean;
  /** True if the question asks for a distribution: the row count for each bin of a number. */
  readonly spread: boolean;
  /** Returns the mentions that may refer to a column. */
  readonly speaksOf: (column: number) => readonly CuedMention[];
  /** Number of different amounts that the question mentions. */
  readonly numbers: number;
  readonly candidates: readonly MentionCandidates[];
}

const mentionIn = (
  { reading, plane, stacked, overTime }: Scale,
  mention: CuedMention,
  column: ProfiledColumn,
  aggregation: Quantity['aggregation'] = null,
): WeighedMention => ({ mention, cues: mention.cues, column, reading, plane, stacked, overTime, how: aggregation });

const groupFit = (scale: Scale, mention: CuedMention, column: ProfiledColumn, index: number): number =>
  scaledFit(scoreOf(groupRules, 1, mentionIn(scale, mention, column)), strengthOf(mention, index));

const legendFit = (scale: Scale, mention: CuedMention, column: ProfiledColumn, index: number): number =>
  scaledFit(
    scoreOf(legendRules, scale.plane ? -0.8 : -2, mentionIn(scale, mention, column)),
    strengthOf(mention, index),
  );

function quantityFit(
  scale: Scale,
  mention: CuedMention,
  column: ProfiledColumn,
  index: number,
  aggregation: Quantity['aggregation'],
): number {
  const strength = strengthOf(mention, index);
  if (aggregation === 'distinctcount' && mention.cues.aggregations.length === 0)
    return (mention.cues.distinct ? 3.4 : -1.5) * Math.min(1, strength + 0.3);
  return scaledFit(scoreOf(quantityRules, 0.6, mentionIn(scale, mention, column, aggregation)), strength);
}

/**
 * Combines how well several mentions fit: the best one counts fully, and each other one a little. `fallback` applies if
 * there are no mentions.
 */
const repeatedFit = (values: readonly number[], fallback: number): number =>
  values.length === 0
    ? fallback
    : Math.max(...values) +
      0.25 * (values.reduce((sum, value) => sum + Math.max(0, value), 0) - Math.max(0, ...values));

const best = (values: readonly number[], fallback: number): number =>
  values.length === 0 ? fallback : Math.max(...values);

/** Returns the penalty for a mention that a hypothesis does not use. */
function leftOut({ reading, stacked }: Scale, mention: CuedMention): number {
  if (mention.filtered) return 0.25;
  if (mention.cues.counted !== 'no' && mention.cues.grouped !== 2) return 0.1;
  if (mention.ordering) return 0.5;
  const cost = scoreOf(leftOutRules, 0.9, { cues: mention.cues, stacked });
  const inGrain =
    reading.grain !== null && mention.start >= reading.grain.taken.start && mention.end <= reading.grain.taken.end;
  return (inGrain ? cost * 0.6 : cost) * Math.min(1, mention.options[0]?.strength ?? 0) ** 1.5;
}

function weighGroup(scale: Scale, column: number, drawnColumn: number | null, addWeight: AddWeight): void {
  const { profile, reading } = scale;
  const profiledColumn = profile.columns[column];
  if (profiledColumn === undefined) return;
  const spokenMentions = scale
    .speaksOf(column)
    .filter(
      (mention) =>
        drawnColumn === null ||
        drawnColumn === column ||
        strengthOf(mention, drawnColumn) <= strengthOf(mention, column),
    );
  const hint = reading.hints.get(column) ?? 0;
  const fits = spokenMentions.map(
    (mention) => groupFit(scale, mention, profiledColumn, column) - (0.04 * mention.start) / 10,
  );
  const grain = reading.grain;
  if (scale.spread && profiledColumn.role === 'amount') addWeight('how a number is spread', 4);
  if (grain === null && scale.overTime && profiledColumn.role === 'time' && spokenMentions.length === 0)
    addWeight('over time', 1.6 + hint);
  if (grain !== null && profiledColumn.role === 'time')
    addWeight('the time grain asks for a moment', (grain.sure ? 2.6 : 1.8) + hint * 1.2);
  const isNamed = profiledColumn.role === 'title' || (profiledColumn.role === 'identifier' && reading.fewRows);
  if (spokenMentions.length === 0 && reading.eachEntity && isNamed) addWeight('one group for each row, by its name', 2);
  addWeight(
    () => `groups by ${label(profiledColumn)}`,
    repeatedFit(fits, (grain !== null || scale.overTime) && profiledColumn.role === 'time' ? 0 : -1.2 + hint),
  );
}

function weighQuantity(scale: Scale, y: Quantity, other: number | null, addWeight: AddWeight): void {
  const { profile, reading } = scale;
  if (y.column === null) {
    const numeric = reading.mentions.some(
      (mention) =>
        !mention.filtered &&
        mention.cues.aggregations.length > 0 &&
        mention.options.some(({ column }) => profile.columns[column]?.type === 'numeric'),
    );
    const isCounted = reading.mentions.some(({ cues }) => cues.counted !== 'no');
    if (reading.counts || isCounted) addWeight('the question asks for a number of rows', numeric ? 1 : 2.4);
    else addWeight('counts rows, which is not asked for', -0.4);
    return;
  }
  const profiledColumn = profile.columns[y.column];
  if (profiledColumn === undefined) return;
  const index = y.column;
  const spokenMentions =
    other === null || other === index
      ? scale.speaksOf(index)
      : scale.speaksOf(index).filter((mention) => strengthOf(mention, other) <= strengthOf(mention, index));
  const fits = spokenMentions.map((mention) => quantityFit(scale, mention, profiledColumn, index, y.aggregation));
  addWeight(() => `draws ${label(profiledColumn)}`, best(fits, -1.5));
  if (reading.counts && y.aggregation !== 'distinctcount') {
    const countingMention = reading.mentions.find(({ cues }) => cues.counted !== 'no');
    if (countingMention === undefined || strengthOf(countingMention, index) === 0)
      addWeight('the question asks for a number, this is none', -1.2);
  }
}

const isMoment = ({ profile }: Scale, column: number | undefined): boolean =>
  column !== undefined && ['time', 'period'].includes(profile.columns[column]?.role ?? '');

const label = (column: ProfiledColumn): string => Object.values(column.name)[0] ?? column.id;

/**
 * Returns the score of a hypothesis: how well its parts fit their mentions, minus penalties for mentions that it does
 * not use.
 */
export function weigh(scale: Scale, hypothesis: Hypothesis): number {
  const sum = { weight: 0 };
  consider(scale, hypothesis, (_, weight) => (sum.weight += weight));
  return sum.weight;
}

/** Returns the weight that each rule adds to the score of a hypothesis. */
export function reasonsFor(scale: Scale, hypothesis: Hypothesis): readonly Reason[] {
  const reasons: Reason[] = [];
  consider(scale, hypothesis, (rule, weight) =>
    reasons.push({ rule: typeof rule === 'string' ? rule : rule(), weight: Math.round(weight * 1000) / 1000 }),
  );
  return reasons;
}

function consider(scale: Scale, hypothesis: Hypothesis, addWeight: AddWeight): void {
  const { reading, profile, plane } = scale;
  const { x, y, legend, across } = hypothesis;
  if (x !== null) weighGroup(scale, x.column, y.column, addWeight);
  else if (across === null && scale.grouped) addWeight('this kind of chart has groups', -3.5);
  if (across !== null) weighQuantity(scale, across, y.column, addWeight);
  weighQuantity(scale, y, across?.column ?? null, addWeight);
  if (legend !== null) {
    const profiledColumn = profile.columns[legend.column];
    const others = [x?.column, y.column, across?.column].filter((column) => typeof column === 'number');
    const spokenMentions = scale
      .speaksOf(legend.column)
      .filter((mention) => others.every((other) => strengthOf(mention, other) < strengthOf(mention, legend.column)));
    const fits =
      profiledColumn === undefined
        ? []
        : spokenMentions.map((mention) => legendFit(scale, mention, profiledColumn, legend.column));
    if (profiledColumn !== undefined) addWeight(() => `a colour for each ${label(profiledColumn)}`, best(fits, -3));
    if (scale.speaksOf(legend.column).some(({ cues }) => cues.axis !== null)) addWeight('an axis is no colour', -4);
  } else if (scale.stacked && !plane) addWeight('a stacked chart has a legend', -1.2);
  const isUsed = (column: number): boolean =>
    column === x?.column || column === y.column || column === legend?.column || column === across?.column;
  for (const { mention, columns } of scale.candidates) {
    if (columns.some(isUsed)) continue;
    addWeight(
      () =>
        `leaves out "${reading.words
          .slice(mention.start, mention.end)
          .map(({ text }) => text)
          .join(' ')}"`,
      -leftOut(scale, mention),
    );
  }
  if (scale.spread && y.aggregation === 'count') addWeight('counts the rows of each part', 2.5);
  if (scale.trend && ![x, legend].some((group) => isMoment(scale, group?.column)) && scale.dated) {
    addWeight('a trend runs over time', -2.4);
  }
  if (reading.grain !== null && ![x, legend].some((group) => isMoment(scale, group?.column))) {
    const { unit } = reading.grain;
    const isNamed = reading.mentions.some(
      (mention) =>
        mention.start < unit.end && unit.start < mention.end && mention.options.some(({ column }) => isUsed(column)),
    );
    if (!isNamed && scale.dated) addWeight('leaves out the time grain', -2.2);
  }
  if (legend !== null && legend.column !== x?.column && isMoment(scale, x?.column) && !isMoment(scale, legend.column))
    addWeight('lines over time, one for each group', 0.9);
  if (y.aggregation === 'distinctcount' && !scale.speaksOf(x?.column ?? -1).some(({ cues }) => cues.grouped === 2))
    addWeight('different ones are counted for each of something', -3);
  if (x !== null && x.column === y.column && y.aggregation !== 'count') addWeight('draws what it groups by', -1.6);
  if (plane && reading.counts && y.aggregation !== 'count' && across?.aggregation !== 'count')
    addWeight('no number of rows is drawn', -2.2);
  if (plane && scale.numbers > 1 && x !== null && profile.columns[x.column]?.type === 'hierarchy')
    addWeight('numbers are set against each other, not a number against names', -2);
  if (across !== null && across.column === y.column && across.aggregation === y.aggregation)
    addWeight('sets a number against itself', -4);
  if (across !== null && across.column !== null && y.column !== null) {
    const order = (column: number): number =>
      reading.mentions.find((mention) => strengthOf(mention, column) > 0)?.start ?? 99;
    if (order(across.column) > order(y.column)) addWeight('the first number named lies along the axis', -0.3);
  }
}
