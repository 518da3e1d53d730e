import {
  apiVersion,
  inWords,
  isObject,
  listOr,
  member,
  objectOr,
  type Json,
  type JsonObject,
  type ProblemBody,
} from '@inlay/contract';

export interface Credential {
  readonly key: string;
  readonly token: string;
}

/** An error response of the service, or a failed connection (code `unreachable`). */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: string;
  readonly status: number;
  /** Advice for the developer of the page; may be empty. */
  readonly hint: string;
  /** Value of the header Retry-After in seconds; null if the response has none. */
  readonly retryAfterS: number | null;

  constructor(code: string, status: number, message: string, hint = '', retryAfterS: number | null = null) {
    super(message);
    this.code = code;
    this.status = status;
    this.hint = hint;
    this.retryAfterS = retryAfterS;
  }
}

export interface TransportOptions {
  /** Origin of the service, such as `https://analytics.example.com`. */
  readonly apiHost: string;
  readonly credential: Credential | null;
  /** Called to get a new credential if there is none or the old one has expired. */
  readonly getToken?: (() => Promise<Credential>) | null | undefined;
  /** Called with each new credential. */
  readonly renewed?: (credential: Credential) => void;
  readonly fetch?: typeof fetch;
  /** Returns advice for a failure whose response names no faults of the request. */
  readonly hintFor?: HintFor;
}

/** Returns advice for an error code; may be empty. `unreachable` and `no_service` are codes too. */
export type HintFor = (code: string, host?: string, send?: typeof fetch) => Promise<string>;

/** Sends requests to the service. While the service is busy, `call` and `file` retry for up to a minute. */
export interface Transport {
  /**
   * Calls the API. `Answer` is the documented type of the response. Raises Failure. Throws the signal's reason if it
   * aborts.
   */
  call<Answer = Json>(resource: string, body: JsonObject, signal?: AbortSignal): Promise<Answer>;
  /** Calls the API and passes each line of the response to `onLine` when it arrives. Never retries. */
  lines(resource: string, body: JsonObject, onLine: (line: Json) => void, signal?: AbortSignal): Promise<void>;
  /**
   * Calls the API and returns the response unread, for downloads and for texts whose numbers must keep their digits. The
   * body may be JSON text. `headers` are sent beside those of each request.
   */
  file(
    resource: string,
    body: JsonObject | string,
    signal?: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

/** Maximum time during which a request is retried, in milliseconds. */
const maxWaitMs = 60_000;

/** Waits. If the signal aborts, throws its reason. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop);
  });

/**
 * Runs `work`. While the service is busy or the rate limit applies, retries it for up to a minute, and calls `waits`
 * before each pause. Raises the errors of `work`. Throws the signal's reason if it aborts.
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
  waits?: () => void,
): Promise<Result> {
  for (const until = Date.now() + maxWaitMs; ;) {
    try {
      return await work();
    } catch (error) {
      const afterS = error instanceof Failure && [429, 503].includes(error.status) ? error.retryAfterS : null;
      // Random jitter spreads the retries of pages that were refused at the same time.
      const ms = Math.max(1, afterS ?? 0) * 1000 * (1 + Math.random() / 2);
      if (afterS === null || Date.now() + ms > until) throw error;
      signal?.throwIfAborted();
      waits?.();
      await pause(ms, signal);
    }
  }
}

const isProblem = (value: unknown): value is ProblemBody =>
  isObject(value) && typeof member(value, 'message') === 'string' && typeof member(value, 'code') === 'string';

/** Returns the faults of a refused request as text, each with its path, such as `find.measures[0].formula: …`. */
export const hintOf = (validation: Json | undefined): string =>
  Object.entries(objectOr(validation))
    .map(([place, faults]) => `${place}: ${listOr(faults).map(inWords).join(', ')}`)
    .join('\n');

async function failureOf(response: Response, hintFor: HintFor): Promise<Failure> {
  const body: unknown = await response.json().catch(() => null);
  const retryAfterS = Number(response.headers.get('retry-after') ?? NaN);
  return isProblem(body)
    ? new Failure(
        body.code,
        response.status,
        body.message,
        hintOf(body.validation) || (await hintFor(body.code)),
        Number.isFinite(retryAfterS) ? retryAfterS : null,
      )
    : new Failure(
        'unreachable',
        response.status,
        `The service answered ${response.status}.`,
        await hintFor('no_service'),
      );
}

function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/**
 * Creates a transport, which sends credentials only in headers. If a credential has expired, concurrent requests wait
 * for the same renewal.
 */
export function createTransport(options: TransportOptions): Transport {
  const host = withoutSlashes(options.apiHost);
  const send = options.fetch ?? ((...input: Parameters<typeof fetch>) => fetch(...input));
  const hintFor = options.hintFor ?? (async () => '');
  let credential = options.credential;
  let renewing: Promise<Credential> | null = null;
  let hint: Promise<string> | null = null;

  const renew = async (): Promise<Credential> => {
    if (options.getToken === undefined || options.getToken === null)
      throw new Failure(
        'credentials_missing',
        401,
        'There is no credential, and no getToken.',
        await hintFor('credentials_missing'),
      );
    renewing ??= options.getToken().finally(() => {
      renewing = null;
    });
    const newCredential = await renewing;
    if (newCredential !== credential) {
      credential = newCredential;
      options.renewed?.(newCredential);
    }
    return newCredential;
  };

  const attempt = async (
    resource: string,
    body: JsonObject | string,
    accept: string,
    by: Credential,
    signal?: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    send(`${host}/${apiVersion}/${resource}`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept,
        authorization: `Bearer ${by.key}:${by.token}`,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      ...(signal === undefined ? {} : { signal }),
    }).catch(async (error: unknown) => {
      if (signal?.aborted === true) throw error;
      hint ??= hintFor('unreachable', host, send).finally(() => {
        hint = null;
      });
      throw new Failure('unreachable', 0, 'The service could not be reached.', await hint);
    });

  const ask = async (
    resource: string,
    body: JsonObject | string,
    accept: string,
    signal?: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response> => {
    const initialCredential = credential ?? (await renew());
    const firstResponse = await attempt(resource, body, accept, initialCredential, signal, headers);
    if (firstResponse.ok) return firstResponse;
    const failure = await failureOf(firstResponse, hintFor);
    if (failure.status !== 401 || options.getToken === undefined || options.getToken === null) throw failure;
    const retryResponse = await attempt(
      resource,
      body,
      accept,
      credential === initialCredential ? await renew() : (credential ?? initialCredential),
      signal,
      headers,
    );
    if (!retryResponse.ok) throw await failureOf(retryResponse, hintFor);
    return retryResponse;
  };

  return {
    call: async <Answer>(resource: string, body: JsonObject, signal?: AbortSignal) => {
      const response = await patiently(() => ask(resource, body, 'application/json', signal), signal);
      const answer: Answer = JSON.parse(await response.text());
      return answer;
    },
    file: (resource, body, signal, headers) => patiently(() => ask(resource, body, '*/*', signal, headers), signal),
    lines: async (resource, body, onLine, signal) => {
      const response = await ask(resource, body, 'application/x-ndjson, application/json;q=0.5', signal);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      if (reader === undefined) return;
      let incompleteLine = '';
      for (;;) {
        const { done, value } = await reader.read();
        incompleteLine += value ?? '';
        const completeLines = incompleteLine.split('\n');
        incompleteLine = done ? '' : (completeLines.pop() ?? '');
        for (const line of completeLines) {
          if (line.trim() !== '') {
            const parsedLine: Json = JSON.parse(line);
            onLine(parsedLine);
          }
        }
        if (done) return;
      }
    },
  };
}
