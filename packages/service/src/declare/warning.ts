import type { JsonObject } from '@inlay/contract';

/**
 * A probable mistake in an accepted record. It is part of the answer and never stored. specification/operations#answers
 */
export interface Warning {
  /** Path of the member that the warning concerns. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The warnings of a resource. */
export interface Warns {
  readonly of: (record: JsonObject) => readonly Warning[];
  /**
   * References whose targets' warnings are included for callers who may see the target: field to resource of the
   * target.
   */
  readonly from?: Readonly<Record<string, string>>;
}
