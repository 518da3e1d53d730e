import type { JsonObject } from '@inlay/contract';
import type { CallerReference } from '../callers/caller-of.ts';
import type { IdempotencyKey } from '../resource/served.ts';

/** An association to make or remove. */
export interface LinkCommand {
  /** Place in the request, for faults. */
  readonly at: string;
  readonly role: string;
  readonly targetId: string;
  readonly flags: Readonly<Record<string, boolean>>;
  readonly set: JsonObject;
}

/** What a write does, by its operation. */
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

/** How a write treats a probable mistake. specification/operations#validation */
export type WriteMode = 'strict' | 'validate';

/** A write of the API. */
export interface WriteCommand {
  readonly kind: 'write';
  readonly resource: string;
  /** Null where no credentials are needed. */
  readonly caller: CallerReference | null;
  /** Earlier facts about the caller, where they were not read for this request: the transaction confirms them. */
  readonly presumed?: string;
  readonly input: WriteInput;
  readonly fixed: JsonObject;
  /** The result of `prepare` of the resource. */
  readonly prepared: JsonObject;
  readonly ifMatch: string | null;
  /** `strict`: warnings are errors; `validate`: the same, and nothing is stored. */
  readonly mode?: WriteMode;
  /** Whether the record is larger than `largeRecord`, as sent or as stored: SQLite writes it in its thread. */
  readonly isLarge?: boolean;
  readonly idempotency:
    | (IdempotencyKey & {
        /** An answer was stored: nothing was prepared, and nothing is written if the answer has been deleted since. */
        readonly repeats?: true;
      })
    | null;
}

export interface RecordCommands {
  readonly write: WriteCommand;
}
