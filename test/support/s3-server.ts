import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** An access key of an object store. */
export interface S3Key {
  readonly keyId: string;
  readonly secretKey: string;
}

/** A signed request as both sides see it. */
export interface SignedRequest {
  readonly method: string;
  /** Path and search, as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/gu, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Computes the signature of a request as AWS documents it, from the headers that it names as signed.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signatureOf(
  { method, target, headers }: SignedRequest,
  { region, signed }: { readonly region: string; readonly signed: readonly string[] },
  secretKey: string,
): string {
  const url = new URL(target, 'http://host');
  const search = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted();
  const time = headers['x-amz-date'] ?? '';
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const canonical = [
    method,
    url.pathname,
    search.join('&'),
    ...signed.map((name) => `${name}:${headers[name] ?? ''}`),
    '',
    signed.join(';'),
    headers['x-amz-content-sha256'] ?? '',
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [time.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  return hmac(key, text).toString('hex');
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=(\w{64})$/u;
const maxSkewMs = 15 * 60_000;
const region = 'us-east-1';

/** An object store that keeps objects as files, `<folder>/<bucket>/<key>`, and verifies every signature. */
export class S3Server {
  readonly folder: string;
  readonly key: S3Key;
  /** Number of keys on a page of a listing. */
  pageKeys = 2;
  /** Called before an answer; true if it has answered itself. */
  before: (request: IncomingMessage, answer: ServerResponse) => boolean | Promise<boolean> = () => false;
  /** Methods and targets of the requests. */
  readonly requests: string[] = [];
  readonly #server: Server;

  constructor(folder: string, key: S3Key) {
    this.folder = folder;
    this.key = key;
    this.#server = createServer((request, answer) => void this.#serve(request, answer));
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get endpoint(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Keys of a bucket, in the order of a listing. */
  keysIn(bucket: string): readonly string[] {
    const root = join(this.folder, bucket);
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(root, path)).isFile())
      .toSorted();
  }

  async #serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    try {
      if (await this.before(request, answer)) return;
      const expected = this.#verify(request);
      await this.#perform(request, answer, expected);
    } catch (error) {
      if (answer.headersSent) return void answer.destroy();
      const [status, code] = error instanceof Refusal ? [error.status, error.message] : [500, 'InternalError'];
      answer.writeHead(status, { 'content-type': 'application/xml' });
      answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${this.key.secretKey}</Message></Error>`);
    }
  }

  /** Returns the SHA-256 that the body must have. */
  #verify({ method = '', url = '', headers }: IncomingMessage): string {
    const values = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const [, keyId, ofRegion = '', signed = '', signature] =
      authorizationForm.exec(values['authorization'] ?? '') ?? [];
    if (keyId !== this.key.keyId) throw new Refusal(403, 'InvalidAccessKeyId');
    if (ofRegion !== region) throw new Refusal(400, 'AuthorizationHeaderMalformed');
    const time = (values['x-amz-date'] ?? '').replace(
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u,
      '$1-$2-$3T$4:$5:$6Z',
    );
    if (!(Math.abs(Date.now() - Date.parse(time)) < maxSkewMs)) throw new Refusal(403, 'RequestTimeTooSkewed');
    const names = signed.split(';');
    const needed = ['host', 'x-amz-content-sha256', 'x-amz-date'];
    const expected = signatureOf(
      { method, target: url, headers: values },
      { region, signed: names },
      this.key.secretKey,
    );
    if (!needed.every((name) => names.includes(name)) || signature !== expected)
      throw new Refusal(403, 'SignatureDoesNotMatch');
    return values['x-amz-content-sha256'] ?? '';
  }

  async #perform(request: IncomingMessage, answer: ServerResponse, expected: string): Promise<void> {
    const url = new URL(request.url ?? '', this.endpoint);
    const [, bucket = '', ...parts] = url.pathname.split('/');
    if (!existsSync(join(this.folder, bucket))) throw new Refusal(404, 'NoSuchBucket');
    const path = join(this.folder, bucket, ...parts);
    if (request.method === 'PUT') await this.#put(request, path, expected);
    if (request.method === 'DELETE') rmSync(path, { force: true });
    answer.writeHead(request.method === 'DELETE' ? 204 : 200, { 'content-type': 'application/xml' });
    answer.end(request.method === 'GET' ? this.#listing(bucket, url.searchParams) : '');
  }

  async #put(request: IncomingMessage, path: string, expected: string): Promise<void> {
    mkdirSync(dirname(path), { recursive: true });
    const hash = createHash('sha256');
    request.on('data', (piece: Buffer) => hash.update(piece));
    await pipeline(request, createWriteStream(path));
    if (hash.digest('hex') === expected) return;
    rmSync(path);
    throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  }

  #listing(bucket: string, search: URLSearchParams): string {
    const after = search.get('continuation-token') ?? '';
    const most = Math.min(this.pageKeys, Number(search.get('max-keys')));
    const keys = this.keysIn(bucket).filter((key) => key.startsWith(search.get('prefix') ?? '') && key > after);
    const page = keys.slice(0, most);
    const more = keys.length > most;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('');
    return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${more}</IsTruncated>${next}${contents}</ListBucketResult>`;
  }
}
