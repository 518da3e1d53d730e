/** Kinds of observations, each with the meaning of its keys. */
export const observationKinds = {
  /** Queries sent to a source for a dataset without `cache`; the key is the id of the dataset. */
  uncached: 'dataset',
  /** Queries sent to a source with a row filter; the key has the ids of the dataset and the filtered column. */
  filtered: 'dataset and column',
  /** Queries over accelerated datasets; the key has the id of the acceleration, and `hit` or the reason of the miss. */
  accelerated: 'acceleration and outcome',
  /** CORS requests from disallowed origins; the key is the origin. */
  origin: 'origin',
  /** Connection attempts to disallowed addresses; the key is host and port. */
  host: 'host and port',
} as const;
export type ObservationKind = keyof typeof observationKinds;

/** Count and total duration of an observation. */
export interface Tally {
  readonly count: number;
  readonly totalMs: number;
}
