import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../support/process.ts';
import { oneStore, startTestService, type TestService } from '../support/service.ts';
import { buildWorld, type World } from '../support/world.ts';
import { creation, kinds, resourceOf } from '../api/matrix/bodies.ts';

const polluted = '{"polluted":true,"isAdmin":true,"x":1}';
const names = [
  '__proto__',
  'constructor',
  'prototype',
  '\\u005f_proto__',
  '__pr\\u006fto__',
  'const\\u0072uctor',
  '__defineGetter__',
] as const;
const inherited = [
  '__defineSetter__',
  '__lookupGetter__',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'toLocaleString',
] as const;

/** Thirty shapes and more: JSON text to put where an object belongs. */
const shapes: readonly string[] = [
  ...names.map((name) => `{"${name}":${polluted}}`),
  ...names.slice(0, 4).map((name) => `{"a":{"${name}":${polluted}}}`),
  ...names.slice(0, 4).map((name) => `[{"${name}":${polluted}}]`),
  ...inherited.map((name) => `{"${name}":${polluted}}`),
  ...inherited.slice(2).map((name) => `{"${name}":"text"}`),
  `{"constructor":{"prototype":${polluted}}}`,
  `{"en":{"__proto__":${polluted}}}`,
  `{"__proto__":null}`,
  `{"__proto__":[]}`,
  `{"__proto__.x":1,"constructor.prototype.x":1,"[__proto__]":1}`,
  `{"__proto__":{"__proto__":${polluted}}}`,
  `{"a":1,"a":{"__proto__":${polluted}}}`,
];

const untouched = JSON.stringify(Reflect.ownKeys(Object.prototype).map(String).toSorted());

/** What a request left behind on every object; empty if nothing. */
function leftBehind(): string {
  const fresh: Record<string, unknown> = {};
  const found = ['polluted', 'isAdmin', 'x', 'en'].filter((name) => fresh[name] !== undefined);
  const keys = JSON.stringify(Reflect.ownKeys(Object.prototype).map(String).toSorted());
  return keys === untouched ? found.join(', ') : keys;
}

describe('prototype pollution', () => {
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    service = await startTestService({ store: oneStore, settings: { INLAY_SIGNUP: 'true' } });
    world = await buildWorld(service);
  });
  afterAll(() => service?.stop());

  it('leaves every object as it was, whatever the shape, on every route and place', async () => {
    expect(shapes.length).toBeGreaterThanOrEqual(30);
    const founder = world.credential('owner');
    const signed = `"key":"${founder?.key}","token":"${founder?.token}"`;
    const wrong: string[] = [];
    let sent = 0;
    for (const [path, { resource }] of service.app.service.registry.paths) {
      const open = Object.entries(resource.fields).flatMap(([name, { kind }]) =>
        ['object', 'multilingual', 'multilingualList', 'list', 'sealed'].includes(kind) ? [name] : [],
      );
      for (const shape of shapes) {
        const example = JSON.stringify(resource.example).slice(1, -1);
        const separated = example === '' ? '' : `${example},`;
        const bodies = [
          shape,
          `{${signed},"action":"create","properties":${shape}}`,
          `{${signed},"find":${shape}}`,
          `{${signed},"find":{"where":${shape},"include":${shape}}}`,
          `{${signed},"action":"associate","id":"018f0000-0000-7000-8000-000000000000","resource":${shape},"properties":${shape}}`,
          ...open.map((name) => `{${signed},"action":"create","properties":{${separated}"${name}":${shape}}}`),
        ];
        for (const payload of bodies) {
          const headers = { 'content-type': 'application/json' };
          const answer = await service.server.inject({ method: 'POST', url: `/0.1.0/${path}`, headers, payload });
          sent += 1;
          const left = leftBehind();
          if (left !== '' || answer.statusCode === 500)
            wrong.push(`${path} ${answer.statusCode} ${left}: ${payload.replace(signed, '')}`);
        }
      }
    }
    process.stdout.write(`prototype pollution: ${sent} requests of ${shapes.length} shapes\n`);
    expect(wrong.slice(0, 20).join('\n')).toBe('');
  });

  it('works without __proto__ and with frozen intrinsics', async () => {
    const key = '018f0000-0000-7000-8000-0000000000aa';
    const token = 'q7Xk2vN9pLr4TzWs8BmYc3HdFg6JaEu1QoVi5';
    const options = { NODE_OPTIONS: '--disable-proto=delete --frozen-intrinsics --no-warnings' };
    const started = await startService({ env: { ...options, INLAY_BOOTSTRAP_KEY: key, INLAY_BOOTSTRAP_TOKEN: token } });
    try {
      const call = async (resource: string, body: object): Promise<number> => {
        const headers = { 'content-type': 'application/json', connection: 'close' };
        const answer = await fetch(`${started.url}/0.1.0/${resource}`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ ...body, key, token }),
        });
        await answer.arrayBuffer();
        return answer.status;
      };
      const made = kinds.filter((kind) =>
        ['theme', 'tag', 'dataset', 'dashboard', 'account', 'plugin', 'group', 'user'].includes(kind),
      );
      for (const kind of made) {
        const properties = await creation(kind, () => Promise.resolve(''));
        expect(await call(resourceOf(kind), { action: 'create', properties }), kind).toBe(200);
        expect(await call(resourceOf(kind), { find: { limit: 1 } }), kind).toBe(200);
      }
      for (const path of ['/docs', '/metrics', '/openapi.json'])
        expect((await fetch(`${started.url}${path}`)).status).toBe(200);
    } finally {
      await started.stop();
    }
  });
});
