import type { Fault, JsonObject } from '@inlay/contract';

/**
 * An operation that a handler answers, of a resource without records. A create accepts the fields of the resource and
 * checks the rights on references. A get accepts the `find` described here.
 */
export interface ServedSpec {
  /** Members of `find` of a get, as JSON schema. */
  readonly find?: JsonObject;
  /**
   * Checks the input (`find`, or the properties of a create) in addition to its fields. The handler may refuse more.
   */
  readonly check?: (input: JsonObject, fault: Fault) => void;
  /** JSON schema of a JSON answer. */
  readonly answers: JsonObject;
  /** Other media types of an answer, such as `text/csv`. */
  readonly types?: readonly string[];
  /** An example of `find`. */
  readonly example?: JsonObject;
  /** True if the time limit of row exports applies to an input. Otherwise the time limit of queries applies. */
  readonly lasts?: (input: JsonObject) => boolean;
  /** True if a task may answer later, if the request prefers that (`Prefer: respond-async`). */
  readonly mayBeLater?: true;
}

export const servedOperations = ['create', 'get'] as const;
export type ServedOperation = (typeof servedOperations)[number];
