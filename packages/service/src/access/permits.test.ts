import { describe, expect, it } from 'vitest';
import { embed, emptyWorld, person } from '../../../../test/access/world.ts';
import type { Caller } from './caller.ts';
import { columnsOf, condition, every, permits, type Columns } from './permits.ts';
import {
  all,
  any,
  anyone,
  flagged,
  linked,
  loggedIn,
  operator,
  organization,
  securable,
  self,
  shown,
  unset,
  ranks,
  suborganization,
  token,
  visitor,
  wholeOrganization,
  type Rank,
  type Role,
} from '../declare/roles.ts';
import { sql, text } from '../store/sql.ts';

const columns = columnsOf(text('t'));
const byApi = person({ type: 'api' });

describe('a role that needs no record', () => {
  it.each<[string, Role, readonly boolean[]]>([
    ['anyone', anyone, [true, true, true, true]],
    ['visitor', visitor, [true, false, false, false]],
    ['operator', operator, [false, false, false, false]],
    ['logged in', loggedIn, [false, true, true, false]],
    ['a login', token('login'), [false, true, false, false]],
    ['an api token', token('api'), [false, false, true, false]],
    ['an embed token', token('embed'), [false, false, false, true]],
  ])('is held by the right callers: %s', (_name, role, held) => {
    expect([null, person(), byApi, embed()].map((caller) => permits(role, caller, columns))).toEqual(held);
  });
});

describe('a rank', () => {
  const world = emptyWorld();
  world.add('theme', 'ours');
  world.add('theme', 'theirs', { organization_id: 'theirs' });
  world.add('theme', 'nobodys', { organization_id: null });

  const included: Readonly<Record<number, readonly Rank[]>> = {
    0: [],
    1: ['member'],
    2: ['member', 'editor'],
    3: ['member', 'editor', 'owner'],
    4: ['member', 'editor', 'owner', 'admin'],
  };

  it.each(Object.entries(included))('of level %s includes %j, in the own organization only', (level, has) => {
    const caller = person({ rank: Number(level) });
    for (const rank of ranks) {
      expect(world.held('theme', organization(rank), caller)).toEqual(has.includes(rank) ? ['ours'] : []);
    }
  });

  it('is never held by nobody', () => {
    expect(permits(organization('member'), null, columns)).toBe(false);
  });
});

describe('a rank beside other roles', () => {
  const role = any(securable('read'), wholeOrganization('owner'), flagged('is_public'));
  const rest = any(wholeOrganization('owner'), flagged('is_public'));

  it('asks about no link of a record where the rank suffices', () => {
    const caller = person({ rank: 3, suborganization: null });
    expect(permits(role, caller, columns)).toEqual(permits(rest, caller, columns));
    const nested = any(all(securable('read'), shown), any(securable('use')), wholeOrganization('owner'));
    expect(permits(nested, caller, columns)).toEqual(permits(wholeOrganization('owner'), caller, columns));
  });

  it('asks about links where it does not', () => {
    for (const caller of [person({ rank: 2 }), person({ rank: 3, suborganization: 'north' }), embed()])
      expect(permits(role, caller, columns)).not.toEqual(permits(rest, caller, columns));
  });
});

describe('oneself', () => {
  const world = emptyWorld();
  for (const id of ['ada', 'bob', 'embed']) world.add('image', `of-${id}`, { user_id: id });
  world.add('image', 'of-nobody', { user_id: null });

  it('is the person whose id the record names, whatever their rank', () => {
    expect(world.held('image', self('user_id'), person({ rank: 0 }))).toEqual(['of-ada']);
    expect(world.held('image', self('user_id'), person({ userId: 'bob', rank: 4 }))).toEqual(['of-bob']);
  });

  it('is no embed token and not nobody', () => {
    expect(permits(self('user_id'), embed(), columns)).toBe(false);
    expect(permits(self('user_id'), null, columns)).toBe(false);
  });
});

describe('what is public', () => {
  const world = emptyWorld();
  world.add('plugin', 'public', { public: 1, organization_id: 'theirs', slug: 'a' });
  world.add('plugin', 'private', { public: 0, slug: 'b' });
  world.add('plugin', 'unsaid', { public: null, slug: 'c' });

  it('is for logins and api tokens of any organization', () => {
    expect(world.held('plugin', flagged('public'), person({ rank: 0 }))).toEqual(['public']);
    expect(world.held('plugin', flagged('public'), byApi)).toEqual(['public']);
  });

  it('is not for embed tokens', () => {
    expect(permits(flagged('public'), embed(), columns)).toBe(false);
  });

  it('is known of a record that is not stored yet, without asking the store to compare a text with a number', () => {
    const about = (known: string | null): unknown => permits(flagged('public'), person({ rank: 0 }), () => ({ known }));
    expect(['1', '0', null].map(about)).toEqual([true, false, false]);
    expect(permits(flagged('public'), embed(), () => ({ known: '1' }))).toBe(false);
  });
});

describe('a linked organization', () => {
  const world = emptyWorld();
  for (const id of ['linked', 'linked-otherwise', 'linked-to-others']) {
    world.add('plugin', id, { organization_id: 'theirs', slug: id });
  }
  world.link('linked', 'plugin.Organization', 'ours', null);
  world.link('linked-otherwise', 'plugin.User', 'ours', null);
  world.link('linked-to-others', 'plugin.Organization', 'others', null);

  it('gives its people the record, by that association alone', () => {
    expect(world.held('plugin', linked('plugin.Organization', 'member'), person({ rank: 1 }))).toEqual(['linked']);
    expect(world.held('plugin', linked('plugin.Organization', 'owner'), person({ rank: 3 }))).toEqual(['linked']);
  });

  it('gives nothing below the rank', () => {
    expect(permits(linked('plugin.Organization', 'member'), embed(), columns)).toBe(false);
    expect(permits(linked('plugin.Organization', 'owner'), person({ rank: 2 }), columns)).toBe(false);
  });
});

describe('a suborganization', () => {
  const world = emptyWorld();
  world.add('group', 'north', { suborganization: 'north' });
  world.add('group', 'south', { suborganization: 'south' });
  world.add('group', 'whole', { suborganization: null });

  it.each<[string, Caller, readonly string[]]>([
    ['a member of one', person({ suborganization: 'north' }), ['north']],
    ['an owner of one', person({ suborganization: 'south', rank: 3 }), ['south']],
    ['an admin of one', person({ suborganization: 'south', rank: 4 }), ['south']],
    ['a member of none', person(), ['whole']],
    ['an editor of none', person({ rank: 2 }), ['whole']],
    ['an owner of the whole', person({ rank: 3 }), ['north', 'south', 'whole']],
    ['an admin of the whole', person({ rank: 4 }), ['north', 'south', 'whole']],
    ['an embed token of one', embed({ suborganization: 'north' }), ['north']],
    ['an embed token of none', embed(), ['whole']],
  ])('bounds what %s sees', (_name, caller, seen) => {
    expect(world.held('group', suborganization, caller)).toEqual(seen);
  });
});

describe('a hidden column', () => {
  const world = emptyWorld();
  for (const id of ['age', 'name', 'salary']) world.add('column', id);

  it('does not exist for the token that hides it', () => {
    expect(world.held('column', shown, embed({ hiddenColumns: ['age', 'salary'] }))).toEqual(['name']);
  });

  it('exists for everybody else', () => {
    expect(permits(shown, embed(), columns)).toBe(true);
    expect(permits(shown, person(), columns)).toBe(true);
  });
});

describe('roles together', () => {
  const world = emptyWorld();
  world.add('image', 'both', { user_id: 'ada' });
  world.add('image', 'mine', { user_id: 'ada', organization_id: 'theirs' });
  world.add('image', 'ours', { user_id: 'bob' });
  world.add('image', 'nobodys', { organization_id: 'theirs' });
  world.add('image', 'theirs', { user_id: 'bob', organization_id: 'theirs' });
  const nobodys = unset('user_id');
  const [mine, ours, never, always] = [self('user_id'), organization('member'), operator, anyone];

  it.each<[string, Role, boolean]>([
    ['any of nothing', any(), false],
    ['all of nothing', all(), true],
    ['always or mine', any(always, mine), true],
    ['mine or always', any(mine, always), true],
    ['never and mine', all(never, mine), false],
    ['mine and never', all(mine, never), false],
    ['always and never', all(always, never), false],
    ['never or always', any(never, always), true],
    ['either, and never', all(any(mine, ours), never), false],
  ])('are certain without a record: %s', (_name, role, certain) => {
    expect(permits(role, person(), columns)).toBe(certain);
  });

  it.each<[string, Role, readonly string[]]>([
    ['either', any(mine, nobodys), ['both', 'mine', 'nobodys']],
    ['either, one of which is held on the whole organization', any(mine, ours), ['both', 'ours']],
    ['the same with a condition that is met', any(mine, all(ours, always)), ['both', 'ours']],
    ['the same with one that is not certain', any(mine, all(ours, mine)), ['both', 'mine']],
    ['both', all(mine, ours), ['both']],
    ['never or mine', any(never, mine), ['both', 'mine']],
    ['mine or never', any(mine, never), ['both', 'mine']],
    ['always and mine', all(always, mine), ['both', 'mine']],
    ['mine and always', all(mine, always), ['both', 'mine']],
    ['ours, and mine or ours', all(ours, any(mine, ours)), ['both', 'ours']],
  ])('are a condition on the record: %s', (_name, role, held) => {
    expect(world.held('image', role, person())).toEqual(held);
  });

  it('keep their meaning inside a longer condition', () => {
    const isTheirs = sql`t.organization_id = ${'theirs'}`;
    const either = condition(permits(any(mine, nobodys), person(), columns));
    const both = condition(permits(all(mine, ours), person(), columns));
    expect(world.where('image', sql`${either} and ${isTheirs}`)).toEqual(['mine', 'nobodys']);
    expect(world.where('image', sql`not ${both}`)).toEqual(['mine', 'nobodys', 'ours', 'theirs']);
  });
});

describe('a record that is about to be', () => {
  const about =
    (values: Readonly<Record<string, string>>): Columns =>
    (field) => ({ known: values[field] ?? null });

  it.each<[string, Role, Readonly<Record<string, string>>, boolean]>([
    ['in the own organization', organization('member'), { organization_id: 'ours' }, true],
    ['in another organization', organization('member'), { organization_id: 'theirs' }, false],
    ['in no organization', organization('member'), {}, false],
    ['of oneself', self('user_id'), { user_id: 'ada' }, true],
    ['of somebody else', self('user_id'), { user_id: 'bob' }, false],
    ['of nobody', self('user_id'), {}, false],
    ['in no suborganization', suborganization, {}, true],
    ['in a suborganization that is not one’s own', suborganization, { suborganization: 'north' }, false],
  ])('is judged without asking the store: %s', (_name, role, values, held) => {
    expect(permits(role, person(), about(values))).toBe(held);
  });

  it('is bound by the own suborganization', () => {
    const caller = person({ suborganization: 'north' });
    const judged = [{ suborganization: 'north' }, { suborganization: 'south' }, {}];
    expect(judged.map((values) => permits(suborganization, caller, about({ ...values })))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is judged by what the store holds of the record it names', () => {
    const world = emptyWorld();
    world.add('tag', 'any');
    world.link('linked', 'plugin.Organization', 'ours', null);
    const held = (id: string): readonly string[] =>
      world.where('tag', permits(linked('plugin.Organization', 'member'), person(), about({ id })));
    expect(held('linked')).toEqual(['any']);
    expect(held('other')).toEqual([]);
  });
});

describe('a condition', () => {
  const world = emptyWorld();
  for (const id of ['a', 'b']) world.add('tag', id);
  const isA = sql`t.id = ${'a'}`;
  const isTag = sql`t.id is not null`;

  it('is written for what is certain too', () => {
    expect(world.where('tag', true)).toEqual(['a', 'b']);
    expect(world.where('tag', false)).toEqual([]);
  });

  it('of several parts needs every one, and of none holds', () => {
    expect(world.where('tag', every([]))).toEqual(['a', 'b']);
    expect(world.where('tag', every([isTag, isA]))).toEqual(['a']);
    expect(world.where('tag', every([isTag, isA, condition(false)]))).toEqual([]);
  });
});
