import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

describe.each(storesToTest)('methods and paths on %s', (store) => {
  const api = useApi(store);

  const send = async (
    method: 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body: object,
    override: Record<string, string> = {},
  ): Promise<{ status: number; body: JsonObject }> => {
    const payload = JSON.stringify({ ...body, ...api.owner });
    const headers = { 'content-type': 'application/json', ...override };
    const answer = await api.service.server.inject({ method, url, headers, payload });
    return { status: answer.statusCode, body: answer.json() };
  };

  it('takes the operation from the method', async () => {
    const { id } = await api.create('securable', { name: { en: 'By method' } });
    const tag = await api.create('tag', {});
    const path = '/0.1.0/securable';
    const link = { id, resource: { role: 'Tags', id: tag.id } };
    const linked = async (): Promise<readonly string[]> => Object.keys(await api.links('securable', id, 'Tags'));
    const ask = (method: string, body: object) => send('POST', path, body, { 'x-http-method-override': method });
    expect((await ask('LINK', link)).status).toBe(200);
    expect(await linked()).toEqual([tag.id]);
    expect((await ask('unlink', link)).status).toBe(200);
    expect(await linked()).toEqual([]);
    expect((await ask('PATCH', { id, properties: { name: { en: 'Patched' } } })).body['name']).toEqual({
      en: 'Patched',
    });
    expect((await ask('search', { find: { where: { id } } })).body['count']).toBe(1);
    expect((await ask('DELETE', { id })).body).toEqual({ code: 200 });
    expect((await api.refused('securable', { action: 'get', id })).status).toBe(404);
    const other = await api.create('tag', { name: { en: 'Real method' } });
    expect((await send('PATCH', '/0.1.0/tag', { id: other['id'], properties: { name: { en: 'x' } } })).status).toBe(
      200,
    );
    expect((await send('DELETE', '/0.1.0/tag', { id: other['id'] })).status).toBe(200);
  });

  it('lets action win over the method and refuses an override it does not know', async () => {
    const { id } = await api.create('tag', {});
    expect((await send('DELETE', '/0.1.0/tag', { action: 'get', id })).body['id']).toBe(id);
    const override = { 'x-http-method-override': 'PURGE' };
    expect((await send('POST', '/0.1.0/tag', { find: {} }, override)).status).toBe(400);
  });

  it('answers 405 to another method', async () => {
    for (const method of ['GET', 'PUT', 'OPTIONS'] as const) {
      const answer = await api.service.server.inject({ method, url: '/0.1.0/theme' });
      expect([method, answer.statusCode, part(answer.json(), 'code')]).toEqual([method, 405, 'method_not_allowed']);
      expect(answer.headers['allow']).toBe('POST, SEARCH, PATCH, DELETE, LINK, UNLINK');
    }
  });

  it('answers 404 route_unknown below a resource, whatever the method', async () => {
    for (const method of ['POST', 'GET'] as const) {
      for (const url of ['/0.1.0/theme/', '/0.1.0/theme/x', '/0.1.0']) {
        const answer = await api.service.server.inject({ method, url, payload: { find: {} } });
        expect([method, url, answer.statusCode, part(answer.json(), 'code')]).toEqual([
          method,
          url,
          404,
          'route_unknown',
        ]);
      }
    }
  });

  it('answers 404 version_unknown for another version', async () => {
    for (const version of ['0.1.1', '0.2.0', '1', 'v0.1.0']) {
      const answer = await send('POST', `/${version}/theme`, { find: {} });
      expect([version, answer.status, answer.body['code']]).toEqual([version, 404, 'version_unknown']);
    }
    expect((await api.refused('theme', { find: {}, version: '0.2.0' })).status).toBe(400);
    expect((await api.call('theme', { find: {}, version: '0.1.0' })).status).toBe(200);
  });

  it('answers 404 resource_unknown with the nearest name', async () => {
    const answer = await api.call('themes', { find: {} });
    expect([answer.status, part(answer.body, 'code')]).toEqual([404, 'resource_unknown']);
    expect(text(answer.body, 'message')).toContain('"theme"');
    for (const resource of ['Theme', 'alert', 'constructor', 'data%2F']) {
      expect([resource, (await api.refused(resource, { find: {} })).status]).toEqual([resource, 404]);
    }
  });

  it('treats dashboard and dataset as securables of that type', async () => {
    const dataset = await api.ok('dataset', { properties: { name: { en: 'Rows' } } });
    const dashboard = await api.ok('dashboard', { properties: { name: { en: 'View' } } });
    expect([dataset['type'], dashboard['type']]).toEqual(['dataset', 'dashboard']);
    expect((await api.refused('dashboard', { properties: { type: 'dataset' } })).validation).toHaveProperty([
      'properties.type',
    ]);
    expect((await api.ok('dashboard', { properties: { type: 'dashboard' } }))['type']).toBe('dashboard');
    expect(await api.findIds('dataset', { where: { id: [dataset['id'], dashboard['id']] } })).toEqual([dataset['id']]);
    expect((await api.refused('dashboard', { action: 'get', id: dataset['id'] })).status).toBe(404);
    expect((await api.refused('dashboard', { action: 'delete', id: dataset['id'] })).status).toBe(404);
    expect((await api.refused('dashboard', { id: dataset['id'], properties: {} })).status).toBe(404);
    await api.ok('dataset', { action: 'delete', id: dataset['id'] });
  });
});
