import type { JsonObject } from '@inlay/contract';
import type { ServedOperation } from '../declare/served-spec.ts';
import type { Caller } from '../access/caller.ts';
import type { RowsOnDisk } from './incoming/rows.ts';
import type { IncomingFile } from './incoming/file.ts';
import type { CallContext } from '../tracing/call-context.ts';
import type { Registry } from './registry.ts';

/** An Idempotency-Key as it is stored, and the request that it stands for. */
export interface IdempotencyKey {
  /** Who may be answered with its answer. */
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  /** How long its answer is stored. */
  readonly hours: number;
}

/** What a part is asked, once the caller is known and the declared role and references are checked. */
export interface ServedRequest extends CallContext {
  readonly operation: ServedOperation;
  readonly caller: Caller;
  /** `find` of a get; the checked properties of a create. */
  readonly asked: JsonObject;
  /** A file that streams in beside what was asked; null where there is none. */
  readonly file: IncomingFile | null;
  /** Rows that were sent and lie in a file; null where they are among what was asked. */
  readonly rows: RowsOnDisk | null;
  /** Whether the client reads answers line by line, as they come (`accept: application/x-ndjson`). */
  readonly lines: boolean;
  /** For parts that write; null for a get, and without a key. */
  readonly idempotency: IdempotencyKey | null;
  /** Called by a part whose answer is that of an earlier request. */
  readonly replays?: () => void;
}

/** What a part answers: a whole text or its bytes, or a stream of bytes. */
export interface ServedAnswer {
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Its content type where it is not JSON. */
  readonly type?: string;
  /** The task that does the work later; `body` is its record. */
  readonly taskId?: string;
  /** Whether it is the answer of an earlier request with the same Idempotency-Key. */
  readonly isReplayed?: boolean;
  /** Name under which a browser keeps it. */
  readonly fileName?: string;
}

/** A part that answers the served operations of one resource. Raises Problem. */
export type Serve = (request: ServedRequest) => Promise<ServedAnswer>;

/** A part that is loaded with its first request, so that a start does without it. */
export function loadedLater(load: () => Promise<Serve>): Serve {
  let part: Promise<Serve> | undefined;
  return async (request) => {
    part ??= load();
    return (await part)(request);
  };
}

/** The parts of a service, by the name of their resource. */
export type ServedParts = Readonly<Record<string, Serve>>;

/** Raises an Error where a served resource has no part, or a part has no served resource: asked once at start. */
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
