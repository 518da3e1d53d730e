import type { JsonObject } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { IdempotencyKey } from '../resource/served.ts';

/** An association to add or remove. */
export interface LinkCommand {
  /** Path in the request, for error messages. */
  readonly at: string;
  readonly role: string;
  readonly targetId: string;
  readonly flags: Readonly<Record<string, boolean>>;
  readonly set: JsonObject;
}

/** Input of a write by operation. */
export type WriteInput =
  | {
      readonly kind: 'create';
      readonly set: JsonObject;
      readonly echoes: JsonObject;
      readonly links: readonly LinkCommand[];
    }
  | { readonly kind: 'update'; readonly id: string; readonly set: JsonObject; readonly echoes: JsonObject }
  | { readonly kind: 'delete'; readonly id: string; readonly set: JsonObject }
  | { readonly kind: 'associate' | 'dissociate'; readonly id: string; readonly link: LinkCommand };

/** How a write treats warnings. specification/operations#validation */
export type WriteMode = 'strict' | 'validate';

/** A create, update, delete, associate or dissociate request of the API. */
export interface WriteCommand {
  readonly kind: 'write';
  readonly resource: string;
  /** Null if the operation needs no credentials. */
  readonly caller: CallerReference | null;
  /** Facts about the caller from a cache. The transaction verifies that they are still true. */
  readonly presumed?: string;
  readonly input: WriteInput;
  readonly fixed: JsonObject;
  /** The result of `prepare` of the resource. */
  readonly prepared: JsonObject;
  readonly ifMatch: string | null;
  /** `strict` treats warnings as errors. `validate` does the same, and also stores nothing. */
  readonly mode?: WriteMode;
  /** True if the record exceeds `largeRecord`, in the request or in the store. SQLite then writes it in its thread. */
  readonly isLarge?: boolean;
  readonly idempotency:
    | (IdempotencyKey & {
        /**
         * True if an answer was already stored, so nothing was prepared. If that answer has been deleted since, the
         * write fails.
         */
        readonly repeats?: true;
      })
    | null;
}

export interface RecordCommands {
  readonly write: WriteCommand;
}
