import type { FastifyRequest } from 'fastify';

/** What tells whether the service lives: answered however much else is under way. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/** Whether a request asks how the process fares. */
export const isProbe = ({ routeOptions: { url } }: FastifyRequest): boolean => url !== undefined && probes.has(url);
