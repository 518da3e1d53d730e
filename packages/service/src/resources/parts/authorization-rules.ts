import { durationSeconds, inWords, isList, isObject, objectOr, type Json } from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import { columnsOf, condition, permits } from '../../access/permits.ts';
import { levelOf, rights, securable, entity, type Right } from '../../declare/roles.ts';
import { Problem } from '../../problems/problem.ts';
import type { Change, Rule, Work } from '../../resource/rules.ts';
import { list, name, sql, text } from '../../store/sql.ts';
import { passwordsDisabled } from './user/password-login.ts';
import { suborganizationByOwner } from './user/suborganization.ts';
import { accessOf, collectionGrants, integrationGrants } from './integration-grants.ts';
import { tellMissing } from './securable/missing-datasets.ts';
import { tellHiddenRows } from './securable/hidden-rows.ts';
import { tellUnfiltered } from './securable/unfiltered-datasets.ts';
import { hoursAfter, tokenHash } from './tokens.ts';

const yearHours = 366 * 24;

const loggedInBy: Rule = {
  name: 'login-by-password',
  on: ['create'],
  description: 'A login needs a valid e-mail address and password, and an organization that allows password logins.',
  run: async ({ sent, prepared, now }, { transaction }) => {
    if (sent['type'] !== 'login') return undefined;
    const { user_id, organization_id, suborganization = null, password_hash = null } = prepared;
    const wrong = new Problem('credentials_invalid', { message: 'The e-mail address or the password is wrong.' });
    // `validate` skips the preparation, so no password was checked.
    if (Object.keys(prepared).length === 0)
      throw new Problem('validation_failed', {
        validation: { 'properties.type': ['is not checked by validate: create the login to try it'] },
      });
    if (typeof user_id !== 'string' || typeof organization_id !== 'string') throw wrong;
    // Compares the password again: a login must not outlive a password change that happened after the check.
    const [person] = await transaction.rows(
      sql`select password_hash from "user" where id = ${user_id}${transaction.dialect.forShare}`,
    );
    if (person === undefined || person['password_hash'] !== password_hash) throw wrong;
    if (await passwordsDisabled(transaction, organization_id)) throw wrong;
    await transaction.run(
      sql`insert into login_address (user_id, address, seen_at)
        values (${user_id}, ${inWords(prepared['login_address'])}, ${now})
        on conflict (user_id, address) do update set seen_at = excluded.seen_at`,
    );
    return { record: { user_id, organization_id, suborganization }, organizationId: organization_id };
  },
};

const issue: Rule = {
  name: 'issue-token',
  on: ['create'],
  description: 'The token has 256 random bits, is shown once and stored hashed.',
  run: async (_change, work) => {
    const token = work.random(256);
    return { hidden: { token_hash: tokenHash(token) }, shown: { token } };
  },
};

const rateLimitByOwner: Rule = {
  name: 'rate-limit-by-owner',
  on: ['create'],
  description: 'Only an owner of the whole organization can set a rate limit for a token.',
  run: async ({ caller, sent }) => {
    const rateLimit = sent['rate_limit'] ?? null;
    const isOwner = caller !== null && caller.rank >= levelOf('owner') && caller.suborganization === null;
    if (rateLimit === null || isOwner) return undefined;
    throw new Problem('forbidden', {
      message: 'Only an Organization Owner of the whole organization may give a token a rate limit.',
    });
  },
};

const boundExpiry: Rule = {
  name: 'bound-expiry',
  on: ['create'],
  description:
    'A login expires after INLAY_TOKEN_HOURS; an embed token after 24 hours by default, and after at most a year.',
  run: async ({ sent, prepared, now }) => {
    const longest = sent['type'] === 'login' ? Number(prepared['tokenHours'] ?? 24) : yearHours;
    const latest = hoursAfter(now, longest);
    const expiry = typeof sent['expiry'] === 'string' ? sent['expiry'] : undefined;
    const seconds = expiry === undefined ? null : durationSeconds(expiry);
    const requested = seconds === null ? expiry : hoursAfter(now, seconds / 3600);
    if (requested !== undefined && sent['type'] !== 'api' && requested > latest) {
      throw new Problem('validation_failed', { validation: { 'properties.expiry': [`must be at most ${latest}`] } });
    }
    if (requested !== undefined && requested <= now)
      throw new Problem('validation_failed', { validation: { 'properties.expiry': ['must be in the future'] } });
    if (seconds !== null) return { record: { expiry: requested ?? null } };
    if (requested !== undefined || sent['type'] === 'api') return undefined;
    return { record: { expiry: sent['type'] === 'embed' ? hoursAfter(now, 24) : latest } };
  },
};

interface Grant {
  readonly place: string;
  readonly id: string;
  readonly right: Right;
  readonly of: 'securable' | 'collection' | 'account';
  readonly type: 'dataset' | 'dashboard' | null;
}

const kindsOfGrant = [
  ['datasets', 'rights', 'securable', 'dataset'],
  ['dashboards', 'rights', 'securable', 'dashboard'],
  ['collections', 'inheritRights', 'collection', null],
] as const;

function grantsOf(access: Json): readonly Grant[] {
  if (!isObject(access)) return [];
  return kindsOfGrant.flatMap(([kind, member, of, type]) => {
    const entries = access[kind];
    return (isList(entries) ? entries : []).flatMap((entry, index) => {
      if (!isObject(entry)) return [];
      const right = rights.find((word) => word === entry[member]);
      const id = inWords(entry['id']).toLowerCase();
      return right === undefined ? [] : [{ place: `properties.access.${kind}[${index}]`, id, right, of, type }];
    });
  });
}

/** Returns the accounts that a token overrides, as grants, because the token uses their stored passwords. */
function overriddenBy(overrides: Json): readonly Grant[] {
  return Object.keys(isObject(overrides) ? overrides : {}).map((name) => ({
    place: `properties.account_overrides.${name}`,
    id: name.toLowerCase(),
    right: 'use',
    of: 'account',
    type: null,
  }));
}

/** Returns those of the grants that the issuer has now. All `grants` must have the same kind and right. */
async function heldGrants(grants: readonly Grant[], caller: Caller | null, work: Work): Promise<ReadonlySet<Grant>> {
  const [first] = grants;
  if (first === undefined) return new Set();
  const role = first.of === 'securable' ? securable(first.right) : entity(first.of, first.right);
  const ofType = first.type === null ? sql`1 = 1` : sql`t.type = ${first.type}`;
  const ids = list([...new Set(grants.map(({ id }) => id))]);
  const rows = await work.transaction.rows(
    sql`select t.id from ${name(first.of)} t where t.id in ${ids} and ${ofType}
      and ${condition(permits(role, caller, columnsOf(text('t'))))}`,
  );
  const permitted = new Set(rows.map((row) => row['id']));
  return new Set(grants.filter(({ id }) => permitted.has(id)));
}

const nameSuborganization: Rule = {
  name: 'suborganization-of-embed-token',
  on: ['create'],
  description: 'The suborganization of an embed token defaults to that of its issuer, or else to its username.',
  run: async ({ caller, sent, after }) => {
    const isNamed = Object.hasOwn(sent, 'suborganization') || (caller?.suborganization ?? null) !== null;
    if (sent['type'] !== 'embed' || isNamed) return undefined;
    const username = after['username'] ?? null;
    return { record: { suborganization: typeof username === 'string' ? username.slice(0, 255) : null } };
  },
};

const grantIntegration: Rule = {
  name: 'grants-of-integration',
  on: ['create'],
  description:
    'With integration_id an embed token has the securables of the integration that its issuer holds, with the row filters of those links.',
  run: async ({ caller, sent, after }, work) => {
    const { integration_id: integrationId = null } = sent;
    if (typeof integrationId !== 'string') return undefined;
    const { filters } = await integrationGrants(caller, integrationId, work);
    return { record: { filters: [...(isList(after['filters']) ? after['filters'] : []), ...filters] } };
  },
};

/** Returns the faults of grants by path. A record that the issuer cannot see is reported as an invalid reference. */
async function faultsOf({ caller, sent }: Change, work: Work): Promise<Readonly<Record<string, readonly string[]>>> {
  const { access = null, role = null, account_overrides = null } = sent;
  const grants = [...grantsOf(access), ...overriddenBy(account_overrides)];
  const isTooMuch = ({ right }: Grant): boolean =>
    (role === null || role === 'viewer') && levelOf(right) > levelOf('use');
  const alike = Object.values(Object.groupBy(grants, ({ of, type, right }) => `${of} ${type} ${right}`));
  const permitted = await Promise.all(alike.map((some) => heldGrants(some, caller, work)));
  return Object.fromEntries(
    grants.flatMap((grant) => {
      if (isTooMuch(grant)) return [[grant.place, ['is more than a viewer may have; a viewer has read or use']]];
      if (permitted.some((some) => some.has(grant))) return [];
      return [[grant.place, [`there is no such ${grant.type ?? grant.of}, or you do not hold this right on it`]]];
    }),
  );
}

const boundGrants: Rule = {
  name: 'bound-grants',
  on: ['create'],
  description:
    'An embed token never grants more rights than its issuer has. It can override only accounts that the issuer may *use*.',
  run: async (change, work) => {
    if (change.sent['type'] !== 'embed') return undefined;
    const validation = await faultsOf(change, work);
    if (Object.keys(validation).length > 0) throw new Problem('rights_exceeded', { validation });
    return undefined;
  },
};

const storeGrants: Rule = {
  name: 'store-grants',
  on: ['create'],
  description: 'The rights of an embed token are stored like those of a person.',
  afterwards: true,
  run: async ({ id, sent, caller }, work) => {
    if (sent['type'] !== 'embed') return undefined;
    const strongest = new Map<string, Grant>();
    for (const grant of grantsOf(sent['access'] ?? null)) {
      const current = strongest.get(grant.id);
      if (current === undefined || levelOf(current.right) < levelOf(grant.right)) strongest.set(grant.id, grant);
    }
    const { integration_id: integrationId = null } = sent;
    const integrated =
      typeof integrationId === 'string' ? (await integrationGrants(caller, integrationId, work)).grants : [];
    for (const { id: target, right } of integrated) {
      const current = strongest.get(target);
      if (current === undefined || levelOf(current.right) < levelOf(right))
        strongest.set(target, { place: '', id: target, right, of: 'securable', type: null });
    }
    for (const grant of strongest.values()) await work.link(grant.id, `${grant.of}.Embed`, id, levelOf(grant.right));
    const collections = [...strongest.values()].filter(({ of }) => of === 'collection');
    if (integrated.length === 0 && collections.length === 0) return undefined;
    const direct = grantsOf(sent['access'] ?? null).flatMap(({ id: target, right, type }) =>
      type === null ? [] : [{ id: target, right, type }],
    );
    const inside = await collectionGrants(caller, collections, work);
    const access = isObject(sent['access'] ?? null) ? sent['access'] : {};
    return { shown: { access: { ...objectOr(access), ...accessOf([...direct, ...integrated, ...inside]) } } };
  },
};

const noteHidden: Rule = {
  name: 'note-hidden-columns',
  on: ['create'],
  description:
    'The datasets of hidden columns are stored: if a dataset loses such a column, the token can no longer query it.',
  run: async ({ sent }, { transaction }) => {
    const hidden = sent['hidden_columns'] ?? null;
    const ids = (isList(hidden) ? hidden : []).map((id) => inWords(id).toLowerCase());
    if (ids.length === 0) return undefined;
    const rows = await transaction.rows(sql`select c.id, c.securable_id from "column" c where c.id in ${list(ids)}`);
    const owners = Object.fromEntries(rows.map((row) => [String(row['id']), String(row['securable_id'])]));
    return { hidden: { hidden_of: JSON.stringify(owners) } };
  },
};

export const authorizationRules: readonly Rule[] = [
  loggedInBy,
  rateLimitByOwner,
  nameSuborganization,
  suborganizationByOwner,
  boundExpiry,
  boundGrants,
  grantIntegration,
  noteHidden,
  issue,
  storeGrants,
  tellUnfiltered,
  tellHiddenRows,
  tellMissing,
];
