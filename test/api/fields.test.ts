import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@inlay/contract';
import type { Field } from '../../packages/service/src/declare/fields.ts';
import type { Resource } from '../../packages/service/src/resource/define.ts';
import type { Kind } from '../../packages/service/src/declare/kinds.ts';
import { accepted, applies } from '../../packages/service/src/declare/properties.ts';
import { resources } from '../../packages/service/src/resources/index.ts';
import { creation, kinds, type Kind as Made } from './matrix/bodies.ts';
import { useApi, type Api } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';
import { isStored } from '../../packages/service/src/declare/declaration.ts';

/** Values that are no value of a kind. */
const wrong: Readonly<Record<Kind, readonly Json[]>> = {
  uuid: ['x', 7, true, {}, []],
  reference: ['x', 7, true, {}, [], randomUUID()],
  text: [7, true, {}, [], 'x'.repeat(700_001)],
  secret: [7, true, {}, [], 'x'.repeat(10_001)],
  sealed: ['x', 7, true, [1]],
  boolean: ['true', 1, 0, '', {}, []],
  number: ['1', true, {}, []],
  timestamp: ['2026-01-01', 'x', 7, true, {}],
  multilingual: ['x', 7, true, ['x'], { en: 7 }, { english: 'x' }],
  multilingualList: ['x', 7, ['x'], { en: 'x' }, { en: [7] }, { english: ['x'] }, { en: ['x'.repeat(101)] }],
  object: ['x', 7, true, ['x']],
  list: ['x', 7, true, {}],
};

/** Returns the type of a securable is never changed. */
const isFixed = (name: string, { variety }: Resource): boolean => name === variety?.field;

interface Asked {
  readonly title: string;
  readonly resource: Resource;
  readonly kind: Made;
  readonly variety: string | undefined;
  readonly name: string;
  readonly field: Field;
}

/** Every field of every resource that can be made over the API, for each variety of it. */
const asked: readonly Asked[] = resources.flatMap((resource) => {
  const varieties = resource.name === 'securable' ? (['dataset', 'dashboard'] as const) : [undefined];
  return varieties.flatMap((variety) => {
    const kind = kinds.find((one) => one === (variety ?? resource.name));
    const isMade =
      kind !== undefined &&
      ![
        'authorization',
        'locale',
        'country',
        'dashboardversion',
        'organization',
        'ssoconfig',
        'airequest',
        'task',
      ].includes(kind);
    if (!isMade || !isStored(resource)) return [];
    return Object.entries(resource.fields)
      .filter(([, field]) => field.hidden !== true && field.transient !== true)
      .map(([name, field]) => ({ title: `${variety ?? resource.name}.${name}`, resource, kind, variety, name, field }));
  });
});

describe.each(storesToTest)('every field on %s', (store) => {
  const api = useApi(store);
  const made = new Map<Made, Promise<JsonObject>>();
  const reference = (kind: Made): Promise<string> => record(kind).then((one) => text(one, 'id'));
  const properties = (kind: Made): Promise<object> => creation(kind, reference);
  const record = (kind: Made): Promise<JsonObject & { id?: Json }> => {
    const known = made.get(kind) ?? properties(kind).then((body) => api.create(pathOf(kind), body));
    made.set(kind, known);
    return known;
  };
  const pathOf = (kind: Made): string => kind;
  const place = (one: Asked): string => `properties.${one.name}`;
  const refusals = async (by: Api, one: Asked, value: Json): Promise<readonly unknown[]> => {
    const body = { ...(await properties(one.kind)), [one.name]: value };
    const { status, validation } = await by.refused(pathOf(one.kind), { properties: body });
    return [status, Object.keys(validation).some((at) => at.startsWith(place(one)))];
  };

  it.each(asked.filter(({ field, variety }) => accepted(field, variety).includes('create')))(
    'refuses a value of another kind in $title',
    async (one) => {
      for (const value of wrong[one.field.kind]) {
        // What stands for a value of its kind, such as a whole number for a port.
        if ((one.field.reads?.(value) ?? value) !== value) continue;
        expect([value, ...(await refusals(api, one, value))]).toEqual([value, 400, true]);
      }
    },
  );

  it.each(asked.filter(({ field, variety, name }) => name !== 'id' && accepted(field, variety).length === 0))(
    'lets nobody set $title',
    async (one) => {
      const odd: Json =
        one.field.kind === 'boolean' ? !(one.field.default === true) : one.field.kind === 'number' ? 4711 : 'x';
      expect(await refusals(api, one, odd)).toEqual([400, true]);
      const held = await record(one.kind);
      const change = { id: held['id'] ?? null, properties: { [one.name]: odd } };
      expect((await api.refused(pathOf(one.kind), change)).status).toBe(400);
    },
  );

  it.each(
    asked.filter(
      ({ field, variety, name, resource }) =>
        accepted(field, variety).includes('update') && !field.required && !isFixed(name, resource),
    ),
  )('takes null in $title as its default', async (one) => {
    const held = await record(one.kind);
    const changed = await api.update(pathOf(one.kind), held['id'], { [one.name]: null });
    const initial = applies(one.field, one.variety) ? one.field.default : null;
    const actual = one.field.generated === undefined ? changed[one.name] : initial;
    expect(actual).toEqual(initial);
  });
});
