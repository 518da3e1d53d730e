import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Pace } from '../../body/pace.ts';
import { readWhole } from '../../body/pieces.ts';
import { finish, resume, type SignInResult } from '../../sso/login/callback.ts';
import { SignOnFault } from '../../sso/fault.ts';
import { begin } from '../../sso/login/login.ts';
import { donePage, provePage, signedOutPage } from '../../sso/pages/pages.ts';
import { prove, waitingCookie, waitingOf } from '../../sso/login/prove.ts';
import { isSecure, type SignOn, type Visit } from '../../sso/sign-on.ts';
import { cookieName, setCookie } from '../../sso/login/state.ts';
import type { Limits } from '../limits/admission.ts';
import { smallBodyBytes } from '../parts.ts';
import { addSsoCalls } from './calls.ts';
import { languageFor, sendPage } from './pages.ts';
import { formOf, queryOf, routesOf, type BrowserRequest } from './routes.ts';
import { addSsoTest } from './test-page.ts';

type OrganizationRoute = { Params: { organization: string } };

const proveAction = ({ base }: Visit): string => `${base}/sso/prove`;

function sendFinished(signOn: SignOn, visited: BrowserRequest, state: string, result: SignInResult): FastifyReply {
  const { request, reply, visit, handOver } = visited;
  const language = languageFor(request);
  if (result.kind === 'prove') {
    void reply.header('set-cookie', waitingCookie(signOn, visit, state, result, handOver));
    return sendPage(reply, provePage(language, proveAction(visit), { state, handOver, fault: null }));
  }
  signOn.recorder.count('inlay_sign_ins_total', { method: 'sso', outcome: 'ok' });
  const secure = isSecure(visit);
  void reply.header('set-cookie', setCookie(secure, cookieName(secure, state), ''));
  if (result.kind !== 'code') return sendPage(reply, donePage(language, result));
  return reply.header('referrer-policy', 'no-referrer').redirect(result.location, 303);
}

/** Single sign-on: pages for browsers, and calls from pages and providers. */
export async function addSso(
  server: FastifyInstance,
  signOn: SignOn,
  limits: Limits,
  baseUrl: string | undefined,
  pace: Pace,
): Promise<void> {
  const routes = routesOf(signOn, limits, baseUrl);
  const { page } = routes;

  server.get<OrganizationRoute>('/sso/:organization/login', (request, reply) =>
    page(async ({ visit }) => {
      const query = queryOf(request);
      const { organization } = request.params;
      const loginRequest = { organization, returnTo: query.get('return_to'), challenge: query.get('challenge') };
      const { location, cookies } = await begin(signOn, visit, loginRequest);
      return reply.headers({ 'set-cookie': [...cookies], 'referrer-policy': 'no-referrer' }).redirect(location, 302);
    })(request, reply),
  );

  server.get(
    '/sso/callback',
    page(async (visited) => {
      const query = queryOf(visited.request);
      const login = await resume(signOn, visited.visit, query);
      visited.handOver = login.handOver;
      const result = await finish(signOn, visited.visit, query, login);
      return sendFinished(signOn, visited, login.state, result);
    }),
  );

  server.get(
    '/sso/signed-out',
    page(async ({ request, reply }) => sendPage(reply, signedOutPage(languageFor(request)))),
  );

  await server.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      async (_request: FastifyRequest, payload: IncomingMessage) =>
        (await readWhole(payload, pace, smallBodyBytes)).toString(),
    );
    forms.post(
      '/sso/prove',
      page(async (visited) => {
        const { request, reply, visit } = visited;
        const form = formOf(request);
        const pendingProof = waitingOf(signOn, visit, form.get('state') ?? '');
        visited.handOver = pendingProof.handOver;
        try {
          const result = await prove(signOn, pendingProof, form.get('password') ?? '', request.address);
          return await sendFinished(signOn, visited, pendingProof.state, result);
        } catch (error) {
          if (!(error instanceof SignOnFault) || error.cause !== 'password_wrong') throw error;
          return sendPage(
            reply,
            provePage(languageFor(request), proveAction(visit), { ...pendingProof, fault: error }),
            400,
          );
        }
      }, 'login'),
    );
    addSsoTest(forms, routes);
    addSsoCalls(forms, routes);
  });
}
