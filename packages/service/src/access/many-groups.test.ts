import { describe, expect, it } from 'vitest';
import { emptyWorld, embed, person } from '../../../../test/access/world.ts';
import { loadRowFilters, alternativesFor } from '../data/row-filters/load-row-filters.ts';
import { text } from '../store/sql.ts';
import { seesAllRows } from './all-rows.ts';
import type { Caller } from './caller.ts';
import { identifyCaller } from '../callers/identify.ts';
import { entity, levelOf, rights, securable } from '../declare/roles.ts';
import { onlySubject, withoutOwnGroups, type Subjects } from './subjects.ts';

const world = emptyWorld();
const groups = Array.from({ length: 10_000 }, (_, index) => `group-${String(index).padStart(5, '0')}`);

world.add('user', 'ada', { email: 'ada' });
world.link('ours', 'organization.Users', 'ada', 1);
for (const [index, group] of groups.entries())
  world.link(group, 'group.Users', 'ada', index % 2 === 0 ? 1 : levelOf('own'));
world.add('authorization', 'login', {
  type: 'login',
  user_id: 'ada',
  token_hash: 'x',
  created_at: '2026-01-01T00:00:00.000Z',
});

const filters = JSON.stringify({
  filters: [{ securable_id: 'filtered', column_id: 'c', expression: '? = ?', value: 1 }],
});
/** A record for each combination of right and kind of link, and some that lead to groups of others. */
for (const right of rights) {
  for (const [way, target] of [
    ['first', groups[0]],
    ['last', groups.at(-1)],
    ['of-others', 'group-of-others'],
    ['person', 'ada'],
  ] as const) {
    const kind = target === 'ada' ? 'Users' : 'Groups';
    for (const table of ['securable', 'account', 'collection'] as const) {
      const id = `${table}-${right}-${way}`;
      world.add(table, id, table === 'securable' ? { type: 'dataset' } : {});
      world.link(id, `${table}.${kind}`, target ?? '', levelOf(right));
    }
    world.add('securable', `collected-${right}-${way}`, { type: 'dataset' });
    world.link(`collected-${right}-${way}`, 'securable.Collections', `collection-${right}-${way}`, levelOf(right));
  }
}
world.add('securable', 'filtered', { type: 'dataset' });
world.link('filtered', 'securable.Users', 'ada', levelOf('use'));
world.link('filtered', 'securable.Groups', groups.at(-1) ?? '', levelOf('use'), filters);

/** The groups linked to any record, by name: all 10,000 are more than SQLite can bind. */
const listed: Subjects = { ids: ['ada', groups[0] ?? '', groups.at(-1) ?? ''], groupsOf: null };
const asked: Subjects = { ids: ['ada'], groupsOf: 'ada' };
const callers: readonly (readonly [string, (subjects: Subjects) => Caller])[] = [
  ['a person', (subjects) => person({ subjects })],
  ['a token by its issuer', (subjects) => embed({ subjects: onlySubject('ada'), issuer: { subjects, rank: 1 } })],
];

describe('somebody in 10,000 groups', () => {
  it('is known by name, and their groups are asked for in the store', async () => {
    const known = await identifyCaller(world.reader, 'login', 'x', Date.parse('2026-01-02T00:00:00.000Z'));
    expect(known).toBeNull();
    world.add('authorization', 'api', {
      type: 'api',
      user_id: 'ada',
      created_at: '2026-01-01T00:00:00.000Z',
      token_hash: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
    });
    const ada = await identifyCaller(world.reader, 'api', 'test', Date.parse('2026-01-02T00:00:00.000Z'));
    expect(ada?.caller.subjects).toEqual(asked);
  });

  describe.each(callers)('as %s', (_, caller) => {
    it.each(['securable', 'account', 'collection'] as const)(
      'holds the same rights on each %s as with every group named',
      (table) => {
        for (const right of rights) {
          const role = table === 'securable' ? securable(right) : entity(table, right);
          const held = world.held(table, role, caller(asked));
          expect(held).toEqual(world.held(table, role, caller(listed)));
          expect(held).not.toEqual([]);
          expect(held.filter((id) => id.endsWith('of-others'))).toEqual([]);
        }
      },
    );

    it('sees all rows of the same datasets', () => {
      const seen = (subjects: Subjects): readonly string[] =>
        world.where('securable', seesAllRows(caller(subjects), text('t.id')));
      expect(seen(asked)).toEqual(seen(listed));
    });

    it('is bounded by the same row filters', async () => {
      for (const id of ['filtered', 'securable-use-last', 'collected-use-last', 'securable-use-of-others']) {
        const bounds = async (subjects: Subjects) =>
          alternativesFor(await loadRowFilters(world.reader, caller(subjects), [id]), id);
        expect([id, await bounds(asked)]).toEqual([id, await bounds(listed)]);
      }
      const filtered = await loadRowFilters(world.reader, caller(asked), ['filtered']);
      expect(alternativesFor(filtered, 'filtered')?.flat()).toHaveLength(1);
    });
  });

  it('hands on what groups gave that they do not own', () => {
    const owned = new Set(groups.filter((_, index) => index % 2 === 1));
    const [first, second] = [asked, listed].map((subjects) => person({ subjects: withoutOwnGroups(subjects, owned) }));
    const held = world.held('securable', securable('use'), first ?? null);
    expect(held).toEqual(world.held('securable', securable('use'), second ?? null));
    expect(held.some((id) => id.endsWith('last'))).toBe(false);
    expect(held.some((id) => id.endsWith('first'))).toBe(true);
  });
});
