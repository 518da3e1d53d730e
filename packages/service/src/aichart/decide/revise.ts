import { isFilterType, type DataItemType } from '@inlay/contract';
import { asksForCount, type Aggregation } from '../read/cues.ts';
import { phraseOf } from '../read/phrase.ts';
import { isMeasured } from './arrange.ts';
import { familyOf, isSingleNumber } from './families.ts';
import type { Group, Plan, Quantity } from '../plan.ts';
import { orderOf } from './order.ts';
import { preferredCharts } from './preferences.ts';
import type { Profile } from '../profile.ts';
import { anyOf } from '../read/any-of.ts';
import type { QuestionReading, CuedMention } from '../read/reading.ts';
import { excludingStart, takesAway } from '../vocabulary/negation.ts';
import type { Word } from '../vocabulary/words.ts';

/** Words with which a message goes on from the chart before. */
const openers =
  'now, and, but, also, ok, okay, only, just, instead, make, turn, change, switch, convert, use, add, remove, drop, without, split, break, per, by, ' +
  'as, in, into, sort, sorted, order, ordered, rank, limit, top, bottom, same, what about, how about, show (?:it|this|that|them|me that|as|only), ' +
  'with, for, group, then, stack, colou?r, plus, monthly, weekly, daily, quarterly, yearly, annually, descending, ascending';
const opening = new RegExp(`^${anyOf(openers)}\\b`, 'u');
const swapping = /\b(?:instead|replace|rather|switch|change)\b/u;
const adding = /^(?:(?:now|and|also|ok) )*(?:add|plus|also|and|include|with|together)\b/u;
const alsoSaid = /\b(?:also|and|as well|too|add|plus)\b/u;
const splitting =
  /\b(?:split|broken|break|colou?red?|colou?r|segment(?:ed)?|stack(?:ed)?|legend|and (?:also )?(?:by|per)|also (?:by|per)|divided|grouped by colou?r)\b/u;
const splits = /\b(?:split|legend|colou?rs?|breakdown|stack\w*)\b/u;
const aggregationByWord: Readonly<Record<string, Aggregation>> = {
  average: 'average',
  mean: 'average',
  median: 'median',
  sum: 'sum',
  total: 'sum',
  maximum: 'max',
  max: 'max',
  highest: 'max',
  minimum: 'min',
  min: 'min',
  lowest: 'min',
};

/** True if a message revises the previous chart instead of asking for a new one. */
export function goesOn(profile: Profile, reading: QuestionReading): boolean {
  const text = reading.words.map((word) => word.text).join(' ');
  if (opening.test(text) || swapping.test(text)) return true;
  const mentions = reading.mentions.filter(({ filtered, ordering }) => !filtered && !ordering);
  const numbers = mentions.filter(
    ({ options: [firstOption] }) => profile.columns[firstOption?.column ?? -1]?.role === 'amount',
  ).length;
  const groups = mentions.length - numbers;
  if (numbers + (reading.counts ? 1 : 0) > 0 && (groups > 0 || reading.grain !== null)) return false;
  return reading.words.length <= 4 && mentions.length <= 1;
}

const columnOf = ({ options: [firstOption] }: CuedMention): number => firstOption?.column ?? -1;

const narrowing = /^(?:(?:now|and|but|ok|okay) )*(?:only|just)\b/u;

/**
 * "Only policies that started in 2023" and "just the trips to Oslo" narrow the rows of the previous chart: what they
 * name besides an amount and a stated group belongs to their conditions.
 */
function narrowed(profile: Profile, reading: QuestionReading): QuestionReading {
  const mentions = reading.mentions.filter(
    (mention) => mention.cues.grouped === 2 || mention.cues.counted !== 'no' || isMeasured(profile, mention),
  );
  return { ...reading, mentions, counts: reading.counts && asksForCount(phraseOf(reading.words).text) };
}

/**
 * Applies a message to the previous chart. The message may change type, group, number, grain, order or limit.
 * `hasConditions` is true if it also has conditions.
 */
export function revise(profile: Profile, previousPlan: Plan, message: QuestionReading, hasConditions: boolean): Plan {
  const isNarrowing = hasConditions && narrowing.test(message.words.map((word) => word.text).join(' '));
  const reading = isNarrowing ? narrowed(profile, message) : message;
  const text = reading.words.map((word) => word.text).join(' ');
  const mentions = reading.mentions.filter(({ filtered, ordering }) => !filtered && !ordering);
  const isAmount = (mention: CuedMention): boolean => isMeasured(profile, mention);
  const groups = mentions
    .filter((mention) => !isAmount(mention))
    .map((mention): Group => groupOn(profile, reading, columnOf(mention)));
  const numbers = mentions.filter(isAmount);
  const { kind } = reading.chart;
  const requestedType =
    kind?.kind === 'type' && !isFilterType(kind.type)
      ? kind.type
      : kind?.kind === 'idea' && kind.idea === 'share'
        ? preferredCharts.share[0]
        : null;
  let nextPlan: Plan = {
    ...previousPlan,
    assumed: [],
    reasons: [{ rule: 'goes on from the chart before', weight: 1 }],
  };
  nextPlan = { ...nextPlan, quantities: quantitiesOf(nextPlan, reading, numbers, text) };
  nextPlan = regroup(profile, nextPlan, reading, groups, text, requestedType);
  if (splits.test(text) && takesSplitAway(reading.words)) nextPlan = { ...nextPlan, legend: null };
  if (requestedType !== null) nextPlan = retype(profile, nextPlan, requestedType);
  else if (nextPlan.type === previousPlan.type)
    nextPlan = { ...nextPlan, type: typeAfter(profile, previousPlan, nextPlan) };
  const sort = orderOf(reading, {
    x: nextPlan.groups[0] ?? null,
    y: nextPlan.quantities[0] ?? { column: null, aggregation: 'count' },
    legend: nextPlan.legend,
    across: nextPlan.across,
    score: 0,
    reasons: [],
  });
  const limit = reading.limit?.count ?? bareNumber(reading, text) ?? nextPlan.limit;
  return {
    ...nextPlan,
    sort: sort ?? (limit !== previousPlan.limit && limit !== null ? { by: 'quantity', order: 'desc' } : nextPlan.sort),
    limit,
  };
}

/** True for "without the legend" and "no colours". */
const takesSplitAway = (words: readonly Word[]): boolean =>
  words.some(({ text }, at) => takesAway(text) || excludingStart(words, at + 1) !== null);

const bareNumber = (reading: QuestionReading, text: string): number | null => {
  const number = reading.words.find(({ kind }, at) => kind === 'number' && reading.words[at + 1]?.text !== '+');
  const count = number === undefined ? NaN : Number(number.text);
  return /\b(?:only|just|limit|top|first)\b/u.test(text) && Number.isInteger(count) && count > 0 && count <= 1000
    ? count
    : null;
};

const groupOn = (profile: Profile, reading: QuestionReading, column: number): Group => ({
  column,
  grain: profile.columns[column]?.type === 'datetime' ? (reading.grain?.grain ?? 'month') : null,
});

function quantitiesOf(
  previousPlan: Plan,
  reading: QuestionReading,
  numbers: readonly CuedMention[],
  text: string,
): readonly Quantity[] {
  if (reading.measure !== null) return [reading.measure];
  const namedQuantities = numbers.map((mention): Quantity => ({
    column: columnOf(mention),
    aggregation: mention.cues.aggregations[0] ?? null,
  }));
  if (namedQuantities.length > 0) {
    if (familyOf(previousPlan.type) === 'table' || (adding.test(text) && !swapping.test(text)))
      return [...previousPlan.quantities, ...namedQuantities];
    const previousAggregation = previousPlan.quantities[0]?.aggregation ?? null;
    return namedQuantities.map(({ column, aggregation }) => ({
      column,
      aggregation:
        aggregation ??
        (previousAggregation === 'count' || previousAggregation === 'distinctcount' ? null : previousAggregation),
    }));
  }
  if (reading.counts) return [{ column: null, aggregation: 'count' }];
  const word = reading.words.map((entry) => aggregationByWord[entry.text]).find((entry) => entry !== undefined);
  if (word === undefined || reading.sort !== null) return previousPlan.quantities;
  return previousPlan.quantities.map((quantity) =>
    quantity.column === null || quantity.aggregation === 'distinctcount'
      ? quantity
      : { ...quantity, aggregation: word },
  );
}

const isLayered = (type: DataItemType | null): boolean =>
  type !== null && ['levels', 'pivot', 'table'].includes(familyOf(type) ?? '');

function regroup(
  profile: Profile,
  previousPlan: Plan,
  reading: QuestionReading,
  groups: readonly Group[],
  text: string,
  requestedType: DataItemType | null,
): Plan {
  const grain = reading.grain?.grain ?? null;
  const [firstGroup] = groups;
  if (firstGroup === undefined) {
    if (grain === null) return previousPlan;
    const isTime = (group: Group): boolean => profile.columns[group.column]?.type === 'datetime';
    if (previousPlan.groups.some(isTime))
      return {
        ...previousPlan,
        groups: previousPlan.groups.map((group) => (isTime(group) ? { ...group, grain } : group)),
      };
    const time = profile.ranked().times[0];
    if (time === undefined) return previousPlan;
    // "Also by quarter" keeps the group that was there.
    const legend = alsoSaid.test(text) ? (previousPlan.legend ?? previousPlan.groups[0] ?? null) : previousPlan.legend;
    return { ...previousPlan, groups: [{ column: time, grain }], legend, sort: null, limit: null };
  }
  if (splitting.test(text) && !swapping.test(text))
    return { ...previousPlan, legend: firstGroup, quantities: previousPlan.quantities.slice(0, 1) };
  if (isLayered(requestedType) || adding.test(text)) {
    const addedGroups = groups.filter(({ column }) => !previousPlan.groups.some((group) => group.column === column));
    if (isLayered(requestedType)) return { ...previousPlan, groups: [...previousPlan.groups, ...addedGroups] };
    return {
      ...previousPlan,
      legend: addedGroups[0] ?? previousPlan.legend,
      quantities: previousPlan.quantities.slice(0, 1),
    };
  }
  return {
    ...previousPlan,
    groups: [firstGroup],
    legend: groups[1] ?? (previousPlan.legend?.column === firstGroup.column ? null : previousPlan.legend),
    sort: previousPlan.sort?.by === 'group' ? null : previousPlan.sort,
  };
}

/** Returns a plan that shows the same content with another chart type. */
function retype(profile: Profile, previousPlan: Plan, type: DataItemType): Plan {
  const { groups, legend } = previousPlan;
  const family = familyOf(type);
  if (family === 'table' || family === 'levels') {
    const allGroups = [
      ...groups,
      ...(legend === null || groups.some(({ column }) => column === legend.column) ? [] : [legend]),
    ];
    return { ...previousPlan, type, groups: allGroups, legend: null };
  }
  if (family === 'pivot' && legend === null && groups.length > 1)
    return { ...previousPlan, type, groups: groups.slice(0, -1), legend: groups.at(-1) ?? null };
  if (family === 'shares')
    return { ...previousPlan, type, legend: null, quantities: previousPlan.quantities.slice(0, 1) };
  if (isSingleNumber(type))
    return {
      ...previousPlan,
      type,
      legend: null,
      groups: groups.filter(({ column }) => profile.columns[column]?.type === 'datetime'),
      quantities: previousPlan.quantities.slice(0, 1),
    };
  if (family === 'lines') {
    const time = profile.ranked().times[0];
    const hasTime = groups.some(({ column }) => profile.columns[column]?.type === 'datetime');
    if (groups.length === 0 && !hasTime && time !== undefined)
      return { ...previousPlan, type, groups: [{ column: time, grain: 'month' }] };
  }
  return { ...previousPlan, type };
}

/**
 * Returns the type of a revised chart if the message names none. If a time becomes the group, a bar chart becomes a
 * line chart; if a category does, a line chart becomes a bar chart.
 */
function typeAfter(profile: Profile, previousPlan: Plan, nextPlan: Plan): DataItemType {
  const time = (plan: Plan): boolean => profile.columns[plan.groups[0]?.column ?? -1]?.type === 'datetime';
  const family = familyOf(previousPlan.type);
  const [timeChart] = preferredCharts.time;
  const [groupedChart] = preferredCharts.category;
  if (isSingleNumber(previousPlan.type) && nextPlan.groups.length > 0) return time(nextPlan) ? timeChart : groupedChart;
  if (time(nextPlan) && !time(previousPlan) && (family === 'bars' || family === 'shares')) return timeChart;
  return !time(nextPlan) && time(previousPlan) && family === 'lines' ? groupedChart : previousPlan.type;
}
