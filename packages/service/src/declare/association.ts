import type { JsonObject } from '@inlay/contract';
import type { Fields } from './fields.ts';
import type { Role } from './roles.ts';

/** How the link between two records is stored. */
export type Relation =
  /** Rows of the link table that start at this resource; `levels` turns flags into a level. */
  | { readonly kind: 'link' }
  /** The same rows, seen from the other side. */
  | { readonly kind: 'inverse'; readonly of: string }
  /** A field of this record holds the other's id. `fixed`: always set, never moved or cleared. */
  | { readonly kind: 'reference'; readonly field: string; readonly fixed?: true }
  /** A field of the other record holds this one's id; dissociating clears it, or deletes the other record. */
  | { readonly kind: 'referenced'; readonly by: string; readonly onDissociate: 'clear' | 'delete' | 'refuse' };

/** The flags a link may carry, lowest first; each gives the level of its place, or the one stated. */
export interface LinkLevels {
  readonly flags: Readonly<Record<string, number>>;
  /** The level without a flag; without it a flag is required. */
  readonly default?: number;
  /** At least one link must stay at this level or above. */
  readonly keep?: number;
  /** The flags are ranks: only an owner of the whole organization changes one above their own. */
  readonly withinRank?: true;
  /** The field of the record that names the newest owner. */
  readonly ownerField?: string;
}

/** An association: the resource it leads to, how it is stored, and who may make or remove it (both roles). */
export interface AssociationDeclaration {
  readonly to: string;
  readonly relation: Relation;
  /** The role on this record. */
  readonly roleHere: Role;
  /** The role on the other record. */
  readonly roleThere: Role;
  /** The varieties of this resource, and of the other, that have it. */
  readonly of?: readonly string[];
  readonly targetOf?: string;
  readonly levels?: LinkLevels;
  /** Members of `properties` on associate, in addition to the flags. */
  readonly properties?: Fields;
  /** The link gives at most the right that its grantor held on this record, stored as its level. */
  readonly limitedToGrantor?: true;
  /** The link gives access to rows: it stores the row filters of the owner who made it. */
  readonly delegates?: true;
  /** Row filters on the caller's own link to this record go into the link too. */
  readonly inheritsFilters?: true;
  /** The target becomes a subject of links to this record, as users of a group do. */
  readonly joins?: true;
  /** At most one link: a new one replaces it. */
  readonly single?: true;
  /** The target must be the caller. */
  readonly callerOnly?: true;
  /** Can only be read through `include`; the service makes it. */
  readonly readOnly?: true;
  /** Named effect on the target or this record beyond the link. */
  readonly sets?: { readonly on: 'first' | 'target'; readonly whenLinked: JsonObject; readonly whenUndone: JsonObject };
  /** The role on this record that `include` needs, where seeing the record is not enough. */
  readonly includedBy?: Role;
  /** An Organization Owner of the whole organization may make a member owner without holding a right, and sees the owners. */
  readonly takenOver?: true;
}
