import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { OutboundPolicy } from './policy.ts';
import { OutboundProblem, outboundProblem } from './problem.ts';
import { checkedUrl } from './url.ts';

export interface FetchOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream needs the header `content-length`, and is destroyed if the call ends early. */
  readonly body?: string | Uint8Array | Readable;
  /** Time limit of the whole call in ms, including reading the body of the answer. */
  readonly deadlineMs: number;
  /** Maximum size of the answer's body, in bytes. */
  readonly maxBytes: number;
  /** Maximum number of redirects to follow, 0 to 5; 0 by default. */
  readonly redirects?: number;
  /** Accepted media types, such as `application/json`; any by default. They are only checked if the status is 2xx. */
  readonly accept?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** An answer whose body can be read once, within the limits of its call. */
export interface OutboundAnswer {
  readonly status: number;
  /** Headers by lower-case name. Values of repeated headers are joined by `, `. */
  readonly headers: ReadonlyMap<string, string>;
  /** The address that sent the answer, after redirects. */
  readonly url: string;
  /**
   * The body in chunks. Raises OutboundProblem `size`, `timeout`, `aborted`, `failed`. Breaking out of the loop ends
   * the call.
   */
  readonly body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

const keptAcrossOrigins = /^(?:accept|accept-language|user-agent)$/iu;
const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

interface Hop {
  readonly url: URL;
  readonly method: NonNullable<FetchOptions['method']>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Readable | undefined;
}

/** Returns the call that follows a redirect. Secrets are not sent to another origin. */
function nextHop(hop: Hop, status: number, location: string | undefined, policy: OutboundPolicy): Hop {
  if (location === undefined) throw new OutboundProblem('redirect', 'The answer is a redirect to nowhere.');
  const url = checkedUrl(location, hop.url, policy);
  const sameOrigin = url.origin === hop.url.origin;
  const repeats = status === 307 || status === 308 || hop.method === 'GET';
  if (repeats && hop.body !== undefined && !sameOrigin)
    throw new OutboundProblem('redirect', 'The answer redirects what was sent to another site.');
  if (repeats && hop.body instanceof Readable)
    throw new OutboundProblem('redirect', 'The answer redirects a stream, which cannot be sent again.');
  const headers = Object.entries(hop.headers).filter(([name]) => sameOrigin || keptAcrossOrigins.test(name));
  return {
    url,
    method: repeats ? hop.method : 'GET',
    headers: Object.fromEntries(headers.filter(([name]) => repeats || !/^content-/iu.test(name))),
    body: repeats ? hop.body : undefined,
  };
}

async function* limited(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      if (!(piece instanceof Uint8Array)) continue;
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw new OutboundProblem('size', `The answer is larger than ${maxBytes} bytes.`);
      yield piece;
    }
  } catch (error) {
    throw endedBy(signal) ?? outboundProblem(error);
  } finally {
    body.on('error', () => undefined).destroy();
  }
}

function endedBy(signal: AbortSignal): OutboundProblem | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? new OutboundProblem('timeout', 'The other side did not answer in time.')
    : new OutboundProblem('aborted', 'The call was given up.');
}

const mediaType = (type: string): string => type.replace(/;.*$/su, '').trim().toLowerCase();

function checkAnswer(headers: ReadonlyMap<string, string>, status: number, options: FetchOptions): void {
  const length = Number(headers.get('content-length') ?? 0);
  if (length > options.maxBytes)
    throw new OutboundProblem('size', `The answer is larger than ${options.maxBytes} bytes.`);
  if (!/^(?:identity)?$/iu.test(headers.get('content-encoding') ?? ''))
    throw new OutboundProblem('type', 'The answer is compressed, which was not asked for.');
  const { accept } = options;
  if (accept === undefined || status < 200 || status > 299 || status === 204) return;
  if (!accept.includes(mediaType(headers.get('content-type') ?? '')))
    throw new OutboundProblem('type', `The answer is not ${accept.join(' or ')}.`);
}

/**
 * Sends an HTTP request through a guarded dispatcher. Resolves once the headers of the answer have arrived. Raises
 * OutboundProblem. An answer with a status of 400 and above is not a problem.
 */
export async function guardedFetch(
  dispatcher: Dispatcher,
  policy: OutboundPolicy,
  address: string | URL,
  options: FetchOptions,
): Promise<OutboundAnswer> {
  const { deadlineMs, maxBytes, redirects = 0, accept, method = 'GET' } = options;
  const timeout = AbortSignal.timeout(Math.max(1, deadlineMs));
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  const defaults = { accept: accept?.join(', ') ?? '*/*', 'accept-encoding': 'identity', 'user-agent': 'Inlay' };
  const lowerCaseHeaders = Object.entries(options.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const headers: Record<string, string> = { ...defaults, ...Object.fromEntries(lowerCaseHeaders) };
  let hop: Hop = { url: checkedUrl(address, undefined, policy), method, headers, body: options.body };
  const { request } = await import('undici');
  for (let redirectCount = 0; ; redirectCount += 1) {
    const { url, body, ...rest } = hop;
    let answer: Dispatcher.ResponseData;
    try {
      answer = await request(url, { ...rest, body: body ?? null, dispatcher, signal });
    } catch (error) {
      throw endedBy(signal) ?? outboundProblem(error);
    }
    const limitedBody = limited(answer.body, maxBytes, signal);
    try {
      const entries = Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(', ')] as const],
      );
      const answerHeaders = new Map(entries);
      if (isRedirect(answer.statusCode) && redirects > 0) {
        if (redirectCount >= Math.min(redirects, 5))
          throw new OutboundProblem('redirect', 'There are too many redirects.');
        hop = nextHop(hop, answer.statusCode, answerHeaders.get('location'), policy);
        await limitedBody.return();
        answer.body.on('error', () => undefined).destroy();
        continue;
      }
      checkAnswer(answerHeaders, answer.statusCode, options);
      const text = async (): Promise<string> => {
        const pieces: Uint8Array[] = [];
        for await (const piece of limitedBody) pieces.push(piece);
        return new TextDecoder().decode(Buffer.concat(pieces));
      };
      return { status: answer.statusCode, headers: answerHeaders, url: url.href, body: limitedBody, text };
    } catch (error) {
      answer.body.on('error', () => undefined).destroy();
      throw error;
    }
  }
}
