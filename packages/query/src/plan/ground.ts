import type { Model } from '../model.ts';
import type { Condition } from '../query.ts';
import type { Clock } from './time.ts';

/** What every part of a plan stands on: the datasets, the clock, and the row filters that always apply. */
export interface Ground {
  readonly model: Model;
  readonly clock: Clock;
  /** By dataset id. */
  readonly rowFilters: ReadonlyMap<string, readonly Condition[]>;
}
