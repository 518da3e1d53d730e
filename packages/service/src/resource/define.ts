import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { AssociationDeclaration } from '../declare/association.ts';
import type { Declaration } from '../declare/declaration.ts';
import type { Warning } from '../declare/warning.ts';
import type { Reader, Transaction } from '../store/store.ts';
import type { Preparation, Rule, Tools } from './rules.ts';

/** An association with its effects. */
export interface Association extends AssociationDeclaration {
  /** Additional check before the association is created or removed. Raises Problem. */
  readonly mayChange?: (link: LinkEnds, caller: Caller | null, transaction: Transaction) => Promise<void>;
  /** Stores further data after the link. */
  readonly linked?: (link: MadeLink, transaction: Transaction) => Promise<void>;
  /** Returns a warning about a new link; null if there is none. */
  readonly doubts?: (link: MadeLink, caller: Caller | null, transaction: Transaction) => Promise<Doubt | null>;
}

/** A probable mistake in a link. */
export type Doubt = Pick<Warning, 'code' | 'message'>;

/** The ids of the two records of a link. The first is the record whose resource declares the association. */
export interface LinkEnds {
  readonly firstId: string;
  readonly targetId: string;
}

/** A link that was created or updated. */
export interface MadeLink extends LinkEnds {
  readonly properties: JsonObject;
}

/** A resource of the API: its declaration, and its behaviour in the store and at login. */
export interface Resource extends Declaration {
  readonly associations?: Readonly<Record<string, Association>>;
  readonly rules?: readonly Rule[];
  /** Returns paths of further secrets in a record, such as secrets that its provider declares. */
  readonly nestedSecrets?: (record: JsonObject, reader: Reader) => Promise<readonly string[]>;
  /** Slow work before the transaction, such as hashing a password. Rules receive its result. */
  readonly prepare?: (request: Preparation, tools: Tools) => Promise<JsonObject>;
  /** True if `prepare` runs for a request. If undefined, it always runs. */
  readonly prepares?: (request: Pick<Preparation, 'operation' | 'sent'>) => boolean;
  /** Converts a record to the form that the caller sees, if that differs from the stored form. */
  readonly present?: (record: JsonObject, caller: Caller) => JsonObject;
}

/** Declares a resource. `checkDeclarations` reports contradictions at start. */
export const define = <const Given extends Resource>(resource: Given): Resource => resource;
