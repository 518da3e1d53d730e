import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundProblem, type HttpClient, type OutboundAnswer } from '../../outbound/index.ts';
import { SourceProblem } from '../problem.ts';
import { forgotten, TrinoError } from './failure.ts';
import { readPage, type Page } from './pages.ts';

/** Limits how long parsing one page of a hostile server holds up others. */
const maxPageMb = 16;
const maxPageBytes = maxPageMb * 1024 ** 2;
const cancelMs = 10_000;
/** Pause before a request that a busy node has turned away is repeated, in ms. */
const pauseMs = 100;

const turnedAway = new Set([429, 502, 503, 504]);

const wrongPassword = 'The cluster does not accept the user name or password.';
const plainPassword = `${wrongPassword} Clusters accept passwords over encrypted connections only; set the port of those, or leave the password out.`;

/** Deadline in milliseconds since the epoch, and a signal that gives the statement up. */
export interface CallLimits {
  readonly deadline: number;
  readonly signal: AbortSignal;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Status of the answer to a statement that is empty. */
const emptyStatement = 400;

/** The protocol of Trino: a statement is posted, and each page of its answer names the next one. */
export class TrinoClient {
  readonly #http: HttpClient;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #isEncrypted: boolean;

  /** Sends the headers with every request. */
  constructor(http: HttpClient, headers: Readonly<Record<string, string>>, isEncrypted: boolean) {
    this.#http = http;
    this.#headers = headers;
    this.#isEncrypted = isEncrypted;
  }

  /**
   * Signs in with a statement that is empty, which a coordinator refuses only after it has accepted the user. No worker
   * takes part. Raises SourceProblem, OutboundProblem.
   */
  async signIn({ deadline, signal }: CallLimits): Promise<void> {
    const answer = await this.#answer(
      '/v1/statement',
      { deadline, signal },
      { method: 'POST', headers: this.#headers },
    );
    await textOf(answer);
    if (answer.status !== emptyStatement) throw this.#refusal(answer, 'POST');
  }

  /** Sends a statement and returns the first page of its answer. Raises TrinoError, SourceProblem, OutboundProblem. */
  async post(text: string, headers: Readonly<Record<string, string>>, limits: CallLimits): Promise<Page> {
    return this.#page('/v1/statement', limits, {
      method: 'POST',
      headers: { ...this.#headers, ...headers },
      body: text,
    });
  }

  /** Returns a further page. Raises TrinoError, SourceProblem, OutboundProblem. */
  async page(path: string, limits: CallLimits): Promise<Page> {
    return this.#page(path, limits, { method: 'GET', headers: this.#headers });
  }

  /** Ends a statement at the cluster. Never throws. */
  async cancel(path: string): Promise<void> {
    try {
      const options = {
        method: 'DELETE',
        headers: this.#headers,
        deadlineMs: cancelMs,
        maxBytes: maxPageBytes,
      } as const;
      await (await this.#http.fetch(path, options)).text();
    } catch {
      // The cluster ends the statement shortly after its deadline, or when nobody has read from it for minutes.
    }
  }

  close(): void {
    this.#http.close();
  }

  async #page(path: string, limits: CallLimits, request: Request): Promise<Page> {
    const answer = await this.#answer(path, limits, request);
    const text = await textOf(answer);
    if (answer.status !== 200) throw this.#refusal(answer, request.method);
    return readPage(text);
  }

  /** Sends a request, again and again while a busy node turns it away. */
  async #answer(path: string, { deadline, signal }: CallLimits, request: Request): Promise<OutboundAnswer> {
    for (;;) {
      const deadlineMs = Math.max(1, deadline - Date.now());
      const answer = await this.#http.fetch(path, { ...request, deadlineMs, maxBytes: maxPageBytes, signal });
      if (!turnedAway.has(answer.status) || Date.now() + pauseMs >= deadline) return answer;
      await textOf(answer);
      await sleep(pauseMs, undefined, { signal });
    }
  }

  #refusal({ status }: OutboundAnswer, method: Request['method']): Error {
    if (status === 401) return new SourceProblem('credentials', this.#isEncrypted ? wrongPassword : plainPassword);
    if (status === 403)
      return new SourceProblem('grant', 'The user may not sign in to this cluster, or not as this user.');
    if (turnedAway.has(status))
      return new SourceProblem('unavailable', 'The cluster is too busy, or starting; try again soon.');
    if (method === 'GET' && (status === 404 || status === 410)) return new TrinoError(forgotten, 'INTERNAL_ERROR', '');
    return new SourceProblem('failed', `The host answers, but not as a Trino cluster does (status ${status}).`);
  }
}

/** Reads an answer. The cluster ends a page at about 1 MB, so a larger one has a single row. */
async function textOf(answer: OutboundAnswer): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    throw error instanceof OutboundProblem && error.cause === 'size'
      ? new SourceProblem('query', `The query gives a row of more than ${maxPageMb} MB.`)
      : error;
  }
}
