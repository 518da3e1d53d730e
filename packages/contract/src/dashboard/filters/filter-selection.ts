import type { ComparisonKind } from '../../item/compared-periods.ts';

/** What a viewer has set in a filter. */
export interface FilterSelection {
  readonly keys: readonly string[];
  /** A number, or a day of the wall clock as midnight in UTC. */
  readonly from: number | null;
  readonly to: number | null;
  /** What texts have to contain. */
  readonly text: string;
  /** With what numbers compare their value in the period; the filter says it where nobody chose. */
  readonly compareWith?: ComparisonKind;
  readonly search: string;
  /** Set to something that the control cannot show, such as a relative date. */
  readonly unshown: boolean;
}

export const emptySelection: FilterSelection = { keys: [], from: null, to: null, text: '', search: '', unshown: false };

/** Whether a viewer has set something in a filter. */
export const isSet = ({ keys, from, to, text, unshown }: FilterSelection): boolean =>
  keys.length > 0 || from !== null || to !== null || text !== '' || unshown;
