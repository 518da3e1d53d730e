import type { JsonObject } from '@inlay/contract';
import type { Fields } from './fields.ts';
import type { Role } from './roles.ts';

/** How the link between two records is stored. */
export type Relation =
  /** Rows of the link table that start at this resource; `levels` turns flags into a level. */
  | { readonly kind: 'link' }
  /** The same rows, from the other side. */
  | { readonly kind: 'inverse'; readonly of: string }
  /**
   * A field of this record has the id of the other record. `fixed`: the field is always set, never moved or cleared.
   */
  | { readonly kind: 'reference'; readonly field: string; readonly fixed?: true }
  /**
   * A field of the other record has the id of this one. Dissociating clears the field, deletes the other record, or is
   * refused.
   */
  | { readonly kind: 'referenced'; readonly by: string; readonly onDissociate: 'clear' | 'delete' | 'refuse' };

/** Flags of a link, lowest first. The level of a flag is its position, unless set explicitly. */
export interface LinkLevels {
  readonly flags: Readonly<Record<string, number>>;
  /** Level of a link that is created without a flag. If undefined, a flag is required. */
  readonly default?: number;
  /** At least one link of a record must have this level or a higher one. */
  readonly keep?: number;
  /** True if the flags are ranks. Only owners of the whole organization may change a rank above their own. */
  readonly withinRank?: true;
  /** Field of the record with the id of the newest owner. */
  readonly ownerField?: string;
}

/**
 * An association: the target resource, how the link is stored, and the roles on both records that a caller needs to
 * create or remove the link.
 */
export interface AssociationDeclaration {
  readonly to: string;
  readonly relation: Relation;
  /** The role that the caller needs on this record. */
  readonly roleHere: Role;
  /** The role that the caller needs on the other record. */
  readonly roleThere: Role;
  /**
   * Varieties of this resource that have the association, and the variety that the target must have (`targetOf`). If
   * undefined, all varieties.
   */
  readonly of?: readonly string[];
  readonly targetOf?: string;
  readonly levels?: LinkLevels;
  /** Members of `properties` on associate, in addition to the flags. */
  readonly properties?: Fields;
  /**
   * True if the link grants at most the right that its grantor has on this record. The link stores that right as its
   * level.
   */
  readonly limitedToGrantor?: true;
  /** True if the link gives access to rows and stores the row filters of the owner who creates it. */
  readonly delegates?: true;
  /** True if row filters on the caller's own link to this record are copied to the new link. */
  readonly inheritsFilters?: true;
  /** True if links to this record also apply to the target, as links to a group apply to its users. */
  readonly joins?: true;
  /** True if a record has at most one such link. A new link replaces the previous one. */
  readonly single?: true;
  /** True if the target must be the caller. */
  readonly callerOnly?: true;
  /** True if the association is readable only through `include`, because the service itself creates the link. */
  readonly readOnly?: true;
  /** Fields to set on the target or on this record when the association changes. */
  readonly sets?: { readonly on: 'first' | 'target'; readonly whenLinked: JsonObject; readonly whenUndone: JsonObject };
  /** Role on this record that `include` requires in addition. */
  readonly includedBy?: Role;
  /**
   * True if Organization Owners of the whole organization may make members owners of the record and see its owners,
   * even without a right on the record.
   */
  readonly takenOver?: true;
}
