import { inWords, isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { condition, permits } from '../access/permits.ts';
import { levelOf, rights, securable, entity, type Right } from '../access/roles.ts';
import { Problem } from '../problems/problem.ts';
import type { Change, Rule, Work } from '../resource/rules.ts';
import { sql } from '../store/sql.ts';
import { suborganizationByOwner } from './suborganization.ts';
import { hoursAfter, tokenHash } from './tokens.ts';

const yearHours = 366 * 24;

const loggedInBy: Rule = {
  name: 'login-by-password',
  on: ['create'],
  source: 'decision R6',
  sentence: 'A login needs the right e-mail and password, and an organization that has not disabled them.',
  run: async ({ sent, prepared }) => {
    if (sent['type'] !== 'login') return undefined;
    const { user_id, organization_id, suborganization = null } = prepared;
    if (typeof user_id !== 'string' || typeof organization_id !== 'string') {
      throw new Problem('credentials_invalid', { message: 'The e-mail address or the password is wrong.' });
    }
    return { record: { user_id, organization_id, suborganization }, organizationId: organization_id };
  },
};

const issue: Rule = {
  name: 'issue-token',
  on: ['create'],
  source: 'decision R6',
  sentence: 'The token has 256 random bits, is shown once and stored hashed.',
  run: async (_change, work) => {
    const token = work.random(256);
    return { hidden: { token_hash: tokenHash(token) }, shown: { token } };
  },
};

const rateLimitByOwner: Rule = {
  name: 'rate-limit-by-owner',
  on: ['create'],
  source: 'decisions, section 7',
  sentence: 'A limit of its own is given to a token by an Organization Owner only.',
  run: async ({ caller, sent }) => {
    const given = sent['rate_limit'] ?? null;
    if (given === null || (caller !== null && caller.rank >= levelOf('owner'))) return undefined;
    throw new Problem('forbidden', { message: 'Only an Organization Owner may give a token a rate limit.' });
  },
};

const boundExpiry: Rule = {
  name: 'bound-expiry',
  on: ['create'],
  source: 'decision R6',
  sentence:
    'A login ends after INLAY_TOKEN_HOURS; an embed token after 24 hours where nothing is said, and at most a year.',
  run: async ({ sent, prepared, now }) => {
    const longest = sent['type'] === 'login' ? Number(prepared['tokenHours'] ?? 24) : yearHours;
    const latest = hoursAfter(now, longest);
    const asked = typeof sent['expiry'] === 'string' ? sent['expiry'] : undefined;
    if (asked !== undefined && sent['type'] !== 'api' && asked > latest) {
      throw new Problem('validation_failed', { validation: { 'properties.expiry': [`must be at most ${latest}`] } });
    }
    if (asked !== undefined || sent['type'] === 'api') return undefined;
    return { record: { expiry: sent['type'] === 'embed' ? hoursAfter(now, 24) : latest } };
  },
};

interface Grant {
  readonly place: string;
  readonly id: string;
  readonly right: Right;
  readonly of: 'securable' | 'collection';
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
    const given = access[kind];
    return (isList(given) ? given : []).flatMap((entry, index) => {
      if (!isObject(entry)) return [];
      const right = rights.find((word) => word === entry[member]);
      const id = inWords(entry['id']).toLowerCase();
      return right === undefined ? [] : [{ place: `properties.access.${kind}[${index}]`, id, right, of, type }];
    });
  });
}

/** Whether the issuer holds the right now; a record they cannot see is a bad reference. */
async function faultOf(grant: Grant, { caller, sent }: Change, work: Work): Promise<string | undefined> {
  const viewer = sent['role'] === undefined || sent['role'] === null || sent['role'] === 'viewer';
  if (viewer && levelOf(grant.right) > levelOf('use'))
    return 'is more than a viewer may have; a viewer has read or use';
  const role = grant.of === 'securable' ? securable(grant.right) : entity('collection', grant.right);
  const columns = (field: string): ReturnType<typeof sql> => (field === 'id' ? sql`t.id` : sql`t.organization_id`);
  const ofType = grant.type === null ? sql`1 = 1` : sql`t.type = ${grant.type}`;
  const table = grant.of === 'securable' ? sql`securable t` : sql`collection t`;
  const rows = await work.transaction.rows(
    sql`select t.id from ${table} where t.id = ${grant.id} and ${ofType} and ${condition(permits(role, caller, columns))}`,
  );
  return rows.length === 1 ? undefined : 'is more than you hold, or there is no such record';
}

const boundGrants: Rule = {
  name: 'bound-grants',
  on: ['create'],
  source: 'decision R6',
  sentence: 'An embed token never grants more than its issuer holds.',
  run: async (change, work) => {
    if (change.sent['type'] !== 'embed') return undefined;
    const validation: Record<string, readonly string[]> = {};
    for (const grant of grantsOf(change.sent['access'] ?? null)) {
      const fault = await faultOf(grant, change, work);
      if (fault !== undefined) validation[grant.place] = [fault];
    }
    if (Object.keys(validation).length > 0) throw new Problem('rights_exceeded', { validation });
    return undefined;
  },
};

const storeGrants: Rule = {
  name: 'store-grants',
  on: ['create'],
  source: 'decision R6',
  sentence: 'What an embed token may reach is stored like the rights of a person.',
  afterwards: true,
  run: async ({ id, sent }: { readonly id: string; readonly sent: JsonObject }, work) => {
    if (sent['type'] !== 'embed') return undefined;
    const strongest = new Map<string, Grant>();
    for (const grant of grantsOf(sent['access'] ?? null)) {
      const held = strongest.get(grant.id);
      if (held === undefined || levelOf(held.right) < levelOf(grant.right)) strongest.set(grant.id, grant);
    }
    for (const grant of strongest.values()) await work.link(grant.id, `${grant.of}.Embed`, id, levelOf(grant.right));
    return undefined;
  },
};

export const authorizationRules: readonly Rule[] = [
  loggedInBy,
  rateLimitByOwner,
  suborganizationByOwner,
  boundExpiry,
  boundGrants,
  issue,
  storeGrants,
];
