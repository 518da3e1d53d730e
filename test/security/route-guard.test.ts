import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anyone, operator, organization } from '../../packages/service/src/declare/roles.ts';
import { checkDeclarations } from '../../packages/service/src/resource/check.ts';
import { define, type Resource } from '../../packages/service/src/resource/define.ts';
import { field } from '../../packages/service/src/declare/fields.ts';
import { createRegistry } from '../../packages/service/src/resource/registry.ts';
import { resources } from '../../packages/service/src/resources/index.ts';
import { tag } from '../../packages/service/src/resources/tag.ts';
import { oneStore, startTestService } from '../support/service.ts';
import { part } from '../support/world.ts';

const unguarded = define({
  name: 'unguarded',
  description: 'A resource whose author forgot who may use it.',
  fields: { id: field.uuid('The id.') },
  roles: {},
  example: {},
});
const checked =
  (more: Resource): (() => void) =>
  () =>
    checkDeclarations(createRegistry([...resources, more]));

describe('a resource without a declared role', () => {
  it('stops the start', () => {
    expect(() => checkDeclarations(createRegistry(resources))).not.toThrow();
    expect(checked(unguarded)).toThrow('unguarded declares no role at all');
  });

  it('stops the start when only one variety has one', () => {
    const half = {
      ...unguarded,
      variety: { field: 'id', of: ['a', 'b'] },
      roles: { create: { byVariety: { a: organization('owner') } } },
    };
    expect(checked(half)).toThrow('unguarded.create has no role for every variety');
  });

  it('stops the start when an association leads nowhere or mirrors nothing', () => {
    const link = { roleHere: operator, roleThere: operator };
    const lost = { to: 'nowhere', relation: { kind: 'link' } as const, ...link };
    expect(checked({ ...unguarded, roles: { get: operator }, associations: { Lost: lost } })).toThrow(
      'leads to no resource',
    );
    const mirror = { to: 'tag', relation: { kind: 'inverse', of: 'Nothing' } as const, ...link };
    expect(checked({ ...unguarded, roles: { get: operator }, associations: { Mirror: mirror } })).toThrow(
      'other side of nothing',
    );
  });

  it('is not among the resources; only a login and a sign-up need no credentials', () => {
    const open = resources.flatMap(({ name, roles }) =>
      Object.entries(roles).flatMap(([action, role]) =>
        /"kind":"(?:anyone|visitor)"/u.test(JSON.stringify(role)) ? [`${name}.${action}`] : [],
      ),
    );
    expect(open).toEqual(['user.create', 'authorization.create']);
    expect(JSON.stringify(anyone)).toBe('{"kind":"anyone"}');
    expect(tag.roles.create).toEqual(organization('member'));
  });
});

describe('every route', () => {
  it('is listed, counted, and answers nothing without credentials', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'inlay-routes-'));
    const service = await startTestService({ store: oneStore, dataDir });
    try {
      const { paths } = service.app.service.registry;
      const otherNames = resources.flatMap(({ alsoNamed = [] }) => alsoNamed);
      expect(paths.size).toBe(resources.length + 2 + otherNames.length);
      const answered: string[] = [];
      const bodies = [
        { find: {} },
        { action: 'get', id: service.owner.key },
        { action: 'create', properties: {} },
        { action: 'delete', id: service.owner.key },
      ];
      for (const path of paths.keys()) {
        for (const body of bodies) {
          const { status, body: said } = await service.call(path, body);
          const isOpen = 'properties' in body && (path === 'user' || path === 'authorization');
          if (status !== 401 && !(isOpen && status === 400))
            answered.push(`${path} ${JSON.stringify(body)}: ${status} ${String(part(said, 'code'))}`);
        }
      }
      expect(answered).toEqual([]);
    } finally {
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
