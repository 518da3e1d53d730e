import type { JsonObject } from '@inlay/contract';
import type { Fields } from './fields.ts';
import type { Role } from './roles.ts';

/** How the link between two records is stored. */
export type Relation =
  /** Rows of the link table that start at this resource; `levels` turns flags into a level. */
  | { readonly kind: 'link' }
  /** The same rows, from the other side. */
  | { readonly kind: 'inverse'; readonly of: string }
  /** A field of this record has the id of the other. `fixed`: always set, never moved or cleared. */
  | { readonly kind: 'reference'; readonly field: string; readonly fixed?: true }
  /** A field of the other record has the id of this one; dissociating clears it, or deletes the other record. */
  | { readonly kind: 'referenced'; readonly by: string; readonly onDissociate: 'clear' | 'delete' | 'refuse' };

/** Flags of a link, lowest first. The level of a flag is its position, unless set explicitly. */
export interface LinkLevels {
  readonly flags: Readonly<Record<string, number>>;
  /** Level of a link without a flag; if undefined, a flag is required. */
  readonly default?: number;
  /** At least one link must have this level or above. */
  readonly keep?: number;
  /** The flags are ranks: only an owner of the whole organization may change one above their own. */
  readonly withinRank?: true;
  /** Field of the record with the id of the newest owner. */
  readonly ownerField?: string;
}

/**
 * An association: the target resource, how it is stored, and the roles on both records that may create or remove it.
 */
export interface AssociationDeclaration {
  readonly to: string;
  readonly relation: Relation;
  /** The role on this record. */
  readonly roleHere: Role;
  /** The role on the other record. */
  readonly roleThere: Role;
  /** Varieties of this resource, and of the other, that have the association. */
  readonly of?: readonly string[];
  readonly targetOf?: string;
  readonly levels?: LinkLevels;
  /** Members of `properties` on associate, in addition to the flags. */
  readonly properties?: Fields;
  /** The link grants at most the right that its grantor has on this record, which is stored as its level. */
  readonly limitedToGrantor?: true;
  /** The link gives access to rows and stores the row filters of the owner who made it. */
  readonly delegates?: true;
  /** Row filters on the caller's own link to this record are copied to the link. */
  readonly inheritsFilters?: true;
  /** Adds the target to the subjects of links to this record, like users of a group. */
  readonly joins?: true;
  /** At most one link; a new one replaces it. */
  readonly single?: true;
  /** The target must be the caller. */
  readonly callerOnly?: true;
  /** Readable only through `include`; the service itself creates it. */
  readonly readOnly?: true;
  /** Fields to set on the target or on this record when the association changes. */
  readonly sets?: { readonly on: 'first' | 'target'; readonly whenLinked: JsonObject; readonly whenUndone: JsonObject };
  /** Additional role on this record that `include` requires. */
  readonly includedBy?: Role;
  /**
   * An Organization Owner of the whole organization may make a member an owner without a right on the record, and sees
   * the owners.
   */
  readonly takenOver?: true;
}
