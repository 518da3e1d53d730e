import { Validator } from '@seriousme/openapi-schema-validator';
import { isList, isObject, objectOr, type Json, type JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { requestExample } from '../../packages/service/src/docs/requests.ts';
import { operationsOf, varietyOfPath } from '../../packages/service/src/docs/describe.ts';
import { catalogue } from '../../packages/service/src/problems/catalogue.ts';
import { createRegistry } from '../../packages/service/src/resource/registry.ts';
import { componentOf } from '../../packages/service/src/docs/schema.ts';
import { resources } from '../../packages/service/src/resources/index.ts';
import { compileDocument, differencesOf } from '../support/answers.ts';
import { part } from '../support/world.ts';

const registry = createRegistry(resources);
const { document, compile } = compileDocument();
const schemas = part(part(document, 'components'), 'schemas');
const names = isObject(schemas) ? Object.keys(schemas) : [];

const refsIn = (value: Json): string[] => {
  if (isList(value)) return value.flatMap(refsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
};

/** Returns every object in a schema, but for those of its examples. */
const objectsIn = (value: Json): JsonObject[] => {
  if (isList(value)) return value.flatMap(objectsIn);
  if (!isObject(value)) return [];
  const { examples: _examples, ...rest } = value;
  return [rest, ...Object.values(rest).flatMap(objectsIn)];
};

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';

const isThere = (pointer: string): boolean =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((held, name) => part(held, name.replaceAll('~1', '/')), document) !== undefined;

const every = [...registry.paths.values()].flatMap((path) => {
  const described = { path: path.name, resource: path.resource, variety: varietyOfPath(path) };
  return operationsOf(path.resource, described.variety).map((operation) => ({ ...described, operation }));
});

describe('the OpenAPI description', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const found = await new Validator().validate(structuredClone(document));
    expect(found.errors ?? []).toEqual([]);
    expect(found.valid).toBe(true);
  });

  it('refers only to what is in it', () => {
    expect([...new Set(refsIn(document))].filter((pointer) => !isThere(pointer))).toEqual([]);
  });

  it('has only component schemas that compile as JSON Schema 2020-12', () => {
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) compile(`#/components/schemas/${name}`);
  });

  it('has one POST for every path of the API', () => {
    const paths = part(document, 'paths');
    for (const path of registry.paths.keys()) expect(part(part(paths, `/0.1.0/${path}`), 'post'), path).toBeDefined();
  });

  it('names every operation once, by a word or two', () => {
    const paths = Object.values(objectOr(part(document, 'paths')));
    const ids = paths.flatMap((path) => Object.values(objectOr(path)).flatMap((one) => part(one, 'operationId') ?? []));
    const methods = paths.flatMap((path) => Object.keys(objectOr(path)).filter((name) => !name.startsWith('x-')));
    expect(ids).toHaveLength(methods.length);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(?:-[a-z]+)?$/u);
  });

  it('gives constants and enumerations a type, members no default, and objects members, for generators', () => {
    const inside = objectsIn(isObject(schemas) ? schemas : null);
    const named = inside.filter((one) => isList(one['enum']) || typeof one['const'] === 'string');
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((one) => one['type'] === undefined)).toEqual([]);
    expect(inside.filter((one) => Object.hasOwn(one, 'default'))).toEqual([]);
    const ofObjects = inside.filter(
      ({ type }) => type === 'object' || (isList(type ?? null) && JSON.stringify(type).includes('"object"')),
    );
    const silent = ofObjects.filter(
      (one) => one['properties'] === undefined && one['additionalProperties'] === undefined,
    );
    expect(silent).toEqual([]);
  });

  it('takes durations in words where the service does', () => {
    const asked = { type: 'embed', expiry: '24 hours', inactivity_interval: '10 minutes' };
    expect(compile('#/components/schemas/AuthorizationCreate')(asked)).toBe(true);
    expect(compile('#/components/schemas/AuthorizationRow')({ id: uuid, expiry: '24 hours' })).toBe(false);
  });

  it('asks for at least one flag of a link that has flags', () => {
    const validate = compile('#/components/schemas/AccountLink');
    expect([{ flagUse: true }, {}, { filters: [] }].map((link) => validate(link))).toEqual([true, false, false]);
  });

  it.each(every)('gives an example of $operation on $path that its own schema accepts', (one) => {
    const validate = compile(`#/components/schemas/${componentOf(one.path)}${componentOf(one.operation)}Request`);
    const example = requestExample(one.operation, one);
    validate(example);
    expect(validate.errors ?? [], JSON.stringify(example)).toEqual([]);
  });

  it.each(every)('lets exactly one schema describe $operation on $path', (one) => {
    const others = every.filter(({ path }) => path === one.path);
    const example = requestExample(one.operation, one);
    const fitting = others.filter(({ path, operation }) =>
      compile(`#/components/schemas/${componentOf(path)}${componentOf(operation)}Request`)(example),
    );
    expect(fitting.map(({ operation }) => operation)).toEqual([one.operation]);
  });

  it('names every code of the catalogue under its status', () => {
    const responses = part(part(document, 'components'), 'responses');
    for (const [code, { status }] of Object.entries(catalogue)) {
      expect(JSON.stringify(part(responses, `Problem${status}`)), code).toContain(`\`${code}\``);
    }
  });

  it('says who may do every operation', () => {
    for (const { path, operation } of every) {
      const post = part(part(part(document, 'paths'), `/0.1.0/${path}`), 'post');
      expect(part(part(part(post, 'x-inlay-operations'), operation), 'by'), `${path} ${operation}`).toMatch(/\w/u);
    }
  });
});

describe('the check of answers', () => {
  const id = uuid;
  const tag = {
    id,
    name: { en: 'Quarterly' },
    tag: { en: 'Quarterly' },
    organization_id: id,
    created_at: '2026-01-31T09:30:00.000Z',
    updated_at: '2026-01-31T09:30:00.000Z',
  };

  it.each([
    ['a record', 'create', tag],
    ['rows with some of the fields', 'get', { count: 1, rows: [{ id, name: null }] }],
    ['rows with what was included', 'get', { count: 1, rows: [{ ...tag, securables: [] }] }],
    ['a delete', 'delete', { code: 200 }],
  ])('lets %s pass', (_what, operation, body) => {
    expect(differencesOf('tag', operation, JSON.stringify(body))).toBeUndefined();
  });

  const { name: _name, ...nameless } = tag;
  it.each([
    ['has a member too many', 'create', { ...tag, password_hash: 'x' }],
    ['lacks a field', 'create', nameless],
    ['has a value of another type', 'update', { ...tag, name: 'Quarterly' }],
    ['has a time without milliseconds', 'update', { ...tag, updated_at: '2026-01-31T09:30:00Z' }],
    ['has a row with an unknown member', 'get', { count: 1, rows: [{ id, nothing: 1 }] }],
    ['is one of an operation that is not there', 'fly', tag],
  ])('refuses an answer that %s', (_what, operation, body) => {
    expect(differencesOf('tag', operation, JSON.stringify(body))).toMatch(/ on tag/u);
  });
});
