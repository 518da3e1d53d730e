import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problems/problem.ts';
import { isLoopback } from '../../config/setting-kinds.ts';

const hostIn = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '');

/**
 * Refuses requests that a page of another site may have sent. The name of such a site can resolve to this machine, so
 * that its requests look local. Raises Problem `forbidden`.
 */
export function onlyLoopback({ headers: { host = '', origin } }: FastifyRequest): void {
  const foreign = isLoopback(hostIn(`http://${host}`))
    ? origin === undefined || isLoopback(hostIn(origin))
      ? null
      : 'Origin'
    : 'Host';
  if (foreign === null) return;
  throw new Problem('forbidden', {
    message: `INLAY_DEV_ANONYMOUS_OWNER answers calls of this machine alone: ${foreign} must be localhost or a loopback address.`,
  });
}
