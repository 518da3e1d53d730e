import { member, objectOr } from '../json.ts';
import type { Item } from './item.ts';

/** Compares a period with the previous period, the same period a year before, or nothing. */
export const comparisonKinds = ['previous', 'year', 'none'] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];

/** Returns the comparison of an item, from `options.comparison.with`. */
export function comparisonKindOf({ options }: Item): ComparisonKind {
  const kind = member(objectOr(options['comparison']), 'with');
  return comparisonKinds.find((knownKind) => knownKind === kind) ?? 'previous';
}

/** The first and last day of a period, as midnights UTC. */
export interface WholePeriod {
  readonly from: number;
  readonly to: number;
}

/** A period and the period to compare it with. */
export interface ComparedPeriods {
  readonly chosen: WholePeriod;
  readonly compared: WholePeriod;
  /** True if the period has not ended; both periods are then truncated after the same number of days. */
  readonly isOpen: boolean;
  /** The time level of the item; null if a filter selected the periods. */
  readonly level: number | null;
  /** True if a filter ends the period before today. */
  readonly isPast?: boolean;
  /** First day that satisfies the filters of the item, if known; earlier periods are incomplete. */
  readonly since?: number;
}
