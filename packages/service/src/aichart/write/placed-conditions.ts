import { isFilterType } from '@inlay/contract';
import { familyOf } from '../decide/families.ts';
import type { Condition, Plan } from '../plan.ts';
import type { Profile } from '../profile.ts';
import { formulaOf } from './formulas.ts';
import { rowCondition } from './row-condition.ts';

/** The conditions of a plan, by the part of its item that has them. */
export interface PlacedConditions {
  readonly filters: readonly Condition[];
  /** The conditions in the formulas of the measures, as these have them; null if there are none. */
  readonly where: string | null;
  /** The conditions that the item has, in the order of the plan. */
  readonly applied: readonly Condition[];
  /** The conditions that the item cannot have. */
  readonly left: readonly Condition[];
}

/** True if filters express a condition. They know no weekdays, months or hours, and only periods to leave out. */
export const isFilterable = (condition: Condition): boolean =>
  condition.kind === 'either'
    ? condition.of.every(isFilterable)
    : condition.kind !== 'span' ||
      condition.spans.every(({ kind }) => kind === 'period' || (kind !== 'parts' && !condition.isExcluded));

/** True if a chart draws the numbers of single rows, which no formula aggregates. */
const isOfSingleRows = ({ type, groups, legend, quantities }: Plan): boolean =>
  quantities.length === 0 || (familyOf(type) === 'points' && groups.length === 0 && legend === null);

/** True if formulas compute all measures of a plan over the rows of a condition. */
const isMeasurable = (profile: Profile, plan: Plan, where: string): boolean =>
  !isOfSingleRows(plan) &&
  [...plan.quantities, ...(plan.across === null ? [] : [plan.across])].every(
    (quantity) => formulaOf(profile, quantity, where) !== null,
  );

/**
 * Decides which part of the item has each condition of a plan: a filter where one expresses it, else the formulas of
 * the measures. A bound on groups is left out beside those, since a filter would compare all rows of a group.
 */
export function placedConditions(profile: Profile, plan: Plan): PlacedConditions {
  const { conditions } = plan;
  if (isFilterType(plan.type)) return { filters: [], where: null, applied: [], left: conditions };
  const measured = conditions.filter((condition) => !isFilterable(condition));
  const where = rowCondition(profile, measured) ?? null;
  const isWritten = where !== null && isMeasurable(profile, plan, where);
  const isLeft = (condition: Condition): boolean =>
    isWritten ? condition.kind === 'groupBound' : measured.includes(condition);
  return {
    filters: conditions.filter((condition) => isFilterable(condition) && !isLeft(condition)),
    where: isWritten ? where : null,
    applied: conditions.filter((condition) => !isLeft(condition)),
    left: conditions.filter(isLeft),
  };
}
