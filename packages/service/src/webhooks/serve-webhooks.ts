import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../pipeline/service.ts';
import { Problem } from '../problems/problem.ts';

/** True if a text may be the secret of an address. Secrets have 256 random bits. */
const isSecret = (text: string): boolean => /^[\w-]{43}$/u.test(text);

/** Bodies are not used, so that any system can call an address with what it sends. */
const bodyLimit = 65_536;

/** Requests the refresh that belongs to a secret. Raises Problem `not_found`. */
async function request({ store }: Service, secret: string): Promise<void> {
  if (!isSecret(secret)) throw new Problem('not_found');
  const result = await store.write({ kind: 'webhook', hash: hash('sha256', secret, 'base64url') });
  if (result.kind === 'problem') throw new Problem(result.problem.code, result.problem);
  if (result.kind !== 'done' || result.count === 0) throw new Problem('not_found');
}

/** Serves the addresses at `/hooks/<secret>` that refresh accelerations. */
export async function addWebhooks(server: FastifyInstance, service: Service): Promise<void> {
  await server.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null, null);
    });
    hooks.post<{ Params: { secret: string } }>('/hooks/:secret', { bodyLimit }, async ({ params }, reply) => {
      await request(service, params.secret);
      return reply.code(202).type('application/json; charset=utf-8').send('{}');
    });
  });
}
