import { apiVersion, type JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { onEnd } from '../concurrency/release.ts';
import type { IncomingFile } from '../resource/incoming/file.ts';
import { untraced, type RequestTrace } from '../tracing/trace.ts';
import { answerTo } from './handle.ts';
import { identify } from './identify.ts';
import type { Answer } from './serialise.ts';
import type { Service } from './service.ts';

/** An operation of the API, called from inside the service. */
export interface ServiceCall {
  readonly resource: string;
  /** Body as over HTTP, without credentials. */
  readonly body: JsonObject;
  /** A file to upload as a stream. */
  readonly file?: IncomingFile;
  readonly idempotencyKey?: string;
  /** Cancels the operation. */
  readonly signal?: AbortSignal;
  readonly trace?: RequestTrace;
}

const nothing = (): void => undefined;

/**
 * Calls an operation with the rights of a caller, through the same steps as a request but without a rate limit. Raises
 * Problem.
 */
export async function callAs(service: Service, caller: Caller, call: ServiceCall): Promise<Answer> {
  const { resource, body, file = null, idempotencyKey, signal, trace = untraced() } = call;
  const identified = identify(service.registry, {
    version: apiVersion,
    path: resource,
    method: 'POST',
    body,
    file,
    idempotencyKey,
    trace,
    rows: null,
    lines: false,
    authorization: undefined,
    ifMatch: undefined,
    prefer: undefined,
    address: 'service',
    sender: '127.0.0.1',
    whenGone: (gone) => {
      if (signal !== undefined) onEnd(signal, gone);
    },
    hold: () => nothing,
    named: nothing,
    recognised: nothing,
    admit: nothing,
  });
  return answerTo(service, { ...identified, caller });
}
