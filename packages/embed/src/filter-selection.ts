/** What a viewer has set in a filter. */
export interface FilterSelection {
  readonly keys: readonly string[];
  readonly from: number | null;
  readonly to: number | null;
  readonly search: string;
  /** Set to something that the control cannot show, such as a relative date. */
  readonly unshown: boolean;
}

export const emptySelection: FilterSelection = { keys: [], from: null, to: null, search: '', unshown: false };
