import { inWords, isColor, isObject, type Fault, type Json, type JsonObject } from '@inlay/contract';
import { any, flagged, linked, loggedIn, organization, self, wholeOrganization } from '../declare/roles.ts';
import { providerOf } from '../connectors/providers.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import type { Rule } from '../resource/rules.ts';
import { webAddress } from './parts/web-address.ts';
import { withoutEffect } from './parts/without-effect.ts';

/** Members that everybody in an organization sees. Any other member is private until it is listed here. */
const publicMembers: ReadonlySet<string> = new Set([
  'id',
  'name',
  'subdomain',
  'main_color',
  'accent_color',
  'created_at',
  'updated_at',
  'country_id',
  'locale_id',
  'flag_allow_viewers',
  'flag_publish',
  'flag_whitelabeling',
]);

const withoutPrivate = (organizationRecord: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(organizationRecord).map(([name, value]) => [name, publicMembers.has(name) ? value : null]),
  );

/**
 * Checks the declared settings of a plugin's accounts. The plugin receives each setting in the header
 * X-Property-<name>.
 */
function checkSettings(value: Json, at: string, fault: Fault): void {
  for (const [name, setting] of Object.entries(isObject(value) ? value : {})) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/u.test(name)) fault(`${at}.${name}`, 'must have a name of letters, digits, - and _');
    else if (!isObject(setting)) fault(`${at}.${name}`, 'must be an object such as {"type": "text", "secret": true}');
    else if (setting['secret'] !== undefined && typeof setting['secret'] !== 'boolean')
      fault(`${at}.${name}.secret`, 'must be true or false');
  }
}

/** Capabilities that published clients declare besides `pushdown`. */
const capabilities = [
  'supports_like',
  'supports_distinctcount',
  'supports_order_limit',
  'supports_join',
  'supports_sql',
  'supports_nested_filters',
] as const;

const maker = any(self('user_id'), wholeOrganization('owner'));

const publicService: Rule = {
  name: 'public-service',
  on: ['create', 'update'],
  description: 'base_url must be a public https URL, or one of a network that the operator lists in INLAY_ALLOW_HOSTS.',
  run: async ({ sent, prepared }) => {
    if (typeof sent['base_url'] !== 'string' || prepared['isReachable'] === true) return undefined;
    throw new Problem('validation_failed', {
      validation: {
        'properties.base_url': [
          'must be a public https address; the operator can allow a private network and port, as in INLAY_ALLOW_HOSTS=127.0.0.1/32:8080',
        ],
      },
    });
  },
};

/**
 * Deletes the stored secret, since a secret must never be sent to a host it was not entered for.
 * specification/resources#plugin
 */
const forgetSecretOnMove: Rule = {
  name: 'forget-secret-on-move',
  on: ['update'],
  description: 'Changing base_url deletes the stored secret unless the same request contains one.',
  run: async ({ before, after, sent }) =>
    before?.['base_url'] !== after['base_url'] && sent['secret'] === undefined ? { forget: ['secret'] } : undefined,
};

export const plugin = define({
  name: 'plugin',
  warns: { of: () => [] },
  description: 'A custom data provider that implements the plugin protocol.',
  fields: {
    id,
    slug: field.text('Short name in URLs.', {
      required: true,
      column: true,
      unique: true,
      pattern: { expression: /^[a-zA-Z0-9-]{1,50}$/u, message: 'must be 1 to 50 letters, digits and dashes' },
      check: (value, at, fault) =>
        typeof value === 'string' && providerOf(value) !== undefined
          ? fault(at, 'is the name of a built-in provider; choose another')
          : undefined,
    }),
    name: field.multilingual('Name.', { searched: true }),
    description: field.multilingual('Description.', { searched: true }),
    url: field.text('Address of product information.', { maxLength: 2000, check: webAddress }),
    license: field.text('Licence.', { maxLength: 255 }),
    base_url: field.text('Address of the plugin’s own service.', { maxLength: 2000, check: webAddress }),
    authorize: field.text('How an account authorizes.', {
      default: 'none',
      values: ['none', 'token', 'key_token', 'host_key_token', 'oauth2', 'custom'],
    }),
    tiles: field.boolean('Serves tiles.'),
    search: field.boolean('Can be searched.'),
    public: field.boolean('Everybody can read it.', { column: true }),
    reviewed: readOnly(field.boolean('Set by the operator.', { column: true })),
    color: field.text('Colour.', {
      pattern: { expression: /^#[0-9a-fA-F]{6}$/u, message: 'must be a colour such as "#1A2B3C"' },
      check: (value, at, fault) =>
        typeof value === 'string' && !isColor(value) ? fault(at, 'must be a colour') : undefined,
    }),
    secret: field.secret('Sent to the plugin as X-Secret.'),
    protocol_version: field.text('Version of the plugin protocol.', {
      default: '1.0.0',
      pattern: { expression: /^\d{1,3}\.\d{1,3}\.\d{1,3}$/u, message: 'must be a version such as "2.0.0"' },
    }),
    pushdown: field.boolean('Whether the plugin aggregates and filters.'),
    ...Object.fromEntries(
      capabilities.map((name) => [
        name,
        field.boolean('A capability of the plugin, as clients send it. Stored, without effect yet.', {
          warns: withoutEffect,
        }),
      ]),
    ),
    properties: field.object('Settings of its accounts, by name: `{type?, secret?, required?, description?}`.', {
      default: {},
      check: checkSettings,
    }),
    created_at: { ...times.created_at, hidden: true },
    updated_at: { ...times.updated_at, hidden: true },
    organization_id: { ...organizationId, hidden: true },
    user_id: readOnly(field.reference('Its maker.', { generated: 'caller', to: 'user', hidden: true })),
  },
  prepare: async ({ sent }, { mayBeReached }) => ({ isReachable: mayBeReached(inWords(sent['base_url'] ?? null)) }),
  rules: [publicService, forgetSecretOnMove],
  embeds: { organization: 'organization' },
  roles: {
    create: organization('editor'),
    get: any(flagged('public'), linked('plugin.Organization', 'member'), maker),
    update: maker,
    delete: maker,
  },
  associations: {
    Organization: {
      to: 'organization',
      relation: { kind: 'link' },
      roleHere: maker,
      roleThere: organization('member'),
    },
    User: {
      to: 'user',
      relation: { kind: 'link' },
      roleHere: maker,
      roleThere: loggedIn,
    },
    Thumbnail: {
      to: 'image',
      relation: { kind: 'link' },
      single: true,
      roleHere: maker,
      roleThere: loggedIn,
    },
  },
  present: (record, caller) => {
    const embedded = record['organization'] ?? null;
    if (!isObject(embedded) || embedded['id'] === caller.organizationId) return record;
    return { ...record, organization: withoutPrivate(embedded) };
  },
  example: {
    slug: 'weather',
    name: { en: 'Weather' },
    base_url: 'https://weather.example.com',
    authorize: 'token',
    color: '#2F80ED',
  },
});
