import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignOnFault } from '../../sso/fault.ts';
import type { SignOn, Visit } from '../../sso/sign-on.ts';
import { ourCookies, type HandOver } from '../../sso/login/state.ts';
import { admitter, type Limits } from '../limits/admission.ts';
import { sendFault } from './pages.ts';

/** A request of a browser, and how to hand the login over to the page, as soon as that is known. */
export interface BrowserRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly visit: Visit;
  handOver: HandOver;
}

/** Shared context of the single sign-on routes. */
export interface SsoRoutes {
  readonly signOn: SignOn;
  readonly admit: (request: FastifyRequest, reply: FastifyReply, kind?: 'token' | 'login') => void;
  readonly visitOf: (request: FastifyRequest) => Visit;
  /** Wraps work in a handler that always answers with a page. */
  readonly page: (
    work: (visited: BrowserRequest) => Promise<FastifyReply>,
    kind?: 'token' | 'login',
  ) => (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/**
 * Returns the address of this service as browsers see it: the setting, or on loopback the requested address. Raises
 * SignOnFault.
 */
function baseOf(request: FastifyRequest, baseUrl: string | undefined): string {
  if (baseUrl !== undefined) return baseUrl;
  const host = request.headers.host ?? '';
  if (/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/u.test(host)) return `http://${host}`;
  const detail = 'The operator must set INLAY_BASE_URL, the address at which this service is reached.';
  throw new SignOnFault('set_up_wrong', detail);
}

/** Creates the shared context of the single sign-on routes. */
export function routesOf(signOn: SignOn, limits: Limits, baseUrl: string | undefined): SsoRoutes {
  const visitOf: SsoRoutes['visitOf'] = (request) => ({
    base: baseOf(request, baseUrl),
    cookies: ourCookies(request.headers.cookie),
  });
  const admit: SsoRoutes['admit'] = (request, reply, kind = 'token') =>
    admitter(limits, request, reply)(`${request.address} sso`, kind);
  const page: SsoRoutes['page'] =
    (work, kind = 'token') =>
    async (request, reply) => {
      admit(request, reply, kind);
      const at: { visited?: BrowserRequest } = {};
      try {
        at.visited = { request, reply, visit: visitOf(request), handOver: { kind: 'none' } };
        return await work(at.visited);
      } catch (error) {
        return sendFault(request, reply, error, at.visited?.handOver ?? { kind: 'none' }, signOn.recorder);
      }
    };
  return { signOn, admit, visitOf, page };
}

export const queryOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** Returns the fields of a submitted form. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' ? body : '');
