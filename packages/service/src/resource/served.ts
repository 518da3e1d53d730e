import type { JsonObject } from '@inlay/contract';
import type { ServedOperation } from '../declare/served-spec.ts';
import type { Caller } from '../access/caller.ts';
import type { RowsOnDisk } from './incoming/rows.ts';
import type { IncomingFile } from './incoming/file.ts';
import type { CallContext } from '../tracing/call-context.ts';
import type { Registry } from './registry.ts';

/** An Idempotency-Key as it is stored, with the fingerprint of its request. */
export interface IdempotencyKey {
  /** Who may be answered with its answer. */
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  /** How long its answer is stored. */
  readonly hours: number;
}

/** A request to a part, once its caller, role and references are checked. */
export interface ServedRequest extends CallContext {
  readonly operation: ServedOperation;
  readonly caller: Caller;
  /** `find` of a get; the checked properties of a create. */
  readonly input: JsonObject;
  /** A file that streams in; null for none. */
  readonly file: IncomingFile | null;
  /** Sent rows in a file; null where they are in `asked`. */
  readonly rows: RowsOnDisk | null;
  /** Whether the client reads answers line by line, as they come (`accept: application/x-ndjson`). */
  readonly lines: boolean;
  /** For parts that write; null for a get, and without a key. */
  readonly idempotency: IdempotencyKey | null;
  /** Called by a part whose answer is that of an earlier request. */
  readonly replays?: () => void;
}

/** The answer of a part. */
export interface ServedAnswer {
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Its content type where it is not JSON. */
  readonly type?: string;
  /** The task that does the work later; `body` is its record. */
  readonly taskId?: string;
  /** Whether it is the answer of an earlier request with the same Idempotency-Key. */
  readonly isReplayed?: boolean;
  /** The file name of a download. */
  readonly fileName?: string;
}

/** A part that answers the served operations of one resource. Raises Problem. */
export type Serve = (request: ServedRequest) => Promise<ServedAnswer>;

/** Returns a part that is loaded with its first request, for a faster start. */
export function loadedLater(load: () => Promise<Serve>): Serve {
  let part: Promise<Serve> | undefined;
  return async (request) => {
    part ??= load();
    return (await part)(request);
  };
}

/** The parts of a service, by the name of their resource. */
export type ServedParts = Readonly<Record<string, Serve>>;

/** Raises an Error for a served resource without a part, or a part without one. Runs at start. */
export function checkServed(registry: Registry, parts: ServedParts): void {
  const declared = registry.resources.filter(({ served }) => served !== undefined).map(({ name }) => name);
  const faults = [
    ...declared.filter((name) => !Object.hasOwn(parts, name)).map((name) => `nothing answers ${name}`),
    ...Object.keys(parts)
      .filter((name) => !declared.includes(name))
      .map((name) => `${name} is not served`),
  ];
  if (faults.length > 0) throw new Error(`The parts do not fit the declarations:\n${faults.join('\n')}`);
}
