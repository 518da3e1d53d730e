import { setMaxListeners } from 'node:events';
import { onEnd } from '../concurrency/release.ts';
import { Problem } from '../problems/problem.ts';
import type { CallContext } from '../tracing/call-context.ts';
import type { IncomingRequest } from './identify.ts';

/** The time that the work of a request has. */
export interface Deadline extends Pick<CallContext, 'signal' | 'deadlineMs'> {
  /** Call when the work is done. */
  readonly done: () => void;
  /** Cancels remaining work. */
  readonly cancel: (reason: unknown) => void;
}

/** Starts the time limit of a request. Its signal aborts after `limitMs`, or when the client disconnects. */
export function startDeadline({ whenGone }: Pick<IncomingRequest, 'whenGone'>, limitMs: number): Deadline {
  const ended = new AbortController();
  const { signal } = ended;
  // Removes the limit of listeners: every query of a batch adds a listener, and so does each of its sources.
  setMaxListeners(0, signal);
  const timer = setTimeout(() => ended.abort(new Problem('deadline_passed')), limitMs);
  const done = (): void => clearTimeout(timer);
  onEnd(signal, done);
  whenGone(() => ended.abort(new Problem('client_gone')));
  const cancel = (reason: unknown): void => ended.abort(reason);
  return { signal, deadlineMs: performance.now() + limitMs, done, cancel };
}
