import { createBreaker, type Breaker } from '../../outbound/breaker.ts';
import { OutboundProblem, type Outbound } from '../../outbound/index.ts';
import { SignOnFault } from '../fault.ts';

/** A provider's complete response. */
export interface Raw {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends a request to an address of a provider. Raises SignOnFault `provider_down`, `provider_slow`, `provider_wrong`.
 */
export type Send = (configurationId: string, url: string, call: Call) => Promise<Raw>;

const callDeadlineMs = 8000;
const longestAnswer = 512 * 1024;
const maxBreakers = 10_000;

function inWords(error: unknown, host: string): SignOnFault {
  if (!(error instanceof OutboundProblem)) return new SignOnFault('provider_down', `The call to ${host} failed.`);
  const cause =
    error.cause === 'timeout'
      ? 'provider_slow'
      : ['url', 'forbidden_address', 'size', 'type', 'redirect'].includes(error.cause)
        ? 'provider_wrong'
        : 'provider_down';
  return new SignOnFault(cause, `${host}: ${error.message}`);
}

/**
 * Creates a function that sends requests to providers. It does not follow redirects, limits time, size and concurrent
 * calls, and has a circuit breaker per provider. `clock` returns monotonic milliseconds.
 */
export function createSend(outbound: Outbound, clock: () => number): Send {
  const breakers = new Map<string, Breaker>();
  const breakerOf = (id: string): Breaker => {
    const breaker = breakers.get(id) ?? createBreaker({ failures: 5, pauseMs: 15_000, atOnce: 16, now: clock });
    if (breakers.size >= maxBreakers) breakers.clear();
    breakers.set(id, breaker);
    return breaker;
  };
  return async (configurationId, url, call) => {
    const host = URL.canParse(url) ? new URL(url).host : 'the provider';
    const breaker = breakerOf(configurationId);
    if (!breaker.admits())
      throw new SignOnFault('provider_down', `${host} failed several times in a row and is not called for a moment.`);
    let well = false;
    try {
      const answer = await outbound.fetch(url, { ...call, deadlineMs: callDeadlineMs, maxBytes: longestAnswer });
      const rawAnswer = { status: answer.status, headers: answer.headers, text: await answer.text() };
      well = rawAnswer.status < 500;
      return rawAnswer;
    } catch (error) {
      throw inWords(error, host);
    } finally {
      if (well) breaker.succeeded();
      else breaker.failed();
    }
  };
}
