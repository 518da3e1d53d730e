import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { Role } from '../access/roles.ts';
import type { Reader, Transaction } from '../store/store.ts';
import type { Preparation, Rule, Tools } from './rules.ts';
import type { Fields } from './fields.ts';
import type { ServedSpec, ServedOperation } from './served.ts';
import type { Warning, Warns } from './warnings.ts';

/** A role for every variety alike, or one for each. */
export type ByVariety<Given> = Given | { readonly byVariety: Readonly<Record<string, Given>> };

export const operationNames = ['create', 'get', 'update', 'delete', 'associate', 'dissociate'] as const;
export type Operation = (typeof operationNames)[number];

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
  /** Taken where no flag is given; without it a flag is required. */
  readonly default?: number;
  /** At least one link must stay at this level or above. */
  readonly keep?: number;
  /** The flags are ranks: nobody gives or takes one above their own, but an owner of the whole organization. */
  readonly withinRank?: true;
  /** The field of the record that names the newest owner. */
  readonly ownerField?: string;
}

/** One association: where it leads, how it is stored, and who may make or undo it (both roles). */
export interface Association {
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
  /** Members of `properties` on associate, beside the flags. */
  readonly properties?: Fields;
  /** The link passes on no more than whoever made it held on this record; the right is kept as its level. */
  readonly bounded?: true;
  /** The link opens rows to whoever it leads to: it keeps what bounded the owner who made it. */
  readonly handsOn?: true;
  /** Row filters on the caller's own link to this record go into the link too. */
  readonly inheritsFilters?: true;
  /** Whoever it leads to is among those whom links to this record lead to, such as the people of a group. */
  readonly joins?: true;
  /** At most one link: a new one takes the place of the old. */
  readonly single?: true;
  /** The target must be the caller. */
  readonly callerOnly?: true;
  /** Only for reading through `include`; it is made in another way. */
  readonly readOnly?: true;
  /** Named effect on the target or this record beyond the link. */
  readonly sets?: { readonly on: 'first' | 'target'; readonly whenLinked: JsonObject; readonly whenUndone: JsonObject };
  /** The role on this record that including takes, where seeing the record is not enough. */
  readonly includedBy?: Role;
  /** An Organization Owner of the whole organization may make a member owner here, whatever right they hold, and sees the owners. */
  readonly takenOver?: true;
  /** What is asked beside the roles before it is made or undone. Raises Problem. */
  readonly mayChange?: (link: LinkEnds, caller: Caller | null, transaction: Transaction) => Promise<void>;
  /** What else is stored once it is linked. */
  readonly linked?: (link: MadeLink, transaction: Transaction) => Promise<void>;
  /** What is probably wrong with a link that was made, in words for whoever made it; null where nothing is. */
  readonly doubts?: (link: MadeLink, caller: Caller | null, transaction: Transaction) => Promise<Doubt | null>;
}

/** A probable mistake in a link. */
export type Doubt = Pick<Warning, 'code' | 'message'>;

/** The two records of a link. */
export interface LinkEnds {
  readonly firstId: string;
  readonly targetId: string;
}

/** A link that was made, or made again. */
export interface MadeLink extends LinkEnds {
  readonly properties: JsonObject;
}

/** One resource of the API: the whole of it. Nothing else in the service names a resource. */
export interface Resource {
  readonly name: string;
  readonly description: string;
  /** One field tells varieties apart, such as dataset and dashboard; `paths`: each is a path of its own too. */
  readonly variety?: { readonly field: string; readonly of: readonly string[]; readonly paths?: true };
  readonly fields: Fields;
  /** Undeclared operations do not exist here; there is no role by default. */
  readonly roles: Readonly<Partial<Record<'create' | 'get' | 'update' | 'delete', ByVariety<Role>>>>;
  readonly associations?: Readonly<Record<string, Association>>;
  readonly rules?: readonly Rule[];
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
  /** Further places that hold secrets in one record, such as members that its provider declares. */
  readonly furtherSecrets?: (record: JsonObject, reader: Reader) => Promise<readonly string[]>;
  /** Slow work before the transaction, such as hashing a password; gives hidden columns and answers to rules. */
  readonly prepare?: (request: Preparation, tools: Tools) => Promise<JsonObject>;
  /** Whether a request has anything to prepare; each has unless this says otherwise. */
  readonly prepares?: (request: Pick<Preparation, 'operation' | 'sent'>) => boolean;
  /** Whether a record as stored needs `upgrade` when it is read. */
  readonly older?: (record: JsonObject) => boolean;
  readonly upgrade?: (record: JsonObject) => JsonObject;
  /** What this caller sees of a record. Only where it differs from what is stored. */
  readonly present?: (record: JsonObject, caller: Caller) => JsonObject;
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
}

/** Declares a resource. `check` at start refuses what does not hold together. */
export const define = <const Given extends Resource>(given: Given): Resource => given;

/** The value for a variety. */
export const forVariety = <Given>(given: ByVariety<Given>, variety: string | undefined): Given | undefined =>
  isByVariety(given) ? (variety === undefined ? undefined : given.byVariety[variety]) : given;

/** Everything that is given for one variety or another, each once. */
export const ofVarieties = <Given>(given: ByVariety<Given>): readonly Given[] =>
  isByVariety(given) ? [...new Set(Object.values(given.byVariety))] : [given];

/** Whether a declaration differs by variety. */
export const isByVariety = <Given>(
  given: ByVariety<Given>,
): given is { readonly byVariety: Readonly<Record<string, Given>> } =>
  typeof given === 'object' && given !== null && 'byVariety' in given;
