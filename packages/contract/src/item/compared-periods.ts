import { member, objectOr } from '../json.ts';
import type { Item } from './item.ts';

/** What a period is compared with: the previous period, the same period a year before, or nothing. */
export const comparisonKinds = ['previous', 'year', 'none'] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];

/** Returns the kind of comparison that an item sets in `options.comparison.with`. */
export function comparisonKindOf({ options }: Item): ComparisonKind {
  const kind = member(objectOr(options['comparison']), 'with');
  return comparisonKinds.find((knownKind) => knownKind === kind) ?? 'previous';
}

/** The first and last day of a period, as midnights UTC. */
export interface WholePeriod {
  readonly from: number;
  readonly to: number;
}

/** A period and the period with which it is compared. */
export interface ComparedPeriods {
  readonly chosen: WholePeriod;
  readonly compared: WholePeriod;
  /** True if the period has not ended. In that case, both periods cover the same number of days. */
  readonly isOpen: boolean;
  /** The datetime level of the item; null if a filter selects the periods. */
  readonly level: number | null;
  /** True if a filter ends the period before today. */
  readonly isPast?: boolean;
  /**
   * First day that passes the filters of the item; undefined if unknown. A period that starts earlier is incomplete.
   */
  readonly since?: number;
}
