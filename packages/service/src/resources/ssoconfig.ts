import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { wholeOrganization } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { list, sql } from '../store/sql.ts';
import { checkMapping, readMapping } from './parts/sso-mapping.ts';
import { endPasswordLogins } from './parts/user/password-login.ts';
import { webAddress } from './parts/web-address.ts';

const urls = ['authorization_url', 'token_url', 'user_info_url'] as const;
const documented = ['client_id', 'client_secret', 'issuer', ...urls] as const;
const members = [...documented, 'mapping'] as const;
const identity = ['issuer', 'client_id', ...urls] as const;

const configShape: JsonObject = {
  type: 'object',
  properties: {
    ...Object.fromEntries(documented.map((name) => [name, { type: ['string', 'null'], maxLength: 4000 }])),
    mapping: { type: ['object', 'null'], description: 'Which claims give name, e-mail address, groups and ranks.' },
  },
  additionalProperties: false,
};

const memberOf = (config: Json | undefined, name: string): Json => (isObject(config) ? (config[name] ?? null) : null);

const disableOnlyWhenVerified: Rule = {
  name: 'disable-only-when-verified',
  on: ['update'],
  description:
    'E-mail and password login can be disabled only on a verified configuration that the same request does not change.',
  run: async ({ before, after, sent }) => {
    if (sent['disable_email_password'] !== true) return undefined;
    if (before?.['is_verified'] !== true) throw new Problem('sso_not_verified');
    if (isMoved(before, after)) {
      throw new Problem('validation_failed', {
        validation: {
          'properties.disable_email_password': ['cannot be set while the provider changes; verify the new one first'],
        },
      });
    }
    return undefined;
  },
};

const isMoved = (before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>): boolean =>
  before['protocol'] !== after['protocol'] ||
  identity.some((name) => memberOf(before['config'], name) !== memberOf(after['config'], name));

const verifyAgainAfterMove: Rule = {
  name: 'verify-again-after-move',
  on: ['update'],
  description:
    'Changing the protocol, issuer, client id or any URL resets is_verified and disable_email_password to false, and deletes the client secret unless the request contains one.',
  run: async ({ before, after, sent }) => {
    if (before === null || !isMoved(before, after)) return undefined;
    const carried = typeof memberOf(sent['config'], 'client_secret') === 'string';
    return {
      record: { is_verified: false, disable_email_password: false },
      ...(carried ? {} : { forget: ['config.client_secret'] }),
    };
  },
};

const createEnabled: Rule = {
  name: 'password-login-stays-at-creation',
  on: ['create'],
  description: 'On create, disable_email_password must be false.',
  run: async ({ sent }) => {
    if (sent['disable_email_password'] === true) throw new Problem('sso_not_verified');
    return undefined;
  },
};

const everyMember: Rule = {
  name: 'every-member',
  on: ['create', 'update'],
  description: 'Missing members of config are null.',
  run: async ({ after }) => {
    const config = after['config'] ?? null;
    const unset = Object.fromEntries(documented.map((name) => [name, null]));
    return { record: { config: { ...unset, ...(isObject(config) ? config : {}) } } };
  },
};

const groupsOfTheOrganization: Rule = {
  name: 'groups-of-the-organization',
  on: ['create', 'update'],
  description: 'Groups that mapping names must be groups of the organization.',
  run: async ({ sent, caller }, { transaction }) => {
    const named = Object.entries(readMapping(memberOf(sent['config'], 'mapping')).groups?.values ?? {});
    if (named.length === 0) return undefined;
    const ids = named.map(([, id]) => id.toLowerCase());
    const rows = await transaction.rows(
      sql`select id from "group" where organization_id = ${caller?.organizationId ?? ''} and id in ${list(ids)}`,
    );
    const known = new Set(rows.map((row) => String(row['id'])));
    const unknown = named.filter(([, id]) => !known.has(id.toLowerCase()));
    if (unknown.length === 0) return undefined;
    throw new Problem('validation_failed', {
      validation: Object.fromEntries(
        unknown.map(([name]) => [
          `properties.config.mapping.groups.values.${name}`,
          ['must be the id of a group of the organization'],
        ]),
      ),
    });
  },
};

export const ssoconfig = define({
  name: 'ssoconfig',
  description:
    'Single sign-on of an organization through OpenID Connect. An organization has at most one configuration.',
  fields: {
    id,
    organization_id: { ...organizationId, unique: true, conflictCode: 'sso_config_exists' },
    protocol: field.text('Protocol.', { required: true, values: ['OIDC'] }),
    config: field.object('Client and provider.', {
      required: true,
      merged: true,
      members,
      secretMembers: ['client_secret'],
      shape: configShape,
      check: (value, at, fault) => {
        if (!isObject(value)) return;
        for (const name of members) {
          const member = value[name] ?? null;
          if (member === null) continue;
          if (name === 'mapping') checkMapping(member, `${at}.mapping`, fault);
          else if (typeof member !== 'string' || member.length > 4000)
            fault(`${at}.${name}`, 'must be a text of at most 4000 characters');
          else if (urls.some((url) => url === name) || name === 'issuer') webAddress(member, `${at}.${name}`, fault);
        }
      },
    }),
    is_verified: readOnly(field.boolean('Set by the first successful login.', { column: true })),
    disable_email_password: field.boolean('Refuse e-mail and password login.', { column: true }),
    ...times,
  },
  roles: {
    create: wholeOrganization('owner'),
    get: wholeOrganization('owner'),
    update: wholeOrganization('owner'),
    delete: wholeOrganization('owner'),
  },
  associations: {
    Organization: {
      to: 'organization',
      relation: { kind: 'reference', field: 'organization_id', fixed: true },
      roleHere: wholeOrganization('owner'),
      roleThere: wholeOrganization('owner'),
    },
  },
  rules: [
    createEnabled,
    groupsOfTheOrganization,
    disableOnlyWhenVerified,
    verifyAgainAfterMove,
    everyMember,
    endPasswordLogins,
  ],
  example: {
    protocol: 'OIDC',
    config: { client_id: 'inlay', client_secret: 'a secret of the provider', issuer: 'https://login.example.com' },
  },
});
