import { isFilterType, type ChartFamily, type DataItemType } from '@inlay/contract';
import { isNumbering } from '../../columns/meaning.ts';
import type { Grain } from '../grain.ts';
import type { Group, Plan, Quantity, Reason } from '../plan.ts';
import { familyOf, hasRole, isSingleNumber } from './families.ts';
import { placeOf } from './place.ts';
import { preferredCharts } from './preferences.ts';
import type { Profile } from '../profile.ts';
import type { ProfiledColumn } from '../profiled-column.ts';
import type { ColumnRanking } from './rank.ts';

/** True for a column that numbers rows, and so is counted. */
const tellsRowsApart = ({ role, aggregation, nameWords }: ProfiledColumn): boolean =>
  role === 'identifier' && (aggregation === 'count' || isNumbering(nameWords));

/**
 * Returns an amount with its default aggregation: the declared one, else the sum if sums are meaningful, else the
 * average.
 */
export function usual(profile: Profile, column: number): Quantity {
  const profiledColumn = profile.columns[column];
  if (profiledColumn !== undefined && tellsRowsApart(profiledColumn)) return { column, aggregation: 'distinctcount' };
  const declaredAggregation = profiledColumn?.aggregation ?? 'sum';
  if (
    declaredAggregation === 'average' ||
    declaredAggregation === 'min' ||
    declaredAggregation === 'max' ||
    declaredAggregation === 'median'
  )
    return { column, aggregation: declaredAggregation };
  return { column, aggregation: profiledColumn?.additive === false ? 'average' : 'sum' };
}

const rows: Quantity = { column: null, aggregation: 'count' };

/**
 * Returns a chart with which an analyst would start, from metadata alone. `nth` selects one of several ideas, from 0.
 * If `requestedType` is not null, returns the best chart of this type. Returns null if there is no such idea, or if the
 * dataset does not have the columns that the type needs.
 */
export function suggest(profile: Profile, requestedType: DataItemType | null, nth = 0): Plan | null {
  if (profile.columns.length === 0) return null;
  const rankedColumns = profile.ranked();
  const plans =
    requestedType === null ? overview(profile, rankedColumns) : [only(profile, rankedColumns, requestedType)];
  return plans.filter((plan) => plan !== null)[nth] ?? null;
}

type PlanParts = Partial<Pick<Plan, 'groups' | 'quantities' | 'legend' | 'across' | 'sort'>>;

const plan = (type: DataItemType, reason: string, parts: PlanParts): Plan => {
  const reasons: readonly Reason[] = [{ rule: reason, weight: 1 }];
  const { groups = [], quantities = [], legend = null, across = null, sort = null } = parts;
  return { type, groups, legend, quantities, across, sort, limit: null, conditions: [], assumed: [], reasons };
};
const month = (column: number): Group => ({ column, grain: 'month' satisfies Grain });
const flat = (column: number): Group => ({ column, grain: null });
const largestFirst = { by: 'quantity', order: 'desc' } as const;
const firstColumns = ({ columns }: Profile): readonly Group[] =>
  [...columns.keys()]
    .filter((column) => columns[column]?.isFormula !== true)
    .slice(0, 8)
    .map(flat);
/** Returns the parts of a chart that plots two numbers against each other. */
const numbersAgainst = (xColumn: number, yColumn: number): PlanParts => ({
  across: { column: xColumn, aggregation: null },
  quantities: [{ column: yColumn, aggregation: null }],
});

function overview(profile: Profile, { amounts, times, categories }: ColumnRanking): readonly (Plan | null)[] {
  const [amount, secondAmount] = amounts;
  const [time] = times;
  const quantity = amount === undefined ? rows : usual(profile, amount);
  const [category, other] = categories;
  const [lines] = preferredCharts.time;
  const [bars, columns] = preferredCharts.category;
  return [
    time === undefined
      ? null
      : plan(lines, 'a number over time tells most', { groups: [month(time)], quantities: [quantity] }),
    category === undefined
      ? null
      : plan(bars, 'a number by its main category', {
          groups: [flat(category)],
          quantities: [quantity],
          sort: largestFirst,
        }),
    category === undefined || other === undefined
      ? null
      : plan(columns, 'a number by another category', {
          groups: [flat(other)],
          quantities: [quantity],
          sort: largestFirst,
        }),
    category === undefined
      ? null
      : plan(preferredCharts.share[0], 'the share of each category', {
          groups: [flat(category)],
          quantities: [quantity],
        }),
    amount === undefined
      ? null
      : plan(preferredCharts.number[0], 'the number at a glance', {
          quantities: [quantity],
          groups: time === undefined ? [] : [month(time)],
        }),
    amount === undefined || secondAmount === undefined
      ? null
      : plan(preferredCharts.relation[0], 'two numbers set against each other', numbersAgainst(amount, secondAmount)),
    plan(preferredCharts.rows[0], 'the rows as they are', { groups: firstColumns(profile) }),
  ];
}

interface Offer {
  readonly profile: Profile;
  readonly type: DataItemType;
  readonly ranking: ColumnRanking;
  /** The main category; an empty list if the dataset has no categories. */
  readonly groups: readonly Group[];
  /** The main time, grouped by month; an empty list if the dataset has no times. */
  readonly timed: readonly Group[];
  /** The main amount; the row count if the dataset has no amounts. */
  readonly quantity: Quantity;
  readonly more: readonly Quantity[];
}
type Suggest = (offer: Offer) => PlanParts | null;

const byCategory =
  (sort: Plan['sort']): Suggest =>
  ({ groups, quantity }) =>
    groups.length === 0 ? null : { groups, quantities: [quantity], sort };

const bars: Suggest = ({ ranking, groups, timed, quantity }) => {
  const axisGroups = groups.length > 0 ? groups : timed;
  return axisGroups.length === 0 && ranking.amounts.length === 0
    ? null
    : { groups: axisGroups, quantities: [quantity], sort: groups.length > 0 ? largestFirst : null };
};

/**
 * For each family of charts: the default chart for a dataset. Null if the dataset does not have the necessary columns.
 */
const suggestions: Readonly<Record<ChartFamily, Suggest>> = {
  lines: ({ groups, timed, quantity }) => {
    const axisGroups = timed.length > 0 ? timed : groups;
    return axisGroups.length === 0 ? null : { groups: axisGroups, quantities: [quantity] };
  },
  combination: ({ groups, timed, quantity, more }) => {
    const axisGroups = timed.length > 0 ? timed : groups;
    return axisGroups.length === 0 ? null : { groups: axisGroups, quantities: [quantity, ...more] };
  },
  bars,
  shares: bars,
  stages: byCategory(largestFirst),
  tiles: byCategory(null),
  levels: ({ ranking, groups, quantity }) =>
    groups.length === 0 ? null : { groups: ranking.categories.slice(0, 2).map(flat), quantities: [quantity] },
  matrix: ({ ranking, groups, timed, quantity }) => {
    const axisGroups = timed.length > 0 ? timed : ranking.categories.slice(1, 2).map(flat);
    return axisGroups.length === 0 || groups.length === 0
      ? null
      : { groups: [...axisGroups, ...groups], quantities: [quantity] };
  },
  bins: ({ ranking: { amounts } }) =>
    amounts.length === 0 ? null : { groups: amounts.slice(0, 1).map(flat), quantities: [rows] },
  map: ({ profile, type, ranking, quantity }) => {
    const place = placeOf(profile, type) ?? ranking.categories[0];
    return place === undefined ? null : { groups: [flat(place)], quantities: [quantity] };
  },
  figure: ({ type, ranking, timed, quantity, more }) => {
    if (isSingleNumber(type)) return { groups: timed, quantities: [quantity] };
    return ranking.amounts.length === 0 ? null : { groups: timed, quantities: [quantity, ...more] };
  },
  gauge: ({ ranking, quantity, more }) => (ranking.amounts.length === 0 ? null : { quantities: [quantity, ...more] }),
  bullets: ({ ranking, groups, quantity, more }) =>
    ranking.amounts.length === 0 ? null : { groups, quantities: [quantity, ...more] },
  pivot: ({ ranking, groups, quantity }) => {
    const [, other] = ranking.categories;
    return { groups, legend: other === undefined ? null : flat(other), quantities: [quantity] };
  },
  table: ({ profile }) => ({ groups: firstColumns(profile) }),
  points: ({ ranking: { amounts } }) => {
    const [amount, secondAmount] = amounts;
    return amount === undefined || secondAmount === undefined ? null : numbersAgainst(amount, secondAmount);
  },
};

/**
 * Returns the column that a filter of this type tests: the main time, amount or category. Returns an empty list if
 * there is none.
 */
function filteredGroups(type: DataItemType, { amounts, times, categories }: ColumnRanking): readonly Group[] {
  const columns = hasRole(type, 'period') ? times : hasRole(type, 'range') ? [...amounts, ...times] : categories;
  return columns.slice(0, 1).map(flat);
}

function only(profile: Profile, ranking: ColumnRanking, type: DataItemType): Plan | null {
  const reason = `the best ${type} the columns allow`;
  const family = familyOf(type);
  if (family === null) {
    const groups = filteredGroups(type, ranking);
    return groups.length === 0 ? null : plan(type, reason, { groups });
  }
  const [quantity = rows, ...others] = ranking.amounts.map((column) => usual(profile, column));
  const parts = suggestions[family]({
    profile,
    type,
    ranking,
    groups: ranking.categories.slice(0, 1).map(flat),
    timed: ranking.times.slice(0, 1).map(month),
    quantity,
    more: others.slice(0, 1),
  });
  return parts === null ? null : plan(type, reason, parts);
}

const maxAlternatives = 3;

/**
 * Returns the same chart of other numbers of the dataset, as further readings of a question whose number was not
 * understood.
 */
export function alternativesTo(profile: Profile, plan: Plan): readonly Plan[] {
  const [shown] = plan.quantities;
  if (isFilterType(plan.type) || shown === undefined || plan.quantities.length > 1 || shown.computed !== undefined)
    return [];
  const amounts: readonly Quantity[] = profile.ranked().amounts.map((column) => usual(profile, column));
  return [...amounts, rows]
    .filter(({ column }) => column !== shown.column)
    .slice(0, maxAlternatives)
    .map((quantity) => ({ ...plan, quantities: [quantity], assumed: [] }));
}
