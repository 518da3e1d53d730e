import { apiVersion } from '@inlay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.ts';
import { callOnce } from '../concurrency/release.ts';
import { Concerns } from '../tracing/concerns.ts';
import { noSpan } from '../tracing/trace.ts';
import { countedAddress } from './limits/address.ts';
import { admitter } from './limits/admission.ts';
import { anyResource, unrouted, type AllowedMethods } from './allowed.ts';
import { createExchanges } from './exchange.ts';
import { header } from './header.ts';
import { isProbe } from './limits/is-probe.ts';
import { onlyLoopback } from './limits/only-loopback.ts';
import type { ServerParts } from './parts.ts';

/** Routes without credentials. Each has a separate rate limit per address. */
const limitedByAddress = new Set([
  '/',
  '/livez',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/',
  '/schemas/contents/:file',
  '/embed/:file',
  '/demo/state',
  '/demo/token',
  '/gallery',
  '/gallery/:file',
  '/s/:slug',
  '/s/:slug/token',
  '/hooks/:secret',
]);

const standingHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;
const noContent = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every answer; set on the reply, because headers on the raw response force Node into a slow merge. */
export function setStandingHeaders({ id, url }: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(standingHeaders).header('x-request-id', id);
  if (!url.startsWith('/docs')) void reply.header('content-security-policy', noContent);
}

/** Records a CORS request from an origin that may not call the API. */
function noteOrigin({ config, observations }: ServerParts, { url, headers: { origin } }: FastifyRequest): void {
  if (origin === undefined || !URL.canParse(origin) || !url.startsWith(`/${apiVersion}/`)) return;
  if (!config.corsOrigins.includes(origin)) observations.note('origin', origin);
}

const resourceOf = ({ routeOptions: { config } }: FastifyRequest): string => config.resource ?? 'other';

const isResource = (request: FastifyRequest): boolean => resourceOf(request) !== 'other';

/** Ends the trace of a request and logs it. The log line of an unanswered request says what ended it. */
function noteEnd({ logRequests }: ServerParts['config'], request: FastifyRequest, reply: FastifyReply): void {
  if (!isResource(request)) return;
  const { id, method, operation, startedMs, trace, endedBy, isAnswered } = request;
  const resource = resourceOf(request);
  const concerns = trace.concerns.ids();
  const status = isAnswered || reply.raw.headersSent ? reply.statusCode : null;
  const endReason = isAnswered && endedBy === null ? {} : { ended_by: endedBy ?? 'client' };
  const { traceId } = trace.span;
  if (logRequests)
    request.log.info({
      request_id: id,
      method,
      resource,
      operation,
      status,
      ms: Math.round((performance.now() - startedMs) * 100) / 100,
      ...concerns,
      ...(traceId === null ? {} : { trace_id: traceId }),
      ...endReason,
    });
  trace.span.end({
    ...concerns,
    method,
    resource,
    operation,
    requestId: id,
    ...(status === null ? {} : { status }),
    ...(isAnswered ? {} : { problem: endedBy === 'stop' ? 'stopping' : 'client_gone' }),
  });
}

/** Hooks around every request: headers, its resources, the log and the metrics. */
export function addHooks(server: FastifyInstance, parts: ServerParts): void {
  const { acceptedCredentials, config, metrics, openRequests, slowReaders, tracer, traffic, unknownSenders } = parts;
  const openExchange = createExchanges();
  server.addHook('onRequest', (request, reply, done) => {
    request.startedMs = performance.now();
    request.trace = {
      requestId: request.id,
      concerns: new Concerns(),
      span: isResource(request) ? tracer.request(header(request.headers['traceparent']), request.startedMs) : noSpan,
    };
    const exchange = openExchange(request.raw, reply.raw);
    request.exchange = exchange;
    openRequests.add(request, reply);
    exchange.atEnd(() => {
      if (!request.isAnswered) noteEnd(config, request, reply);
    });
    request.address = countedAddress(request.ip);
    const { authorization } = request.headers;
    const organizationId = acceptedCredentials.organizationOf(authorization);
    request.sender = organizationId === null ? request.address : `accepted ${request.address}`;
    request.tenant = organizationId ?? request.address;
    if (request.method === 'OPTIONS') noteOrigin(parts, request);
    if (!isProbe(request)) {
      traffic.inFlight += 1;
      const leave = unknownSenders.add(request.sender);
      request.recognised = (organization) => {
        leave();
        request.trace.concerns.note('organization', organization);
        acceptedCredentials.add(authorization, organization);
      };
      // A completely generated answer no longer counts as in flight: its duration depends on the reader.
      const onGenerated = callOnce(() => {
        traffic.inFlight -= 1;
        leave();
      });
      const stopWatching = slowReaders.watch(reply.raw, onGenerated);
      exchange.atEnd(() => {
        stopWatching();
        onGenerated();
      });
    } else exchange.atEnd(slowReaders.watch(reply.raw, () => undefined));
    request.admit = admitter(parts, request, reply);
    setStandingHeaders(request, reply);
    if (!parts.isServing()) void reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { operation, startedMs } = request;
    const labels = { resource: resourceOf(request), operation, status: String(reply.statusCode) };
    metrics.observe('inlay_request_duration_seconds', labels, (performance.now() - startedMs) / 1000);
    request.isAnswered = true;
    noteEnd(config, request, reply);
    done();
  });
}

/**
 * Refuses requests before their body is read: without a host, with an unknown address or method, or over the rate
 * limit.
 */
export function addRefusals(server: FastifyInstance, parts: ServerParts, allowedMethods: AllowedMethods): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { config } = parts;
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      return done(new Problem('http_invalid'));
    if (config.devAnonymousOwner) onlyLoopback(request);
    if (request.is404 || request.routeOptions.url === anyResource) {
      const methods = allowedMethods(request);
      if (methods.length > 0) void reply.header('allow', methods.join(', '));
      if (request.is404 || methods.length > 0) return done(unrouted(request.url, methods));
    }
    const { url } = request.routeOptions;
    if (url !== undefined && request.method !== 'OPTIONS' && limitedByAddress.has(url)) {
      request.admit(`${request.address} ${url}`, url === '/demo/token' ? 'login' : 'token');
    }
    done();
  });
}
