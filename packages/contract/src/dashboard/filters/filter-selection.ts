import type { ComparisonKind } from '../../item/compared-periods.ts';

/** A viewer's selection in a filter item. */
export interface FilterSelection {
  readonly keys: readonly string[];
  /** A number, or a wall-clock day as midnight UTC. */
  readonly from: number | null;
  readonly to: number | null;
  /** Search text. */
  readonly text: string;
  /** The period that numbers compare with; by default the period of the filter. */
  readonly compareWith?: ComparisonKind;
  readonly search: string;
  /** The value cannot be shown by the control, for example a relative date. */
  readonly unshown: boolean;
}

export const emptySelection: FilterSelection = { keys: [], from: null, to: null, text: '', search: '', unshown: false };

/** True if the selection is not empty. */
export const isSet = ({ keys, from, to, text, unshown }: FilterSelection): boolean =>
  keys.length > 0 || from !== null || to !== null || text !== '' || unshown;
