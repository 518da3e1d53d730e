import type { ChartFamily, DataItemType } from '@inlay/contract';
import { familyOf, hasRole, quantityCount } from './families.ts';
import type { Assumption, Group, Plan, Quantity, ScoredHypothesis } from '../plan.ts';
import { isPlace, placeOf } from './place.ts';
import type { Profile } from '../profile.ts';
import type { QuestionReading, CuedMention } from '../read/reading.ts';
import { usual } from './suggest.ts';

/** The groups and quantities that the question mentions, in order, from which a chart of any type is built. */
interface Parts {
  readonly groups: readonly Group[];
  readonly quantities: readonly Quantity[];
}

const rows: Quantity = { column: null, aggregation: 'count' };

/** Returns the clear mentions whose columns the best hypothesis does not use. */
function residual(profile: Profile, reading: QuestionReading, best: ScoredHypothesis): readonly CuedMention[] {
  const usedColumns = new Set([best.x?.column, best.y.column, best.legend?.column, best.across?.column]);
  return reading.mentions.flatMap((mention, at) => {
    const { options, filtered, ordering, cues } = mention;
    const [first] = options;
    const isClear = !filtered && !ordering && !cues.population && (first?.strength ?? 0) >= 0.5;
    if (!isClear || first === undefined || profile.columns[first.column] === undefined) return [];
    if (!options.some(({ column }) => usedColumns.has(column))) return [mention];
    // In "turnover vs budgeted turnover", each may mean both columns, but not the same one.
    const isCompared = cues.versus || reading.mentions[at + 1]?.cues.versus === true;
    const other = options.find(({ column, strength }) => !usedColumns.has(column) && strength >= 0.6 * first.strength);
    return isCompared && other !== undefined ? [{ ...mention, options: [other] }] : [];
  });
}

/** True if a mention means a measure, not a group: it names an amount that the question does not group by. */
export function isMeasured(profile: Profile, { options: [option], cues }: CuedMention): boolean {
  const { role, isFormula } = profile.columns[option?.column ?? -1] ?? {};
  return role === 'amount' && (isFormula === true || cues.grouped !== 2);
}

const startOf = (reading: QuestionReading, column: number | null): number =>
  reading.mentions.find(({ options }) => options.some((option) => option.column === column))?.start ?? 999;

/**
 * Returns the groups and quantities of the best hypothesis, and those of the other columns that the question mentions.
 */
function partsOf(profile: Profile, reading: QuestionReading, best: ScoredHypothesis): Parts {
  const residualMentions = residual(profile, reading, best);
  const grain = reading.grain?.grain ?? null;
  const column = (mention: CuedMention): number => mention.options[0]?.column ?? -1;
  const isAmount = (mention: CuedMention): boolean => isMeasured(profile, mention);
  const times = [best.x, best.legend].some((group) => profile.columns[group?.column ?? -1]?.type === 'datetime');
  const groups = [
    ...(best.x === null ? [] : [best.x]),
    ...(best.legend === null ? [] : [best.legend]),
    ...residualMentions
      .filter((mention) => !isAmount(mention))
      .map((mention) => ({
        column: column(mention),
        grain: profile.columns[column(mention)]?.type === 'datetime' ? grain : null,
      })),
  ];
  const time = profile.ranked().times[0];
  if (
    grain !== null &&
    !times &&
    time !== undefined &&
    !groups.some(
      (group) => profile.columns[group.column]?.type === 'datetime' || profile.columns[group.column]?.role === 'period',
    )
  ) {
    groups.push({ column: time, grain });
  }
  const quantityMention = reading.mentions.find(({ options }) =>
    options.some((option) => option.column === best.y.column),
  );
  const others = (quantityMention?.cues.aggregations ?? []).filter(
    (aggregation) => aggregation !== best.y.aggregation && best.y.aggregation !== 'count',
  );
  const quantities = [
    ...others.map((aggregation) => ({ column: best.y.column, aggregation })),
    best.y,
    ...residualMentions
      .filter(isAmount)
      .map((mention) => ({ column: column(mention), aggregation: mention.cues.aggregations[0] ?? null })),
  ];
  const place = ({ column: index, aggregation }: Quantity): number =>
    startOf(reading, index) +
    (aggregation === null ? 0 : Math.max(0, quantityMention?.cues.aggregations.indexOf(aggregation) ?? 0) / 10);
  const drawn = uniqueQuantities(quantities);
  return { groups: unique(groups), quantities: drawn.toSorted((left, right) => place(left) - place(right)) };
}

const unique = (groups: readonly Group[]): readonly Group[] => [
  ...new Map(groups.map((group) => [group.column, group])).values(),
];

const uniqueQuantities = (quantities: readonly Quantity[]): readonly Quantity[] => [
  ...new Map(quantities.map((quantity) => [`${quantity.column} ${quantity.aggregation}`, quantity])).values(),
];

const inOrder = (reading: QuestionReading, groups: readonly Group[]): readonly Group[] =>
  groups.toSorted((left, right) => startOf(reading, left.column) - startOf(reading, right.column));

/**
 * Returns the group for a chart that needs one although the question names none: the main time or category. Returns
 * null if the dataset has neither.
 */
function fallbackGroup(profile: Profile, type: DataItemType): Group | null {
  const { times, categories } = profile.ranked();
  const [time] = times;
  const [category] = categories;
  if (time !== undefined && (familyOf(type) === 'lines' || category === undefined))
    return { column: time, grain: 'month' };
  return category === undefined ? null : { column: category, grain: null };
}

export type Arrangement = Pick<Plan, 'groups' | 'legend' | 'quantities' | 'across' | 'assumed'>;

/**
 * Returns the amount whose distribution a hypothesis shows: its only column, or the column by which it counts rows.
 * Returns null if the hypothesis shows no distribution of an amount.
 */
export function numberToBin(profile: Profile, { x, y, legend, across }: ScoredHypothesis): number | null {
  const isAlone = x === null || x.column === y.column || y.aggregation === 'count';
  const column = isAlone ? (x?.column ?? y.column) : null;
  const { role, isFormula } = profile.columns[column ?? -1] ?? {};
  return role === 'amount' && isFormula !== true && legend === null && across === null ? column : null;
}

interface ArrangeInput extends Parts {
  readonly profile: Profile;
  readonly reading: QuestionReading;
  readonly best: ScoredHypothesis;
  readonly type: DataItemType;
}
type Arrange = (input: ArrangeInput) => Arrangement;

const noMore = { legend: null, across: null, assumed: [] } as const;

const isTime =
  (profile: Profile) =>
  ({ column }: Group): boolean =>
    profile.columns[column]?.type === 'datetime';

const groupsOr = (groups: readonly Group[], fallback: Group | null): readonly Group[] =>
  groups.length > 0 || fallback === null ? groups : [fallback];

/** For each family of charts: how a chart uses the groups and quantities of a question. */
const arrangements: Readonly<Record<ChartFamily, Arrange>> = {
  bars: axes,
  combination: axes,
  lines: axes,
  shares: axes,
  stages: axes,
  tiles: axes,
  points: scatter,
  figure: ({ profile, groups, quantities, type }) => ({
    ...noMore,
    groups: groups.filter(isTime(profile)).slice(0, 1),
    quantities: quantities.slice(0, quantityCount(type)),
  }),
  gauge: ({ quantities }) => ({ ...noMore, groups: [], quantities: quantities.slice(0, 2) }),
  bullets: ({ reading, groups, quantities }) => ({
    ...noMore,
    groups: inOrder(reading, groups).slice(0, 1),
    quantities: quantities.slice(0, 2),
  }),
  bins: ({ profile, best }) => {
    const column = numberToBin(profile, best) ?? profile.ranked().amounts[0];
    return { ...noMore, groups: column === undefined ? [] : [{ column, grain: null }], quantities: [rows] };
  },
  matrix: ({ profile, reading, groups, quantities }) => {
    const [columnGroup, rowGroup] = inOrder(reading, groups);
    const other = profile.ranked().categories.find((column) => column !== columnGroup?.column);
    const secondGroup = rowGroup ?? (other === undefined ? undefined : { column: other, grain: null });
    return {
      ...noMore,
      groups: [columnGroup, secondGroup].flatMap((group) => group ?? []),
      quantities: quantities.slice(0, 1),
    };
  },
  map: ({ profile, reading, groups, quantities, type }) => {
    const orderedGroups = inOrder(reading, groups);
    const placeGroup = orderedGroups.find(({ column }) => isPlace(profile, column));
    const column = placeOf(profile, type);
    const place = placeGroup ?? (column === null ? orderedGroups[0] : { column, grain: null });
    const isCategory = (group: Group): boolean =>
      group.column !== place?.column && profile.columns[group.column]?.type === 'hierarchy';
    return {
      ...noMore,
      groups: place === undefined ? [] : [place],
      legend: hasRole(type, 'mark') ? (orderedGroups.find(isCategory) ?? null) : null,
      quantities: quantities.slice(0, 1),
    };
  },
  table: ({ reading, groups, quantities }) => ({
    ...noMore,
    groups: inOrder(reading, groups),
    quantities: quantities.filter(
      ({ column, aggregation }) =>
        column !== null || (aggregation === 'count' && (reading.counts || groups.length < 2)),
    ),
  }),
  pivot: ({ profile, reading, groups, quantities, type }) => {
    const orderedGroups = inOrder(reading, groups);
    const across =
      orderedGroups.length < 2
        ? undefined
        : (orderedGroups.find((group, place) => place > 0 && isTime(profile)(group)) ?? orderedGroups.at(-1));
    const rowGroups = orderedGroups.filter((group) => group !== across);
    return { ...noMore, groups: groupsOr(rowGroups, fallbackGroup(profile, type)), legend: across ?? null, quantities };
  },
  levels: ({ profile, reading, groups, quantities, type }) => ({
    ...noMore,
    groups: groupsOr(inOrder(reading, groups), fallbackGroup(profile, type)),
    quantities: quantities.slice(0, 1),
  }),
};

/** Assigns the groups and quantities of a question to the parts of a plan with this chart type. */
export function arrange(
  profile: Profile,
  reading: QuestionReading,
  best: ScoredHypothesis,
  type: DataItemType,
): Arrangement {
  const family = familyOf(type);
  const input = { profile, reading, best, type, ...partsOf(profile, reading, best) };
  return family === null ? axes(input) : arrangements[family](input);
}

function scatter({ profile, best, groups, quantities }: ArrangeInput): Arrangement {
  const legend = best.legend ?? groups.find(({ column }) => column !== best.x?.column) ?? null;
  const assumed: readonly Assumption[] = [];
  if (best.across !== null) return { groups: [], legend, quantities: [best.y], across: best.across, assumed };
  if (best.x !== null && profile.columns[best.x.column]?.type === 'numeric') {
    return {
      groups: [],
      legend: best.legend,
      quantities: [best.y],
      across: { column: best.x.column, aggregation: null },
      assumed,
    };
  }
  if (best.x !== null) return { groups: [best.x], legend: best.legend, quantities: [best.y], across: null, assumed };
  const [firstQuantity, secondQuantity] = quantities
    .filter(({ column }) => column !== null)
    .map(({ column, aggregation }) => ({ column, aggregation }));
  const { amounts } = profile.ranked();
  const spareAmount = amounts.find((column) => column !== firstQuantity?.column);
  return {
    groups: [],
    legend,
    quantities: [secondQuantity ?? { column: spareAmount ?? null, aggregation: null }],
    across: firstQuantity ?? { column: amounts[0] ?? null, aggregation: null },
    assumed: secondQuantity === undefined ? [{ kind: 'secondNumber' }] : [],
  };
}

function axes({ profile, reading, best, type, groups, quantities }: ArrangeInput): Arrangement {
  const assumed: Assumption[] = [];
  const family = familyOf(type);
  const isSingle = family === 'tiles';
  const isShare = family === 'shares';
  let axisGroup = best.x ?? groups[0] ?? null;
  let drawnQuantities = quantities;
  if (axisGroup === null && (isSingle || family === 'lines' || quantities.length < 2)) {
    axisGroup = fallbackGroup(profile, type);
    if (axisGroup !== null) assumed.push({ kind: 'group', column: axisGroup.column });
  }
  if (drawnQuantities.length > 1) drawnQuantities = drawnQuantities.filter(({ column }) => column !== null);
  const shownQuantities = drawnQuantities.slice(0, isSingle || (isShare && axisGroup !== null) ? 1 : 8);
  const anotherGroup = isShare ? null : (groups.find(({ column }) => column !== axisGroup?.column) ?? null);
  const legend =
    best.legend ??
    (shownQuantities.length < 2 && reading.chart.kind?.kind === 'type' && reading.chart.kind.stacked
      ? anotherGroup
      : null);
  return {
    groups: axisGroup === null ? [] : [axisGroup],
    legend: isShare ? null : legend,
    quantities: legend !== null && !isShare ? [best.y] : shownQuantities,
    across: null,
    assumed,
  };
}

/**
 * Returns a quantity with an aggregation: if the question names none, the default aggregation of the column. Formulas
 * have none, since they aggregate themselves.
 */
export function settle(profile: Profile, { column, aggregation }: Quantity): Quantity {
  if (column !== null && profile.columns[column]?.isFormula === true) return { column, aggregation: null };
  return column === null || aggregation !== null ? { column, aggregation } : usual(profile, column);
}
