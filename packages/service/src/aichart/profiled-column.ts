import type { ChartColumn } from './dataset.ts';

/** What a column is good for, judged by its metadata. */
export type Role = 'amount' | 'identifier' | 'time' | 'period' | 'category' | 'title' | 'place' | 'text';

export interface ProfiledColumn extends ChartColumn {
  readonly role: Role;
  /** Whether adding its values up means something: an amount does, a price or a temperature does not. */
  readonly additive: boolean;
  readonly nameWords: readonly string[];
}
