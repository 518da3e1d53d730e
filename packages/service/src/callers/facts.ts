import { featuresOf, inWords, isList, textOr, type Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { endUserOf } from '../access/end-user.ts';
import { groupsText, tokenAsSubject, personAsSubject } from '../access/subjects.ts';
import type { Dialect } from '../store/dialect.ts';
import { remembered } from '../store/recent.ts';
import { join, sql, text, type Sql, type Value } from '../store/sql.ts';

/** A caller with the stored facts about the caller's authorization. */
export interface KnownCaller {
  readonly caller: Caller;
  /** The stored facts as text. Equal texts mean equal callers. */
  readonly facts: string;
  /** Time at which the authorization was last used, in ms since the epoch; null if never used. */
  readonly lastUsedMs: number | null;
  /** Rate limit of this authorization in requests per second; null for the default limit. */
  readonly rateLimit: number | null;
  /** Networks from which the authorization may be used; null for any. */
  readonly networks: readonly string[] | null;
}

export interface CallerFacts {
  /** The caller; null for types of authorization that cannot be used as a caller. */
  readonly known: KnownCaller | null;
  readonly tokenHash: Buffer;
  /** Time of expiry, in ms since the epoch; infinite if the authorization never expires. */
  readonly expiryMs: number;
  /** Milliseconds without use after which the authorization ends; 0 for never. */
  readonly inactivityMs: number;
  readonly usedMs: number;
}

/** Selects `feature_overrides` of a record that an embed token belongs to. */
const overridesIn = (table: string, reference: string): string =>
  `case a.type when 'embed' then (select f.feature_overrides from "${table}" f where f.id = a.${reference}) end`;

/** Source column of each fact: `a` is the authorization, `u` its user, `o` the user's membership. */
const columns = {
  id: 'a.id',
  type: 'a.type',
  user: 'a.user_id',
  organization: 'a.organization_id',
  role: 'a.role',
  tokenSuborganization: 'a.suborganization',
  hiddenColumns: 'a.hidden_columns',
  userSuborganization: 'u.suborganization',
  level: 'o.level',
  groups: ({ listed }: Dialect): Sql => groupsText(listed, text('a.user_id')),
  tokenHash: 'a.token_hash',
  expiry: 'a.expiry',
  inactivityS: 'a.inactivity_interval',
  lastUsed: 'a.last_used_at',
  createdAt: 'a.created_at',
  rateLimit: 'a.rate_limit',
  networks: 'a.ip',
  environment: 'a.environment',
  organizationFeatures: overridesIn('organization', 'organization_id'),
  integrationFeatures: overridesIn('integration', 'integration_id'),
  tokenFeatures: 'a.feature_overrides',
  username: 'a.username',
} as const;

type FactName = keyof typeof columns;

const isFactName = (name: string): name is FactName => Object.hasOwn(columns, name);
const factNames = Object.keys(columns).filter(isFactName);

/**
 * Selects every fact that access needs about a caller, in one row. There is no row if the user no longer exists or is
 * no longer a member of the organization (specification/rights#organizations). The facts are a single text, so that
 * unchanged facts are parsed only once.
 */
export const credential = remembered(2, (dialect: Dialect): Sql => {
  const sources = Object.values(columns).map((source) => (typeof source === 'string' ? text(source) : source(dialect)));
  return sql`select ${dialect.array(join(sources, ', '))} as facts from "authorization" a join "user" u on u.id = a.user_id join link o
    on o.first_id = a.organization_id and o.target_id = a.user_id and o.association = 'organization.Users'
    where a.id = ${null}`;
});

type Fact = (name: FactName) => Json;

function textsIn(fact: Json): readonly string[] {
  const values: Json = JSON.parse(textOr(fact, '[]'));
  return isList(values) ? values.flatMap((value) => textOr(value, null) ?? []) : [];
}

/** Returns the subjects, rank and limits of an authorization; null if the type of the authorization has no rights. */
function callerFrom(fact: Fact): Caller | null {
  const type = fact('type');
  const userId = inWords(fact('user'));
  const subjects = personAsSubject(userId, fact('groups'));
  const rank = Number(fact('level'));
  const base = { authorizationId: inWords(fact('id')), organizationId: inWords(fact('organization')) };
  if (type === 'login' || type === 'api') {
    const suborganization = textOr(fact('userSuborganization'), null);
    const unlimited = { username: null, ceiling: 4, issuer: null, hiddenColumns: [], features: null };
    return { ...base, type, userId, subjects, rank, suborganization, ...unlimited };
  }
  if (type !== 'embed') return null;
  const [role, environment] = [fact('role'), fact('environment')];
  const names = {
    suborganization: textOr(fact('tokenSuborganization'), null),
    username: textOr(fact('username'), null),
  };
  return {
    ...base,
    ...names,
    type,
    userId: null,
    subjects: tokenAsSubject(base.authorizationId, endUserOf({ ...base, ...names })),
    rank: 0,
    ceiling: role === 'designer' || role === 'owner' ? 4 : 2,
    issuer: { subjects, rank },
    hiddenColumns: textsIn(fact('hiddenColumns')).map((id) => id.toLowerCase()),
    features: featuresOf(
      textOr(role, ''),
      [fact('organizationFeatures'), fact('integrationFeatures'), fact('tokenFeatures')].map(textsIn),
    ),
    ...(typeof environment === 'string' ? { environment } : {}),
  };
}

function networksOf(fact: Fact): readonly string[] | null {
  const networks: Json = JSON.parse(textOr(fact('networks'), '[]'));
  return isList(networks) && networks.length > 0 ? networks.map(inWords) : null;
}

const timeOf = (fact: Json): number | null => (typeof fact === 'string' ? Date.parse(fact) : null);

/** Parses the facts in a row of `credential`. */
export const readFacts = remembered(1000, (facts: string): CallerFacts => {
  const values: readonly Json[] = JSON.parse(facts);
  const byName = new Map(factNames.map((name, index) => [name, values[index] ?? null]));
  const fact: Fact = (name) => byName.get(name) ?? null;
  const caller = callerFrom(fact);
  const lastUsedMs = timeOf(fact('lastUsed'));
  const limit = fact('rateLimit');
  const rateLimit = limit === null ? null : Number(limit);
  return {
    known: caller === null ? null : { caller, facts, lastUsedMs, rateLimit, networks: networksOf(fact) },
    tokenHash: Buffer.from(inWords(fact('tokenHash')), 'base64url'),
    expiryMs: timeOf(fact('expiry')) ?? Infinity,
    inactivityMs: Number(fact('inactivityS')) * 1000,
    usedMs: lastUsedMs ?? Date.parse(inWords(fact('createdAt'))),
  };
});

/** Returns the text of the facts in a row; null if there is no row. */
export const factsIn = ({ facts }: Readonly<Record<string, Value>> = {}): string | null => textOr(facts, null);

const hasEnded = ({ expiryMs, inactivityMs, usedMs }: CallerFacts, nowMs: number): boolean =>
  !(nowMs < expiryMs) || (inactivityMs > 0 && !(nowMs - usedMs < inactivityMs));

/** Returns the caller that facts describe; null if the authorization has expired or was inactive for too long. */
export const currentCaller = (facts: CallerFacts, nowMs: number): KnownCaller | null =>
  hasEnded(facts, nowMs) ? null : facts.known;
