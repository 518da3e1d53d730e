import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingRequest } from '../../pipeline/identify.ts';
import { catalogue } from '../../problems/catalogue.ts';
import { Problem } from '../../problems/problem.ts';
import { problemOf } from '../../pipeline/problem-of.ts';
import type { RateLimit } from './rate-limit.ts';

/** The rate limits of an instance; null means unlimited. */
export interface Limits {
  readonly tokens: RateLimit | null;
  readonly logins: RateLimit | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** True if the request was counted against its sender's limit. */
    admitted: boolean;
  }
}

/**
 * Counts a request against its sender's limit, once per sender, and sets the rate limit headers. Raises Problem
 * `rate_limited`.
 */
export function admitter(
  { tokens, logins }: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): IncomingRequest['admit'] {
  let countedSubject: string | undefined;
  return (subject, kind, perSecond = null) => {
    request.admitted = true;
    if (countedSubject === subject) return;
    const limit = kind === 'login' ? logins : tokens;
    const allowance = limit?.take(subject, perSecond);
    if (allowance === undefined) return;
    void reply.header('ratelimit-policy', `"${kind}";q=${allowance.limit}`);
    void reply.header('ratelimit', `"${kind}";r=${allowance.remaining};t=${allowance.retryAfterS}`);
    if (!allowance.allowed) throw new Problem('rate_limited', { retryAfterS: allowance.retryAfterS });
    countedSubject = subject;
  };
}

/**
 * Returns the error to answer. A request refused before its sender was known counts against its address, so that every
 * route is limited. Beyond that limit, the error is `rate_limited`.
 */
export function countedRefusal(limits: Limits, error: Error, request: FastifyRequest, reply: FastifyReply): Error {
  const { code } = problemOf(error).data;
  if (request.admitted || catalogue[code].status >= 500) return error;
  try {
    admitter(limits, request, reply)(request.address, 'token');
    return error;
  } catch (limitError) {
    return limitError instanceof Problem ? limitError : error;
  }
}
