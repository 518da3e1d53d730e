import { describe, expect, it } from 'vitest';
import { loggedIn } from '../declare/roles.ts';
import { resources } from '../resources/index.ts';
import { checkDeclarations, declarationFaults } from './check.ts';
import { define, type Resource } from './define.ts';
import { field } from '../declare/fields.ts';
import { createRegistry } from './registry.ts';
import { checkServed } from './served.ts';
import { id } from './standard.ts';

const plain: Resource = define({
  name: 'thing',
  description: 'A thing.',
  fields: { id },
  roles: { get: loggedIn },
  example: {},
});
const faults = (changes: Partial<Resource>): readonly string[] =>
  declarationFaults(createRegistry([{ ...plain, ...changes }]));
const link = { roleHere: loggedIn, roleThere: loggedIn } as const;

describe('the declarations', () => {
  it('of the product hold together', () => {
    expect(declarationFaults(createRegistry(resources))).toEqual([]);
  });

  it('without a fault are taken', () => {
    expect(faults({})).toEqual([]);
  });

  it.each([
    ['no role at all', { roles: {} }],
    ['a reference to nothing', { fields: { id, other: field.reference('Other.') } }],
    ['a reference to no resource', { fields: { id, other: field.reference('Other.', { to: 'nothing' }) } }],
    ['a unique field without a column', { fields: { id, slug: field.text('Slug.', { unique: true }) } }],
    [
      'an association to no resource',
      { associations: { Others: { ...link, to: 'nothing', relation: { kind: 'link' } } } },
    ],
    [
      'the other side of nothing',
      { associations: { Others: { ...link, to: 'thing', relation: { kind: 'inverse', of: 'No' } } } },
    ],
    [
      'a field that does not refer',
      { associations: { Other: { ...link, to: 'thing', relation: { kind: 'reference', field: 'id' } } } },
    ],
    [
      'a role missing for a variety',
      { variety: { field: 'type', of: ['a', 'b'] }, roles: { create: { byVariety: { a: loggedIn } } } },
    ],
  ] as const)('with %s stop the start', (_what, changes) => {
    expect(faults(changes)).toHaveLength(1);
    expect(() => checkDeclarations(createRegistry([{ ...plain, ...changes }]))).toThrow('do not hold together');
  });

  it('of what a handler answers say what is accepted, and by whom', () => {
    const served = { get: { find: {}, answers: {} } } as const;
    expect(faults({ fields: {}, served })).toEqual([]);
    expect(faults({ fields: {}, served: { get: { answers: {} } } })).toEqual([
      'thing.get does not say what find holds',
    ]);
    expect(faults({ fields: {}, served: { ...served, create: { answers: {} } } })).toEqual([
      'thing.create is served to nobody',
    ]);
  });

  it('have a handler for each resource that is served, and no handler without one', () => {
    const served = { get: { find: {}, answers: {} } } as const;
    const registry = createRegistry([{ ...plain, fields: {}, served }]);
    const handler = async (): Promise<{ body: string }> => ({ body: '{}' });
    expect(() => checkServed(registry, { thing: handler })).not.toThrow();
    expect(() => checkServed(registry, {})).toThrow('nothing answers thing');
    expect(() => checkServed(registry, { thing: handler, other: handler })).toThrow('other is not served');
  });
});
