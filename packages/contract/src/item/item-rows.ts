import type { JsonObject } from '../json.ts';
import type { ComparedPeriods } from './compared-periods.ts';
import type { SlotContent } from './item.ts';

/** A column of the answer. `content` is its entry in the slot; null if the column is the number of rows. */
export interface ResultSlot {
  readonly slot: string;
  readonly content: SlotContent | null;
}

/** Order and limit of members whose rows are split by a legend. All rows of a member are shown, or none. */
export interface MemberOrder {
  /** Index in a row of the measure whose totals sort the members; null if members keep the order of the rows. */
  readonly by: number | null;
  readonly order: 'asc' | 'desc';
  /** Maximum number of members; null if there is no limit. */
  readonly limit: number | null;
  /**
   * If true, members beyond the limit are added up as "Others". False if the query computes "Others", which it does if
   * partial results cannot be added up.
   */
  readonly others: boolean;
}

/** The limit of the members of the legend. Those beyond it are added up as "Others". */
export interface SeriesLimit {
  /** Index in a row of the legend. */
  readonly place: number;
  /** Index in a row of the measure whose totals choose the members. */
  readonly by: number;
  readonly limit: number;
}

/** The data query of an item, and what the columns of its answer mean. */
export interface ItemQuery {
  readonly query: JsonObject;
  readonly dimensions: readonly ResultSlot[];
  readonly measures: readonly ResultSlot[];
  /**
   * How `memberRows` sorts and limits rows that are parts of members; null if rows are shown in the order of the
   * answer.
   */
  readonly members: MemberOrder | null;
  /** How `memberRows` folds members of the legend before that; without it, all of them are shown. */
  readonly series?: SeriesLimit;
  /** The periods that a number compares. They come from a filter, or from the time of the number. */
  readonly periods?: ComparedPeriods;
}
