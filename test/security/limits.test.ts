import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Faults } from '../../packages/service/src/problems/problem.ts';
import { readFind } from '../../packages/service/src/search/read.ts';
import { included } from '../../packages/service/src/search/write-includes.ts';
import { oneStore, startTestService, type TestService } from '../support/service.ts';
import { part } from '../support/world.ts';

const json = { 'content-type': 'application/json' } as const;
const megabyte = 1024 * 1024;

interface Route {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

/** Returns every route of the service as its router prints them, one method each. */
function routesOf(service: TestService): readonly Route[] {
  const above: string[] = [];
  return service.server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line): Route[] => {
      const at = line.search(/[├└]── /u) / 4;
      const [, name = '', methods] = /[├└]── (\S+)(?: \(([A-Z, ]+)\))?/u.exec(line) ?? [];
      above[at] = name;
      if (methods === undefined) return [];
      const url = above.slice(0, at + 1).join('');
      const isAnyOther = url.includes(':version');
      return [{ method: methods.includes('GET') ? 'GET' : 'POST', url: isAnyOther ? '/9/none' : url }];
    });
}

describe('limits', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      store: oneStore,
      settings: { INLAY_RATE_LIMIT: '1', INLAY_RATE_BURST: '3', INLAY_LOGIN_RATE_LIMIT: '3' },
    });
  });
  afterAll(() => service?.stop());

  it('holds on every route: after the burst the same sender is answered 429 and when to come back', async () => {
    const routes = routesOf(service);
    process.stdout.write(`routes: ${routes.map(({ method, url }) => `${method} ${url}`).join(', ')}\n`);
    const own = [
      '/s/:slug',
      '/s/:slug/token',
      '/hooks/:secret',

      '/',
      '/9/none',
      '/docs',
      '/docs/',
      '/schemas/contents/:file',
      '/embed/:file',
      '/livez',
      '/metrics',
      '/openapi.json',
      '/readyz',
      '/0.1.0/data/file',
      '/0.1.0/task/:id',
      '/0.1.0/task/:id/file',
      ...['backchannel', 'login', 'test'].map((name) => `/sso/:organization/${name}`),
      ...['callback', 'logout', 'prove', 'signed-out', 'token'].map((name) => `/sso/${name}`),
    ];
    const expected = [...[...service.app.service.registry.paths.keys()].map((path) => `/0.1.0/${path}`), ...own];
    expect(routes.map(({ url }) => url).toSorted()).toEqual(expected.toSorted());
    const without: string[] = [];
    let address = 1;
    for (const { method, url } of routes) {
      for (const body of method === 'GET' ? [''] : ['{}', '{"find":{}}', '{', '{"key":"x","token":"y","find":{}}']) {
        const statuses: number[] = [];
        const remoteAddress = `10.0.${Math.floor(address / 250)}.${(address += 1) % 250}`;
        for (let count = 0; count < 5; count += 1) {
          const answer = await service.server.inject({
            method,
            url,
            remoteAddress,
            headers: method === 'GET' ? {} : json,
            payload: body,
          });
          statuses.push(answer.statusCode);
          if (answer.statusCode === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        }
        if (!statuses.includes(429)) without.push(`${method} ${url} ${body}: ${statuses.join(', ')}`);
      }
    }
    expect(without).toEqual([]);
  });

  it('counts calls by token and logins by address', async () => {
    const find = { find: { limit: 1 } };
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await service.call('theme', find, service.owner)).status);
    expect(statuses).toContain(429);
    const login = {
      action: 'create',
      properties: { type: 'login', email: 'nobody@example.com', password: 'wrong wrong wrong' },
    };
    const logins: number[] = [];
    for (let count = 0; count < 6; count += 1) logins.push((await service.call('authorization', login)).status);
    expect(logins).toContain(429);
  });
});

describe('sizes', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ store: oneStore });
  });
  afterAll(() => service?.stop());

  it('refuses a body over the limit of its route, on every route', async () => {
    const paths = [...service.app.service.registry.paths].map(
      ([path, { resource }]) => [path, resource.bodyMb ?? 1] as const,
    );
    expect(new Set(paths.map(([, limit]) => limit))).toEqual(new Set([1, 2, 6, 64]));
    for (const [path, limit] of [...paths, ['nothing', 1] as const]) {
      const payload = `{"x":"${'a'.repeat(limit * megabyte)}"}`;
      const answer = await service.server.inject({ method: 'POST', url: `/0.1.0/${path}`, headers: json, payload });
      expect([path, answer.statusCode, part(answer.json(), 'code')]).toEqual([path, 413, 'body_too_large']);
    }
  });

  it('refuses a body nested more than 64 deep, on every route', async () => {
    for (const path of service.app.service.registry.paths.keys()) {
      for (const depth of [65, 1_000, 100_000]) {
        const payload = `{"find":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
        const answer = await service.server.inject({ method: 'POST', url: `/0.1.0/${path}`, headers: json, payload });
        expect([path, depth, answer.statusCode]).toEqual([path, depth, 400]);
      }
    }
  });

  it('caps limit, offset, depth and number of what a search asks for', async () => {
    const many = (count: number): unknown[] => Array.from({ length: count }, () => ({ model: 'Users' }));
    const deep = (levels: number): object => (levels === 0 ? {} : { and: [deep(levels - 1)] });
    const finds = [
      { limit: 10_001 },
      { limit: -1 },
      { limit: 1.5 },
      { limit: '10' },
      { offset: -1 },
      { offset: 1e10 },
      { include: many(31) },

      { where: deep(9) },
      { where: { or: Array.from({ length: 201 }, () => ({ rows: 1 })) } },
      { attributes: many(201) },

      { where: { id: { in: Array.from({ length: 10_001 }, () => service.owner.key) } } },
      { search: { keyphrase: 'a '.repeat(300) } },
      {
        include: [
          {
            model: 'Users',
            include: [{ model: 'Groups', include: [{ model: 'Users', include: [{ model: 'Groups' }] }] }],
          },
        ],
      },
    ];
    for (const find of finds) {
      const answer = await service.call('securable', { find }, service.owner);
      expect([JSON.stringify(find).slice(0, 80), answer.status]).toEqual([JSON.stringify(find).slice(0, 80), 400]);
    }
  });

  it('takes a text as long as its field says and no longer', async () => {
    const create = async (resource: string, properties: object): Promise<number> =>
      (await service.call(resource, { action: 'create', properties }, service.owner)).status;
    const css = (length: number): string => `.a{color:red}${' '.repeat(length - 13)}`;
    expect(await create('securable', { type: 'dashboard', css: css(65_536) })).toBe(200);
    expect(await create('securable', { type: 'dashboard', css: css(65_537) })).toBe(400);
    expect(await create('account', { scope: 'a'.repeat(10_000) })).toBe(200);
    expect(await create('account', { scope: 'a'.repeat(10_001) })).toBe(400);
  });

  it('takes includes on more parents than one statement can bind', async () => {
    const { registry, store } = service.app.service;
    const { include } = readFind(
      registry,
      registry.resource('securable'),
      { include: [{ model: 'Users' }] },
      new Faults(),
    );
    const [users] = include;
    const ids = Array.from({ length: 70_000 }, (_, index) => String(index));
    const asking = { reader: store, registry, caller: null };
    if (users === undefined) throw new Error('no include was read');
    expect(await included(asking, registry.resource('securable'), ids, users)).toEqual([]);
  });
});
