import { expect, it } from 'vitest';
import * as roles from './roles.ts';

it('counts each right and rank above those it includes', () => {
  const levels = [...roles.rights, ...roles.ranks].map((word) => [word, roles.levelOf(word)]);
  expect(levels).toEqual([
    ['read', 1],
    ['use', 2],
    ['modify', 3],
    ['own', 4],
    ['member', 1],
    ['editor', 2],
    ['owner', 3],
    ['admin', 4],
  ]);
});

it.each<[roles.Role, string]>([
  [roles.anyone, 'anyone'],
  [roles.visitor, 'somebody signing up'],
  [roles.operator, 'the operator only'],
  [roles.loggedIn, 'Logged-in User'],
  [roles.token('api'), 'by an api token'],
  [roles.organization('member'), 'Organization Member'],
  [roles.organization('editor'), 'Organization Editor'],
  [roles.organization('owner'), 'Organization Owner'],
  [roles.organization('admin'), 'Organization Admin'],
  [roles.entity('account', 'read'), 'Account Reader'],
  [roles.securable('use'), 'Securable User'],
  [roles.securable('modify', 'securable_id'), 'Securable Modifier (of securable_id)'],
  [roles.securableOf('modify', 'column', 'column_id'), 'Securable Modifier (of column_id)'],
  [roles.entity('collection', 'own'), 'Collection Owner'],
  [roles.self('id'), 'oneself'],
  [roles.self('user_id'), 'the person in user_id'],
  [roles.flagged('public'), 'anyone logged in, if public is true'],
  [roles.linked('plugin.Organization', 'member'), 'Member of a linked organization'],
  [roles.suborganization, 'same suborganization'],
  [roles.shown, 'not hidden from an embed token'],
  [roles.any(roles.loggedIn, roles.visitor), 'Logged-in User or somebody signing up'],
  [roles.all(roles.loggedIn, roles.suborganization), 'Logged-in User, same suborganization'],
])('has words for %o', (role, words) => {
  expect(roles.describeRole(role)).toBe(words);
});
