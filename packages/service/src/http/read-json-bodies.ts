import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems/problem.ts';
import { readJson } from './read-json.ts';

/** Bodies are JSON in UTF-8, as they are, and nothing else; the rest is refused with `media_type_unsupported`. */
export function readJsonBodies(server: FastifyInstance): void {
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
}
