import type { JsonObject } from '../json.ts';
import type { ComparedPeriods } from './compared-periods.ts';
import type { SlotContent } from './item.ts';

/** A column of the answer: its slot and entry; null for the number of rows. */
export interface ResultSlot {
  readonly slot: string;
  readonly content: SlotContent | null;
}

/** Order and limit of members whose rows are split by a legend; each member is shown completely or not at all. */
export interface MemberOrder {
  /** Index of the measure in a row whose totals sort the members; null for the order of the rows. */
  readonly by: number | null;
  readonly order: 'asc' | 'desc';
  /** Maximum number of members. */
  readonly limit: number | null;
  /** Adds up members beyond the limit under "Others". If partial results cannot be added, the query computes them. */
  readonly others: boolean;
}

/** The data query of an item, and the columns of its answer. */
export interface ItemQuery {
  readonly query: JsonObject;
  readonly dimensions: readonly ResultSlot[];
  readonly measures: readonly ResultSlot[];
  /** For rows that are parts of members, see `memberRows`; null if rows are shown in the order of the answer. */
  readonly members: MemberOrder | null;
  /** The periods that a number compares, from a filter or from its own time. */
  readonly periods?: ComparedPeriods;
}
