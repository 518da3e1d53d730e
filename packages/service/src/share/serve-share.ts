import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Service } from '../pipeline/service.ts';
import type { SharedDashboard } from '../commands/share.ts';
import { pagePolicy } from '../pages/page-policy.ts';
import { Problem } from '../problems/problem.ts';
import { missingPage, sharePage } from './page.ts';

const headers = { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' } as const;

/** True if a text may be a slug. Slugs have 128 random bits, so a longer text is none. */
const isSlug = (text: string): boolean => /^[\w-]{1,64}$/u.test(text);

/** Opens a share by its slug. Raises Problem `not_found`. */
async function open({ store, now }: Service, slug: string): Promise<SharedDashboard> {
  if (!isSlug(slug)) throw new Problem('not_found');
  const result = await store.write({ kind: 'share', slug, atMs: now() });
  if (result.kind === 'problem') throw new Problem(result.problem.code, result.problem);
  if (result.kind !== 'shared') throw new Error(`a share was answered as ${result.kind}`);
  return result.shared;
}

const send = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply
    .code(status)
    .headers({ ...headers, 'content-security-policy': pagePolicy })
    .type('text/html; charset=utf-8')
    .send(page);

/** Serves the pages of shares at `/s/<slug>`, and new tokens for pages that stay open. */
export function addShares(server: FastifyInstance, service: Service): void {
  server.get<{ Params: { slug: string } }>('/s/:slug', async (request, reply) => {
    const openedShare = await open(service, request.params.slug).catch((error: unknown) => {
      if (error instanceof Problem && error.data.code === 'not_found') return null;
      throw error;
    });
    return openedShare === null ? send(reply, 404, missingPage) : send(reply, 200, sharePage(openedShare));
  });
  server.post<{ Params: { slug: string } }>('/s/:slug/token', { bodyLimit: 1024 }, async (request, reply) => {
    void reply.headers(headers);
    const { key, token } = await open(service, request.params.slug);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ key, token }));
  });
}
