import { entity, loggedIn } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { overseen } from '../resource/oversight.ts';
import { field, readOnly } from '../declare/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { id, linkFilters, organizationId, rightsLadder, times } from '../resource/standard.ts';
import { exampleProvider, providers } from '../connectors/providers.ts';
import { sql } from '../store/sql.ts';
import { checkProviderProperties } from './parts/account/properties.ts';
import { takeProvider, unknownProvider } from './parts/account/provider.ts';
import { forgetSecretsOnMove, keepAuthorization, secretsOfPlugin } from './parts/account/secrets.ts';

const providerNames = providers.map(({ name }) => `\`${name}\``).join(', ');

const syncTerms = ['active', 'expiry', 'datasets_meta_sync_enabled', 'datasets_meta_sync_interval'];

const syncAgain: Rule = {
  name: 'sync-again',
  on: ['update'],
  description: 'A change of the refresh interval applies to the datasets of the account at once.',
  afterwards: true,
  run: async ({ id, sent, now }, work) => {
    if (!syncTerms.some((name) => Object.hasOwn(sent, name))) return undefined;
    await work.transaction.run(
      sql`update securable set sync_due_at = ${now} where account_id = ${id} and type = 'dataset'`,
    );
    return undefined;
  },
};

const declared = define({
  name: 'account',
  description: 'A connection to a database or a data plugin: its address and credentials. Not a person’s login.',
  warns: {
    of: (record) => [
      ...unknownProvider(record),
      ...(record['user_may_write'] === true
        ? [
            {
              path: 'identifier',
              code: 'user_may_write',
              message: 'The user of this connection may write at the source; give it one who may only read.',
            },
          ]
        : []),
    ],
  },
  fields: {
    id,
    user_id: readOnly(field.reference('Owner.', { generated: 'caller', to: 'user' })),
    plugin_id: field.reference('The plugin of the account.', { to: 'plugin', onDelete: 'refuse' }),
    shareable_id: readOnly(field.uuid('Created together with the record.', { generated: 'id' })),
    organization_id: { ...organizationId, hidden: true },
    provider: field.text(`Name of a built-in provider (${providerNames}), or slug of a plugin.`, {
      column: true,
      maxLength: 255,
    }),
    name: field.text('Name.', { searched: true, maxLength: 1000 }),
    description: field.multilingual('Description.', { searched: true }),
    date: field.timestamp('Date of the connection.', { generated: 'now' }),
    expiry: field.timestamp('After this time the account is paused.'),
    scope: field.text('Database name; a plugin may use it in another way.'),
    host: field.text('Host name or address. It is checked each time a connection is opened.', {
      maxLength: 2000,
      pattern: { expression: /^\S+$/u, message: 'must be a host name or address, without spaces' },
    }),
    port: field.text('Port, as a text; a whole number is read as one.', {
      reads: (value) => (typeof value === 'number' && Number.isInteger(value) ? String(value) : value),
      pattern: { expression: /^\d{1,5}$/u, message: 'must be a port number as a text, such as "5432"' },
      check: (value, at, fault) =>
        typeof value === 'string' && (Number(value) < 1 || Number(value) > 65_535)
          ? fault(at, 'must be a port from 1 to 65535')
          : undefined,
    }),
    identifier: field.text('User name.'),
    token: field.secret('Password or other credential.'),
    code: field.text('Code of an OAuth exchange; a secret if the plugin uses oauth2.'),
    active: field.boolean('If false, all queries are paused.', { default: true, column: true }),
    invalid: field.boolean('True after the source has refused the credentials.'),
    user_may_write: readOnly(
      field.boolean('Whether its database user has write access, as of the last listing of its tables.'),
    ),
    synced: readOnly(field.boolean('Whether the list of datasets was read.')),
    cache: field.number('Seconds that query results may be cached; 0 disables the cache.', {
      default: 0,
      minimum: 0,
      maximum: 31_536_000,
    }),
    datasets_meta_sync_enabled: field.boolean('Whether metadata is refreshed periodically.', { default: true }),
    datasets_meta_sync_interval: field.number('Hours between two metadata refreshes.', {
      default: 1,
      minimum: 0,
      maximum: 8760,
    }),
    properties: field.object('Settings of the provider.', { default: {} }),
    version: readOnly(field.text('Version reported by the source.')),
    ...times,
  },
  roles: {
    create: loggedIn,
    get: entity('account', 'read'),
    update: entity('account', 'own'),
    delete: entity('account', 'own'),
  },
  ownedByMaker: true,
  associations: {
    Users: {
      to: 'user',
      relation: { kind: 'link' },
      roleHere: entity('account', 'own'),
      roleThere: loggedIn,
      levels: { ...rightsLadder, ownerField: 'user_id' },
      properties: linkFilters,
      inheritsFilters: true,
    },
    Groups: {
      to: 'group',
      relation: { kind: 'link' },
      roleHere: entity('account', 'own'),
      roleThere: entity('group', 'read'),
      levels: { flags: rightsLadder.flags },
      properties: linkFilters,
      inheritsFilters: true,
    },
    Securables: {
      to: 'securable',
      relation: { kind: 'referenced', by: 'account_id', onDissociate: 'refuse' },
      roleHere: entity('account', 'read'),
      roleThere: entity('securable', 'read'),
      readOnly: true,
    },
    Plugin: {
      to: 'plugin',
      relation: { kind: 'reference', field: 'plugin_id' },
      roleHere: entity('account', 'read'),
      roleThere: loggedIn,
      readOnly: true,
    },
  },
  nestedSecrets: secretsOfPlugin,
  prepare: (request, { authorizeAccount }) => authorizeAccount(request),
  rules: [takeProvider, checkProviderProperties, keepAuthorization, forgetSecretsOnMove, syncAgain],
  example: {
    provider: exampleProvider,
    name: 'Warehouse',
    host: 'db.example.com',
    port: '5432',
    scope: 'sales',
    identifier: 'reader',
    token: 'correct horse battery staple',
  },
});

export const account = overseen(declared, ['id', 'name', 'provider', 'created_at', 'updated_at', 'user_id']);
