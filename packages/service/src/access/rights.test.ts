import { describe, expect, it } from 'vitest';
import { embed, emptyWorld, person } from '../../../../test/access/world.ts';
import { columnsOf, permits, type Columns, type Verdict } from './permits.ts';
import { entity, rights, securable, securableOf, type Right, type Role } from '../declare/roles.ts';
import { text } from '../store/sql.ts';

const world = emptyWorld();

/** Who has access to `<who>-<right>`, and through which association. */
const ways = [
  ['ada', 'securable.Users'],
  ['group-of-ada', 'securable.Groups'],
  ['embed', 'securable.Embed'],
  ['bob', 'securable.Users'],
] as const;

const levels = { read: 1, use: 2, modify: 3, own: 4 } as const;

for (const [who, association] of ways) {
  for (const right of rights) {
    const id = `${who}-${right}`;
    for (const table of ['securable', 'account']) world.add(table, id);
    world.link(id, association, who, levels[right]);

    const inCollection = `collected-${id}`;
    const collection = `collection-${id}`;
    world.add('securable', inCollection);
    world.add('collection', collection);
    world.link(collection, association.replace('securable', 'collection'), who, levels[right]);
    world.link(inCollection, 'securable.Collections', collection, 4);
  }
}
world.add('securable', 'collected-two-ways');
world.link('collected-two-ways', 'securable.Users', 'ada', 1);
world.link('collected-two-ways', 'securable.Collections', 'collection-ada-use', 4);
world.add('securable', 'collected-by-reader');
world.link('collected-by-reader', 'securable.Collections', 'collection-ada-own', 1);
world.link('ada-own', 'securable.Users', 'bella', 2);
world.add('securable', 'elsewhere', { organization_id: 'theirs' });
world.link('elsewhere', 'securable.Users', 'ada', 4);
world.add('tag', 'any');
world.add('securable', 'favorite');
world.link('favorite', 'securable.favorites', 'ada', null);
world.add('securable', 'variant');
world.link('variant', 'securable.variants', 'ada-own', null);
for (const [id, securable_id] of [
  ['of-used', 'ada-use'],
  ['of-modified', 'ada-modify'],
  ['of-others', 'bob-own'],
  ['of-none', null],
] as const) {
  world.add('schedule', id, { securable_id });
  world.add('column', `column-${id}`, { securable_id });
  world.add('hierarchylevel', `level-${id}`, { column_id: `column-${id}` });
}
world.add('hierarchylevel', 'level-of-no-column', { column_id: 'of-modified' });
world.add('hierarchylevel', 'level-elsewhere', { column_id: 'column-of-modified', organization_id: 'theirs' });

const includes: Readonly<Record<Right, readonly Right[]>> = {
  read: ['read', 'use', 'modify', 'own'],
  use: ['use', 'modify', 'own'],
  modify: ['modify', 'own'],
  own: ['own'],
};
const given = (who: string, asked: Right): readonly string[] => includes[asked].map((right) => `${who}-${right}`);
const onBoth = (who: string, asked: Right): readonly string[] => [
  ...given(who, asked),
  ...given(`collected-${who}`, asked),
];
const sorted = (...ids: readonly (readonly string[])[]): readonly string[] => ids.flat().toSorted();
const collectedTwoWays: Readonly<Record<Right, readonly string[]>> = {
  read: ['collected-two-ways'],
  use: ['collected-two-ways'],
  modify: [],
  own: [],
};

describe.each(rights)('the right to %s', (right) => {
  it('is given to a person directly, by a group and by a collection, and the highest counts', () => {
    expect(world.held('securable', securable(right), person())).toEqual(
      sorted(
        onBoth('ada', right),
        onBoth('group-of-ada', right),
        collectedTwoWays[right],
        right === 'read' ? ['collected-by-reader'] : [],
      ),
    );
  });

  it('is given to others than its holders by nothing', () => {
    expect(
      world.held('securable', securable(right), person({ subjects: { ids: ['carl'], groupsOf: null }, rank: 3 })),
    ).toEqual([]);
    expect(permits(securable(right), null, columnsOf(text('t')))).toBe(false);
  });

  it('is given on other records in the same way', () => {
    const expected = sorted(given('ada', right), given('group-of-ada', right));
    expect(world.held('account', entity('account', right), person())).toEqual(expected);
  });

  it('is given to an embed token by its own grants, not by those of its issuer', () => {
    const issuer = { subjects: { ids: ['olga', 'bob', 'embed'], groupsOf: null }, rank: 0 };
    expect(world.held('securable', securable(right), embed({ issuer }))).toEqual(sorted(onBoth('embed', right)));
  });
});

describe('an admin', () => {
  const ours = sorted(
    ways.flatMap(([who]) => onBoth(who, 'read')),
    ['collected-two-ways', 'collected-by-reader', 'favorite', 'variant'],
  );

  it('may modify every securable of the organization', () => {
    for (const right of ['read', 'use', 'modify'] as const) {
      expect(
        world.held('securable', securable(right), person({ subjects: { ids: ['olga'], groupsOf: null }, rank: 4 })),
      ).toEqual(ours);
    }
  });

  it('owns only what they were given', () => {
    expect(
      world.held('securable', securable('own'), person({ subjects: { ids: ['bob'], groupsOf: null }, rank: 4 })),
    ).toEqual(sorted(onBoth('bob', 'own')));
  });

  it('has no more than anybody on records that are no securables', () => {
    for (const table of ['account', 'collection']) {
      expect(
        world.held(table, entity(table, 'read'), person({ subjects: { ids: ['olga'], groupsOf: null }, rank: 4 })),
      ).toEqual([]);
    }
  });

  it('has the rights that come from a securable where there is one', () => {
    const role = securable('modify', 'securable_id');
    expect(world.held('schedule', role, person({ rank: 4 }))).toEqual(['of-modified', 'of-others', 'of-used']);
  });
});

it('a right counts on the record that a field names', () => {
  expect(world.held('schedule', securable('modify', 'securable_id'), person())).toEqual(['of-modified']);
  expect(world.held('schedule', securable('use', 'securable_id'), person())).toEqual(['of-modified', 'of-used']);
});

describe('a right counts on the securable of the record that a field names', () => {
  const on = (right: Right): Role => securableOf(right, 'column', 'column_id');

  it('for those who hold it there', () => {
    expect(world.held('hierarchylevel', on('modify'), person())).toEqual(['level-of-modified']);
    expect(world.held('hierarchylevel', on('use'), person())).toEqual(['level-of-modified', 'level-of-used']);
    expect(world.held('hierarchylevel', on('read'), person({ subjects: { ids: ['carl'], groupsOf: null } }))).toEqual(
      [],
    );
  });

  it('for an admin wherever there is a securable', () => {
    expect(world.held('hierarchylevel', on('modify'), person({ rank: 4 }))).toEqual([
      'level-of-modified',
      'level-of-others',
      'level-of-used',
    ]);
  });

  it.each([
    ['column-of-modified', true],
    ['column-of-used', false],
    ['column-of-none', false],
    ['of-modified', false],
    [null, false],
  ])('before it is stored: %s', (column, may) => {
    const about: Columns = (field) => ({ known: field === 'organization_id' ? 'ours' : column });
    const held = world.where('tag', permits(on('modify'), person(), about));
    expect(held).toEqual(may ? ['any'] : []);
  });
});

describe('an embed token', () => {
  const asked = (ceiling: number, right: Right): Verdict =>
    permits(
      securable(right),
      embed({ ceiling, issuer: { subjects: { ids: ['embed'], groupsOf: null }, rank: 0 } }),
      columnsOf(text('t')),
    );

  it.each([
    [2, 'read'],
    [2, 'use'],
    [4, 'modify'],
    [4, 'own'],
  ] as const)('with the ceiling %i may have the right to %s', (ceiling, right) => {
    expect(world.where('securable', asked(ceiling, right))).toEqual(sorted(onBoth('embed', right)));
  });

  it.each(['modify', 'own'] as const)('of a viewer never has the right to %s', (right) => {
    expect(asked(2, right)).toBe(false);
  });

  it('never has more than its issuer has now', () => {
    const caller = embed({
      subjects: { ids: ['ada'], groupsOf: null },
      issuer: { subjects: { ids: ['bella'], groupsOf: null }, rank: 3 },
    });
    expect(world.held('securable', securable('read'), caller)).toEqual(['ada-own']);
    expect(world.held('securable', securable('use'), caller)).toEqual(['ada-own']);
    expect(world.held('securable', securable('modify'), caller)).toEqual([]);
  });

  it('is bounded by an issuer who is an admin as admins are', () => {
    expect(world.held('securable', securable('modify'), embed())).toEqual(sorted(onBoth('embed', 'modify')));
    expect(world.held('securable', securable('own'), embed())).toEqual([]);
  });
});
