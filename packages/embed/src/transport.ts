import {
  inWords,
  isObject,
  listOr,
  member,
  objectOr,
  type Json,
  type JsonObject,
  type ProblemBody,
} from '@inlay/contract';

/** A key and a token as the service gave them. */
export interface Credential {
  readonly key: string;
  readonly token: string;
}

/** What the service refused, or why it could not be reached (`unreachable`). */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: string;
  readonly status: number;
  /** What whoever builds the page can do about it; empty where that is not known. */
  readonly hint: string;
  /** Seconds after which to ask again, where the service said so. */
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
  /** Address of the service without a path, such as `https://analytics.example.com`. */
  readonly apiHost: string;
  readonly credential: Credential | null;
  /** Asked for a new credential when the service says that the old one has ended. */
  readonly getToken?: (() => Promise<Credential>) | null | undefined;
  /** Told when a new credential is in use. */
  readonly renewed?: (credential: Credential) => void;
  readonly fetch?: typeof fetch;
}

/** Sends requests of one page to the service; calls and files again for a minute where it is busy. */
export interface Transport {
  /** One call of the API; raises Failure, and what `signal` was aborted with. */
  call(resource: string, body: JsonObject, signal?: AbortSignal): Promise<Json>;
  /** One call whose answer comes line by line; `each` is told every line as it comes. A busy service is not asked again. */
  lines(resource: string, body: JsonObject, each: (line: Json) => void, signal?: AbortSignal): Promise<void>;
  /** The raw answer, for files. */
  file(resource: string, body: JsonObject, signal?: AbortSignal): Promise<Response>;
}

/** How long a busy service is asked again. */
const waitMostMs = 60_000;

/** Waits, or raises what the signal was aborted with. */
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
 * Does some work again for a minute while the service is busy, or was asked too often, and says when to come back; `waits` is
 * told each time. Raises what the work raises, and what `signal` was aborted with.
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
  waits?: () => void,
): Promise<Result> {
  for (const until = Date.now() + waitMostMs; ;) {
    try {
      return await work();
    } catch (error) {
      const afterS = error instanceof Failure && [429, 503].includes(error.status) ? error.retryAfterS : null;
      // Pages that were refused together do not come back together.
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

/** What a refusal says of places in the request, as one text: `find.measures[0].formula: …`. */
export const hintOf = (validation: Json | undefined): string =>
  Object.entries(objectOr(validation))
    .map(([place, faults]) => `${place}: ${listOr(faults).map(inWords).join(', ')}`)
    .join('\n');

/** What to check, where the service does not say which place of the request is wrong; empty where nobody knows. */
async function hintAbout(what: string, host = '', send = fetch): Promise<string> {
  const told = await import('./board/page/failure-hints.ts').catch(() => null);
  return told === null ? '' : what === 'unreachable' ? told.hintFor(host, send) : (told.hints[what] ?? '');
}

async function failureOf(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => null);
  const after = Number(response.headers.get('retry-after') ?? NaN);
  return isProblem(body)
    ? new Failure(
        body.code,
        response.status,
        body.message,
        hintOf(body.validation) || (await hintAbout(body.code)),
        Number.isFinite(after) ? after : null,
      )
    : new Failure(
        'unreachable',
        response.status,
        `The service answered ${response.status}.`,
        await hintAbout('no_service'),
      );
}

function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** A transport that renews its credential once for all requests that found it ended. Credentials are in headers only. */
export function createTransport(options: TransportOptions): Transport {
  const host = withoutSlashes(options.apiHost);
  const base = `${host}/0.1.0/`;
  const send = options.fetch ?? ((...given: Parameters<typeof fetch>) => fetch(...given));
  let credential = options.credential;
  let renewing: Promise<Credential> | null = null;
  let hint: Promise<string> | null = null;

  const renew = async (): Promise<Credential> => {
    if (options.getToken === undefined || options.getToken === null)
      throw new Failure(
        'credentials_missing',
        401,
        'There is no credential, and no getToken.',
        await hintAbout('credentials_missing'),
      );
    renewing ??= options.getToken().finally(() => {
      renewing = null;
    });
    const renewed = await renewing;
    if (renewed !== credential) {
      credential = renewed;
      options.renewed?.(renewed);
    }
    return renewed;
  };

  const once = async (
    resource: string,
    body: JsonObject,
    accept: string,
    by: Credential,
    signal?: AbortSignal,
  ): Promise<Response> =>
    send(`${base}${resource}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept,
        authorization: `Bearer ${by.key}:${by.token}`,
      },
      body: JSON.stringify(body),
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      ...(signal === undefined ? {} : { signal }),
    }).catch(async (error: unknown) => {
      if (signal?.aborted === true) throw error;
      hint ??= hintAbout('unreachable', host, send).finally(() => {
        hint = null;
      });
      throw new Failure('unreachable', 0, 'The service could not be reached.', await hint);
    });

  const ask = async (resource: string, body: JsonObject, accept: string, signal?: AbortSignal): Promise<Response> => {
    const used = credential ?? (await renew());
    const first = await once(resource, body, accept, used, signal);
    if (first.ok) return first;
    const failure = await failureOf(first);
    if (failure.status !== 401 || options.getToken === undefined || options.getToken === null) throw failure;
    const again = await once(
      resource,
      body,
      accept,
      credential === used ? await renew() : (credential ?? used),
      signal,
    );
    if (!again.ok) throw await failureOf(again);
    return again;
  };

  return {
    call: async (resource, body, signal) => {
      const response = await patiently(() => ask(resource, body, 'application/json', signal), signal);
      const read: Json = await response.json();
      return read;
    },
    file: (resource, body, signal) => patiently(() => ask(resource, body, '*/*', signal), signal),
    lines: async (resource, body, each, signal) => {
      const response = await ask(resource, body, 'application/x-ndjson, application/json;q=0.5', signal);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      if (reader === undefined) return;
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        rest += value ?? '';
        const whole = rest.split('\n');
        rest = done ? '' : (whole.pop() ?? '');
        for (const line of whole) {
          if (line.trim() !== '') {
            const read: Json = JSON.parse(line);
            each(read);
          }
        }
        if (done) return;
      }
    },
  };
}
