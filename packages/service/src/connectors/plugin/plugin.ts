import type { Json } from '@inlay/contract';
import type { Outbound, OutboundAnswer } from '../../outbound/index.ts';
import { BulkheadProblem, type Bulkhead, type Lease } from '../session/bulkhead.ts';
import { bodyOf, jsonOf, send } from './client.ts';
import { PluginFault, type PluginFaultKind } from './fault.ts';
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

/** Limits of the calls of each plugin. */
const limits = { size: 8, waiting: 32, failures: 10, pauseMs: 5000 } as const;

/** Kinds of faults that count against the plugin. Other faults may concern only one account or query. */
const countsAgainst: ReadonlySet<PluginFaultKind> = new Set<PluginFaultKind>(['timeout', 'unreachable', 'status']);

const tooSlow = 'answers too slowly: too many calls wait for it';
const refusals: Readonly<Record<BulkheadProblem['reason'], () => PluginFault>> = {
  full: () => new PluginFault('busy', 'has too many calls waiting for it'),
  late: () => new PluginFault('busy', tooSlow),
  aborted: () => new PluginFault('busy', tooSlow),
  total: () => new PluginFault('busy', 'is not called, because too many calls of sources are running'),
  closed: () => new PluginFault('resting', 'is not called, because the service is stopping'),
};

/** Ends a call, and reports its fault to the circuit breaker. */
function endCall({ breaker, release }: Lease, fault: unknown): void {
  if (fault === undefined) breaker.succeeded();
  else if (fault instanceof PluginFault && countsAgainst.has(fault.kind)) breaker.failed();
  else breaker.released();
  release();
}

/** Creates the calls of plugins. The bulkhead limits how many run at the same time. */
export function createPlugins(outbound: Outbound, bulkhead: Bulkhead, now: () => number): Plugins {
  const compartment = bulkhead.compartment(limits);
  /** Waits for a slot of a plugin. Call the returned function at the end, with the fault if the call failed. */
  const admit = async (target: string, deadlineMs: number, signal: AbortSignal): Promise<(fault?: unknown) => void> => {
    try {
      const lease = await compartment.enter(target, Date.now() + deadlineMs, signal);
      if (lease.breaker.admits()) return (fault) => endCall(lease, fault);
      lease.release();
    } catch (error) {
      throw error instanceof BulkheadProblem ? refusals[error.reason]() : error;
    }
    throw new PluginFault('resting', 'failed repeatedly and is not called for a moment');
  };
  const enter = async (
    call: PluginCall,
    { organizationId, deadlineMs, maxBytes, signal, traceparent }: CallOptions,
  ): Promise<{ readonly leave: (fault?: unknown) => void; readonly answer: OutboundAnswer }> => {
    const startedMs = now();
    const leave = await admit(`${organizationId} ${call.url}`, deadlineMs, signal);
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
    held: () => compartment.held(),
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
