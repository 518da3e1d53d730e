import fc from 'fast-check';
import { type Json, type JsonObject, isList, isObject } from '@inlay/contract';
import { Faults } from '../../packages/service/src/problems/problem.ts';
import type { Resource } from '../../packages/service/src/resource/define.ts';
import type { Field } from '../../packages/service/src/declare/fields.ts';
import { accepted, checkField } from '../../packages/service/src/declare/properties.ts';
import { runSeed } from './seed.ts';

/** Options of a fast-check run, and a printed line that says how to repeat it. */
export function runOf(title: string, numRuns: number): { readonly seed: number; readonly numRuns: number } {
  process.stdout.write(`${title}: ${numRuns} runs, INLAY_TEST_SEED=${runSeed}\n`);
  return { seed: runSeed, numRuns };
}

/** Ids that exist, by the resource they are of; what refers to nothing is as likely. */
export type Ids = (resource: string) => readonly string[];

/** Texts that break parsers, quoting, patterns, encodings and look-ups. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  "'",
  '"',
  '`',
  '\\',
  '%',
  '_',
  '\\%',
  '%\\',
  '*',
  '?',
  ';',
  '--',
  '/*',
  '$1',
  '{}',
  '[]',
  '\n',
  '\r\n',
  '\t',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '\ufeff',
  'é',
  'ﬀ',
  'İ',
  '😀',
  'ß',
  'ς',
  '\u0301',
  '\u2028',

  "' or '1'='1",
  '" or ""="',
  "'; drop table user; --",
  '$where',
  '${7*7}',
  '{{7*7}}',
  '$.name',
  '$[0]',
  'name"."x',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '__defineGetter__',
  'hasOwnProperty',
  'valueOf',
  'then',

  '../../etc/passwd',
  '..%2f',
  'file:///etc/passwd',
  '//evil.example',
  'javascript:alert(1)',
  '<script>',
  '</style>',
  'null',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x10',
  '********',
  '0',
  '9'.repeat(400),
  'a'.repeat(10_001),
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999-14:00',
  '0000-01-01T00:00:00Z',
  '2026-01-31T09:30:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  '018F0000-0000-7000-8000-000000000000',
  'x@y',
  '🏳️‍🌈'.repeat(50),
];

const hostileNumbers: readonly number[] = [0, -0, -1, 1.5, 1e308, 5e-324, 2 ** 53, -(2 ** 63), 1e21, 2147483648, 65536];

/** Any JSON, with a liking for what is likely to break something. */
export const hostileJson: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...hostileTexts),
  fc.constantFrom<Json>(...hostileNumbers),
  fc.constantFrom<Json>(null, true, false, [], {}, [[]], [null], [{}], { '': '' }, { $ne: null }, { in: [] }),
  fc.constantFrom(...hostileTexts).map((name): Json => Object.fromEntries([[name, 1]])),
  fc.array(fc.constantFrom<Json>(...hostileTexts, 1, null), { maxLength: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 4 }).map((value): Json => JSON.parse(JSON.stringify(value))),
);

const samples: readonly string[] = [
  'en',
  'UTC',
  '#1A2B3C',
  '5432',
  'https://a.example.com',
  'Sales',
  '0 7 * * 1',
  'BE',
  '1.0.0',
  'rgb(1,2,3)',
  'name@example.com',
  'a long pass phrase',
  '.item { color: red }',
  'iVBORw0KGgoAAAANSUhEUg==',
  'Ünïcödé 😀',
  'two words',
];
const words = fc.constantFrom(...samples);

/** Returns a text that passes the checks of its field, where one of the samples does. */
function fittingText(field: Field): fc.Arbitrary<string> {
  const fitting = samples.filter((sample) => {
    const faults = new Faults();
    checkField(field, sample, 'here', faults);
    return faults.none;
  });
  const any = fc.string({ unit: 'grapheme', maxLength: 20 });
  return fitting.length === 0
    ? any
    : fitting.length < samples.length
      ? fc.constantFrom(...fitting)
      : fc.oneof(words, any);
}

const anyUuid = fc.uuid({ version: 7 });
const oneOfIds = (ids: readonly string[]): fc.Arbitrary<string> =>
  ids.length === 0
    ? anyUuid
    : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: anyUuid });
const email = fc.integer({ min: 1, max: 1e9 }).map((number) => `p${number}@people.example`);

/** Returns a value a field is likely to accept. */
export function likelyValue(name: string, field: Field, ids: Ids): fc.Arbitrary<Json> {
  switch (field.kind) {
    case 'uuid':
      return anyUuid;
    case 'reference':
      return oneOfIds(ids(field.to ?? ''));
    case 'text':
      if (field.values !== undefined) return fc.constantFrom(...field.values);
      return name === 'email' ? email : fittingText(field);
    case 'secret':
      return fc.string({ minLength: 1, maxLength: 30 });
    case 'sealed':
    case 'object':
      return fc.oneof(fc.constant({}), fc.dictionary(words, hostileJson, { maxKeys: 3 }));
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.integer({ min: field.minimum ?? 0, max: Math.min(field.maximum ?? 1000, 1000) });
    case 'timestamp':
      return fc.constantFrom('2026-01-31T09:30:00.000Z', '2031-12-31T23:59:59+02:00');
    case 'multilingual':
      return fc.dictionary(
        fc.constantFrom('en', 'fr', 'nl-BE', 'zh-Hans'),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        {
          maxKeys: 3,
        },
      );
    case 'multilingualList':
      return fc.dictionary(
        fc.constantFrom('en', 'fr', 'nl-BE'),
        fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 3 }),
        { maxKeys: 3 },
      );
    case 'list':
      return fc.array(hostileJson, { maxLength: 2 });
  }
}

const asObject = (given: object): JsonObject => JSON.parse(JSON.stringify(given));

/** Some fields of a resource with likely values, on top of the properties of its example. */
export function likelyProperties(resource: Resource, ids: Ids): fc.Arbitrary<JsonObject> {
  const fields = Object.fromEntries(
    Object.entries(resource.fields)
      .filter(([, field]) => accepted(field, undefined).includes('create'))
      .map(([name, field]) => [name, likelyValue(name, field, ids)]),
  );
  const required = Object.entries(fields).filter(([name]) => resource.fields[name]?.required === true);
  return fc
    .tuple(fc.nat(3), fc.record(Object.fromEntries(required)), fc.record(fields, { requiredKeys: [] }))
    .map(([plain, needed, more]) => asObject({ ...resource.example, ...needed, ...(plain > 0 ? {} : more) }));
}

/** Returns one or two fields that an update of the resource may change. */
function likelyChanges(resource: Resource, ids: Ids): fc.Arbitrary<JsonObject> {
  const fields = Object.entries(resource.fields).filter(
    ([, { accept }]) => !Array.isArray(accept) || accept.includes('update'),
  );
  if (fields.length === 0) return fc.constant({});
  const one = fc
    .constantFrom(...fields)
    .chain(([name, field]) => likelyValue(name, field, ids).map((value) => Object.fromEntries([[name, value]])));
  return fc.array(one, { minLength: 1, maxLength: 2 }).map((given) => asObject(Object.assign({}, ...given)));
}

/** Returns the body of one request of any operation, as a client would write it; without credentials. */
export function likelyBody(resource: Resource, ids: Ids, find: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const properties = likelyProperties(resource, ids);
  const id = oneOfIds(ids(resource.name));
  const roles = Object.entries(resource.associations ?? {}).filter(([, { readOnly }]) => readOnly !== true);
  const changes = likelyChanges(resource, ids);
  const bodies: fc.Arbitrary<JsonObject>[] = [
    properties.map((sent) => ({ action: 'create', properties: sent })),
    fc.record({ action: fc.constant('update'), id, properties: changes }),
    fc.record({ action: fc.constant('update'), id, properties: changes }),
    fc.record({
      action: fc.constant('delete'),
      id: fc.oneof({ weight: 1, arbitrary: id }, { weight: 9, arbitrary: anyUuid }),
    }),
    fc.record({ action: fc.constant('get'), id, find }),
    fc.record({ find }),
  ];
  for (const [role, { to, levels, properties: fields = {} }] of roles) {
    const other = fc.record({ role: fc.constant(role), id: oneOfIds(ids(to)) });
    const flags = Object.keys(levels?.flags ?? {}).map((flag) => [flag, fc.boolean()] as const);
    const set = Object.entries(fields).map(([name, field]) => [name, likelyValue(name, field, ids)] as const);
    const sent = fc
      .record(Object.fromEntries<fc.Arbitrary<Json>>([...flags, ...set]), { requiredKeys: [] })
      .map(asObject);
    bodies.push(
      fc.record({ action: fc.constant('associate'), id, resource: other, properties: sent }),
      fc.record({ action: fc.constant('dissociate'), id, resource: other }),
    );
    bodies.push(
      fc.tuple(properties, fc.array(fc.tuple(other, sent), { maxLength: 2 })).map(([made, links]) => ({
        action: 'create',
        properties: made,
        associations: links.map(([link, given]) => ({ ...link, properties: given })),
      })),
    );
  }
  return fc.oneof(...bodies);
}

type Path = readonly (string | number)[];

const placesOf = (value: Json, path: Path = []): readonly Path[] => {
  const inner = isList(value)
    ? value.flatMap((item, index) => placesOf(item, [...path, index]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, item]) => placesOf(item, [...path, name]))
      : [];
  return [path, ...inner];
};

function changedAt(value: Json, [step, ...rest]: Path, change: (held: Json) => Json): Json {
  if (step === undefined) return change(value);
  if (isList(value)) return value.map((item, index) => (index === step ? changedAt(item, rest, change) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === step ? changedAt(item, rest, change) : item]),
  );
}

const nested = (value: Json, depth: number): Json => {
  let held = value;
  for (let level = 0; level < depth; level += 1) held = level % 2 === 0 ? [held] : { and: held };
  return held;
};

const changes = (given: Json): readonly ((held: Json) => Json)[] => [
  () => given,
  (held) =>
    isObject(held) ? { ...held, ...Object.fromEntries([[typeof given === 'string' ? given : 'more', 1]]) } : given,
  (held) => (isObject(held) ? Object.fromEntries(Object.entries(held).slice(1)) : null),
  (held) => [held, held, given],
  (held) => ({ value: held }),
  (held) => nested(held, 20),
  (held) =>
    typeof held === 'string' ? `${held}${typeof given === 'string' ? given : '\0'}` : String(JSON.stringify(held)),
];

/** Returns a body with a few of its values changed to something it should not hold. */
export const mutated = (body: fc.Arbitrary<JsonObject>): fc.Arbitrary<Json> =>
  fc.tuple(body, fc.array(fc.tuple(fc.nat(), fc.nat(), hostileJson), { maxLength: 2 })).map(([valid, edits]) =>
    edits.reduce<Json>((held, [where, how, given]) => {
      const places = placesOf(held);
      const ways = changes(given);
      const way = ways[how % ways.length];
      return way === undefined ? held : changedAt(held, places[where % places.length] ?? [], way);
    }, valid),
  );
