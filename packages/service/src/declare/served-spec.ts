import type { Fault, JsonObject } from '@inlay/contract';

/**
 * An operation of an unstored resource that a part answers. A create accepts the fields of the resource and checks the rights that they
 * name; a get accepts the `find` described here.
 */
export interface ServedSpec {
  /** The members of `find` of a get, as JSON schema. */
  readonly find?: JsonObject;
  /** A check of the input (`find`, or the properties of a create) beyond its fields; the part may refuse more. */
  readonly check?: (input: JsonObject, fault: Fault) => void;
  /** JSON schema of a JSON answer. */
  readonly answers: JsonObject;
  /** Other media types of an answer, such as `text/csv`. */
  readonly types?: readonly string[];
  /** An example of `find`. */
  readonly example?: JsonObject;
  /** Whether an input has the time limit of an export of rows instead of that of a query. */
  readonly lasts?: (input: JsonObject) => boolean;
  /** Whether a task does the work if the request prefers so (`Prefer: respond-async`). */
  readonly mayBeLater?: true;
}

export const servedOperations = ['create', 'get'] as const;
export type ServedOperation = (typeof servedOperations)[number];
