import { member, objectOr } from '../json.ts';
import type { Item } from './item.ts';

/** What a period is compared with: the one before it, the same a year before, or nothing. */
export const comparisonKinds = ['previous', 'year', 'none'] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];

/** What an item compares its period with, by its `options.comparison.with`. */
export function comparisonKindOf({ options }: Item): ComparisonKind {
  const kind = member(objectOr(options['comparison']), 'with');
  return comparisonKinds.find((known) => known === kind) ?? 'previous';
}

/** The first and the last day of a period, as midnights in UTC. */
export interface WholePeriod {
  readonly from: number;
  readonly to: number;
}

/** A period, and the one that it is compared with. */
export interface ComparedPeriods {
  readonly chosen: WholePeriod;
  readonly compared: WholePeriod;
  /** Whether the chosen one has not ended, so that both are cut to the same days. */
  readonly isOpen: boolean;
  /** The level of the item by which they are periods; null where a filter chose them. */
  readonly level: number | null;
  /** Whether a filter ended it, before today. */
  readonly isPast?: boolean;
  /** The first day that the filters of the item let through, where they are known: an earlier period is not whole. */
  readonly since?: number;
}
