import type { JsonObject } from '../json.ts';
import type { ComparedPeriods } from './compared-periods.ts';
import type { SlotContent } from './item.ts';

/** What a place in a row of the answer holds: the slot it is for and its column; null is the number of rows. */
export interface ResultSlot {
  readonly slot: string;
  readonly content: SlotContent | null;
}

/** How the members of an item come whose rows are split by a legend: each member is shown whole or not at all. */
export interface MemberOrder {
  /** The measure by whose total they are sorted: its place in a row; null where they come as their rows do. */
  readonly by: number | null;
  readonly order: 'asc' | 'desc';
  /** How many there are at most. */
  readonly limit: number | null;
  /** Whether those beyond the limit are shown as one, by the sums of their measures; where parts do not add up, the query asks for them. */
  readonly others: boolean;
}

/** The data query of an item, and what each place of a row of its answer is. */
export interface ItemQuery {
  readonly query: JsonObject;
  readonly dimensions: readonly ResultSlot[];
  readonly measures: readonly ResultSlot[];
  /** How its rows are shown where they are parts of members, see `memberRows`; null where they are shown as they come. */
  readonly members: MemberOrder | null;
  /** The periods that a number compares: those of a filter, else its own. */
  readonly periods?: ComparedPeriods;
}
