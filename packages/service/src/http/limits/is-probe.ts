import type { FastifyRequest } from 'fastify';

/** Health checks and metrics, answered under any load. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

export const isProbe = ({ routeOptions: { url } }: FastifyRequest): boolean => url !== undefined && probes.has(url);
