import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { OutboundProblem, type Outbound } from '../outbound/index.ts';
import { readErrorCode, readListing, type ListingPage } from './answers.ts';
import { BucketProblem, problemOfAnswer, problemOfCall } from './fault.ts';

/** A bucket, and the access key with which its requests are signed. */
export interface BucketAccess {
  /** Origin of the object store. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly keyId: string;
  readonly secretKey: string;
}

export interface BucketContext {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly now: () => number;
  /** Time limit of a request, in ms. An upload has a second more for each MB. */
  readonly requestMs?: number;
}

interface BucketRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly content?: { readonly open: () => ReadStream; readonly bytes: number; readonly sha256: string };
}

const emptySha256 = createHash('sha256').digest('hex');
const defaultRequestMs = 30_000;
const msPerMb = 1000;
/** Pauses before a request that failed is repeated, in ms. */
const pausesMs = [250, 1000] as const;
const maxAnswerBytes = 2 * 1024 ** 2;
const pageKeys = 1000;
/** Limits of a listing, which may otherwise have no end. */
const listed = { pages: 1000, keys: 200_000 } as const;

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}

/** Time as signatures have it, such as `20261127T103000Z`. */
const basicTime = (ms: number): string => new Date(ms).toISOString().replace(/[:-]|\.\d{3}/gu, '');

/**
 * A client of a bucket by the protocol of S3. The bucket is the first part of the path. Every method raises
 * BucketProblem, and any error once its signal is aborted.
 */
export class Bucket {
  readonly #access: BucketAccess;
  readonly #context: BucketContext;

  constructor(access: BucketAccess, context: BucketContext) {
    this.#access = access;
    this.#context = context;
  }

  /**
   * Stores a file in one request, so that the object is there whole or not at all. The signature has the SHA-256 of the
   * file: the store refuses anything else, by plain http too.
   */
  async put(key: string, path: string, signal: AbortSignal): Promise<void> {
    const [{ size: bytes }, sha256] = [await stat(path), await sha256Of(path, signal)];
    await this.#send({ method: 'PUT', key, content: { open: () => createReadStream(path), bytes, sha256 } }, signal);
  }

  /** Deletes an object, if it exists. */
  async delete(key: string, signal: AbortSignal): Promise<void> {
    await this.#send({ method: 'DELETE', key }, signal);
  }

  /** Returns the keys that begin with a prefix. */
  async list(prefix: string, signal: AbortSignal): Promise<readonly string[]> {
    const keys: string[] = [];
    let token: string | null = '';
    for (let pages = 0; token !== null; pages += 1) {
      if (pages >= listed.pages || keys.length > listed.keys) throw new BucketProblem('unknown_answer');
      const page: ListingPage = await this.#page(prefix, pageKeys, token, signal);
      for (const key of page.keys) if (key.startsWith(prefix)) keys.push(key);
      token = page.next;
    }
    return keys;
  }

  /** Lists one key, which proves that the bucket can be reached with the access key. */
  async check(prefix: string, signal: AbortSignal): Promise<void> {
    await this.#page(prefix, 1, '', signal);
  }

  async #page(prefix: string, keys: number, token: string, signal: AbortSignal): Promise<ListingPage> {
    const from: Readonly<Record<string, string>> = token === '' ? {} : { 'continuation-token': token };
    const search = { 'list-type': '2', prefix, 'max-keys': String(keys), ...from };
    return readListing(await this.#send({ method: 'GET', search }, signal));
  }

  /** Sends a request, and repeats it if the store is overloaded or the connection breaks. Returns the body. */
  async #send(request: BucketRequest, signal: AbortSignal): Promise<string> {
    for (const pauseMs of pausesMs)
      try {
        return await this.#attempt(request, signal);
      } catch (error) {
        if (!(error instanceof BucketProblem && error.isPassing)) throw error;
        await sleep(pauseMs, undefined, { signal });
      }
    return this.#attempt(request, signal);
  }

  async #attempt(request: BucketRequest, signal: AbortSignal): Promise<string> {
    const { method, content } = request;
    const { requestMs = defaultRequestMs } = this.#context;
    const { url, headers } = await this.#signed(request);
    const body = content?.open();
    const options = {
      method,
      headers: { ...headers, ...(content && { 'content-length': String(content.bytes) }) },
      deadlineMs: requestMs + Math.ceil(((content?.bytes ?? 0) / 1024 ** 2) * msPerMb),
      maxBytes: maxAnswerBytes,
      signal,
    };
    try {
      const answer = await this.#context.outbound.fetch(url, body === undefined ? options : { ...options, body });
      const text = await answer.text();
      if (answer.status >= 200 && answer.status < 300) return text;
      throw problemOfAnswer(answer.status, readErrorCode(text));
    } catch (error) {
      if (!(error instanceof OutboundProblem)) throw error;
      signal.throwIfAborted();
      throw problemOfCall(error.cause);
    } finally {
      body?.destroy();
    }
  }

  async #signed({ method, key, search = {}, content }: BucketRequest) {
    const { endpoint, region, bucket, keyId, secretKey } = this.#access;
    const url = new URL(key === undefined ? `/${bucket}` : `/${bucket}/${key}`, endpoint);
    for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': content?.sha256 ?? emptySha256 },
      accessKeyId: keyId,
      secretAccessKey: secretKey,
      service: 's3',
      region,
      datetime: basicTime(this.#context.now()),
    });
    const { url: signedUrl, headers } = await signer.sign();
    return { url: signedUrl, headers: Object.fromEntries(headers) };
  }
}
