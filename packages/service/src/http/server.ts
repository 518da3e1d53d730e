import compress from '@fastify/compress';
import cors from '@fastify/cors';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:zlib';
import { apiMethods, methods } from '../pipeline/identify.ts';
import { noteMethods, unrouted } from './allowed.ts';
import { countedRefusal } from './limits/admission.ts';
import { ConnectionLimit, descriptorLimit } from './limits/connections.ts';
import { addQueue } from './limits/overload.ts';
import { answerProblem } from './answer.ts';
import { afterBody, losesAnswer } from './exchange.ts';
import { answerClientError, refuseConnect } from './client-error.ts';
import { addElements } from './elements.ts';
import { header } from './header.ts';
import { addHooks, addRefusals, setStandingHeaders } from './hooks.ts';
import { megabyte, type ServerParts } from './parts.ts';
import { addProbes } from './probes.ts';
import { readJsonBodies } from './bodies.ts';
import { addResources } from './resources.ts';
import { addShares } from '../share/serve-share.ts';
import { addWebhooks } from '../webhooks/serve-webhooks.ts';
import { addSso } from './sso/serve.ts';

/** The output folder of `npm run build` for the elements. */
export const builtElements = new URL('../../../embed/dist/', import.meta.url);
const sane = /^[\w.:-]{1,128}$/u;

/**
 * Shares a single logger between requests. A child per request costs more than a read, and the few log lines include
 * the request id. The logger is its own child, since Fastify checks the result of `childLoggerFactory`.
 */
const sharedLogger = (logger: FastifyBaseLogger): FastifyBaseLogger => {
  const child: FastifyBaseLogger = Object.create(logger, { child: { value: () => child } });
  return child;
};

const doNothing = (): void => undefined;

/** Replaces Fastify's JSON schema compilers, which make up a tenth of all modules loaded at start. */
const noSchemas = {
  buildValidator: () => () => {
    throw new Error('requests are checked against declarations, not by the schema of a route');
  },
  buildSerializer: () => () => {
    throw new Error('answers are written by their parts, not by the schema of a route');
  },
};

type Refuse = (error: Error, request: FastifyRequest, reply: FastifyReply) => void;

/** Creates a Fastify server with the limits of this service and the state of each request. */
function createServer({ config, logger }: ServerParts, refuse: Refuse): FastifyInstance {
  const server = Fastify({
    loggerInstance: sharedLogger(logger),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimitMb * megabyte,
    requestTimeout: 0,
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    return503OnClosing: false,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 20_000, requireHostHeader: false },
    routerOptions: { maxParamLength: 100, caseSensitive: true },
    genReqId: (rawRequest) => {
      const requestId = header(rawRequest.headers['x-request-id']);
      return requestId !== undefined && sane.test(requestId) ? requestId : randomUUID();
    },
    schemaController: { compilersFactory: noSchemas },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    frameworkErrors: (error, request, reply) => {
      setStandingHeaders(request, reply);
      refuse(error, request, reply);
    },
    clientErrorHandler: answerClientError,
  });
  // Unknown expectations may be ignored (RFC 9110, 10.1.1); Node would answer them without a body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  server.server.on('connect', refuseConnect);
  for (const method of Object.keys(methods)) server.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  server.decorateRequest('operation', 'unknown');
  server.decorateRequest('startedMs', 0);
  server.decorateRequest('address', '');
  server.decorateRequest('exchange');
  server.decorateRequest('admit');
  server.decorateRequest('rowsOnDisk', null);
  server.decorateRequest('recognised', doNothing);
  server.decorateRequest('sender', '');
  server.decorateRequest('tenant', '');
  server.decorateRequest('trace');
  server.decorateRequest('endedBy', null);
  server.decorateRequest('isAnswered', false);
  server.decorateRequest('admitted', false);
  server.setErrorHandler(refuse);
  return server;
}

const headersOfPages = ['authorization', 'content-type', 'idempotency-key', 'if-match', 'prefer'];
const corsHeaders = {
  allowedHeaders: [...headersOfPages, 'x-request-id', 'x-http-method-override'],
  exposedHeaders: [
    'etag',
    'idempotency-replayed',
    'location',
    'preference-applied',
    'ratelimit',
    'ratelimit-policy',
    'retry-after',
    'x-request-id',
  ],
};

/** Lets pages of the configured origins read answers. */
async function addCors(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await server.register(cors, { origin: [...origins], methods: [...apiMethods], ...corsHeaders, maxAge: 600 });
}

/** Compresses answers only: a compressed request body could expand to a thousand times its limit. */
async function addCompression(server: FastifyInstance): Promise<void> {
  await server.register(compress, {
    global: false,
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip', 'deflate', 'identity'],
    // Levels beyond which an answer of rows takes twice as long for a few percent less: for 2.2 MB, brotli takes 32 ms at
    // this level, and seconds at Node's default level; gzip takes 29 ms, 50 ms at level 5 for 7 % less.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 3 },
  });
}

/** Builds the HTTP server of a service with routes, limits and logs, without listening. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config } = parts;
  const refuse: Refuse = (error, request, reply) => {
    const answer = (): void => answerProblem(countedRefusal(parts, error, request, reply), request, reply);
    if (losesAnswer(request)) afterBody(request.raw, answer);
    else answer();
  };
  const server = createServer(parts, refuse);
  const allowedMethods = noteMethods(server);
  readJsonBodies(server, parts.bodies, parts.service);
  addHooks(server, parts);
  // Before any refusal: pages may only read answers with CORS headers, and need Retry-After.
  await addCors(server, config.corsOrigins);
  addQueue(server, new ConnectionLimit(server.server, parts.logger, descriptorLimit()), parts);
  addRefusals(server, parts, allowedMethods);
  await addCompression(server);
  await addResources(server, parts);
  addProbes(server, parts);
  addElements(server, builtElements, parts.earlierElement);
  addShares(server, parts.service);
  await addWebhooks(server, parts.service);
  await addSso(server, parts.signOn, parts, config.baseUrl, parts.bodies.pace);
  server.setNotFoundHandler((request, reply) => {
    refuse(unrouted(request.url, allowedMethods(request)), request, reply);
  });
  return server;
}
