import { declarationOf } from '@inlay/contract';
import { familyOf } from '../decide/families.ts';
import type { Plan, Quantity } from '../plan.ts';
import type { Profile } from '../profile.ts';

/** Most points of a scatter plot that can be told apart. */
const maxPoints = 2000;
/** Most slices of a donut, and most bars of a chart. */
const maxSlices = 12;
const maxBars = 30;
/** Most series of a chart, and the number of times that an axis is expected to have. */
const maxSeries = 12;
const usualTimes = 120;
/** Most groups that an answer to a data query has. Others are added up from all of them. */
const maxGroups = 10_000;

/** Returns the number of rows that the dataset has at least; 0 if it is unknown. */
const leastRows = ({ columns }: Profile): number => Math.max(0, ...columns.map(({ cardinality }) => cardinality ?? 0));

/**
 * True if a scatter plot of rows would hide most of its points under others. Values that the question names, or its
 * limit, may leave few points, and colours need single ones.
 */
export function isOverplotted(profile: Profile, plan: Plan): boolean {
  const { across, quantities, legend, limit, conditions } = plan;
  const isOfRows = [across, ...quantities].every(
    (quantity) => quantity !== null && quantity.aggregation === null && quantity.computed === undefined,
  );
  const isOfColumns = [across, ...quantities].every((quantity) => {
    const { type, isFormula } = profile.columns[quantity?.column ?? -1] ?? {};
    return type === 'numeric' && isFormula !== true;
  });
  const isNarrowed = conditions.some((condition) => condition.kind === 'values' && !condition.isExcluded);
  return (
    familyOf(plan.type) === 'points' &&
    isOfRows &&
    isOfColumns &&
    legend === null &&
    limit === null &&
    !isNarrowed &&
    leastRows(profile) > maxPoints
  );
}

/**
 * Returns how many members a chart shows by themselves, the largest first, with all others as one behind them; null if
 * it shows all members. Times keep all of theirs, and so does a chart with an order or a limit of the question.
 */
export function membersBeforeOthers(profile: Profile, plan: Plan): number | null {
  const { type, groups, legend, quantities, sort, limit, conditions } = plan;
  const declaration = declarationOf(type);
  const isDrawn = declaration.kind === 'chart' && declaration.family !== 'table';
  if (!isDrawn || declaration.options?.includes('others') !== true) return null;
  const [group, ...furtherGroups] = groups;
  const { type: kind, cardinality } = profile.columns[group?.column ?? -1] ?? {};
  if (furtherGroups.length > 0 || kind !== 'hierarchy' || limit !== null) return null;
  if (sort !== null && (sort.by === 'group' || sort.order === 'asc')) return null;
  const series = legend === null ? 1 : (profile.columns[legend.column]?.cardinality ?? maxGroups);
  const isAddedUp = quantities.every(({ aggregation }) => aggregation !== 'cumulativesum');
  const isOfGroups = conditions.some((condition) => condition.kind === 'groupBound');
  const most = declaration.family === 'shares' ? maxSlices : maxBars;
  const members = cardinality ?? 0;
  return isAddedUp && !isOfGroups && members > most && members * series <= maxGroups ? most - 1 : null;
}

/** True if any rows of a quantity can be added up to those of several members. */
function addsUp(profile: Profile, { column, aggregation, computed }: Quantity): boolean {
  if (computed !== undefined) return false;
  if (column === null) return true;
  const usual = profile.columns[column]?.additive === true;
  return (
    profile.columns[column]?.isFormula !== true &&
    (aggregation === null ? usual : ['sum', 'count'].includes(aggregation))
  );
}

/**
 * Returns how many series a chart shows, the largest and all others as one; null if it shows all of them. Values that
 * the question names, and averages, keep all of theirs.
 */
export function seriesBeforeOthers(profile: Profile, plan: Plan): number | null {
  const { type, groups, legend, quantities, conditions } = plan;
  const declaration = declarationOf(type);
  const isDrawn = declaration.kind === 'chart' && declaration.options?.includes('seriesLimit') === true;
  const series = profile.columns[legend?.column ?? -1]?.cardinality ?? 0;
  if (!isDrawn || series <= maxSeries || !quantities.every((quantity) => addsUp(profile, quantity))) return null;
  if (conditions.some((condition) => condition.kind === 'values' && condition.column === legend?.column)) return null;
  const { type: kind, cardinality } = profile.columns[groups[0]?.column ?? -1] ?? {};
  const members = kind === 'datetime' ? usualTimes : (cardinality ?? maxGroups);
  return members * series <= maxGroups ? maxSeries : null;
}
