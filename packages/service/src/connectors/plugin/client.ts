import type { Json } from '@inlay/contract';
import type { Outbound, OutboundAnswer } from '../../outbound/index.ts';
import { OutboundProblem, type OutboundCause } from '../../outbound/problem.ts';
import { PluginFault, refusalOf, type PluginFaultKind } from './fault.ts';
import type { PluginCall } from './protocol.ts';

/** Limits of one call. specification/plugin-protocol#limits */
export interface CallLimits {
  readonly deadlineMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const kindOf: Readonly<Record<OutboundCause, PluginFaultKind>> = {
  url: 'unreachable',
  forbidden_address: 'unreachable',
  unknown_host: 'unreachable',
  refused: 'unreachable',
  tls: 'unreachable',
  failed: 'unreachable',
  timeout: 'timeout',
  aborted: 'aborted',
  redirect: 'redirect',
  size: 'limit',
  type: 'shape',
};

/** Converts a network error to a fault with the same message; returns other errors unchanged. */
function faultOf(error: unknown): unknown {
  if (!(error instanceof OutboundProblem)) return error;
  const message = `${error.message.charAt(0).toLowerCase()}${error.message.slice(1).replace(/\.$/u, '')}`;
  return new PluginFault(kindOf[error.cause], `cannot be used: ${message}`);
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Sends one call and returns the raw answer. Does not follow redirects, because the secrets of the call must only reach
 * the host for which they were stored. Raises PluginFault.
 */
export async function send(
  outbound: Outbound,
  call: PluginCall,
  limits: CallLimits,
  traceparent?: string,
): Promise<OutboundAnswer> {
  try {
    return await outbound.fetch(call.url, {
      method: call.method,
      headers: { ...call.headers, Accept: 'application/json', ...(traceparent === undefined ? {} : { traceparent }) },
      ...(call.body === null ? {} : { body: call.body }),
      redirects: 0,
      ...limits,
    });
  } catch (error) {
    throw faultOf(error);
  }
}

/** Returns the body of an answer as text. The size is limited. Raises PluginFault. */
export async function textOf(answer: OutboundAnswer): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    throw faultOf(error);
  }
}

/** Streams the body of an answer. Raises PluginFault, for example if the answer is not a success or not JSON. */
export async function* bodyOf(answer: OutboundAnswer): AsyncGenerator<Uint8Array, void, undefined> {
  await mustBeJson(answer);
  try {
    yield* answer.body;
  } catch (error) {
    throw faultOf(error);
  }
}

/** Cancels reading the body of an answer, which is not needed. */
async function discard(answer: OutboundAnswer): Promise<void> {
  try {
    for await (const _piece of answer.body) break;
  } catch {
    // Errors do not matter, since the body is not needed.
  }
}

async function mustBeJson(answer: OutboundAnswer): Promise<void> {
  const isJson = /^application\/(?:[\w.+-]*\+)?json\b/iu.test(answer.headers.get('content-type') ?? '');
  if (isSuccess(answer.status) && isJson) return;
  await discard(answer);
  if (!isSuccess(answer.status)) throw refusalOf(answer.status);
  throw new PluginFault('shape', 'answers with something that is not application/json');
}

/** Returns the JSON of an answer. Raises PluginFault, for example if the answer is not a success. */
export async function jsonOf(answer: OutboundAnswer): Promise<Json> {
  await mustBeJson(answer);
  const text = await textOf(answer);
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    throw new PluginFault('shape', 'answers with something that is not JSON');
  }
}
