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
  /** Returns a warning about a new link; null for none. */
  readonly doubts?: (link: MadeLink, caller: Caller | null, transaction: Transaction) => Promise<Doubt | null>;
}

/** A probable mistake in a link. */
export type Doubt = Pick<Warning, 'code' | 'message'>;

/** The two records of a link. */
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
  /** Returns further paths of secrets in a record, such as those declared by its provider. */
  readonly nestedSecrets?: (record: JsonObject, reader: Reader) => Promise<readonly string[]>;
  /** Slow work before the transaction, such as hashing a password. Rules receive its result. */
  readonly prepare?: (request: Preparation, tools: Tools) => Promise<JsonObject>;
  /** True if `prepare` runs for a request; default true. */
  readonly prepares?: (request: Pick<Preparation, 'operation' | 'sent'>) => boolean;
  /** Converts a record for the caller, if it differs from the stored one. */
  readonly present?: (record: JsonObject, caller: Caller) => JsonObject;
}

/** Declares a resource. `checkDeclarations` reports contradictions at start. */
export const define = <const Given extends Resource>(resource: Given): Resource => resource;
