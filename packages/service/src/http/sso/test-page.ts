import { isUuid } from '@inlay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import { identifyCaller } from '../../callers/identify.ts';
import { levelOf } from '../../declare/roles.ts';
import { findConfiguration } from '../../sso/provider/configuration.ts';
import { diagnose } from '../../sso/provider/diagnose.ts';
import { send } from '../../sso/login/login.ts';
import type { Page } from '../../sso/pages/page.ts';
import { testPage, type SsoTestResult } from '../../sso/pages/pages.ts';
import { redirectUri, type SignOn, type Visit } from '../../sso/sign-on.ts';
import { sendPage } from './pages.ts';
import { formOf, type SsoRoutes } from './routes.ts';

type OrganizationRoute = { Params: { organization: string } };

function pageFor(visit: Visit, organization: string, result: SsoTestResult): Page {
  const at = (lastSegment: string): string => `${visit.base}/sso/${encodeURIComponent(organization)}/${lastSegment}`;
  const addresses = {
    'Redirect URI': redirectUri(visit),
    'Back-channel logout': at('backchannel'),
    'After sign-out': `${visit.base}/sso/signed-out`,
  };
  return testPage(at('test'), addresses, result);
}

/** Returns the owner of the whole organization whose key and token a form contains; null if there is none. */
async function ownerOf({ store, now }: SignOn, request: FastifyRequest): Promise<(Caller & { userId: string }) | null> {
  const form = formOf(request);
  const key = form.get('key') ?? '';
  if (!isUuid(key)) return null;
  const knownCaller = await identifyCaller(store, key.toLowerCase(), form.get('token') ?? '', now());
  const caller = knownCaller?.caller;
  if (caller === undefined || caller.userId === null || caller.rank < levelOf('owner')) return null;
  if (caller.suborganization !== null) return null;
  return { ...caller, userId: caller.userId };
}

/** Adds a page on which owners test single sign-on step by step. Other people see no details of failures. */
export function addSsoTest(server: FastifyInstance, { signOn, page }: SsoRoutes): void {
  const route = '/sso/:organization/test';
  server.get<OrganizationRoute>(route, (request, reply) =>
    page(async ({ visit }) => sendPage(reply, pageFor(visit, request.params.organization, null)))(request, reply),
  );
  server.post<OrganizationRoute>(route, (request, reply) =>
    page(async (visited): Promise<FastifyReply> => {
      const { visit } = visited;
      const show = (result: SsoTestResult, status = 200): FastifyReply =>
        sendPage(reply, pageFor(visit, request.params.organization, result), status);
      const owner = await ownerOf(signOn, request);
      if (owner === null) return show({ refused: 'This is not the key and token of an Organization Owner.' }, 400);
      const handOver = { kind: 'test', userId: owner.userId } as const;
      visited.handOver = handOver;
      const { organizationId } = owner;
      const configuration = await findConfiguration(signOn.store, signOn.open, organizationId);
      const steps = await diagnose(signOn, visit, configuration);
      if (steps.some(({ good }) => good === false)) return show({ steps, signIn: null });
      const { location, cookies } = await send(signOn, visit, configuration, organizationId, handOver);
      void reply.header('set-cookie', [...cookies]);
      return show({ steps, signIn: location });
    }, 'login')(request, reply),
  );
}
