import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problems/problem.ts';
import { causes, SignOnFault } from '../../sso/fault.ts';
import { takeLogin } from '../../sso/login/hand-over.ts';
import { signOut, signOutFromProvider } from '../../sso/login/sign-out.ts';
import { smallBodyBytes } from '../parts.ts';
import { formOf, type SsoRoutes } from './routes.ts';

const isJson = (body: unknown): body is Json => body !== undefined;
const objectOf = ({ body }: FastifyRequest): JsonObject => {
  if (isJson(body) && isObject(body)) return body;
  throw new Problem('json_invalid', { message: 'The body must be a JSON object.' });
};

/** These routes have CORS rules of their own, separate from those of the API. */
const ownCors = { config: { cors: false }, bodyLimit: smallBodyBytes } as const;

/** Lets only pages of the given origins read the answer. */
function letRead(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  const { origin } = request.headers;
  void reply.header('vary', 'origin');
  if (origin !== undefined && origins.includes(origin)) void reply.header('access-control-allow-origin', origin);
}

/** Routes for pages to fetch and end a login, and for providers to report a sign-out. */
export function addSsoCalls(server: FastifyInstance, { signOn, admit, visitOf }: SsoRoutes): void {
  const json = (reply: FastifyReply, body: object): FastifyReply =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify(body));

  for (const url of ['/sso/token', '/sso/logout'] as const) {
    server.options(url, ownCors, (request, reply) => {
      letRead(request, reply, signOn.origins);
      return reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '600',
        })
        .send();
    });
  }

  server.post('/sso/token', ownCors, async (request, reply) => {
    letRead(request, reply, signOn.origins);
    admit(request, reply);
    const { code, verifier } = objectOf(request);
    return json(reply, await takeLogin(signOn, code, verifier));
  });

  server.post('/sso/logout', ownCors, async (request, reply) => {
    letRead(request, reply, signOn.origins);
    admit(request, reply);
    const { key, token } = objectOf(request);
    if (typeof key !== 'string' || typeof token !== 'string' || !/^[\da-f-]{36}$/iu.test(key))
      throw new Problem('credentials_invalid');
    const backTo = `${visitOf(request).base}/sso/signed-out`;
    return json(reply, { url: await signOut(signOn, key.toLowerCase(), token, backTo) });
  });

  server.post<{ Params: { organization: string } }>('/sso/:organization/backchannel', async (request, reply) => {
    admit(request, reply);
    try {
      await signOutFromProvider(signOn, request.params.organization, formOf(request).get('logout_token') ?? '');
      return await reply.code(200).send();
    } catch (error) {
      if (!(error instanceof SignOnFault)) throw error;
      request.log.warn({ request_id: request.id, cause: error.cause }, 'a logout of the provider was not believed');
      void reply.code(causes[error.cause] >= 500 ? 503 : 400);
      return json(reply, { error: 'invalid_request', error_description: error.cause });
    }
  });
}
