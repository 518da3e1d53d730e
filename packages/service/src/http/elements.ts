import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.ts';

const decompressed = promisify(brotliDecompress);

/** A file of the elements, compressed at build time. */
interface ElementFile {
  readonly brotli: Buffer;
  /** Missing in files of earlier builds. */
  readonly gzip?: Buffer;
  readonly plain: () => Promise<Buffer>;
  readonly etag: string;
  /** True if the file name contains a content hash, so that caches may keep the file forever. */
  readonly lasting: boolean;
}

/** The ETag depends on the content only, so it is equal on every instance and build. */
const etagOf = (brotli: Buffer): string => `"${createHash('sha256').update(brotli).digest('base64url').slice(0, 22)}"`;

async function readElements(folder: URL): Promise<ReadonlyMap<string, ElementFile>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[\w.-]+\.js$/u.test(name));
  const files = await Promise.all(
    names.map(async (name): Promise<readonly [string, ElementFile]> => {
      const [contents, gzip, brotli] = await Promise.all([
        readFile(new URL(name, folder)),
        readFile(new URL(`${name}.gz`, folder)),
        readFile(new URL(`${name}.br`, folder)),
      ]);
      const isLasting = name.startsWith('chunk-');
      return [name, { brotli, gzip, plain: async () => contents, etag: etagOf(brotli), lasting: isLasting }];
    }),
  );
  return new Map(files);
}

/** Sends a script to any site, without a token. The data that elements show still needs a token. */
async function send(file: ElementFile, { headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const acceptEncoding = headers['accept-encoding'] ?? '';
  void reply
    .header(
      'cache-control',
      file.lasting ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
    )
    .header('vary', 'accept-encoding')
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('etag', file.etag)
    .type('text/javascript; charset=utf-8');
  if (headers['if-none-match'] === file.etag) return reply.code(304).send();
  if (/\bbr\b/u.test(acceptEncoding)) return reply.header('content-encoding', 'br').send(file.brotli);
  if (file.gzip !== undefined && /\bgzip\b/u.test(acceptEncoding))
    return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(await file.plain());
}

/**
 * Serves the elements at `/embed/inlay.js`, loaded on the first request to keep the start fast. `earlierElement` finds
 * files of other builds, compressed with Brotli. Raises Problem: 404 `route_unknown`, 503 `elements_missing`.
 */
export function addElements(
  server: FastifyInstance,
  folder: URL,
  earlierElement: (name: string) => Promise<Buffer | null>,
): void {
  let files: Promise<ReadonlyMap<string, ElementFile>> | undefined;
  server.get<{ Params: { file: string } }>('/embed/:file', async (request, reply) => {
    const elements = await (files ??= readElements(folder));
    if (elements.size === 0) {
      files = undefined;
      throw new Problem('elements_missing', { retryAfterS: 60 });
    }
    const file = elements.get(request.params.file);
    if (file !== undefined) return send(file, request, reply);
    const brotli = await earlierElement(request.params.file);
    if (brotli === null) throw new Problem('route_unknown');
    const readPlain = (): Promise<Buffer> => decompressed(brotli);
    return send({ brotli, plain: readPlain, etag: etagOf(brotli), lasting: true }, request, reply);
  });
}
