import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forVariety } from '../../packages/service/src/declare/variety.ts';
import type { Field } from '../../packages/service/src/declare/fields.ts';
import { accepted } from '../../packages/service/src/declare/properties.ts';
import { startTestService, type TestService, storesToTest } from '../support/service.ts';
import { buildWorld, part, text, type World } from '../support/world.ts';
import { creation, kinds, resourceOf, type Kind } from '../api/matrix/bodies.ts';

const foreign = [
  'owner_id',
  'organization_id',
  'user_id',
  'deleted_at',
  'created_at',
  'reviewed',
  'is_verified',
  'synced',
  'revision',

  'secrets',
  'secret_key',
  'password_hash',
  'token_hash',
  'record',
  'shape',
  'seq',
  'level',
  'sees_email',
  'flagOwner',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'id ',
  'ID',
  'organizationId',
  'isAdmin',
  'rank',
  'embed',
] as const;
const documented = new Set(['field_unknown', 'field_read_only', 'json_invalid']);

/** Kinds that are written by properties; the others have no create or update at all. */
const written = kinds.filter((kind) => !['aichart', 'formula', 'hierarchylevel', 'locale', 'country'].includes(kind));
const varieties: Partial<Record<Kind, string>> = {
  dataset: 'dataset',
  dashboard: 'dashboard',
  authorization: 'api',
  embed: 'embed',
  dashboardversion: 'published',
};

const forged: Readonly<Record<Field['kind'], Json>> = {
  uuid: '018f0000-0000-7000-8000-00000000f00d',
  reference: '018f0000-0000-7000-8000-00000000f00d',
  text: 'forged',
  secret: 'forged',
  sealed: { forged: true },
  boolean: true,
  number: 424_242,
  timestamp: '2001-01-01T00:00:00.000Z',
  multilingual: { en: 'Forged' },
  multilingualList: { en: ['Forged'] },
  object: { forged: true },
  list: ['forged'],
};

/** No request makes these, anyone who sends it. */
const notMadeByRequests: readonly string[] = ['organization', 'dashboardversion', 'airequest', 'task'];

describe.each(storesToTest)('mass assignment on %s', (store) => {
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    service = await startTestService({ store, settings: { INLAY_SIGNUP: 'true' } });
    world = await buildWorld(service);
  });
  afterAll(() => service?.stop());

  const declared = (kind: Kind) => service.app.service.registry.resource(resourceOf(kind));
  const notAccepted = (kind: Kind, operation: 'create' | 'update'): [string, Field][] =>
    Object.entries(declared(kind).fields).filter(([, field]) => !accepted(field, varieties[kind]).includes(operation));
  const owner = () => world.organization('A').founder;

  /** Sends each body, none of which may change anything, and returns what went wrong. */
  async function refusals(resource: string, bodies: readonly (readonly [string, string, object])[]): Promise<string[]> {
    const wrong: string[] = [];
    const before = await service.stateHash();
    for (const [what, name, body] of bodies) {
      const answer = await service.call(resource, body, owner());
      const code = String(part(answer.body, 'code'));
      const said = JSON.stringify(part(part(answer.body, 'validation'), `properties.${name}`));
      // A resource without the operation says so before it looks at the fields; several faults at once have a code of their own.
      const isNamed = code === 'validation_failed' && /leave it out/u.test(said);
      const sound = answer.status === 400 && (documented.has(code) || code === 'operation_unknown' || isNamed);
      if (!sound) wrong.push(`${what} with ${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    if ((await service.stateHash()) !== before) wrong.push(`something of ${resource} changed what is stored`);
    return wrong;
  }

  const named = (name: string, value: Json): JsonObject => Object.fromEntries([[name, value]]);

  const namesFor = (kind: Kind, operation: 'create' | 'update', record: unknown): [string, Json][] => {
    const names = foreign
      .filter((name) => !Object.hasOwn(declared(kind).fields, name))
      .map((name): [string, Json] => [name, 'forged']);
    const own = notAccepted(kind, operation).map(([name, field]): [string, Json] => {
      return [name, field.kind === 'boolean' ? part(record, name) !== true : forged[field.kind]];
    });
    return [...names, ...own];
  };

  it('refuses every field that a create does not accept, and stores nothing', async () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const kind of written.filter((one) => !notMadeByRequests.includes(one))) {
      const plain = await creation(kind, (to) => world.shared(to, 'A'));
      const bodies = namesFor(kind, 'create', {}).map(([name, value]) => {
        return [`create ${kind}`, name, { action: 'create', properties: { ...plain, ...named(name, value) } }] as const;
      });
      tried += bodies.length;
      wrong.push(...(await refusals(resourceOf(kind), bodies)));
    }
    process.stdout.write(`mass assignment on ${store}: ${tried} creates\n`);
    expect(wrong.join('\n')).toBe('');
  });

  it('refuses every field that an update does not accept, and changes nothing', async () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const kind of written) {
      const id = await world.shared(kind, 'A');
      const record = await world.must(resourceOf(kind), { action: 'get', id }, owner());
      const bodies = namesFor(kind, 'update', record).map(([name, value]) => {
        return [`update ${kind}`, name, { action: 'update', id, properties: named(name, value) }] as const;
      });
      tried += bodies.length;
      wrong.push(...(await refusals(resourceOf(kind), bodies)));
    }
    process.stdout.write(`mass assignment on ${store}: ${tried} updates\n`);
    expect(wrong.join('\n')).toBe('');
  });

  it('accepts a record that is sent back as it was read', async () => {
    const wrong: string[] = [];
    for (const kind of written) {
      const resource = declared(kind);
      const role = resource.roles.update === undefined ? undefined : forVariety(resource.roles.update, varieties[kind]);
      if (role === undefined || role.kind === 'operator') continue;
      const id = await world.shared(kind, 'A');
      const record = await world.must(resourceOf(kind), { action: 'get', id }, owner());
      if (!isObject(record)) throw new Error(`no record of ${kind}`);
      const visible = Object.entries(record).filter(([name]) => Object.hasOwn(resource.fields, name));
      const echoed = visible.filter(([name]) => notAccepted(kind, 'update').some(([other]) => other === name));
      const answer = await service.call(
        resourceOf(kind),
        { action: 'update', id, properties: Object.fromEntries(echoed) },
        owner(),
      );
      if (answer.status !== 200) wrong.push(`${kind}: ${JSON.stringify(answer.body)}`);
      for (const [name, value] of echoed) {
        const kept = JSON.stringify(part(answer.body, name)) === JSON.stringify(value);
        if (!kept && !['updated_at', 'modified_at', 'modifier_id'].includes(name))
          wrong.push(`${kind}.${name} changed`);
      }
    }
    expect(wrong.join('\n')).toBe('');
  });

  it('refuses foreign members of links, filters and of the body itself', async () => {
    const wrong: string[] = [];
    const linkable = written.flatMap((kind) =>
      Object.entries(declared(kind).associations ?? {}).flatMap(([role, one]) =>
        one.readOnly === true ? [] : [[kind, role] as const],
      ),
    );
    const id = '018f0000-0000-7000-8000-00000000f00d';
    for (const kind of written) await world.shared(kind, 'A');
    const before = await service.stateHash();
    const refused = async (what: string, resource: string, body: object): Promise<void> => {
      const answer = await service.call(resource, body, owner());
      if (answer.status !== 400) wrong.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
    };
    for (const [kind, role] of linkable) {
      const first = await world.shared(kind, 'A');
      for (const name of [
        'level',
        'first_id',
        'association',
        'created_at',
        'flagAdministrator',
        '__proto__',
        'owner_id',
      ]) {
        const properties = { ...named(name, 9), flagRead: true };
        await refused(`link ${kind}.${role} with ${name}`, resourceOf(kind), {
          action: 'associate',
          id: first,
          resource: { role, id },
          properties,
        });
      }
    }
    for (const name of ['owner_id', 'organization_id', 'caller', 'fixed', '__proto__', 'isAdmin']) {
      const body = { action: 'create', properties: { name: { en: 'x' } } };
      await refused(`body with ${name}`, 'theme', { ...body, ...named(name, world.organization('B').id) });
    }
    expect(wrong.join('\n')).toBe('');
    expect(await service.stateHash()).toBe(before);
    expect(
      text(
        await world.must('theme', { action: 'create', properties: { name: { en: 'x' } } }, owner()),
        'organization_id',
      ),
    ).toBe(world.organization('A').id);
  });
});
