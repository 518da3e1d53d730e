import type { Fault, JsonObject } from '@inlay/contract';

/**
 * An operation of a resource without records that a handler answers. A create accepts the fields of the resource and checks
 * the rights on references; a get accepts the `find` described here.
 */
export interface ServedSpec {
  /** Members of `find` of a get, as JSON schema. */
  readonly find?: JsonObject;
  /**
   * Check of the input (`find`, or the properties of a create) in addition to its fields; the handler may refuse more.
   */
  readonly check?: (input: JsonObject, fault: Fault) => void;
  /** JSON schema of a JSON answer. */
  readonly answers: JsonObject;
  /** Other media types of an answer, such as `text/csv`. */
  readonly types?: readonly string[];
  /** An example of `find`. */
  readonly example?: JsonObject;
  /** True if the time limit of row exports applies to an input instead of that of queries. */
  readonly lasts?: (input: JsonObject) => boolean;
  /** True if a task may answer later when the request prefers so (`Prefer: respond-async`). */
  readonly mayBeLater?: true;
}

export const servedOperations = ['create', 'get'] as const;
export type ServedOperation = (typeof servedOperations)[number];
