import { member, objectOr } from '../json.ts';
import type { Item } from './item.ts';

/** Compares a period with the previous period, the same period a year before, or nothing. */
export const comparisonKinds = ['previous', 'year', 'none'] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];

/** The comparison of an item, from `options.comparison.with`. */
export function comparisonKindOf({ options }: Item): ComparisonKind {
  const kind = member(objectOr(options['comparison']), 'with');
  return comparisonKinds.find((known) => known === kind) ?? 'previous';
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
  /** The period has not ended, so both are cut to the same days. */
  readonly isOpen: boolean;
  /** The time level of the item; null if a filter selected the periods. */
  readonly level: number | null;
  /** A filter ends the period before today. */
  readonly isPast?: boolean;
  /** The first day that the item's filters let through, if known: earlier periods are incomplete. */
  readonly since?: number;
}
