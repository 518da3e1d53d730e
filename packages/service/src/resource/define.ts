import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { AssociationDeclaration } from '../declare/association.ts';
import type { Declaration } from '../declare/declaration.ts';
import type { Warning } from '../declare/warning.ts';
import type { Reader, Transaction } from '../store/store.ts';
import type { Preparation, Rule, Tools } from './rules.ts';

/** An association with its effects. */
export interface Association extends AssociationDeclaration {
  /** A check beyond the roles before it is made or removed. Raises Problem. */
  readonly mayChange?: (link: LinkEnds, caller: Caller | null, transaction: Transaction) => Promise<void>;
  /** Stores more once it is linked. */
  readonly linked?: (link: MadeLink, transaction: Transaction) => Promise<void>;
  /** The probable mistake in a new link; null for none. */
  readonly doubts?: (link: MadeLink, caller: Caller | null, transaction: Transaction) => Promise<Doubt | null>;
}

/** A probable mistake in a link. */
export type Doubt = Pick<Warning, 'code' | 'message'>;

/** The two records of a link. */
export interface LinkEnds {
  readonly firstId: string;
  readonly targetId: string;
}

/** A new link, or one that was made again. */
export interface MadeLink extends LinkEnds {
  readonly properties: JsonObject;
}

/** A resource of the API: its declaration, and what it does in the store and at login. */
export interface Resource extends Declaration {
  readonly associations?: Readonly<Record<string, Association>>;
  readonly rules?: readonly Rule[];
  /** Further places of secrets in a record, such as those that its provider declares. */
  readonly furtherSecrets?: (record: JsonObject, reader: Reader) => Promise<readonly string[]>;
  /** Slow work before the transaction, such as hashing a password. Its result is passed to the rules. */
  readonly prepare?: (request: Preparation, tools: Tools) => Promise<JsonObject>;
  /** Whether `prepare` runs for a request; by default it does. */
  readonly prepares?: (request: Pick<Preparation, 'operation' | 'sent'>) => boolean;
  /** The record as the caller sees it, if that differs from the stored one. */
  readonly present?: (record: JsonObject, caller: Caller) => JsonObject;
}

/** Declares a resource. `checkDeclarations` at start refuses contradictions. */
export const define = <const Given extends Resource>(given: Given): Resource => given;
