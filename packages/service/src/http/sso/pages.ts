import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Recorder } from '../../metrics/metrics.ts';
import { problemOf } from '../../pipeline/problem-of.ts';
import { catalogue } from '../../problems/catalogue.ts';
import { causes, SignOnFault } from '../../sso/fault.ts';
import { writePage, type Page } from '../../sso/pages/page.ts';
import { faultPage } from '../../sso/pages/pages.ts';
import type { HandOver } from '../../sso/login/state.ts';
import { languageOf, type Language } from '../../sso/pages/words.ts';

export const languageFor = (request: FastifyRequest): Language => languageOf(request.headers['accept-language']);

/** Sends a page that must not be framed, cached or leak a referrer. */
export function sendPage(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  const { html, policy } = writePage(page, randomBytes(16).toString('base64url'));
  return reply
    .code(status)
    .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(html);
}

/** Converts an error to a fault that a page can show: a SignOnFault, or an overload. Other errors are rethrown. */
function faultOf(error: unknown): SignOnFault {
  if (error instanceof SignOnFault) return error;
  const { status } = catalogue[problemOf(error).data.code];
  if (status === 503) return new SignOnFault('busy', 'The service has too much to do.');
  throw error;
}

/** Sends the page of a fault, and logs the cause. */
export function sendFault(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  handOver: HandOver,
  { count }: Recorder,
): FastifyReply {
  const fault = faultOf(error);
  count('inlay_sign_ins_total', { method: 'sso', outcome: fault.cause });
  request.log.warn({ request_id: request.id, cause: fault.cause }, 'nobody was signed in');
  if (causes[fault.cause] >= 500) void reply.header('retry-after', '15');
  return sendPage(reply, faultPage(languageFor(request), fault, handOver), causes[fault.cause]);
}
