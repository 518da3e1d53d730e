import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.ts';

/** One file of the built elements, compressed when it was built. */
interface BuiltFile {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  readonly etag: string;
  /** Its name changes with its content, so it may be kept for good. */
  readonly lasting: boolean;
}

async function readElements(folder: URL): Promise<ReadonlyMap<string, BuiltFile>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[\w.-]+\.js$/u.test(name));
  const files = await Promise.all(
    names.map(async (name): Promise<readonly [string, BuiltFile]> => {
      const [plain, gzip, brotli] = await Promise.all([
        readFile(new URL(name, folder)),
        readFile(new URL(`${name}.gz`, folder)),
        readFile(new URL(`${name}.br`, folder)),
      ]);
      const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
      return [name, { plain, gzip, brotli, etag, lasting: name.startsWith('chunk-') }];
    }),
  );
  return new Map(files);
}

const lastingCache = 'public, max-age=31536000, immutable';

/** The headers of a script, which any page may load; what the elements show still needs a token. */
const asScript = (reply: FastifyReply, cache: string): FastifyReply =>
  reply
    .header('cache-control', cache)
    .header('vary', 'accept-encoding')
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .type('text/javascript; charset=utf-8');

function send(file: BuiltFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? '';
  void asScript(reply, file.lasting ? lastingCache : 'public, max-age=0, must-revalidate').header('etag', file.etag);
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  if (/\bbr\b/u.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli);
  if (/\bgzip\b/u.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}

/**
 * Serves the elements at `/embed/inlay.js`; they are read when they are first asked for, so that a start does not wait
 * for them. `earlierElement` finds files of other builds. Raises Problem: 404 `route_unknown`, 503 `elements_missing`.
 */
export function addElements(
  server: FastifyInstance,
  folder: URL,
  earlierElement: (name: string) => Promise<Buffer | null>,
): void {
  let files: Promise<ReadonlyMap<string, BuiltFile>> | undefined;
  server.get<{ Params: { file: string } }>('/embed/:file', async (request, reply) => {
    const elements = await (files ??= readElements(folder));
    if (elements.size === 0) {
      files = undefined;
      throw new Problem('elements_missing', { retryAfterS: 60 });
    }
    const file = elements.get(request.params.file);
    if (file !== undefined) return send(file, request, reply);
    const earlier = await earlierElement(request.params.file);
    if (earlier === null) throw new Problem('route_unknown');
    return asScript(reply, lastingCache).send(earlier);
  });
}
