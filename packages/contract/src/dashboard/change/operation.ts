import type { Json } from '../../json.ts';
import type { ChildSpacing } from '../model/json-text.ts';

/** Sets a member, or the part itself if `path` is empty. The object that gets a new member must exist. */
export interface SetOperation {
  readonly kind: 'set';
  /** Address of the part; empty for the contents. */
  readonly part: string;
  /** Names of the members that lead to the value. Lists without addresses are set as a whole. */
  readonly path: readonly string[];
  /** The value as JSON text, which keeps the digits of numbers. */
  readonly text: string;
  /** Of a new member: the member that it follows, or null if it is the first one. By default it is the last one. */
  readonly after?: string | null;
  /** Of a new member: how its name is written, with the colon. */
  readonly name?: string;
  readonly spacing?: ChildSpacing;
}

/** Removes a member. */
export interface UnsetOperation {
  readonly kind: 'unset';
  readonly part: string;
  readonly path: readonly string[];
  /** The text that is left between its neighbours. */
  readonly gap?: string;
}

/** Adds a part to a list. If the parent does not have the list yet, it gets it. */
export interface InsertOperation {
  readonly kind: 'insert';
  /** Address of the part that has the list; empty for the contents. */
  readonly parent: string;
  /** Member with the list, such as `items`. */
  readonly list: string;
  /** Id of the sibling that it follows; null if it is the first one. */
  readonly after: string | null;
  /** The part as JSON text. */
  readonly text: string;
  readonly spacing?: ChildSpacing;
}

/** Removes a part. */
export interface RemoveOperation {
  readonly kind: 'remove';
  readonly part: string;
  readonly gap?: string;
}

/** Moves a part among its siblings, or to a list of another part. */
export interface MoveOperation {
  readonly kind: 'move';
  readonly part: string;
  readonly parent: string;
  readonly list: string;
  readonly after: string | null;
  readonly gap?: string;
  readonly spacing?: ChildSpacing;
}

/**
 * A step of a change. Its addresses are those at its turn, after the operations before it. `gap`, `spacing`, `name` and
 * the `after` of members say how the text looked, for `invert`; they have no effect on the values.
 */
export type Operation = SetOperation | UnsetOperation | InsertOperation | RemoveOperation | MoveOperation;

/** A change of contents as plain JSON: operations in their order. specification/dashboards#changes */
export type Change = readonly Operation[];

/** Creates an operation that sets a member of a part. */
export const setMember = (part: string, path: readonly string[], value: Json): SetOperation => ({
  kind: 'set',
  part,
  path,
  text: JSON.stringify(value),
});
