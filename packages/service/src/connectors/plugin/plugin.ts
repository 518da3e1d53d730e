import type { Json } from '@inlay/contract';
import type { Outbound, OutboundAnswer } from '../../outbound/index.ts';
import { createBulkhead } from './bulkhead.ts';
import { bodyOf, jsonOf, send } from './client.ts';
import { PluginFault } from './fault.ts';
import type { PluginCall } from './protocol.ts';

/** Organization and limits of a call. A call only waits for other calls of the same organization. */
export interface CallOptions {
  readonly organizationId: string;
  readonly deadlineMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Value of the `traceparent` header. Only set if the request is traced. */
  readonly traceparent?: string | undefined;
}

/** Calls plugins. Limits concurrent calls, the total time and the size of answers. */
export interface Plugins {
  /**
   * Sends a call and passes the answer to `read`. The call occupies a slot until `read` has ended. Raises PluginFault.
   */
  call<Result>(
    call: PluginCall,
    options: CallOptions,
    read: (answer: OutboundAnswer) => Promise<Result>,
  ): Promise<Result>;
  json(call: PluginCall, options: CallOptions): Promise<Json>;
  /** Streams the body of a successful answer. The call occupies a slot until the loop has ended. Raises PluginFault. */
  body(call: PluginCall, options: CallOptions): AsyncGenerator<Uint8Array, void, undefined>;
  /** Returns the number of running and waiting calls. */
  held(): number;
}

export function createPlugins(outbound: Outbound, now: () => number): Plugins {
  const bulkhead = createBulkhead(now);
  const enter = async (
    call: PluginCall,
    { organizationId, deadlineMs, maxBytes, signal, traceparent }: CallOptions,
  ): Promise<{ readonly leave: (fault?: unknown) => void; readonly answer: OutboundAnswer }> => {
    const callSignal = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs)))]);
    const startedMs = now();
    const leave = await bulkhead.enter(`${organizationId} ${call.url}`, callSignal);
    try {
      const leftMs = Math.max(1, Math.ceil(deadlineMs - (now() - startedMs)));
      return { leave, answer: await send(outbound, call, { deadlineMs: leftMs, maxBytes, signal }, traceparent) };
    } catch (error) {
      leave(error);
      throw error;
    }
  };
  const plugins: Plugins = {
    async call(call, options, readAnswer) {
      const { leave, answer } = await enter(call, options);
      try {
        const result = await readAnswer(answer);
        leave(answer.status >= 500 ? new PluginFault('status', `answers with status ${answer.status}`) : undefined);
        return result;
      } catch (error) {
        leave(error);
        throw error;
      }
    },
    held: () => bulkhead.held(),
    json: (call, options) => plugins.call(call, options, jsonOf),
    async *body(call, options) {
      const { leave, answer } = await enter(call, options);
      let fault: unknown = new PluginFault('aborted', 'was not read to the end');
      try {
        yield* bodyOf(answer);
        fault = undefined;
      } catch (error) {
        fault = error;
        throw error;
      } finally {
        leave(fault);
      }
    },
  };
  return plugins;
}
