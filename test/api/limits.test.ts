import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { startTestService, type Credential, storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

const megabyte = 1024 * 1024;
const filled = (bytes: number): string => 'x'.repeat(bytes);
const parts = (count: number, length: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`part${at}`, filled(length)]));

describe.each(storesToTest)('limits on %s', (store) => {
  const api = useApi(store);
  const codeOf = async (resource: string, body: object): Promise<unknown> => {
    const { status, body: said } = await api.call(resource, body);
    return status === 200 ? 200 : part(said, 'code');
  };
  const raw = async (payload: string, url = '/0.1.0/theme', headers: Record<string, string> = {}) => {
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await api.service.server.inject({ method: 'POST', url, headers: sent, payload });
    return { status: answer.statusCode, code: part(answer.json(), 'code') };
  };

  it('refuses a body over the limit of its resource', async () => {
    const properties = { properties: parts(90, 10_000) };
    expect(await codeOf('account', { properties })).toBe(200);
    expect(await codeOf('account', { properties: { properties: parts(120, 10_000) } })).toBe('body_too_large');
    for (const resource of ['securable', 'dashboard', 'dashboardversion']) {
      const contents = { contents: parts(70, 100_000) };
      expect([resource, await codeOf(resource, { properties: contents })]).toEqual([resource, 'body_too_large']);
    }
    for (const resource of ['securable', 'dashboard']) {
      expect(await codeOf(resource, { properties: { contents: parts(55, 100_000) } })).toBe(200);
    }
    const padded = (bytes: number): string => JSON.stringify({ find: {} }).padEnd(bytes, ' ');
    expect((await raw(padded(megabyte))).status).toBe(401);
    expect(await raw(padded(megabyte + 1))).toEqual({ status: 413, code: 'body_too_large' });
  });

  it('refuses JSON that is nested more than 64 deep', async () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect((await raw(`{"find":${nested(63)}}`)).code).not.toBe('json_invalid');
    expect(await raw(`{"find":${nested(64)}}`)).toEqual({ status: 400, code: 'json_invalid' });
    expect((await raw(`{"find":${nested(100_000)}}`)).code).toBe('json_invalid');
    const text = JSON.stringify({ find: { where: { name: '['.repeat(1000) } } });
    expect((await raw(text)).code).not.toBe('json_invalid');
  });

  it('refuses what is not JSON in UTF-8, or would not come back as it was sent', async () => {
    const bodies = [
      '',
      '{',
      'nothing',
      '{"find":{}}}',
      "{'find':{}}",
      '{"find":{"__proto__":{}}}',
      '{"find":{"constructor":1}}',
      '{"find":{"limit":1e999}}',
      '{"find":{"limit":12345678901234567890}}',
      '{"find":{"where":{"name":"\\u0000"}}}',
      '{"find":{"where":{"name":"\\ud800"}}}',
    ];
    for (const body of bodies) expect([body, await raw(body)]).toEqual([body, { status: 400, code: 'json_invalid' }]);
    for (const body of ['[]', '"x"', '7', 'null', 'true']) {
      expect([body, (await raw(body)).status]).toEqual([body, 400]);
    }
  });

  it('refuses another media type', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'application/json; charset=utf-16',
    ]) {
      const answer = await raw('{"find":{}}', '/0.1.0/theme', { 'content-type': type });
      expect([type, answer]).toEqual([type, { status: 415, code: 'media_type_unsupported' }]);
    }
    const utf8 = await raw('{"find":{}}', '/0.1.0/theme', { 'content-type': 'application/json; charset=UTF-8' });
    expect(utf8.status).toBe(401);
  });

  it('takes a hundred languages and no more', async () => {
    const languages = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`en-${String(at).padStart(3, '0')}`, 'x']));
    expect(await codeOf('theme', { properties: { name: languages(100) } })).toBe(200);
    expect(await codeOf('theme', { properties: { name: languages(101) } })).toBe('validation_failed');
  });

  it('takes a hundred associations in one create, and refuses more than two hundred', async () => {
    const tag = await api.create('tag', {});
    const associations = (count: number) => Array.from({ length: count }, () => ({ role: 'Tags', id: tag.id }));
    expect(await codeOf('securable', { properties: {}, associations: associations(100) })).toBe(200);
    expect(await codeOf('securable', { properties: {}, associations: associations(201) })).toBe('validation_failed');
  });
});

describe.each(storesToTest)('the rate limit on %s', (store) => {
  it('slows down a token that asks too often', async () => {
    const settings = { INLAY_RATE_LIMIT: '1', INLAY_RATE_BURST: '5' };
    const service = await startTestService({ store, settings });
    try {
      const ask = (by?: Credential) => service.call('theme', { find: {} }, by);
      const made = await service.call('authorization', { properties: { type: 'api' } }, service.owner);
      const other = { key: String(part(made.body, 'id')), token: String(part(made.body, 'token')) };
      const answers = [];
      for (let sent = 0; sent < 8; sent += 1) answers.push(await ask(service.owner));
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(4);
      const [first] = answers;
      expect(first?.headers['ratelimit-policy']).toMatch(/^"token";q=5/u);
      expect(first?.headers['ratelimit']).toMatch(/^"token";r=3/u);
      const refused = answers.at(-1);
      expect([refused?.status, part(refused?.body, 'code')]).toEqual([429, 'rate_limited']);
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(refused?.headers['ratelimit']).toContain('r=0');
      expect((await ask(other)).status).toBe(200);
      const waitMs = Number(refused?.headers['retry-after']) * 1000 + 100;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      expect((await ask(service.owner)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  it('gives a token the limit that an organization owner gave it, and nobody else may', async () => {
    const service = await startTestService({
      store,
      settings: { INLAY_RATE_LIMIT: '1', INLAY_RATE_BURST: '5', INLAY_SIGNUP: 'true' },
    });
    try {
      const made = await service.call('authorization', { properties: { type: 'api', rate_limit: 20 } }, service.owner);
      const wide = { key: String(part(made.body, 'id')), token: String(part(made.body, 'token')) };
      const first = await service.call('theme', { find: {} }, wide);
      expect(first.headers['ratelimit-policy']).toBe('"token";q=100');
      const person = { properties: { email: `${store}-limits@example.com` } };
      const member = await service.call('user', person, service.owner);
      const login = { key: String(part(member.body, 'key')), token: String(part(member.body, 'token')) };
      const greedy = await service.call('authorization', { properties: { type: 'api', rate_limit: 1000 } }, login);
      expect([greedy.status, part(greedy.body, 'code')]).toEqual([403, 'forbidden']);
    } finally {
      await service.stop();
    }
  });

  it('slows down an address that logs in too often', async () => {
    const service = await startTestService({ store, settings: { INLAY_LOGIN_RATE_LIMIT: '3' } });
    try {
      const login = { properties: { type: 'login', email: 'nobody@example.com', password: 'a long pass phrase' } };
      const answers = [];
      for (let sent = 0; sent < 5; sent += 1) answers.push(await service.call('authorization', login));
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
      expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(1);
      expect((await service.call('theme', { find: {} }, service.owner)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
