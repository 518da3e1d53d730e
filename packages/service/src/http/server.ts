import compress from '@fastify/compress';
import cors from '@fastify/cors';
import type { Json } from '@inlay/contract';
import underPressure from '@fastify/under-pressure';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import type { Demo } from '../demo/demo.ts';
import { addDemo } from '../demo/serve-demo.ts';
import { docsPage } from '../docs/page.ts';
import { openApi } from '../docs/openapi.ts';
import { handle } from '../pipeline/handle.ts';
import { methods, type Incoming } from '../pipeline/identify.ts';
import type { Answer } from '../pipeline/serialise.ts';
import type { Service } from '../pipeline/service.ts';
import type { IncomingFile } from '../rows/received.ts';
import { Problem } from '../problems/problem.ts';
import { admitter, countedRefusal } from './admission.ts';
import { answerProblem } from './answer.ts';
import { createBodyDeadline } from './body-deadline.ts';
import { answerClientError } from './client-error.ts';
import type { SignOn } from '../sso/sign-on.ts';
import { addElements } from './elements.ts';
import type { Metrics } from './metrics.ts';
import type { RateLimit } from './rate-limit.ts';
import { readJson } from './read-json.ts';
import { addSso } from './sso.ts';
import { addUpload } from './upload.ts';

/** What the HTTP side needs beside the service itself. */
export interface ServerParts {
  readonly service: Service;
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly metrics: (inFlight: () => number) => Metrics;
  readonly tokens: RateLimit | null;
  readonly logins: RateLimit | null;
  /** Shown at `/`; null where it is not, and `/` leads to the docs. */
  readonly demo: Demo | null;
  /** False from the moment the service begins to stop. */
  readonly isServing: () => boolean;
  readonly signOn: SignOn;
  /** Sees every successful answer of the API; for tests that hold answers against the OpenAPI document. */
  readonly onAnswer?: (resource: string, operation: string, body: string) => void;
}

const apiVersion = '0.1.0';
/** Where `npm run build` puts the embed elements. */
const builtElements = new URL('../../../embed/dist/', import.meta.url);
const sane = /^[\w.:-]{1,128}$/u;
const megabyte = 1024 * 1024;
/** How long a body may take to come. */
const bodyMs = 60_000;

const header = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A file, and what its address asks to be done with it. */
interface Upload {
  readonly body: Json;
  readonly file: IncomingFile;
}

function incomingOf(
  parts: ServerParts,
  version: string,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  upload: Upload | null,
): Incoming {
  const override = header(request.headers['x-http-method-override'])?.toUpperCase();
  const method = request.method === 'POST' && override !== undefined && override in methods ? override : request.method;
  const { body } = request;
  return {
    version,
    path,
    method,
    body: upload !== null ? upload.body : isJson(body) ? body : null,
    file: upload?.file ?? null,
    lines: request.headers.accept?.startsWith('application/x-ndjson') === true,
    authorization: header(request.headers.authorization),
    ifMatch: header(request.headers['if-match']),
    idempotencyKey: header(request.headers['idempotency-key']),
    address: request.ip,
    whenGone: (gone) => {
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) gone();
      });
    },
    admit: admitter(parts, request, reply),
    named: (operation) => {
      request.operation = operation;
    },
  };
}

/** Bodies are read by `readJson` alone, so whatever is there is JSON. */
const isJson = (body: unknown): body is Incoming['body'] => body !== undefined;

async function* seenWhole(stream: AsyncIterable<Uint8Array>, see: (body: string) => void): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    yield chunk;
  }
  see(Buffer.concat(chunks).toString());
}

/** The body as Fastify sends it; whoever looks on sees all of it. */
function bodyOf(body: Answer['body'], see: ((body: string) => void) | undefined): Readable | string | Buffer {
  if (typeof body === 'string') {
    see?.(body);
    return body;
  }
  if (body instanceof Uint8Array) {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    see?.(bytes.toString());
    return bytes;
  }
  return Readable.from(see === undefined ? body : seenWhole(body, see), { objectMode: false });
}

async function answer(
  parts: ServerParts,
  version: string,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  upload: Upload | null = null,
): Promise<Readable | string | Uint8Array | FastifyReply> {
  const said = await handle(parts.service, incomingOf(parts, version, path, request, reply, upload));
  if (said.etag !== null) void reply.header('etag', said.etag);
  void reply.type(said.type ?? 'application/json; charset=utf-8');
  if (said.fileName !== undefined)
    void reply.header('content-disposition', `attachment; filename="${said.fileName.replace(/[^\w.-]/gu, '_')}"`);
  const seen = parts.onAnswer;
  const see =
    seen === undefined || said.type !== undefined ? undefined : (body: string) => seen(path, said.operation, body);
  const body = bodyOf(said.body, see);
  // Given back rather than sent and awaited: waiting for a reply means watching its stream to the end. Only who asks for
  // compression passes through it.
  if (request.headers['accept-encoding'] === undefined) return body;
  reply.compress(body);
  return reply;
}

declare module 'fastify' {
  interface FastifyRequest {
    operation: string;
    startedMs: number;
  }
}

function addResources(server: FastifyInstance, parts: ServerParts): void {
  const verbs = ['POST', ...Object.keys(methods)];
  for (const [path, { resource }] of parts.service.registry.paths) {
    server.route({
      method: verbs,
      url: `/${apiVersion}/${path}`,
      bodyLimit: (resource.bodyMb ?? parts.config.bodyLimitMb) * megabyte,
      config: { resource: path },
      handler: (request, reply) => answer(parts, apiVersion, path, request, reply),
    });
  }
  // Whatever else is asked below a version: the pipeline says which part of it is unknown.
  server.route<{ Params: { version: string; resource: string } }>({
    method: verbs,
    url: '/:version/:resource',
    handler: (request, reply) => answer(parts, request.params.version, request.params.resource, request, reply),
  });
}

/** Routes without credentials: each address has a limit of its own on each. */
const limitedByAddress = new Set([
  '/',
  '/livez',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/embed/:file',
  '/demo/state',
  '/demo/token',
]);

function addProbes(server: FastifyInstance, parts: ServerParts, metrics: Metrics): void {
  const json = (reply: FastifyReply, body: string): FastifyReply =>
    reply.type('application/json; charset=utf-8').send(body);
  let document: string | undefined;
  let page: string | undefined;
  server.get('/livez', (_request, reply) => json(reply, '{"status":"ok"}'));
  server.get('/readyz', async (_request, reply) => {
    if (!parts.isServing()) throw new Problem('stopping', { retryAfterS: 1 });
    await parts.service.store.ping();
    return json(reply, '{"status":"ready"}');
  });
  const compressed = { compress: {} };
  server.get('/metrics', compressed, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
  server.get('/openapi.json', compressed, (_request, reply) =>
    json(reply, (document ??= JSON.stringify(openApi(parts.service.registry)))),
  );
  server.get('/docs', compressed, (_request, reply) => {
    void reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
    return reply.type('text/html; charset=utf-8').send((page ??= docsPage(parts.service.registry)));
  });
  if (parts.demo === null) server.get('/', (_request, reply) => reply.redirect('/docs'));
  else addDemo(server, parts.demo);
}

const standingHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;
const noContent = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every answer; by the reply, since a header set on the raw response makes Node merge all of them slowly. */
function setStandingHeaders({ id, url }: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(standingHeaders).header('x-request-id', id);
  if (!url.startsWith('/docs')) void reply.header('content-security-policy', noContent);
}

function addHooks(server: FastifyInstance, parts: ServerParts, metrics: Metrics, count: { inFlight: number }): void {
  const { config } = parts;
  const bodies = createBodyDeadline(bodyMs, () => performance.now());
  server.addHook('onRequest', (request, reply, done) => {
    request.startedMs = performance.now();
    count.inFlight += 1;
    if (request.routeOptions.config.streams !== true) bodies.began(request.raw);
    setStandingHeaders(request, reply);
    if (!parts.isServing()) void reply.header('connection', 'close');
    if (count.inFlight > config.maxInFlight) return done(new Problem('overloaded', { retryAfterS: 1 }));
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      return done(new Problem('http_invalid'));
    const { url } = request.routeOptions;
    if (url !== undefined && request.method !== 'OPTIONS' && limitedByAddress.has(url)) {
      admitter(parts, request, reply)(`${request.ip} ${url}`, 'token');
    }
    done();
  });
  server.addHook('preHandler', (request, _reply, done) => {
    bodies.ended(request.raw);
    done();
  });
  server.addHook('onClose', (_server, done) => {
    bodies.close();
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    count.inFlight -= 1;
    bodies.ended(request.raw);
    const ms = performance.now() - request.startedMs;
    const resource = request.routeOptions.config.resource ?? 'other';
    metrics.answered(resource, request.operation, reply.statusCode, ms / 1000);
    if (config.logRequests && resource !== 'other') {
      request.log.info({
        method: request.method,
        resource,
        operation: request.operation,
        status: reply.statusCode,
        ms: Math.round(ms * 100) / 100,
      });
    }
    done();
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    resource?: string;
    /** The body is read as it comes, for as long as it takes. */
    streams?: boolean;
  }
}

/** Builds the HTTP side of a service: routes, limits, logs; it listens to no port yet. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config } = parts;
  const refuse = (error: Error, request: FastifyRequest, reply: FastifyReply): void =>
    answerProblem(countedRefusal(parts, error, request, reply), request, reply);
  const server = Fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimitMb * megabyte,
    requestTimeout: 0,
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    return503OnClosing: false,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 20_000, requireHostHeader: false },
    routerOptions: { maxParamLength: 100, caseSensitive: true },
    // A logger of its own for every request costs more than a read; the few lines that are written name their request.
    childLoggerFactory: (logger) => logger,
    genReqId: (raw) => {
      const given = header(raw.headers['x-request-id']);
      return given !== undefined && sane.test(given) ? given : randomUUID();
    },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    frameworkErrors: (error, request, reply) => {
      setStandingHeaders(request, reply);
      refuse(error, request, reply);
    },
    clientErrorHandler: answerClientError,
  });
  // An expectation that is not understood may be ignored (RFC 9110, 10.1.1); Node would answer it without a body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  for (const method of Object.keys(methods)) server.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  const count = { inFlight: 0 };
  const metrics = parts.metrics(() => count.inFlight);
  server.decorateRequest('operation', 'unknown');
  server.decorateRequest('startedMs', 0);
  server.decorateRequest('admitted', false);
  server.setErrorHandler(refuse);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? '';
    const charset = /charset\s*=\s*"?([\w-]+)/iu.exec(type)?.[1];
    const encoding = request.headers['content-encoding'] ?? 'identity';
    try {
      if (!/^identity$/iu.test(encoding)) throw new Problem('media_type_unsupported');
      if (charset !== undefined && !/^utf-?8$/iu.test(charset)) throw new Problem('media_type_unsupported');
      done(null, readJson(typeof body === 'string' ? Buffer.from(body) : body, request.routeOptions.bodyLimit));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  addHooks(server, parts, metrics, count);
  await server.register(underPressure, {
    maxEventLoopDelay: config.maxEventLoopDelayMs,
    pressureHandler: (_request, _reply, type, value) => {
      throw new Problem('overloaded', {
        message: `The service is overloaded (${type}: ${String(value)}).`,
        retryAfterS: 2,
      });
    },
  });
  // Answers only: a compressed body could be a thousand times what its limit says.
  await server.register(compress, {
    global: false,
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip', 'deflate', 'identity'],
  });
  if (config.corsOrigins.length > 0) {
    await server.register(cors, {
      origin: [...config.corsOrigins],
      methods: ['POST', ...Object.keys(methods)],
      allowedHeaders: [
        'authorization',
        'content-type',
        'idempotency-key',
        'if-match',
        'x-request-id',
        'x-http-method-override',
      ],
      exposedHeaders: ['etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-request-id'],
      maxAge: 600,
    });
  }
  addResources(server, parts);
  await addUpload(server, config.uploadMb * megabyte, (request, reply, body, file) =>
    answer(parts, apiVersion, 'data', request, reply, { body, file }),
  );
  addProbes(server, parts, metrics);
  addElements(server, builtElements);
  await addSso(server, parts.signOn, parts, config.baseUrl);
  server.setNotFoundHandler((request, reply) => {
    const known = parts.service.registry.paths.has(request.url.split('/')[2]?.split('?')[0] ?? '');
    refuse(
      new Problem(known && request.url.startsWith(`/${apiVersion}/`) ? 'method_not_allowed' : 'route_unknown'),
      request,
      reply,
    );
  });
  return server;
}
