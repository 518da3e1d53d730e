import { inWords, isList, isObject, isUuid, type Fault, type Json, type JsonObject } from '@inlay/contract';

/** A claim and the meaning of its values. If `values` is null, the values are used directly. */
interface Claim {
  readonly claim: string;
  readonly values: Readonly<Record<string, string>> | null;
}

/** How claims of the provider determine a person of the organization. */
export interface Mapping {
  readonly name: string;
  readonly email: string;
  /** True if the first sign-in of a person makes them a member. */
  readonly create: boolean;
  /** The requested scope; always includes `openid`. */
  readonly scope: string;
  /** `values` maps the values of the claim to group ids. If it is null, the values are group names. */
  readonly groups: Claim | null;
  readonly roles: Claim | null;
  /** The effect of a missing claim that is mapped: either no groups and the rank of a member, or no change. */
  readonly missing: (typeof missing)[number];
}

const roleLevels = { member: 1, editor: 2, owner: 3, admin: 4 } as const;
const isRole = (word: string): word is keyof typeof roleLevels => Object.hasOwn(roleLevels, word);

const missing = ['none', 'keep'] as const;
const members = ['name', 'email', 'create', 'scope', 'groups', 'roles', 'missing'] as const;
const isClaimName = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 200;

function checkClaim(value: Json, at: string, expectation: string, fits: (word: string) => boolean, fault: Fault): void {
  if (isClaimName(value)) return;
  if (!isObject(value) || !isClaimName(value['claim']))
    return fault(at, 'must be the name of a claim, or {claim, values}');
  for (const name of Object.keys(value))
    if (name !== 'claim' && name !== 'values') fault(`${at}.${name}`, 'is not known; known are: claim, values');
  const values = value['values'] ?? null;
  if (values === null) return;
  if (!isObject(values) || Object.keys(values).length > 1000)
    return fault(`${at}.values`, 'must be an object of at most 1000 values of the claim');
  for (const [name, meaning] of Object.entries(values))
    if (typeof meaning !== 'string' || !fits(meaning)) fault(`${at}.values.${name}`, `must be ${expectation}`);
}

/** Checks the stored form of `mapping`. Misspelt members are always reported. */
export function checkMapping(value: Json, at: string, fault: Fault): void {
  if (!isObject(value)) return fault(at, 'must be an object of claims');
  for (const [name, setting] of Object.entries(value)) {
    const place = `${at}.${name}`;
    if (!members.some((known) => known === name)) fault(place, `is not known; known are: ${members.join(', ')}`);
    if (setting === null) continue;
    if ((name === 'name' || name === 'email') && !isClaimName(setting)) fault(place, 'must be the name of a claim');
    if (name === 'create' && typeof setting !== 'boolean') fault(place, 'must be true or false');
    if (name === 'scope' && (typeof setting !== 'string' || !/^[\x21\x23-\x5b\x5d-\x7e ]{1,500}$/u.test(setting)))
      fault(place, 'must be scopes with spaces between');
    if (name === 'missing' && setting !== 'none' && setting !== 'keep') fault(place, 'must be "none" or "keep"');
    if (name === 'groups') checkClaim(setting, place, 'the id of a group', isUuid, fault);
    if (name === 'roles') checkClaim(setting, place, `one of: ${Object.keys(roleLevels).join(', ')}`, isRole, fault);
  }
}

function claimOf(value: Json | undefined): Claim | null {
  if (isClaimName(value)) return { claim: value, values: null };
  if (value === undefined || !isObject(value) || !isClaimName(value['claim'])) return null;
  const values = value['values'] ?? null;
  const listed = isObject(values)
    ? Object.entries(values).map(([name, meaning]) => [name, inWords(meaning)] as const)
    : null;
  return { claim: value['claim'], values: listed === null ? null : Object.fromEntries(listed) };
}

/** Reads the mapping of a stored configuration, with defaults filled in. */
export function readMapping(value: Json): Mapping {
  const mapping: JsonObject = isObject(value) ? value : {};
  const { name, email, scope } = mapping;
  const scopes = typeof scope === 'string' ? scope.split(/ +/u).filter((word) => word !== '') : ['email', 'profile'];
  return {
    name: isClaimName(name) ? name : 'name',
    email: isClaimName(email) ? email : 'email',
    create: mapping['create'] !== false,
    scope: [...new Set(['openid', ...scopes])].join(' '),
    groups: claimOf(mapping['groups']),
    roles: claimOf(mapping['roles']),
    missing: mapping['missing'] === 'keep' ? 'keep' : 'none',
  };
}

/** A person as described by the provider. */
export interface Person {
  readonly email: string | null;
  /** True if the provider has verified the address, false if not; null if the provider does not say. */
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  /**
   * The rank from the person's roles. Null means no change: no claim is mapped, or a missing claim keeps the current
   * rank.
   */
  readonly level: number | null;
  /** The person's groups, by id or name. Null means no change, as for `level`. */
  readonly groups: readonly string[] | null;
}

/** Returns a claim by name, or by a path of names separated by dots; undefined if it is missing. */
function claim(claims: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(claims, path)) return claims[path];
  let at: Json | undefined = claims;
  for (const name of path.split('.'))
    at = at !== undefined && isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/**
 * Returns the mapped values of a claim; null if no claim is mapped or the current values are kept. Some providers omit
 * empty claims, so a missing claim counts as empty unless the mapping keeps current values.
 */
function valuesOf(claims: JsonObject, mapped: Claim | null, whenMissing: Mapping['missing']): readonly string[] | null {
  if (mapped === null) return null;
  const value = claim(claims, mapped.claim) ?? null;
  if (value === null) return whenMissing === 'keep' ? null : [];
  const words = (isList(value) ? value : [value]).flatMap((word) => (typeof word === 'string' ? [word] : []));
  const { values } = mapped;
  if (values === null) return words;
  return words.flatMap((word) => (Object.hasOwn(values, word) ? [values[word] ?? ''] : []));
}

const trimmed = (value: Json | undefined, maxLength: number): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, maxLength) : null;

export function personOf(claims: JsonObject, mapping: Mapping): Person {
  const verified = claims['email_verified'];
  const roles = valuesOf(claims, mapping.roles, mapping.missing);
  const levels = (roles ?? []).flatMap((word) => (isRole(word) ? [roleLevels[word]] : []));
  return {
    email: trimmed(claim(claims, mapping.email), 321)?.toLowerCase() ?? null,
    emailVerified: typeof verified === 'boolean' ? verified : typeof verified === 'string' ? verified === 'true' : null,
    name: trimmed(claim(claims, mapping.name), 1000),
    level: roles === null ? null : Math.max(roleLevels.member, ...levels),
    groups: valuesOf(claims, mapping.groups, mapping.missing),
  };
}
