import type { JsonObject } from '@inlay/contract';
import type { ServedOperation } from '../declare/served-spec.ts';
import type { Caller } from '../access/caller.ts';
import type { RowsOnDisk } from './incoming/rows.ts';
import type { IncomingFile } from './incoming/file.ts';
import type { CallContext } from '../tracing/call-context.ts';
import type { Registry } from './registry.ts';

/** A stored Idempotency-Key with the fingerprint of its request. */
export interface IdempotencyKey {
  /** Identifies the callers who may receive the stored answer. */
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  /** How long the answer is stored, in hours. */
  readonly hours: number;
}

/** A request to a handler, after caller, role and references were checked. */
export interface ServedRequest extends CallContext {
  readonly operation: ServedOperation;
  readonly caller: Caller;
  /** `find` of a get, or the checked properties of a create. */
  readonly input: JsonObject;
  /** A streamed file; null if there is none. */
  readonly file: IncomingFile | null;
  /** Rows of the request in a file; null if they are part of `input`. */
  readonly rows: RowsOnDisk | null;
  /** True if the client accepts line-delimited answers (`accept: application/x-ndjson`). */
  readonly lines: boolean;
  /** The request's Idempotency-Key, for handlers that write; null for a get or if the request has none. */
  readonly idempotency: IdempotencyKey | null;
  /** Handlers call this if their answer is the stored answer of an earlier request. */
  readonly replays?: () => void;
}

/** The answer of a handler. */
export interface ServedAnswer {
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Media type; undefined for JSON. */
  readonly type?: string;
  /** Id of the task that does the work later. If set, `body` is the record of the task. */
  readonly taskId?: string;
  /** True for the stored answer of an earlier request with the same Idempotency-Key. */
  readonly isReplayed?: boolean;
  /** File name if the answer is a download. */
  readonly fileName?: string;
}

/** Handles the served operations of a resource. Raises Problem. */
export type ServedHandler = (request: ServedRequest) => Promise<ServedAnswer>;

/** Returns handlers that are loaded with the first request to any of them, for a faster start. */
export function loadedTogether<const Name extends string>(
  names: readonly Name[],
  load: () => Promise<Readonly<Record<Name, ServedHandler>>>,
): Readonly<Record<string, ServedHandler>> {
  let handlers: Promise<Readonly<Record<Name, ServedHandler>>> | undefined;
  const handlerOf =
    (name: Name): ServedHandler =>
    async (request) => {
      handlers ??= load();
      return (await handlers)[name](request);
    };
  return Object.fromEntries(names.map((name) => [name, handlerOf(name)]));
}

/** Handlers by resource name. */
export type ServedHandlers = Readonly<Record<string, ServedHandler>>;

/** Raises Error if a served resource has no handler, or a handler has no resource. Runs at start. */
export function checkServed(registry: Registry, handlers: ServedHandlers): void {
  const declared = registry.resources.filter(({ served }) => served !== undefined).map(({ name }) => name);
  const faults = [
    ...declared.filter((name) => !Object.hasOwn(handlers, name)).map((name) => `nothing answers ${name}`),
    ...Object.keys(handlers)
      .filter((name) => !declared.includes(name))
      .map((name) => `${name} is not served`),
  ];
  if (faults.length > 0) throw new Error(`The parts do not fit the declarations:\n${faults.join('\n')}`);
}
