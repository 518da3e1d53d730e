import type { Feature, JsonObject } from '@inlay/contract';
import type { AssociationDeclaration } from './association.ts';
import type { Fields } from './fields.ts';
import type { Role } from './roles.ts';
import type { ServedOperation, ServedSpec } from './served-spec.ts';
import type { ByVariety } from './variety.ts';
import type { Warns } from './warning.ts';

export const operationNames = ['create', 'get', 'update', 'delete', 'associate', 'dissociate'] as const;
export type Operation = (typeof operationNames)[number];

/** Operations of a resource that need a feature of an embed token. specification/rights#features */
export interface FeatureUse {
  readonly feature: Feature;
  readonly on: readonly Operation[];
  /** Variety of the records that the feature governs; undefined for all. */
  readonly of?: string;
  /** What of the operations needs the feature, for the docs; undefined for all of it. */
  readonly what?: string;
  /**
   * Tests the sent properties, or `find` of a get. Undefined if every such request needs the feature, or if `decided`.
   */
  readonly when?: (input: JsonObject) => boolean;
  /** True if the handler or a rule decides, since it needs more than the request. */
  readonly decided?: true;
}

/** A resource of the API as data and pure functions, independent of the store and login. */
export interface Declaration {
  readonly name: string;
  readonly description: string;
  /** Further names of its path. */
  readonly alsoNamed?: readonly string[];
  /** Field with the variety, such as dataset or dashboard. With `paths`, each variety has a path. */
  readonly variety?: { readonly field: string; readonly of: readonly string[]; readonly paths?: true };
  readonly fields: Fields;
  /** An operation without a role does not exist. */
  readonly roles: Readonly<Partial<Record<'create' | 'get' | 'update' | 'delete', ByVariety<Role>>>>;
  /** Role of those who may have access to a record explained; nobody if undefined. specification/rights#explanations */
  readonly explainedTo?: Role;
  /** Features that operations need of an embed token, besides the roles. */
  readonly features?: readonly FeatureUse[];
  /** Properties that a delete accepts. */
  readonly deletes?: Fields;
  /** True if the creator of a record gets *own* on it. */
  readonly ownedByMaker?: true;
  /**
   * Reference that may be set after the create. A record whose reference is not set is deleted after a day.
   * specification/resources#records-without-a-parent
   */
  readonly draftWithout?: string;
  /** Supports the operation `validate`: a create or update that stores nothing and treats warnings as errors. */
  readonly validates?: true;
  /** True if a delete only marks the record as deleted. */
  readonly softDelete?: true;
  /** Converts a code, such as `en`, to the id of a record that the service provides. */
  readonly codes?: (code: string) => string;
  /** Operations that a handler of the service answers. A resource with such operations has no records. */
  readonly served?: Readonly<Partial<Record<ServedOperation, ServedSpec>>>;
  /** True if a stored record must be upgraded on reading. */
  readonly older?: (record: JsonObject) => boolean;
  readonly upgrade?: (record: JsonObject) => JsonObject;
  /** Members that only the answer to a create has in addition to the record, such as a new token. */
  readonly shownOnce?: Fields;
  /** JSON schema of the answer to a create, if it is not a record. */
  readonly answers?: JsonObject;
  /**
   * Records embedded in every record, by alias: the resource of the embedded record, whose id is in `organization_id`.
   */
  readonly embeds?: Readonly<Record<string, string>>;
  readonly warns?: Warns;
  /** Limit of a body in MB; undefined for the default. */
  readonly bodyMb?: number;
  /** Limit of the number of values in a body; by default one value per 16 bytes of the body limit. */
  readonly maxValues?: number;
  /** Property of a create whose list is passed to the handler as rows if the body is large. */
  readonly rowsIn?: string;
  /** Example of a create, for the docs. */
  readonly example: JsonObject;
  readonly associations?: Readonly<Record<string, AssociationDeclaration>>;
}

/** True if the resource has records. */
export const isStored = ({ served }: Pick<Declaration, 'served'>): boolean => served === undefined;

/** Returns the names of the paths of a resource beside its own. */
export const otherNames = ({
  variety,
  alsoNamed = [],
}: Pick<Declaration, 'variety' | 'alsoNamed'>): readonly string[] => [
  ...(variety?.paths === true ? variety.of : []),
  ...alsoNamed,
];
