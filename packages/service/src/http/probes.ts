import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { newestContents } from '@inlay/contract';
import { contentsSchema } from '@inlay/contract/dashboard';
import { openApi } from '../docs/openapi.ts';
import { docsPage } from '../docs/page.ts';
import { addDemo } from '../demo/serve-demo.ts';
import { Problem } from '../problems/problem.ts';
import type { ServerParts } from './parts.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** True if a request may read the metrics; requires the token if one is configured. */
const mayScrape = (authorization: string | undefined, token: string | undefined): boolean =>
  token === undefined || timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));

/** Routes outside the API: health checks, metrics, the OpenAPI description, and the demo or its replacement at `/`. */
export function addProbes(server: FastifyInstance, parts: ServerParts): void {
  const json = (reply: FastifyReply, body: string): FastifyReply =>
    reply.type('application/json; charset=utf-8').send(body);
  const { metrics } = parts;
  let document: string | undefined;
  let page: string | undefined;
  let schema: string | undefined;
  server.get('/livez', (_request, reply) => json(reply, '{"status":"ok"}'));
  server.get('/readyz', async (_request, reply) => {
    if (!parts.isServing()) throw new Problem('stopping', { retryAfterS: 1 });
    await parts.service.store.ping();
    // Requests that need no unreadable secret still work, so the instance stays ready.
    const count = parts.unreadableSecrets();
    const secrets = count === null ? {} : { unreadable_secrets: count };
    return json(reply, JSON.stringify({ status: 'ready', ...secrets }));
  });
  const compressed = { compress: {} };
  server.get('/metrics', compressed, async ({ headers: { authorization } }, reply) => {
    if (!mayScrape(authorization, parts.config.metricsToken))
      throw new Problem(authorization === undefined ? 'credentials_missing' : 'credentials_invalid', {
        message: 'Send the token of INLAY_METRICS_TOKEN as "Authorization: Bearer TOKEN".',
      });
    return reply.type(metrics.contentType).send(await metrics.text());
  });
  server.get('/openapi.json', compressed, (_request, reply) =>
    json(reply, (document ??= JSON.stringify(openApi(parts.service.registry)))),
  );
  const schemaName = `${newestContents}.json`;
  server.get<{ Params: { file: string } }>('/schemas/contents/:file', compressed, (request, reply) => {
    if (request.params.file !== schemaName) throw new Problem('not_found');
    schema ??= JSON.stringify({ $id: `/schemas/contents/${schemaName}`, ...contentsSchema() });
    return reply.type('application/schema+json; charset=utf-8').send(schema);
  });
  server.get('/docs/', (_request, reply) => reply.redirect('/docs'));
  server.get('/docs', compressed, (_request, reply) => {
    void reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
    return reply.type('text/html; charset=utf-8').send((page ??= docsPage(parts.service.registry)));
  });
  if (parts.demo === null) server.get('/', (_request, reply) => reply.redirect('/docs'));
  else addDemo(server, parts.demo);
  parts.addGallery?.(server);
}
