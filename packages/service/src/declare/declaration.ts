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
  /** The field with the variety, such as dataset or dashboard; `paths`: each variety has a path. */
  readonly variety?: { readonly field: string; readonly of: readonly string[]; readonly paths?: true };
  readonly fields: Fields;
  /** An undeclared operation does not exist; there is no default role. */
  readonly roles: Readonly<Partial<Record<'create' | 'get' | 'update' | 'delete', ByVariety<Role>>>>;
  /** The `properties` that a delete accepts. */
  readonly deletes?: Fields;
  /** The creator of a record gets *own* on it. */
  readonly ownedByMaker?: true;
  /** The reference that may be set after the create; a record without it is deleted after a day. specification/resources#records-without-a-parent */
  readonly draftWithout?: string;
  /** Has the operation `validate`: a create or update that stores nothing and treats warnings as errors. */
  readonly validates?: true;
  /** Delete only marks the record. */
  readonly softDelete?: true;
  /** The id for a code, such as `en`, of records that the service provides. */
  readonly codes?: (code: string) => string;
  /** Nothing is stored: its rules answer a create. */
  readonly unstored?: true;
  /** Operations of an unstored resource that a part of the service answers. */
  readonly served?: Readonly<Partial<Record<ServedOperation, ServedSpec>>>;
  /** Whether a record as stored needs `upgrade` when it is read. */
  readonly older?: (record: JsonObject) => boolean;
  readonly upgrade?: (record: JsonObject) => JsonObject;
  /** Members that only the answer to a create has in addition to the record, such as a new token. */
  readonly shownOnce?: Fields;
  /** JSON schema of the answer to a create, if it is no record. */
  readonly answers?: JsonObject;
  /** Shown inside every record: an alias and the resource whose record with the id in `organization_id` it is. */
  readonly embeds?: Readonly<Record<string, string>>;
  readonly warns?: Warns;
  /** Maximum body in MB, where it differs. */
  readonly bodyMb?: number;
  /** Maximum values in a body; by default one for every 16 bytes of its limit. */
  readonly mostValues?: number;
  /** The property of a create whose list is passed to the part as rows if the body is large. */
  readonly rowsIn?: string;
  /** An example of a create, for docs and examples. */
  readonly example: JsonObject;
  readonly associations?: Readonly<Record<string, AssociationDeclaration>>;
}
