import type { ComparisonKind } from '../../item/compared-periods.ts';

/** A viewer's selection in a filter item. */
export interface FilterSelection {
  readonly keys: readonly string[];
  /**
   * First number of a range, or first day as midnight UTC of a day of the wall clock; null if the range has no start.
   */
  readonly from: number | null;
  readonly to: number | null;
  /** Text that the viewer searches for in the data. */
  readonly text: string;
  /** The period with which numbers are compared. By default the filter decides. */
  readonly compareWith?: ComparisonKind;
  readonly search: string;
  /** True if the control cannot show the value, such as a relative date. */
  readonly unshown: boolean;
}

export const emptySelection: FilterSelection = { keys: [], from: null, to: null, text: '', search: '', unshown: false };

/** True if a selection is not empty. */
export const isSet = ({ keys, from, to, text, unshown }: FilterSelection): boolean =>
  keys.length > 0 || from !== null || to !== null || text !== '' || unshown;
