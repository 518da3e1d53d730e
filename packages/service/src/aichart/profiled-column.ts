import type { ChartColumn } from './dataset.ts';

/** The role of a column in a chart, derived from its metadata. */
export type Role = 'amount' | 'identifier' | 'time' | 'period' | 'category' | 'title' | 'place' | 'text';

export interface ProfiledColumn extends ChartColumn {
  readonly role: Role;
  /** Whether a sum of its values is meaningful: true for an amount, false for a price or a temperature. */
  readonly additive: boolean;
  readonly nameWords: readonly string[];
}
