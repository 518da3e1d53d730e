import fc from 'fast-check';
import { isObject, type Json } from '@inlay/contract';
import type { Registry } from '../../packages/service/src/resource/registry.ts';
import { hostileTexts, likelyBody, mutated, type Ids } from './arbitrary.ts';
import { findOf } from './arbitrary-find.ts';
import { heavyBodies } from './arbitrary-heavy.ts';
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
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'APPLICATION/JSON',
  'text/plain',

  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset',
  'application/json;',

  'text/json',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '*/*',
  'json',
  '',

  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
  'application/ld+json',
  'application/json-patch+json',
  'a/b/c',

  'application/jsonx',
  'application/json, text/html',
  'text/plain; application/json',
  'application/octet-stream',
  'image/svg+xml',

  'application/graphql',
  'application/x-ndjson',
  'application/json; charset=utf-8; charset=utf-7',
  `application/${'x'.repeat(5000)}`,
];

const odd = [
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

  'Bearer',
  'Bearer x',
  'Bearer x:y',
  'Basic',
  'Basic !!!',
  'Basic eDp5',
  'Negotiate abc',
  'Bearer 018f0000-0000-7000-8000-000000000000:t',
  ': :',
] as const;
const headerNames = [
  'idempotency-key',
  'if-match',
  'x-request-id',
  'authorization',
  'x-http-method-override',
  'accept',
  'accept-encoding',
  'origin',

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

  '/0.1.0/theme/',
  '/0.1.0/theme/x',
  '/0.1.0/%',
  '/0.1.0/%00',
  '/0.1.0/%ff',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/0.1.0/theme?x=%',
  '/__proto__/x',

  '/0.1.0/__proto__',
  '/0.1.0/constructor',
  `/0.1.0/${'a'.repeat(3000)}`,
  '/0.1.0/theme?action=delete',
  '/.git/config',
  '/0.1.0/theme;x',
  '/*',
] as const;

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
