import { request } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { isObject, type Json } from '@inlay/contract';
import type { Registry } from '../../packages/service/src/resource/registry.ts';
import { hostileTexts, likelyBody, mutated, type Ids } from './arbitrary.ts';
import { findOf } from './arbitrary-find.ts';
import type { Credential } from './service.ts';

/** One HTTP request as it is sent. */
export interface Sending {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | string;
}

const json = { 'content-type': 'application/json' } as const;

/** Thirty media types; one is right. */
export const mediaTypes: readonly string[] = [
  ...[
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'APPLICATION/JSON',
    'text/plain',
  ],
  ...[
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset',
    'application/json;',
  ],
  ...[
    'text/json',
    'text/html',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '*/*',
    'json',
    '',
  ],
  ...[
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/ld+json',
    'application/json-patch+json',
    'a/b/c',
  ],
  ...[
    'application/jsonx',
    'application/json, text/html',
    'text/plain; application/json',
    'application/octet-stream',
    'image/svg+xml',
  ],
  ...[
    'application/graphql',
    'application/x-ndjson',
    'application/json; charset=utf-8; charset=utf-7',
    `application/${'x'.repeat(5000)}`,
  ],
];

const odd = [
  ...[
    '',
    ' ',
    '*',
    '"1"',
    'W/"1"',
    '"1", "2"',
    ',',
    'a'.repeat(4000),
    '\t',
    "'",
    '%00',
    'é',
    '\u00ff',
    '-1',
    '0',
    '1e9',
    '../',
    '${x}',
    'null',
  ],
  ...[
    'Bearer',
    'Bearer x',
    'Bearer x:y',
    'Basic',
    'Basic !!!',
    'Basic eDp5',
    'Negotiate abc',
    'Bearer 018f0000-0000-7000-8000-000000000000:t',
    ': :',
  ],
] as const;
const headerNames = [
  ...[
    'idempotency-key',
    'if-match',
    'x-request-id',
    'authorization',
    'x-http-method-override',
    'accept',
    'accept-encoding',
    'origin',
  ],
  ...[
    'content-encoding',
    'cookie',
    'x-forwarded-for',
    'forwarded',
    'range',
    'if-none-match',
    'if-modified-since',
    'accept-language',
    'te',
    'via',
  ],
] as const;

const headers = fc.dictionary(fc.constantFrom(...headerNames), fc.constantFrom(...odd), { maxKeys: 3 });
const methods = [
  'POST',
  'GET',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'SEARCH',
  'LINK',
  'UNLINK',
  'TRACE',
  'PROPFIND',
] as const;
const oddPaths = [
  ...[
    '/',
    '//',
    '/docs',
    '/openapi.json',
    '/livez',
    '/metrics',
    '/0.1.0',
    '/0.1.0/',
    '/0.1.0/nothing',
    '/0.2.0/theme',
    '/0.1.0/Theme',
  ],
  ...[
    '/0.1.0/theme/',
    '/0.1.0/theme/x',
    '/0.1.0/%',
    '/0.1.0/%00',
    '/0.1.0/%ff',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/0.1.0/theme?x=%',
    '/__proto__/x',
  ],
  ...[
    '/0.1.0/__proto__',
    '/0.1.0/constructor',
    `/0.1.0/${'a'.repeat(3000)}`,
    '/0.1.0/theme?action=delete',
    '/.git/config',
    '/0.1.0/theme;x',
    '/*',
  ],
] as const;

const manyMembers = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"field_${index}":${index}`).join(',')}}`;

/** Bodies that cost something: deep, long, wide. Text, for no serialiser makes them. */
export function heavyBodies(credential: Credential): fc.Arbitrary<string> {
  const { key, token } = credential;
  const wrapped = (inner: string): string => `{"key":"${key}","token":"${token}",${inner}}`;
  const depth = fc.constantFrom(63, 64, 65, 1000, 100_000, 500_000);
  const deep = fc
    .tuple(depth, fc.boolean())
    .map(([levels, closed]) => '['.repeat(levels) + (closed ? ']'.repeat(levels) : ''));
  const long = fc
    .constantFrom(10_000, 10_001, 700_000, 1_000_000, 2_000_000)
    .map((length) => JSON.stringify('x"\\'.repeat(length / 4)));
  const wide = fc.constantFrom(100, 9_990, 60_000).map(manyMembers);
  const list = fc
    .constantFrom(1000, 10_000, 100_000)
    .map((length) => `[${Array.from({ length }, () => '"a"').join(',')}]`);
  const lists = fc.constantFrom(5, 25).map((count) => {
    const one = `{"name.en":{"in":[${Array.from({ length: 9_999 }, () => '"a"').join(',')}]}}`;
    return wrapped(`"find":{"where":{"or":[${Array.from({ length: count }, () => one).join(',')}]}}`);
  });
  const comments = wrapped(
    `"action":"create","properties":{"type":"dashboard","css":${JSON.stringify('/*'.repeat(32_000))}}`,
  );
  const places = fc.constantFrom('properties', 'find', 'associations', 'id', 'resource', 'action', 'key', 'theme');
  const inside = fc
    .tuple(places, fc.oneof(deep, long, wide, list))
    .map(([place, inner]) => wrapped(`"action":"create","${place}":${inner}`));
  const where = fc
    .oneof(wide, list, long)
    .map((inner) => wrapped(`"find":{"where":${inner},"attributes":${inner},"order":${inner}}`));
  const terms = fc.constantFrom(200, 201, 3000).map((count) => {
    const one = Array.from({ length: count }, (_, index) => `{"id":{"$ne":null},"name.en":{"like":"%${index}_"}}`).join(
      ',',
    );
    return wrapped(`"find":{"where":{"or":[${one}]}}`);
  });
  const wordy = fc.constantFrom(5, 50).map((length) => {
    const named = Array.from({ length: 9_900 }, (_, index) => `"${'nam'.repeat(length / 3)}${index}":1`).join(',');
    return wrapped(`"action":"create","properties":{${named}}`);
  });
  return fc.oneof(inside, where, deep, terms, lists, wordy, fc.constant(comments));
}

const duplicated = (body: Json, again: Json): string => {
  const text = JSON.stringify(body);
  return text.startsWith('{"')
    ? `{"action":${JSON.stringify(again)},"key":${JSON.stringify(again)},${text.slice(1)}`
    : text;
};

/** What requests are drawn from. */
export interface Sender {
  readonly registry: Registry;
  readonly ids: Ids;
  readonly credentials: readonly Credential[];
}

/** Requests of every kind: valid ones changed a little, raw bytes, heavy ones, odd headers, methods and paths. */
export function requests(sender: Sender): fc.Arbitrary<Sending> {
  const { registry, ids, credentials } = sender;
  const paths = [...registry.paths.values()];
  const credential = fc.constantFrom<Partial<Credential>>(
    ...Array.from({ length: 4 }, () => credentials).flat(),
    {},
    { key: 'x', token: 'y' },
  );
  const signed = (body: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
    fc.tuple(body, credential).map(([sent, by]) => (isObject(sent) ? { ...sent, ...by } : sent));
  const likely = paths.map(({ name, resource }) => {
    const find = findOf({ registry, ids, guesses: ['Sales', ...hostileTexts], wrong: 15 }, resource);
    const body = likelyBody(resource, ids, find);
    const right = findOf({ registry, ids, guesses: ['Sales'], wrong: 0 }, resource);
    return { url: `/0.1.0/${name}`, body, whole: signed(likelyBody(resource, ids, right)) };
  });
  const changed = likely.map(({ url, body, whole }) =>
    fc.oneof(whole, signed(mutated(body)), signed(mutated(body))).map((sent): Sending => {
      return { method: 'POST', url, headers: json, payload: JSON.stringify(sent) };
    }),
  );
  const url = fc.constantFrom(...likely.map((one) => one.url));
  const raw = fc.tuple(url, fc.uint8Array({ maxLength: 300 })).map(([to, bytes]): Sending => {
    return { method: 'POST', url: to, headers: json, payload: Buffer.from(bytes) };
  });
  const cut = likely.map(({ url: to, whole: body }) =>
    fc
      .tuple(body, fc.nat(), fc.constantFrom('', '\0', '\ud83d', '}', ',', '\u0007', '\\u0000', '1e999'))
      .map(([sent, at, put]): Sending => {
        const text = JSON.stringify(sent);
        const place = at % text.length;
        return {
          method: 'POST',
          url: to,
          headers: json,
          payload: Buffer.from(text.slice(0, place) + put + (put === '' ? '' : text.slice(place))),
        };
      }),
  );
  const heavy = fc
    .tuple(url, fc.constantFrom(...credentials).chain(heavyBodies))
    .map(([to, payload]): Sending => ({ method: 'POST', url: to, headers: json, payload }));
  const dressed = likely.map(({ url: to, whole: body }) =>
    fc
      .tuple(
        body,
        headers,
        fc.constantFrom(...mediaTypes),
        fc.constantFrom(...methods),
        fc.option(fc.constantFrom(...oddPaths), { freq: 4 }),
        fc.boolean(),
      )
      .map(([sent, more, type, method, path, double]): Sending => ({
        method,
        url: path ?? to,
        headers: { ...more, 'content-type': type },
        payload: double ? duplicated(sent, 'get') : JSON.stringify(sent),
      })),
  );
  const keyed = likely.map(({ url: to, whole: body, body: plain }) =>
    fc.tuple(fc.oneof(body, signed(mutated(plain))), headers).map(([sent, more]): Sending => ({
      method: 'POST',
      url: to,
      headers: { ...more, ...json },
      payload: JSON.stringify(sent),
    })),
  );
  return fc.oneof(
    { weight: 60, arbitrary: fc.oneof(...changed) },
    { weight: 12, arbitrary: fc.oneof(...keyed) },
    { weight: 12, arbitrary: fc.oneof(...dressed) },
    { weight: 8, arbitrary: fc.oneof(...cut) },
    { weight: 6, arbitrary: raw },
    { weight: 2, arbitrary: heavy },
  );
}

/** What came back over a socket; null where the connection ended without an answer. */
export interface SocketReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends a request over a real connection. Raises an Error where nothing comes back in ten seconds. */
export const overSocket = (port: number, sending: Sending): Promise<SocketReply> =>
  new Promise((resolve, reject) => {
    const { method, url, headers: sent, payload } = sending;
    const made = request({
      port,
      host: '127.0.0.1',
      method,
      path: url,
      headers: { ...sent, 'content-length': Buffer.byteLength(payload) },
      agent: false,
    });
    made.setTimeout(10_000, () => made.destroy(new Error('no answer in ten seconds')));
    made.on('error', reject);
    made.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces).toString(),
        }),
      );
    });
    made.end(payload);
  });

/** Writes bytes to a port and gives everything that comes back until the other side ends, at most five seconds. */
export const exchange = (port: number, bytes: Buffer | string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const pieces: Buffer[] = [];
    const finish = (): void => {
      socket.destroy();
      resolve(Buffer.concat(pieces).toString());
    };
    socket.setTimeout(5_000, finish);
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', finish);
    socket.on('close', finish);
    socket.end(bytes);
  });
