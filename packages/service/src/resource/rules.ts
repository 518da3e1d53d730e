import type { LoginAttempts } from '../login/attempts.ts';
import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { Reader, Transaction } from '../store/store.ts';
import type { Secrets } from '../declare/secrets.ts';

/** A write that rules see: the stored record, the request, and the record that will be stored. */
export interface Change {
  readonly operation: 'create' | 'update' | 'delete';
  readonly id: string;
  /** Null only if the request has no credentials, which the resource must allow for a create. */
  readonly caller: Caller | null;
  /** The stored record; null on create. */
  readonly before: JsonObject | null;
  /** Checked properties of the request. Secrets are in plain text. */
  readonly sent: JsonObject;
  /** The record to store. */
  readonly after: JsonObject;
  /** Result of `prepare`. */
  readonly prepared: JsonObject;
  /** Current time, as ISO 8601 UTC with milliseconds. */
  readonly now: string;
}

/** Changes to a write that a rule makes. */
export interface Adjustment {
  /** Fields of the record to change. */
  readonly record?: JsonObject;
  /** Columns to change that are not part of the record. */
  readonly hidden?: JsonObject;
  /** Paths of stored secrets to delete: field names, or `field.member`. */
  readonly forget?: readonly string[];
  /** Further secrets to store, by path. They are never shown. */
  readonly secrets?: Secrets;
  /** Members shown only in the answer to this request, such as a new token. */
  readonly shown?: JsonObject;
  /** Organization of the new record; undefined for that of the caller. */
  readonly organizationId?: string;
}

/** Operations that rules may perform in the transaction. */
export interface Work {
  readonly transaction: Transaction;
  /** Returns a new id (UUIDv7). */
  id(): string;
  /** Returns random text with this many bits, base64url-encoded. */
  random(bits: number): string;
  /** Loads a record of another resource without an access check; null if it does not exist. */
  record(resource: string, id: string): Promise<JsonObject | null>;
  /** Stores a record of another resource. Fields that `record` lacks get their defaults. */
  insert(resource: string, record: JsonObject, hidden?: JsonObject): Promise<void>;
  /** Changes fields of a stored record of any resource. */
  change(resource: string, id: string, fields: JsonObject): Promise<void>;
  /** Links two records of which one was created in this write; `association` is `<resource>.<Association>`. */
  link(firstId: string, association: string, targetId: string, level: number | null): Promise<void>;
}

/** A named rule that adjusts a write, or refuses it by raising a Problem. */
export interface Rule {
  readonly name: string;
  readonly on: readonly Change['operation'][];
  readonly description: string;
  /** True if the rule runs after the record is stored instead of before. */
  readonly afterwards?: true;
  /** True if the rule also runs when an association of another record changes this one. */
  readonly associated?: true;
  readonly run: (change: Change, work: Work) => Promise<Adjustment | undefined>;
}

/** A request as known before the transaction. */
export interface Preparation {
  readonly operation: 'create' | 'update';
  /** Id of the record to update; null on create. */
  readonly id: string | null;
  readonly sent: JsonObject;
  readonly caller: Caller | null;
  /** Network address of the sender. */
  readonly address: string;
}

/** Slow operations that must not run inside a transaction. */
export interface Tools {
  readonly reader: Reader;
  readonly passwords: {
    hash(password: string, sender: string): Promise<string>;
    verify(password: string, stored: string | undefined, sender: string): Promise<boolean>;
  };
  /** Login attempts by email address. */
  readonly attempts: LoginAttempts;
  /** Reads the columns of a dataset from its source, if the write requests that. Raises Problem. */
  readonly readMetadata: (request: Preparation) => Promise<JsonObject>;
  /** Asks the plugin of an account to authorize the account; does nothing without a plugin. Raises Problem. */
  readonly authorizeAccount: (request: Preparation) => Promise<JsonObject>;
  /** True if anyone may create an organization by creating a user. */
  readonly signup: boolean;
  /** True if the outbound policy may allow connections to a web address. */
  readonly mayBeReached: (address: string) => boolean;
  /** Lifetime of a login, in hours. */
  readonly tokenHours: number;
}
