import type { LoginAttempts } from '../login/attempts.ts';
import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { Reader, Transaction } from '../store/store.ts';
import type { Secrets } from '../declare/secrets.ts';

/** A write: the stored record, the request, and the record that will be stored. */
export interface Change {
  readonly operation: 'create' | 'update' | 'delete';
  readonly id: string;
  /** Null only where a resource lets anyone create. */
  readonly caller: Caller | null;
  /** The record as stored; null on create. */
  readonly before: JsonObject | null;
  /** The checked properties of the request; secrets in plain text. */
  readonly sent: JsonObject;
  /** The record as it will be stored. */
  readonly after: JsonObject;
  /** What `prepare` gave. */
  readonly prepared: JsonObject;
  /** Now, as ISO 8601 UTC with milliseconds. */
  readonly now: string;
}

/** Changes of a rule to the write. */
export interface Adjustment {
  /** Fields of the record. */
  readonly record?: JsonObject;
  /** Columns that are no part of the record. */
  readonly hidden?: JsonObject;
  /** Stored secrets to forget: field names, or `field.member`. */
  readonly forget?: readonly string[];
  /** Further secrets to store, by place; they are never shown. */
  readonly secrets?: Secrets;
  /** Members shown in the answer to this request only, such as a new token. */
  readonly shown?: JsonObject;
  /** The organization of the new record, where it is not the caller's. */
  readonly organizationId?: string;
}

/** The tools of a rule in the transaction. */
export interface Work {
  readonly transaction: Transaction;
  /** A new id (UUIDv7). */
  id(): string;
  /** Random text of so many bits in base64url. */
  random(bits: number): string;
  /** The stored record of another resource, without checks of rights; null for none. */
  record(resource: string, id: string): Promise<JsonObject | null>;
  /** Stores a record of another resource; unset fields take their initial values. */
  insert(resource: string, record: JsonObject, hidden?: JsonObject): Promise<void>;
  /** Changes fields of a stored record of any resource. */
  change(resource: string, id: string, fields: JsonObject): Promise<void>;
  /** Links two records of which one was made in this write; `association` is `<resource>.<Association>`. */
  link(firstId: string, association: string, targetId: string, level: number | null): Promise<void>;
}

/** A named rule: it refuses by raising a Problem, or adjusts the write. */
export interface Rule {
  readonly name: string;
  readonly on: readonly Change['operation'][];
  readonly description: string;
  /** Runs once the record is stored instead of before. */
  readonly afterwards?: true;
  /** Runs too where an association of another record changes this one. */
  readonly associated?: true;
  readonly run: (change: Change, work: Work) => Promise<Adjustment | undefined>;
}

/** What is known before the transaction. */
export interface Preparation {
  readonly operation: 'create' | 'update';
  /** The record that is updated; null on create. */
  readonly id: string | null;
  readonly sent: JsonObject;
  readonly caller: Caller | null;
  /** Where the request comes from. */
  readonly address: string;
}

/** Slow tools that must not run inside a transaction. */
export interface Tools {
  readonly reader: Reader;
  readonly passwords: {
    hash(password: string, sender: string): Promise<string>;
    verify(password: string, stored: string | undefined, sender: string): Promise<boolean>;
  };
  /** Attempts to log in, by e-mail address. */
  readonly attempts: LoginAttempts;
  /** The columns a dataset has at its source, where a write asks to read them. Raises Problem. */
  readonly readMetadata: (request: Preparation) => Promise<JsonObject>;
  /** Asks the plugin of an account, where it has one, whether the account may use it. Raises Problem. */
  readonly authorizeAccount: (request: Preparation) => Promise<JsonObject>;
  /** Whether anyone may make an organization by making a user. */
  readonly signup: boolean;
  /** Whether the outbound policy may allow a connection to a web address. */
  readonly mayBeReached: (address: string) => boolean;
  /** How long a login lasts, in hours. */
  readonly tokenHours: number;
}
