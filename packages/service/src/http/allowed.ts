import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiMethods } from '../pipeline/identify.ts';
import { Problem } from '../problems/problem.ts';

/** Matches any path of two segments, so that the pipeline can name the unknown segment. */
export const anyResource = '/:version/:resource';

/** Returns the methods of an address; empty if it has no route. */
export type AllowedMethods = (request: FastifyRequest) => readonly string[];

const fits = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, index) => part === parts[index] || (part.startsWith(':') && parts[index] !== ''));

/**
 * Records the methods of every route added from now on: those in the route's configuration, or else the route's own.
 */
export function noteMethods(server: FastifyInstance): AllowedMethods {
  const routes = new Map<string, { readonly pattern: readonly string[]; readonly methods: Set<string> }>();
  server.addHook('onRoute', ({ url, method, config }) => {
    if (url === anyResource || url.includes('*')) return;
    const route = routes.get(url) ?? { pattern: url.split('/'), methods: new Set<string>() };
    routes.set(url, route);
    for (const name of config?.methods ?? [method].flat()) route.methods.add(name);
  });
  return ({ url }) => {
    const parts = url.split('?')[0]?.split('/') ?? [];
    return [
      ...new Set([...routes.values()].flatMap(({ pattern, methods }) => (fits(pattern, parts) ? [...methods] : []))),
    ];
  };
}

const belowResource = /^\/0\.1\.0\/[^/?]+\/[^?]*/u;

/** Returns the problem for a request without a route: a wrong method, or an unknown address. */
export function unrouted(url: string, allowed: readonly string[]): Problem {
  if (allowed.length === 0)
    return new Problem(
      'route_unknown',
      belowResource.test(url)
        ? {
            message:
              'This path does not exist. Nothing follows the resource in a path: send "id" and "action" in the body.',
          }
        : {},
    );
  const [firstMethod, ...others] = allowed;
  const isApi = others.length > 0 && allowed.every((method) => apiMethods.includes(method));
  return new Problem('method_not_allowed', {
    message: isApi
      ? `Send ${firstMethod} (or ${others.join(', ')}) with a JSON body.`
      : `This address takes ${allowed.join(', ')}.`,
  });
}
