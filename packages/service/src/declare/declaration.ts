import type { JsonObject } from '@inlay/contract';
import type { AssociationDeclaration } from './association.ts';
import type { Fields } from './fields.ts';
import type { Role } from './roles.ts';
import type { ServedOperation, ServedSpec } from './served-spec.ts';
import type { ByVariety } from './variety.ts';
import type { Warns } from './warning.ts';

export const operationNames = ['create', 'get', 'update', 'delete', 'associate', 'dissociate'] as const;
export type Operation = (typeof operationNames)[number];

/** A resource of the API as data and pure functions, without what binds it to the store and to login. */
export interface Declaration {
  readonly name: string;
  readonly description: string;
  /** One field tells varieties apart, such as dataset and dashboard; `paths`: each is a path of its own too. */
  readonly variety?: { readonly field: string; readonly of: readonly string[]; readonly paths?: true };
  readonly fields: Fields;
  /** Undeclared operations do not exist here; there is no role by default. */
  readonly roles: Readonly<Partial<Record<'create' | 'get' | 'update' | 'delete', ByVariety<Role>>>>;
  /** What `properties` of a delete may say, where a delete takes any. */
  readonly deletes?: Fields;
  /** The person who makes a record gets *own* on it. */
  readonly ownedByMaker?: true;
  /** The reference that may be set after the create; a record without it is deleted after a day. specification/resources#records-without-a-parent */
  readonly draftWithout?: string;
  /** It has the operation `validate`: a create or update that stores nothing, and is refused for what others are warned of. */
  readonly validates?: true;
  /** Delete only marks the record. */
  readonly softDelete?: true;
  /** Records that the service provides: a request may name one by its code, such as `en`, of which this gives the id. */
  readonly codes?: (code: string) => string;
  /** Nothing is stored: a create answers by its rules alone. */
  readonly unstored?: true;
  /** Operations of an unstored resource that a part handed in by `app` answers instead. */
  readonly served?: Readonly<Partial<Record<ServedOperation, ServedSpec>>>;
  /** Whether a record as stored needs `upgrade` when it is read. */
  readonly older?: (record: JsonObject) => boolean;
  readonly upgrade?: (record: JsonObject) => JsonObject;
  /** Members that the answer to a create has beside the record, this once, such as a new token. */
  readonly shownOnce?: Fields;
  /** JSON schema of what a create answers, where that is no record. */
  readonly answers?: JsonObject;
  /** Shown inside every record: an alias and the resource whose record with the id in `organization_id` it is. */
  readonly embeds?: Readonly<Record<string, string>>;
  /** The probable mistakes that the answer names beside the record. */
  readonly warns?: Warns;
  /** Largest body in MB, where it differs. */
  readonly bodyMb?: number;
  /** Most values of a body, where it differs: one for 16 bytes that it may have. */
  readonly mostValues?: number;
  /** The property of a create whose list is handed to the part as rows where a body is large. */
  readonly rowsIn?: string;
  /** An example of a create, for docs and examples. */
  readonly example: JsonObject;
  readonly associations?: Readonly<Record<string, AssociationDeclaration>>;
}
