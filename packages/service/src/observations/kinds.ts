/** The kinds of observations, each with the meaning of its keys. */
export const observationKinds = {
  /** Queries that ran at a source, by the id of a dataset without `cache`. */
  uncached: 'dataset',
  /** Queries that ran at a source, by the ids of a dataset and of a column of a row filter. */
  filtered: 'dataset and column',
  /** Requests of pages whose origin may not call the API, by origin. */
  origin: 'origin',
  /** Connections to addresses that are not allowed, by host and port. */
  host: 'host and port',
} as const;
export type ObservationKind = keyof typeof observationKinds;

/** Count and total time of an observation. */
export interface Tally {
  readonly count: number;
  readonly totalMs: number;
}
