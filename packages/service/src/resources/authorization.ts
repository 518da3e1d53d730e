import {
  checkTheme,
  durationSeconds,
  isList,
  isObject,
  isUuid,
  objectOr,
  oneOf,
  unknownWord,
  uuidFault,
  type Fault,
  type Json,
} from '@inlay/contract';
import {
  all,
  any,
  anyone,
  itself,
  loggedIn,
  operator,
  organization,
  rights,
  self,
  suborganization,
  token,
} from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { featureOverrides } from './parts/features.ts';
import { withoutEffect } from './parts/without-effect.ts';
import { checkOverrides, overridesAsStored, overridesShape } from './parts/account/overrides.ts';
import { authorizationRules } from './parts/authorization-rules.ts';
import { filtersField } from '../resource/row-filters.ts';
import { checkCss } from './parts/securable/css.ts';
import { logIn } from './parts/user/login.ts';
import { accessShape } from './parts/shapes.ts';
import { filled } from './parts/filled.ts';
import { languageTag } from './parts/language-tag.ts';
import { checkNetworks } from '../access/networks.ts';
import { checkParameterValues, withoutSensitive } from '../data/row-filters/parameter-values.ts';
import { timeZone } from './parts/time-zone.ts';

const embed = { of: ['embed'], accept: { byVariety: { embed: ['create'], login: [], api: [] } } } as const;
const grants = { datasets: 'rights', dashboards: 'rights', collections: 'inheritRights' } as const;

/** Checks the grants of an embed token: lists of ids, each with a right. specification/rights#embed-tokens */
function checkAccess(value: Json, at: string, fault: Fault): void {
  if (!isObject(value)) return;
  for (const [kind, entries] of Object.entries(value)) {
    const member = Object.entries(grants).find(([name]) => name === kind)?.[1];
    if (member === undefined) fault(`${at}.${kind}`, unknownWord(kind, Object.keys(grants)));
    else if (!isList(entries) || entries.length > 1000)
      fault(`${at}.${kind}`, `must be a list of at most 1000 {id, ${member}}`);
    else {
      entries.forEach((entry, index) => {
        const entryPath = `${at}.${kind}[${index}]`;
        const { id: target, [member]: right } = isObject(entry) ? entry : {};
        if (typeof target !== 'string' || !isUuid(target)) fault(`${entryPath}.id`, uuidFault(target));
        if (!rights.some((word) => word === right)) fault(`${entryPath}.${member}`, oneOf(rights, right));
        for (const name of Object.keys(isObject(entry) ? entry : {})) {
          if (name !== 'id' && name !== member) fault(`${entryPath}.${name}`, unknownWord(name, ['id', member]));
        }
      });
    }
  }
}

/** The user of the authorization, and Organization Owners in the same suborganization. */
const selfOrOwner = any(self('user_id'), all(organization('owner'), suborganization));

export const authorization = define({
  name: 'authorization',
  validates: true,
  description:
    'A key and token: a login, an API token, or an embed token. The `id` is the key; the token is shown only once.',
  variety: { field: 'type', of: ['login', 'api', 'embed'] },
  fields: {
    id,
    type: field.text('`login` (with email and password), `api` or `embed`.', {
      required: true,
      accept: ['create'],
      values: ['login', 'api', 'embed'],
      aliases: { sso: 'embed', temporary: 'embed' },
      column: true,
    }),
    user_id: readOnly(
      field.reference('The person; of an embed token its issuer.', {
        generated: 'caller',
        to: 'user',
        onDelete: 'delete',
      }),
    ),
    organization_id: organizationId,
    expiry: field.timestamp(
      'When it expires, as a time or as a duration in words such as `24 hours`. Login: after INLAY_TOKEN_HOURS; embed: after 24 hours by default, at most a year.',
      {
        accept: ['create'],
        column: true,
        paged: true,
        durations: true,
      },
    ),
    last_used_at: readOnly(field.timestamp('When it was last used, to within ten seconds.', { column: true })),
    email: field.text('Login: the address of the person. Embed: shown only.', {
      accept: ['create'],
      of: ['login', 'embed'],
      maxLength: 320,
    }),
    password: field.text('Login: the password.', {
      accept: ['create'],
      of: ['login'],
      hidden: true,
      transient: true,
      maxLength: 1000,
    }),
    username: field.text('Embed: identifies the person in your product.', {
      ...embed,
      maxLength: 500,
      check: filled,
      column: true,
    }),
    name: field.text('Embed: name of the person; api: what the token is for.', {
      of: ['embed', 'api'],
      accept: ['create'],
      maxLength: 500,
    }),
    suborganization: field.text(
      'Separates people inside the organization; for a login or API token, the suborganization of the person.',
      {
        accept: embed.accept,
        generated: 'suborganization',
        maxLength: 255,
        column: true,
      },
    ),
    role: field.text('Embed: viewer (never more than read and use), designer or owner.', {
      ...embed,
      default: 'viewer',
      values: ['viewer', 'designer', 'owner'],
      column: true,
    }),
    access: field.object(
      'Embed: {collections: [{id, inheritRights}], datasets: [{id, rights}], dashboards: [{id, rights}]}.',
      {
        ...embed,
        check: checkAccess,
        shape: accessShape,
      },
    ),
    inactivity_interval: field.number(
      'Embed: seconds without use after which the token expires, as a number or as a duration in words such as `10 minutes`; 0 means never, otherwise at least 120.',
      {
        ...embed,
        durations: true,
        reads: (value) => (typeof value === 'string' ? (durationSeconds(value) ?? value) : value),
        default: 0,
        whole: true,
        minimum: 0,
        maximum: 31_536_000,
        column: true,
        check: (value, at, fault) => {
          if (typeof value === 'number' && value > 0 && value < 120) fault(at, 'must be 0 or at least 120');
        },
      },
    ),
    integration_id: field.reference(
      'Embed: grants what is linked to the integration, within the rights of the issuer, with the row filters of those links.',
      { ...embed, to: 'integration', onDelete: 'delete' },
    ),
    metadata: field.object('Embed: values of filter parameters by name, without the prefix `metadata.`.', {
      ...embed,
      default: {},
    }),
    description: field.text('Api: what the token is for, in more words.', {
      of: ['api'],
      accept: { byVariety: { api: ['create'], login: [], embed: [] } },
      maxLength: 10_000,
    }),
    ip: field.list('Api: the addresses and networks from which it is accepted; from any if the list is empty.', {
      of: ['api'],
      accept: { byVariety: { api: ['create'], login: [], embed: [] } },
      default: [],
      column: true,
      check: checkNetworks,
      shape: { items: { type: 'string' }, maxItems: 100 },
      reads: (value) => (typeof value === 'string' ? value.split(/[\s,]+/u).filter((part) => part !== '') : value),
    }),
    environment: field.text(
      'Embed: shows the newest version of each dashboard in this environment; a dashboard without one does not exist for the token.',
      { ...embed, column: true, maxLength: 255 },
    ),
    rate_limit: field.number(
      'Sustained requests per second of this token, instead of INLAY_RATE_LIMIT; set by an Organization Owner.',
      {
        of: ['api', 'embed'],
        accept: ['create'],
        column: true,
        whole: true,
        minimum: 1,
        maximum: 1_000_000,
      },
    ),
    filters: field.list(
      'Embed: filters, combined with AND. Row filters limit the visible rows; the response lists all other filters in `warnings`.',
      {
        ...embed,
        default: [],
        ...filtersField,
      },
    ),
    parameter_overrides: field.object(
      'Embed: values of filter parameters by name: the value, `{value, sticky?, sensitive?}`, or `{clear: true}` for none.',
      { ...embed, default: {}, check: checkParameterValues },
    ),
    account_overrides: field.sealed(
      'Embed: connection settings that replace those of accounts, by account id: {host, port, scope, identifier, token, properties}. `database`, `user` and `password` are accepted for scope, identifier and token; `schema` and `base_url` are properties.',
      { ...embed, reads: overridesAsStored, check: checkOverrides, shape: overridesShape },
    ),
    theme: field.object('Embed: theme.', { ...embed, check: checkTheme }),
    css: field.text('Embed: custom CSS.', { ...embed, maxLength: 65_536, check: checkCss }),
    hidden_columns: field.list('Embed: ids of columns that do not exist for it.', {
      ...embed,
      default: [],
      column: true,
      columns: (value, at) =>
        (isList(value) ? value : []).flatMap((entry, index) =>
          typeof entry === 'string' ? [{ at: `${at}[${index}]`, columnId: entry.toLowerCase(), dataset: null }] : [],
        ),
      shape: { items: { type: 'string', format: 'uuid' }, maxItems: 1000 },
      check: (value, at, fault) => {
        if (!isList(value) || value.length > 1000) return fault(at, 'must be a list of at most 1000');
        value.forEach((entry, index) => {
          if (typeof entry !== 'string' || !isUuid(entry)) fault(`${at}[${index}]`, 'must be a UUID');
        });
      },
    }),
    feature_overrides: featureOverrides(embed),
    iq: field.object('Embed: settings of questions. Stored, without effect yet.', {
      ...embed,
      default: {},
      warns: withoutEffect,
    }),
    locale_id: field.text('Embed: language, such as `en` or `nl-BE`.', { ...embed, maxLength: 35, check: languageTag }),
    currency_id: field.text('Embed: ISO 4217 currency code.', {
      ...embed,
      pattern: { expression: /^[A-Z]{3}$/u, message: 'must be a currency code such as "EUR"' },
    }),
    timezone_id: field.text('Embed: IANA time zone.', { ...embed, maxLength: 64, check: timeZone }),
    ...times,
    hidden_of: readOnly(field.text('The datasets of hidden columns, by column id, as JSON.', { hidden: true })),
    token_hash: readOnly(field.text('SHA-256 of the token.', { hidden: true })),
    identity_id: readOnly(
      field.reference(
        'The identity at a provider for which a login was created; null for a login with e-mail and password.',
        {
          to: 'identity',
          onDelete: 'delete',
          hidden: true,
        },
      ),
    ),
    share_id: readOnly(
      field.reference('The share whose page it was made for.', { to: 'share', onDelete: 'delete', hidden: true }),
    ),
    sso_sid: readOnly(field.text('The session at the provider that a login belongs to.', { hidden: true })),
  },
  present: (record, { type }) =>
    type === 'embed'
      ? { ...record, parameter_overrides: withoutSensitive(objectOr(record['parameter_overrides'])) }
      : record,
  warns: { of: () => [] },
  shownOnce: { token: field.text('The token; it is stored hashed and never shown again.', { required: true }) },
  prepare: logIn,
  roles: {
    create: {
      byVariety: {
        login: anyone,
        api: all(loggedIn, organization('member')),
        embed: all(organization('owner'), token('api')),
      },
    },
    get: any(selfOrOwner, itself),
    update: operator,
    delete: selfOrOwner,
  },
  associations: {
    User: {
      to: 'user',
      relation: { kind: 'reference', field: 'user_id' },
      roleHere: selfOrOwner,
      roleThere: organization('member'),
      readOnly: true,
    },
  },
  rules: authorizationRules,
  example: { type: 'api', name: 'Nightly job' },
});
