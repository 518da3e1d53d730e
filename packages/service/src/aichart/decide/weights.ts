import type { ProfiledColumn } from '../profiled-column.ts';
import type { CuedMention, QuestionReading } from '../read/reading.ts';
import type { Quantity } from '../plan.ts';
import { opensGroup } from '../vocabulary/groups.ts';
import { joinsList } from '../vocabulary/joining.ts';

/** A mention of a column, for which a role in a chart is scored. */
export interface WeighedMention {
  readonly mention: CuedMention;
  readonly cues: CuedMention['cues'];
  readonly column: ProfiledColumn;
  readonly reading: QuestionReading;
  /** True for scatter and bubble charts, which plot numbers against numbers. */
  readonly plane: boolean;
  readonly stacked: boolean;
  /** True if the question asks for a trend. */
  readonly overTime: boolean;
  /** If the column is scored as a quantity, its aggregation; null for raw values. */
  readonly how: Quantity['aggregation'];
}

/** A scoring rule. It either adds a weight to the score (0 if the rule does not apply), or limits the score so far. */
export type WeightRule<Of = WeighedMention> =
  | { readonly rule: string; readonly adds: (subject: Of) => number }
  | { readonly rule: string; readonly atMost: (subject: Of) => number };

/** Applies the rules in order to the score `base`. */
export const scoreOf = <Of>(rules: readonly WeightRule<Of>[], base: number, subject: Of): number =>
  rules.reduce((sum, rule) => ('adds' in rule ? sum + rule.adds(subject) : Math.min(sum, rule.atMost(subject))), base);

const groupByRole = {
  amount: -1.3,
  identifier: -0.2,
  time: 0.9,
  period: 0.8,
  category: 1,
  title: 0.9,
  place: 1,
  text: 0.6,
};

/** How well a mention fits as a group of a chart. The base is 1. */
export const groupRules: readonly WeightRule[] = [
  { rule: 'the words group by it', adds: ({ cues }) => (cues.grouped === 2 ? 2.4 : 0) },
  { rule: 'the words may group by it', adds: ({ cues }) => (cues.grouped === 1 ? 0.9 : 0) },
  { rule: 'it is named for the x axis', adds: ({ cues }) => (cues.axis === 'x' ? 3 : 0) },
  { rule: 'it is named for the y axis', adds: ({ cues }) => (cues.axis === 'y' ? -3 : 0) },
  {
    rule: 'what is aggregated is no group',
    adds: ({ cues, column }) =>
      cues.aggregations.length > 0 && cues.grouped !== 2 ? (column.type === 'numeric' ? -2.6 : -0.4) : 0,
  },
  {
    rule: 'what is counted is no group',
    adds: ({ cues, column }) => (cues.counted === 'no' ? 0 : column.role === 'amount' ? -1.4 : -0.5),
  },
  {
    rule: 'a trend is grouped by a time',
    adds: ({ overTime, column }) =>
      !overTime ? 0 : column.role === 'time' ? 1.4 : column.role === 'period' ? 0.8 : -0.3,
  },
  { rule: 'a legend is named', adds: ({ cues }) => (cues.legend ? -1.4 : 0) },
  { rule: 'grouped by it at last', adds: ({ cues }) => (cues.regrouped === 'then' ? 2.6 : 0) },
  {
    rule: 'grouped by it once more',
    adds: ({ cues, stacked, plane }) => (cues.regrouped === 'group' ? (stacked || plane ? -0.8 : 0.9) : 0),
  },
  { rule: 'it is compared with another', adds: ({ cues }) => (cues.versus ? -0.3 : 0) },
  { rule: 'it names what is looked at', adds: ({ cues }) => (cues.population ? -0.6 : 0) },
  { rule: 'what the column is good for', adds: ({ plane, column }) => (plane ? 0 : groupByRole[column.role]) },
  {
    rule: 'it stands in a condition',
    adds: ({ mention, cues, reading }) =>
      mention.filtered && cues.grouped !== 2 ? (reading.onlyFiltered ? -0.4 : -2.6) : 0,
  },
  {
    rule: 'it only orders',
    atMost: ({ mention, reading }) => (mention.ordering ? (reading.sort?.order === undefined ? 0.3 : 0.7) : Infinity),
  },
  {
    rule: 'the amount that ranks is no group',
    adds: ({ reading, column }) =>
      reading.limit !== null && reading.limit.order !== null && column.role === 'amount' ? -3 : 0,
  },
];

/** True for "country" in "by month and country". */
function followsGrain({ start }: CuedMention, { grain, words }: QuestionReading): boolean {
  const end = grain?.unit.end ?? start;
  return (
    end < start && words.slice(end, start).every(({ text }) => joinsList(text) || opensGroup(text) || text === 'the')
  );
}

/** How well a mention fits as the legend of a chart. The base is -0.8 in scatter and bubble charts, otherwise -2. */
export const legendRules: readonly WeightRule[] = [
  { rule: 'the chart is stacked', adds: ({ stacked }) => (stacked ? 2.4 : 0) },
  {
    rule: 'it is pointed at and counted',
    adds: ({ mention, cues }) => (mention.pointer && cues.counted !== 'no' ? 2.4 : 0),
  },
  { rule: 'a legend is named', adds: ({ cues }) => (cues.legend ? 3.6 : 0) },
  {
    rule: 'grouped by it once more',
    adds: ({ cues, stacked, plane }) => (cues.regrouped === 'group' ? (stacked || plane ? 3.2 : 2) : 0),
  },
  { rule: 'the second of two groups', adds: ({ cues }) => (cues.joined && cues.grouped === 2 ? 2.3 : 0) },
  {
    rule: 'it is joined to the time grain',
    adds: ({ mention, reading }) => (followsGrain(mention, reading) ? 2.3 : 0),
  },
  { rule: 'the words group by it', adds: ({ cues }) => (cues.grouped === 2 ? 1.6 : 0) },
  { rule: 'it is compared with another', adds: ({ cues, stacked }) => (cues.versus && stacked ? 1.4 : 0) },
  { rule: 'counted in a stacked chart', adds: ({ cues, stacked }) => (cues.counted !== 'no' && stacked ? 0.7 : 0) },
  { rule: 'an axis is named for it', adds: ({ cues }) => (cues.axis === null ? 0 : -2.5) },
  { rule: 'it is aggregated', adds: ({ cues }) => (cues.aggregations.length > 0 ? -2 : 0) },
  {
    rule: 'what the column is good for',
    adds: ({ cues, column }) =>
      ({
        amount: cues.legend || cues.regrouped !== 'no' ? -0.6 : -2,
        identifier: -0.6,
        time: -0.8,
        period: 0,
        category: 0.6,
        title: 0.2,
        place: 0.5,
        text: -0.2,
      })[column.role],
  },
  {
    rule: 'it stands in a condition or only orders',
    adds: ({ mention }) => (mention.filtered || mention.ordering ? -3 : 0),
  },
];

const amountByRole = {
  amount: 1.1,
  identifier: -0.5,
  time: -2,
  period: -0.8,
  category: -1.5,
  title: -2,
  place: -2,
  text: -2,
};

/** Returns how well the words around a mention fit the aggregation of a quantity. */
function aggregationFit({ cues, column, how }: WeighedMention): number {
  if (cues.aggregations.length > 0) return how === null ? -2 : cues.aggregations.includes(how) ? 3 : -2.4;
  if (how === 'sum' && cues.counted === 'total') return column.role === 'amount' ? 2.6 : -1;
  if (how !== null && how !== 'sum') return -2.5;
  if (how === null) return 0;
  return column.additive ? 0.02 : -0.05;
}

/** How well a mention fits as a quantity of a chart. The base is 0.6. */
export const quantityRules: readonly WeightRule[] = [
  { rule: 'the aggregation is asked for', adds: aggregationFit },
  {
    rule: 'rows are counted, not this',
    adds: ({ cues, how, column }) =>
      cues.counted === 'yes' && how !== 'distinctcount' ? (column.role === 'amount' ? -0.2 : -2) : 0,
  },
  {
    rule: 'the words group by it',
    adds: ({ cues }) => (cues.grouped === 2 && cues.aggregations.length === 0 ? -2.2 : 0),
  },
  { rule: 'it is named for the y axis', adds: ({ cues }) => (cues.axis === 'y' ? 2 : 0) },
  { rule: 'it is named for the x axis', adds: ({ cues, plane }) => (cues.axis === 'x' && !plane ? -2.5 : 0) },
  { rule: 'it is compared with another', adds: ({ cues }) => (cues.versus ? 0.3 : 0) },
  { rule: 'what the column is good for', adds: ({ column }) => amountByRole[column.role] },
  { rule: 'it stands in a condition', adds: ({ mention }) => (mention.filtered ? -4 : 0) },
  { rule: 'it only orders', atMost: ({ mention }) => (mention.ordering ? 1.2 : Infinity) },
  {
    rule: 'it ranks the first so many',
    adds: ({ reading, mention, cues }) =>
      reading.limit !== null &&
      reading.limit.order !== null &&
      mention.start > reading.limit.taken.end &&
      cues.grouped === 2
        ? 3.4
        : 0,
  },
];

/** The penalty for not using a mention. The base is 0.9. */
export const leftOutRules: readonly WeightRule<Pick<WeighedMention, 'cues' | 'stacked'>>[] = [
  { rule: 'it names what is looked at', atMost: ({ cues }) => (cues.population ? 0.5 : 0.9) },
  { rule: 'it is aggregated', adds: ({ cues }) => (cues.aggregations.length > 0 ? 1.4 : 0) },
  { rule: 'the words group by it', adds: ({ cues }) => (cues.grouped === 2 ? 0.8 : 0) },
  {
    rule: 'a colour is asked for',
    adds: ({ cues, stacked }) => (cues.legend || cues.regrouped !== 'no' ? (stacked ? 1.4 : 0.8) : 0),
  },
  { rule: 'an axis is named for it', adds: ({ cues }) => (cues.axis === null ? 0 : 1.5) },
];
