import { isList } from '@inlay/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pagePolicy } from '../pages/page-policy.ts';
import { Problem } from '../problems/problem.ts';
import type { Demo } from './demo.ts';
import { demoPage } from './page.ts';
import { sources, tenants, type TenantName } from './sources.ts';

const isTenant = (text: unknown): text is TenantName => typeof text === 'string' && Object.hasOwn(tenants, text);
const localeForm = /^[a-z]{2}(?:-[A-Za-z0-9]{2,8})?$/u;

const json = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(body));

/** Serves the demo at `/`: the page, its progress, and tokens for its tenants. These tokens can only see demo data. */
export function addDemo(server: FastifyInstance, demo: Demo): void {
  const description = {
    tenants: Object.entries(tenants).map(([id, { name }]) => ({ id, name })),
    // Lists a source once, even if it has several tables.
    sources: [...new Map(Object.values(sources).map(({ from }) => [from.title, from])).values()],
  };
  server.get('/', (_request, reply) => {
    void reply.header('content-security-policy', pagePolicy);
    return reply.type('text/html; charset=utf-8').send(demoPage);
  });
  server.get('/demo/state', (_request, reply) => json(reply, { ...demo.state(), ...description }));
  server.post<{ Body: unknown }>('/demo/token', { bodyLimit: 1024 }, async (request, reply) => {
    const { body } = request;
    const input = typeof body === 'object' && body !== null && !isList(body) ? body : {};
    const tenant = 'tenant' in input ? input.tenant : undefined;
    const locale = 'locale' in input ? input.locale : undefined;
    const faults = {
      ...(isTenant(tenant) ? {} : { tenant: [`must be one of: ${Object.keys(tenants).join(', ')}`] }),
      ...(typeof locale === 'string' && localeForm.test(locale) ? {} : { locale: ['must be a language such as "en"'] }),
    };
    if (!isTenant(tenant) || typeof locale !== 'string' || Object.keys(faults).length > 0)
      throw new Problem('validation_failed', { validation: faults });
    return json(reply, await demo.tokenFor(tenant, locale));
  });
}
