import type { ServedRequest } from '../../resource/served.ts';
import type { ChartDataset } from '../dataset.ts';

/** A member of a column that words of a question name. */
export interface FoundValue {
  /** Index of the column in the dataset. */
  readonly column: number;
  /** Id of the member, as a filter takes it. */
  readonly value: string;
  /** How the words differ from the member: 0 not at all, more for other spellings. */
  readonly distance: number;
}

/** What was found for the texts of a question, by text. */
export interface FoundValues {
  readonly byText: ReadonlyMap<string, readonly FoundValue[]>;
  /** True if all text columns were searched. */
  readonly isComplete: boolean;
  /** True if a column could not be searched in time, so that a value that was found before may not be found now. */
  readonly hasFailed: boolean;
}

/** Nothing was searched, as without rows. */
export const noValues: FoundValues = { byText: new Map(), isComplete: true, hasFailed: false };

/**
 * Searches texts among the members of the text columns of a dataset that the caller sees. `equalTexts` are found only
 * where they equal a member, without parts and typos.
 */
export type ValueSearch = (
  request: ServedRequest,
  dataset: ChartDataset,
  texts: readonly string[],
  equalTexts?: readonly string[],
) => Promise<FoundValues>;
