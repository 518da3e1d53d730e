import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isList, isObject } from '@inlay/contract';
import { catalogue } from '../../packages/service/src/problems/catalogue.ts';
import { runBehind, useApi } from '../support/api.ts';
import { startTestService, type Answer, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

/** What is wrong with the form of a refusal. */
function faultsOf({ status, body, headers }: Answer): readonly string[] {
  if (!isObject(body)) return ['no object'];
  const { type, message, code, validation, request_id, ...others } = body;
  const known = Object.entries(catalogue).find(([word]) => word === code)?.[1];
  return [
    ...(part(type, 'code') === status ? [] : ['type.code is not the status']),
    ...(typeof part(type, 'description') === 'string' ? [] : ['no description']),
    ...(typeof message === 'string' && message.length > 0 ? [] : ['no message']),
    ...(known?.status === status ? [] : [`code ${JSON.stringify(code)} is not for ${status}`]),
    ...(request_id === headers['x-request-id'] ? [] : ['request_id is not the header']),
    ...Object.keys(others).map((name) => `${name} is not documented`),
    ...(validation === undefined ||
    (isObject(validation) && Object.values(validation).every((one) => isList(one) && one.length > 0))
      ? []
      : ['validation is not places with reasons']),
    ...(/\b(?:select|insert|sqlite|postgres|stack|node:|at \w+ \()/iu.test(JSON.stringify(body))
      ? ['tells of the inside']
      : []),
  ];
}

describe.each(storesToTest)('refusals on %s', (store) => {
  const api = useApi(store);

  it('answers every refusal in the one documented shape', async () => {
    const id = randomUUID();
    const made = await api.create('tag', {});
    const member = await api.person();
    const asks: readonly (readonly [number, () => Promise<Answer>])[] = [
      [400, () => api.call('theme', {})],
      [400, () => api.call('theme', { properties: { nmae: 1, theme: 7 } })],
      [400, () => api.call('theme', { properties: { created_at: '2020-01-01T00:00:00.000Z' } })],
      [400, () => api.call('theme', { find: { limit: -1 } })],
      [400, () => api.call('column', { properties: { securable_id: id, type: 'numeric' } })],
      [400, () => api.call('organization', { id: api.organizationId, resource: { role: 'Users', id: api.userId } })],
      [401, () => api.call('theme', { find: {} }, null)],
      [401, () => api.call('theme', { find: {} }, { key: id, token: 'x' })],
      [403, () => api.call('tag', { id: made.id, properties: { name: null } }, member.login)],
      [403, () => api.call('locale', { properties: {} })],
      [404, () => api.call('theme', { action: 'get', id })],
      [404, () => api.call('nothing', { find: {} })],
      [409, () => api.call('tag', { id: made.id, properties: {} }, api.owner, { 'if-match': '"99"' })],
      [415, () => api.call('theme', { find: {} }, api.owner, { 'content-type': 'text/plain' })],
    ];
    for (const [status, ask] of asks) {
      const answer = await ask();
      expect([answer.status, faultsOf(answer)]).toEqual([status, []]);
    }
  });

  it('name every fault at once, each at its place', async () => {
    const properties = { port: 5432.5, nmae: 'x', active: 'yes', cache: -1, description: { en: 1 }, synced: true };
    const { validation, code } = await api.refused('account', { properties });
    expect(code).toBe('validation_failed');
    expect(Object.keys(validation).toSorted()).toEqual([
      'properties.active',
      'properties.cache',
      'properties.description.en',
      'properties.nmae',
      'properties.port',
      'properties.synced',
    ]);
  });

  it('suggest the name that was meant', async () => {
    const { code, validation } = await api.refused('ssoconfig', {
      properties: { protocol: 'OIDC', config: {}, disable_email_pasword: true },
    });
    expect([code, validation]).toEqual([
      'field_unknown',
      { 'properties.disable_email_pasword': ['is not known; did you mean "disable_email_password"?'] },
    ]);
  });

  it('say the same for what is not there and what may not be seen', async () => {
    const stranger = await api.stranger();
    for (const resource of ['account', 'securable', 'theme', 'tag', 'collection', 'group']) {
      const { id } = await api.create(resource, {});
      for (const body of [
        { action: 'get', id },
        { id, properties: {} },
        { action: 'delete', id },
      ]) {
        const unseen = await api.call(resource, body, stranger.login);
        const missing = await api.call(resource, { ...body, id: randomUUID() }, stranger.login);
        const plain = ({ status, body: said }: Answer): unknown => [status, { ...Object(said), request_id: null }];
        expect([resource, body, plain(unseen)]).toEqual([resource, body, plain(missing)]);
        expect(unseen.status).toBe(404);
      }
    }
  });

  it('carry the request id that was sent, where it is sane', async () => {
    const kept = await api.call('theme', {}, api.owner, { 'x-request-id': 'trace:1.2-3_x' });
    expect([kept.headers['x-request-id'], text(kept.body, 'request_id')]).toEqual(['trace:1.2-3_x', 'trace:1.2-3_x']);
    for (const odd of ['with space', 'x'.repeat(129), '<script>']) {
      const answer = await api.call('theme', {}, api.owner, { 'x-request-id': odd });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/u);
    }
    expect((await api.call('theme', { find: {} })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/u);
  });

  it('names every request in the log by the id that its answer has', async () => {
    const lines: string[] = [];
    const service = await startTestService({
      store,
      settings: { INLAY_LOG_REQUESTS: 'true', INLAY_LOG_LEVEL: 'info' },
      log: (line) => lines.push(line),
    });
    try {
      for (const [body, status] of [
        [{ find: {} }, 200],
        [{ fnd: {} }, 400],
      ] as const) {
        const answer = await service.call('theme', body, service.owner);
        const id = String(answer.headers['x-request-id']);
        const logged = lines.map((line): unknown => JSON.parse(line)).filter((line) => part(line, 'request_id') === id);
        expect(logged).toMatchObject([{ resource: 'theme', status }]);
      }
    } finally {
      await service.stop();
    }
  });

  it('tells nothing of the inside when something of ours fails', async () => {
    const lines: string[] = [];
    const service = await startTestService({ store, log: (line) => lines.push(line) });
    try {
      await runBehind(service, 'alter table theme rename to vault');
      for (const body of [{ find: {} }, { properties: {} }, { action: 'get', id: randomUUID() }]) {
        const answer = await service.call('theme', body, service.owner);
        expect([answer.status, faultsOf(answer)]).toEqual([500, []]);
        expect(answer.body).toEqual({
          type: { code: 500, description: 'Internal Server Error' },
          message: catalogue.internal.message,
          code: 'internal',
          request_id: answer.headers['x-request-id'],
        });
        const logged = lines.filter((line) => line.includes(text(answer.body, 'request_id')));
        expect(logged.join()).toContain('theme');
      }
    } finally {
      await service.stop();
    }
  });
});
