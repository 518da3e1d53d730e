import { isFilterType, type DataItemType } from '@inlay/contract';
import type { Aggregation } from '../read/cues.ts';
import { familyOf, isSingleNumber } from './families.ts';
import type { Group, Plan, Quantity } from './hypothesis.ts';
import { orderOf } from './order.ts';
import { preferredCharts } from './preferences.ts';
import type { Profile } from '../profile.ts';
import type { QuestionReading, CuedMention } from '../read/reading.ts';

const opening =
  /^(?:now|and|but|also|ok|okay|only|just|instead|make|turn|change|switch|convert|use|add|remove|drop|without|split|break|per|by|as|in|into|sort|sorted|order|ordered|rank|limit|top|bottom|same|what about|how about|show (?:it|this|that|them|me that|as|only)|with|for|group|then|stack|colou?r|plus|monthly|weekly|daily|quarterly|yearly|annually|descending|ascending)\b/u;
const swapping = /\b(?:instead|replace|rather|switch|change)\b/u;
const adding = /^(?:(?:now|and|also|ok) )*(?:add|plus|also|and|include|with|together)\b/u;
const splitting =
  /\b(?:split|broken|break|colou?red?|colou?r|segment(?:ed)?|stack(?:ed)?|legend|and (?:also )?(?:by|per)|also (?:by|per)|divided|grouped by colou?r)\b/u;
const removing = /\b(?:without|remove|drop|no)\b/u;
const splits = /\b(?:split|legend|colou?rs?|breakdown|stack\w*)\b/u;
const alone: Readonly<Record<string, Aggregation>> = {
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
    ({ options: [first] }) => profile.columns[first?.column ?? -1]?.role === 'amount',
  ).length;
  const groups = mentions.length - numbers;
  if (numbers + (reading.counts ? 1 : 0) > 0 && (groups > 0 || reading.grain !== null)) return false;
  return reading.words.length <= 4 && mentions.length <= 1;
}

const columnOf = ({ options: [first] }: CuedMention): number => first?.column ?? -1;

/** Applies a message to the previous chart: another type, group, number, grain, order or limit. */
export function revise(profile: Profile, before: Plan, reading: QuestionReading): Plan {
  const text = reading.words.map((word) => word.text).join(' ');
  const mentions = reading.mentions.filter(({ filtered, ordering }) => !filtered && !ordering);
  const isAmount = (mention: CuedMention): boolean =>
    profile.columns[columnOf(mention)]?.role === 'amount' && mention.cues.grouped !== 2;
  const groups = mentions
    .filter((mention) => !isAmount(mention))
    .map((mention): Group => grouped(profile, reading, columnOf(mention)));
  const numbers = mentions.filter(isAmount);
  const { kind } = reading.chart;
  const requested =
    kind?.kind === 'type' && !isFilterType(kind.type)
      ? kind.type
      : kind?.kind === 'idea' && kind.idea === 'share'
        ? preferredCharts.share[0]
        : null;
  let next: Plan = { ...before, assumed: [], reasons: [{ rule: 'goes on from the chart before', weight: 1 }] };
  next = { ...next, quantities: quantitiesOf(next, reading, numbers, text) };
  next = regroup(profile, next, reading, groups, text, requested);
  if (removing.test(text) && splits.test(text)) next = { ...next, legend: null };
  if (requested !== null) next = retype(profile, next, requested);
  else if (next.type === before.type) next = { ...next, type: typeAfter(profile, before, next) };
  const sort = orderOf(reading, {
    x: next.groups[0] ?? null,
    y: next.quantities[0] ?? { column: null, aggregation: 'count' },
    legend: next.legend,
    across: next.across,
    score: 0,
    reasons: [],
  });
  const limit = reading.limit?.count ?? bareNumber(reading, text) ?? next.limit;
  return {
    ...next,
    sort: sort ?? (limit !== before.limit && limit !== null ? { by: 'quantity', order: 'desc' } : next.sort),
    limit,
  };
}

const bareNumber = (reading: QuestionReading, text: string): number | null => {
  const number = reading.words.find(({ kind }) => kind === 'number');
  const count = number === undefined ? NaN : Number(number.text);
  return /\b(?:only|just|limit|top|first)\b/u.test(text) && Number.isInteger(count) && count > 0 && count <= 1000
    ? count
    : null;
};

const grouped = (profile: Profile, reading: QuestionReading, column: number): Group => ({
  column,
  grain: profile.columns[column]?.type === 'datetime' ? (reading.grain?.grain ?? 'month') : null,
});

function quantitiesOf(
  before: Plan,
  reading: QuestionReading,
  numbers: readonly CuedMention[],
  text: string,
): readonly Quantity[] {
  const named = numbers.map((mention): Quantity => ({
    column: columnOf(mention),
    aggregation: mention.cues.aggregations[0] ?? null,
  }));
  if (named.length > 0) {
    if (familyOf(before.type) === 'table' || (adding.test(text) && !swapping.test(text)))
      return [...before.quantities, ...named];
    const previous = before.quantities[0]?.aggregation ?? null;
    return named.map(({ column, aggregation }) => ({
      column,
      aggregation: aggregation ?? (previous === 'count' || previous === 'distinctcount' ? null : previous),
    }));
  }
  if (reading.counts) return [{ column: null, aggregation: 'count' }];
  const word = reading.words.map((entry) => alone[entry.text]).find((entry) => entry !== undefined);
  if (word === undefined || reading.sort !== null) return before.quantities;
  return before.quantities.map((quantity) =>
    quantity.column === null || quantity.aggregation === 'distinctcount'
      ? quantity
      : { ...quantity, aggregation: word },
  );
}

const isLayered = (type: DataItemType | null): boolean =>
  type !== null && ['levels', 'pivot', 'table'].includes(familyOf(type) ?? '');

function regroup(
  profile: Profile,
  before: Plan,
  reading: QuestionReading,
  groups: readonly Group[],
  text: string,
  requested: DataItemType | null,
): Plan {
  const grain = reading.grain?.grain ?? null;
  const [first] = groups;
  if (first === undefined) {
    if (grain === null) return before;
    const isTime = (group: Group): boolean => profile.columns[group.column]?.type === 'datetime';
    if (before.groups.some(isTime))
      return { ...before, groups: before.groups.map((group) => (isTime(group) ? { ...group, grain } : group)) };
    const time = profile.ranked().times[0];
    return time === undefined ? before : { ...before, groups: [{ column: time, grain }], sort: null, limit: null };
  }
  if (splitting.test(text) && !swapping.test(text))
    return { ...before, legend: first, quantities: before.quantities.slice(0, 1) };
  if (isLayered(requested) || adding.test(text)) {
    const more = groups.filter(({ column }) => !before.groups.some((group) => group.column === column));
    if (isLayered(requested)) return { ...before, groups: [...before.groups, ...more] };
    return { ...before, legend: more[0] ?? before.legend, quantities: before.quantities.slice(0, 1) };
  }
  return {
    ...before,
    groups: [first],
    legend: groups[1] ?? (before.legend?.column === first.column ? null : before.legend),
    sort: before.sort?.by === 'group' ? null : before.sort,
  };
}

/** Returns the same content as another chart type. */
function retype(profile: Profile, before: Plan, type: DataItemType): Plan {
  const { groups, legend } = before;
  const family = familyOf(type);
  if (family === 'table' || family === 'levels') {
    const all = [
      ...groups,
      ...(legend === null || groups.some(({ column }) => column === legend.column) ? [] : [legend]),
    ];
    return { ...before, type, groups: all, legend: null };
  }
  if (family === 'pivot' && legend === null && groups.length > 1)
    return { ...before, type, groups: groups.slice(0, -1), legend: groups.at(-1) ?? null };
  if (family === 'shares') return { ...before, type, legend: null, quantities: before.quantities.slice(0, 1) };
  if (isSingleNumber(type))
    return {
      ...before,
      type,
      legend: null,
      groups: groups.filter(({ column }) => profile.columns[column]?.type === 'datetime'),
      quantities: before.quantities.slice(0, 1),
    };
  if (family === 'lines') {
    const time = profile.ranked().times[0];
    const timed = groups.some(({ column }) => profile.columns[column]?.type === 'datetime');
    if (groups.length === 0 && !timed && time !== undefined)
      return { ...before, type, groups: [{ column: time, grain: 'month' }] };
  }
  return { ...before, type };
}

/** Returns the type of a revised chart when the message names none: a line for time, bars for a category. */
function typeAfter(profile: Profile, before: Plan, after: Plan): DataItemType {
  const time = (plan: Plan): boolean => profile.columns[plan.groups[0]?.column ?? -1]?.type === 'datetime';
  const family = familyOf(before.type);
  const [timed] = preferredCharts.time;
  const [grouped] = preferredCharts.category;
  if (isSingleNumber(before.type) && after.groups.length > 0) return time(after) ? timed : grouped;
  if (time(after) && !time(before) && (family === 'bars' || family === 'shares')) return timed;
  return !time(after) && time(before) && family === 'lines' ? grouped : before.type;
}
