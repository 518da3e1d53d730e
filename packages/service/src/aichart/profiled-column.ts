import type { ChartColumn } from './dataset.ts';

/** The role of a column in a chart, derived from its metadata. */
export type Role = 'amount' | 'identifier' | 'time' | 'period' | 'category' | 'title' | 'place' | 'text';

export interface ProfiledColumn extends ChartColumn {
  readonly role: Role;
  /** True if a sum of the column's values is meaningful, as for an amount. False for a price or a temperature. */
  readonly additive: boolean;
  /** Words of the name without its unit. */
  readonly nameWords: readonly string[];
  /** The unit in brackets after the name, such as `kwh`; empty if there is none. */
  readonly unit: string;
}
