import type { JsonObject } from '@inlay/contract';
import { bindingOf } from '../../resources/parts/user/identity-binding.ts';
import { user as userResource } from '../../resources/user.ts';
import { sql } from '../../store/sql.ts';
import { changeRecord, workOf, type WriteContext } from '../../write/context.ts';
import type { Login, SignedIn, SignInOutcome, SsoCommand } from '../../commands/sso.ts';
import type { Configuration } from '../provider/configuration.ts';
import { unchanged, verify } from './first-use.ts';
import { putGroups, putRank } from './membership.ts';

type SignIn = SsoCommand & { readonly step: 'sign-in' };

interface BoundIdentity {
  readonly userId: string;
  readonly identityId: string;
}

const isAddress = (text: string): boolean =>
  text.length <= 320 && userResource.fields['email']?.pattern?.expression.test(text) === true;

/** Returns the person with an e-mail address, in any organization. */
async function byEmail({ transaction }: WriteContext, email: string) {
  const [row] = await transaction.rows(sql`select id, organization_id from "user" where email = ${email}`);
  return row === undefined ? null : { id: String(row['id']), organizationId: String(row['organization_id']) };
}

/**
 * True if a person is still a member. A sign-in does not readmit a person who was removed.
 * specification/sign-in#who-is-let-in
 */
async function isMember({ transaction }: WriteContext, organizationId: string, userId: string): Promise<boolean> {
  const rows = await transaction.rows(
    sql`select 1 as held from link where first_id = ${organizationId} and target_id = ${userId} and association = 'organization.Users'`,
  );
  return rows.length > 0;
}

const notAMember = { kind: 'refused', cause: 'not_a_member' } as const;

async function bind(
  context: WriteContext,
  organizationId: string,
  userId: string,
  signedIn: SignedIn,
): Promise<BoundIdentity> {
  const work = workOf(context);
  const identityId = work.id();
  const { issuer, subject } = signedIn;
  const fields = { id: identityId, user_id: userId, issuer, subject, organization_id: organizationId };
  await work.insert('identity', fields, { binding: bindingOf(organizationId, issuer, subject) });
  return { userId, identityId };
}

/**
 * Updates a person's name and address with those of the provider. An address that is taken or not verified stays
 * unchanged.
 */
async function freshen(context: WriteContext, userId: string, { email, emailVerified, name }: SignedIn): Promise<void> {
  const person = await workOf(context).record('user', userId);
  const changedFields: Record<string, string> = {};
  if (name !== null && person?.['name'] !== name) changedFields['name'] = name;
  const isNew = email !== null && person?.['email'] !== email && emailVerified !== false && isAddress(email);
  if (isNew && (await byEmail(context, email)) === null) changedFields['email'] = email;
  if (Object.keys(changedFields).length > 0)
    await changeRecord(context, context.environment.registry.resource('user'), userId, changedFields);
}

/**
 * Returns the person of a provider's subject. Persons are bound by issuer and subject, never by address alone. Creates
 * new members if the mapping allows it.
 */
async function personOf(
  context: WriteContext,
  { organizationId, mapping }: Configuration,
  { signedIn, provenUserId }: SignIn,
): Promise<BoundIdentity | SignInOutcome> {
  const { transaction } = context;
  const binding = bindingOf(organizationId, signedIn.issuer, signedIn.subject);
  const [identity] = await transaction.rows(sql`select id, user_id from identity where binding = ${binding}`);
  if (identity !== undefined) {
    const linkedPerson = { userId: String(identity['user_id']), identityId: String(identity['id']) };
    return (await isMember(context, organizationId, linkedPerson.userId)) ? linkedPerson : notAMember;
  }
  const { email, emailVerified, name } = signedIn;
  if (email === null || !isAddress(email) || emailVerified === false)
    return { kind: 'refused', cause: 'person_incomplete' };
  const personOfEmail = await byEmail(context, email);
  if (personOfEmail !== null) {
    if (personOfEmail.organizationId !== organizationId) return { kind: 'refused', cause: 'email_taken' };
    if (!(await isMember(context, organizationId, personOfEmail.id))) return notAMember;
    if (personOfEmail.id !== provenUserId) return { kind: 'prove', userId: personOfEmail.id, organizationId };
    return bind(context, organizationId, personOfEmail.id, signedIn);
  }
  if (!mapping.create) return notAMember;
  const work = workOf(context);
  const userId = work.id();
  await work.insert('user', {
    id: userId,
    email,
    name: name ?? email.split('@')[0] ?? email,
    organization_id: organizationId,
  });
  await work.link(organizationId, 'organization.Users', userId, 1);
  return bind(context, organizationId, userId, signedIn);
}

async function makeLogin(
  context: WriteContext,
  { organizationId }: Configuration,
  { userId, identityId }: BoundIdentity,
  session: string | null,
  login: Login,
): Promise<string> {
  const { transaction, environment } = context;
  const work = workOf(context);
  const person: JsonObject = (await work.record('user', userId)) ?? {};
  const id = work.id();
  const fields = {
    id,
    type: 'login',
    user_id: userId,
    organization_id: organizationId,
    suborganization: person['suborganization'] ?? null,
    expiry: login.code?.until ?? login.expiry,
  };
  await work.insert('authorization', fields, {
    token_hash: login.tokenHash,
    identity_id: identityId,
    sso_sid: session,
  });
  const place = { resource: 'authorization', id, organization: organizationId };
  const sealed = await environment.seals.sealAll(transaction, place, {}, { id_token: login.idToken });
  await transaction.run(
    sql`update "authorization" set secrets = ${JSON.stringify(sealed)}, secret_key = ${environment.seals.keyOf(sealed)} where id = ${id}`,
  );
  if (login.code !== null) {
    await transaction.run(
      sql`insert into sso_handover (code_hash, challenge, authorization_id, until)
        values (${login.code.hash}, ${login.code.challenge}, ${id}, ${login.code.until})`,
    );
  }
  return id;
}

/** Signs in a person whom the provider describes: writes person, groups, login and verification in one transaction. */
export async function signIn(context: WriteContext, command: SignIn): Promise<SignInOutcome> {
  const { signedIn, login } = command;
  const configuration = await unchanged(context, signedIn.configurationId, signedIn.fingerprint);
  if (configuration === null) return { kind: 'refused', cause: 'changed_meanwhile' };
  const { organizationId, mapping } = configuration;
  const person = await personOf(context, configuration, command);
  if ('kind' in person) return person;
  await freshen(context, person.userId, signedIn);
  await putRank(context, organizationId, person.userId, signedIn.level);
  await putGroups(context, organizationId, person.userId, mapping, signedIn.groups);
  const authorizationId =
    login === null ? null : await makeLogin(context, configuration, person, signedIn.session, login);
  const verified = await verify(context, configuration);
  return { kind: 'signed-in', userId: person.userId, authorizationId, verified };
}
