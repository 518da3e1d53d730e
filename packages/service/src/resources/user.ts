import { inWords, type Json } from '@inlay/contract';
import { mustOutrank } from '../access/outranks.ts';
import {
  any,
  entity,
  levelOf,
  loggedIn,
  organization,
  securable,
  self,
  visitor,
  wholeOrganization,
} from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { sql } from '../store/sql.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { localeId } from './parts/iso-codes.ts';
import { colleague } from './organization.ts';
import { passwordsDisabled } from './parts/user/password-login.ts';
import { keepOwners, transferOwned } from './parts/user/owners.ts';
import { suborganizationByOwner, suborganizationField } from './parts/user/suborganization.ts';
import { timeZone } from './parts/time-zone.ts';
import { issueToken } from './parts/tokens.ts';
import { personWithinRank } from './parts/user/within-rank.ts';

const signUp: Rule = {
  name: 'sign-up',
  on: ['create'],
  description:
    'Without credentials, and only if INLAY_SIGNUP is true, a create also creates an organization with this person as its owner.',
  run: async ({ caller, prepared, after }, work) => {
    if (caller !== null) return undefined;
    if (prepared['signup'] !== true)
      throw new Problem('credentials_missing', {
        message:
          'Nobody can sign up here: send "key" and "token" of an Organization Owner, or have the operator set INLAY_SIGNUP.',
      });
    const organizationId_ = work.id();
    await work.insert('organization', { id: organizationId_, name: { en: inWords(after['name'] ?? after['email']) } });
    return { organizationId: organizationId_ };
  },
};

/** Returns the rank that a create sets; null if it sets none. */
const rankOf = (role: Json | undefined): number | null =>
  role === 'member' || role === 'editor' || role === 'owner' || role === 'admin' ? levelOf(role) : null;

const join: Rule = {
  name: 'join-organization',
  on: ['create'],
  description:
    'A new person joins the organization as a member and gets a login key and token, shown only once. If people sign in only with their identity provider, there is no login key and token.',
  afterwards: true,
  run: async (change, work) => {
    const { id: userId, caller, after, sent } = change;
    const joined = inWords(after['organization_id']);
    const rank = rankOf(sent['role']);
    if (rank !== null) mustOutrank(caller, rank);
    await work.link(
      joined,
      'organization.Users',
      userId,
      caller === null ? levelOf('owner') : (rank ?? levelOf('member')),
    );
    if (await passwordsDisabled(work.transaction, joined)) return { shown: { key: null, token: null } };
    const issued = await issueToken(change, work, {
      type: 'login',
      user_id: userId,
      organization_id: joined,
      suborganization: after['suborganization'] ?? null,
    });
    return { shown: { key: issued.id, token: issued.token } };
  },
};

const storePassword: Rule = {
  name: 'store-password',
  on: ['create', 'update'],
  description:
    'Passwords are stored only as argon2id hashes. A new password revokes the other logins of the person. If people sign in only with their identity provider, passwords cannot be set.',
  run: async ({ id: userId, caller, after, prepared, operation }, work) => {
    const hash = prepared['password_hash'];
    if (hash === undefined) return undefined;
    const joined = caller?.organizationId ?? after['organization_id'];
    if (hash !== null && typeof joined === 'string' && (await passwordsDisabled(work.transaction, joined)))
      throw new Problem('password_login_disabled');
    if (operation === 'update') {
      await work.transaction.run(
        sql`delete from "authorization" where user_id = ${userId} and type = 'login' and id <> ${caller?.authorizationId ?? ''}`,
      );
    }
    return { hidden: { password_hash: hash } };
  },
};

const moveTokens: Rule = {
  name: 'move-tokens',
  on: ['update'],
  description: 'When a person moves to another suborganization, their logins and API tokens move too.',
  afterwards: true,
  run: async ({ id: userId, before, after }, work) => {
    const suborganization = after['suborganization'] ?? null;
    if ((before?.['suborganization'] ?? null) === suborganization) return undefined;
    const own = await work.transaction.rows(
      sql`select id from "authorization" where user_id = ${userId} and type in ('login', 'api') order by id`,
    );
    for (const row of own) await work.change('authorization', String(row['id']), { suborganization });
    return undefined;
  },
};

const personOrOwner = any(self('id'), wholeOrganization('owner'));

export const user = define({
  name: 'user',
  description: 'A person of an organization.',
  warns: { of: () => [] },
  fields: {
    id,
    email: field.text('E-mail address; unique, compared without case.', {
      required: true,
      column: true,
      unique: true,
      maxLength: 320,
      pattern: { expression: /^[^\s@<>"']{1,64}@[^\s@<>"']{1,255}$/u, message: 'must be an e-mail address' },
      stored: (value) => (typeof value === 'string' ? value.toLowerCase() : value),
      shownTo: any(self('id'), organization('owner')),
      searched: 'always',
    }),
    name: field.text('Name.', { searched: true, maxLength: 1000 }),
    first_name: field.text('First name.', { maxLength: 255 }),
    last_name: field.text('Last name.', { maxLength: 255 }),
    job: field.text('Job title.', { maxLength: 255 }),
    password: field.text('For e-mail and password login; never shown.', {
      hidden: true,
      transient: true,
      maxLength: 1000,
      check: (value, at, fault) => {
        if (typeof value === 'string' && value.length < 12) fault(at, 'must have at least 12 characters');
      },
    }),
    role: field.text('Rank in the organization: the flag of the new link. Set by an Organization Owner.', {
      accept: ['create'],
      hidden: true,
      transient: true,
      values: ['member', 'editor', 'owner', 'admin'],
    }),
    locale_id: localeId(),
    timezone_id: field.text('IANA time zone name.', { check: timeZone }),
    suborganization: suborganizationField,
    organization_id: organizationId,
    ...times,
    password_hash: readOnly(field.text('Argon2id.', { hidden: true })),
  },
  shownOnce: {
    key: field.uuid('Key of a login for the new person; null if people sign in only with their identity provider.'),
    token: field.text('Token of that login; it is stored hashed and never shown again. Null likewise.'),
  },
  prepare: async ({ operation, sent, caller, address }, { passwords, signup, tokenHours }) => ({
    tokenHours,
    signup,
    ...(typeof sent['password'] === 'string'
      ? { password_hash: await passwords.hash(sent['password'], caller?.authorizationId ?? address) }
      : {}),
    ...(operation === 'update' && sent['password'] === null ? { password_hash: null } : {}),
  }),
  roles: {
    create: any(organization('owner'), visitor),
    get: colleague,
    update: any(self('id'), organization('owner')),
    delete: organization('owner'),
  },
  deletes: {
    transfer_to: field.reference(
      'The member who becomes the owner of all records of the person. Set by an Organization Owner of the whole organization.',
      { to: 'user' },
    ),
  },
  rules: [signUp, suborganizationByOwner, personWithinRank, storePassword, transferOwned, keepOwners, moveTokens, join],
  associations: {
    Organizations: {
      to: 'organization',
      relation: { kind: 'inverse', of: 'Users' },
      roleHere: loggedIn,
      roleThere: organization('owner'),
      includedBy: personOrOwner,
    },
    Groups: {
      to: 'group',
      relation: { kind: 'inverse', of: 'Users' },
      roleHere: organization('member'),
      roleThere: entity('group', 'own'),
    },
    Securables: {
      to: 'securable',
      relation: { kind: 'inverse', of: 'Users' },
      roleHere: organization('editor'),
      roleThere: securable('own'),
      includedBy: personOrOwner,
    },
    favorites: {
      to: 'securable',
      relation: { kind: 'inverse', of: 'favorites' },
      roleHere: self('id'),
      roleThere: securable('read'),
      includedBy: self('id'),
    },
    Accounts: {
      to: 'account',
      relation: { kind: 'inverse', of: 'Users' },
      roleHere: loggedIn,
      roleThere: entity('account', 'own'),
      includedBy: personOrOwner,
    },
    Collections: {
      to: 'collection',
      relation: { kind: 'inverse', of: 'Users' },
      roleHere: organization('member'),
      roleThere: entity('collection', 'own'),
      includedBy: personOrOwner,
    },
  },
  example: { email: 'ada@example.com', name: 'Ada', password: 'a long pass phrase' },
});
