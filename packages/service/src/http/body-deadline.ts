import type { IncomingMessage } from 'node:http';
import { answerClientError } from './client-error.ts';

/** Ends requests whose body is too long in coming. Node's own limit knows no routes, and an upload may take longer. */
export interface BodyDeadline {
  /** The headers of a request are there; what it gives is the same as `ended`. */
  began(request: IncomingMessage): () => void;
  /** Its body is there, or nobody waits for it any more. */
  ended(request: IncomingMessage): void;
  close(): void;
}

const lookEveryMs = 1000;

/** `limitMs` from the headers to the last byte of the body; looked at once a second. */
export function createBodyDeadline(limitMs: number, nowMs: () => number): BodyDeadline {
  const waiting = new Map<IncomingMessage, number>();
  const timer = setInterval(() => {
    const since = nowMs() - limitMs;
    for (const [request, beganMs] of waiting) {
      if (beganMs > since) break;
      waiting.delete(request);
      answerClientError(Object.assign(new Error('slow body'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket);
    }
  }, lookEveryMs);
  timer.unref();
  return {
    began: (request) => {
      waiting.set(request, nowMs());
      return () => void waiting.delete(request);
    },
    ended: (request) => void waiting.delete(request),
    close: () => clearInterval(timer),
  };
}
