import { isList, isObject, timestamp, type Json, type JsonObject } from '@inlay/contract';
import { checkPassword } from '../../resources/parts/user/password-check.ts';
import { tokenHash } from '../../resources/parts/tokens.ts';
import { sql } from '../../store/sql.ts';
import { complete, type SignInResult } from './callback.ts';
import type { SignedIn } from '../../commands/sso.ts';
import { SignOnFault, textOf } from '../fault.ts';
import { countOf, isSecure, writeSso, type SignOn, type Visit } from '../sign-on.ts';
import { cookieName, readHandOver, loginLastsMs, setCookie, type HandOver } from './state.ts';

const purpose = 'prove';
const maxGroups = 20;

/** Returns the cookie of a sign-in that waits for a password. It has the sealed person that the provider described. */
export function waitingCookie(
  signOn: SignOn,
  visit: Visit,
  state: string,
  { signedIn, userId }: { readonly signedIn: SignedIn; readonly userId: string },
  handOver: HandOver,
): string {
  const secure = isSecure(visit);
  const name = cookieName(secure, state);
  // Leaves the groups out if they are too many for a cookie. The next sign-in then reads them.
  const groups = (signedIn.groups ?? []).length > maxGroups ? null : signedIn.groups;
  const until = signOn.now() + loginLastsMs;
  const content: JsonObject = { state, userId, until, signedIn: { ...signedIn, groups }, handOver: { ...handOver } };
  return setCookie(secure, name, signOn.sealer.seal(purpose, name, content));
}

const flag = (value: Json | undefined): boolean | null => (typeof value === 'boolean' ? value : null);

function signedInOf(content: JsonObject): SignedIn {
  const { groups, level } = content;
  return {
    configurationId: textOf(content, 'configurationId') ?? '',
    fingerprint: textOf(content, 'fingerprint') ?? '',
    issuer: textOf(content, 'issuer') ?? '',
    subject: textOf(content, 'subject') ?? '',
    session: textOf(content, 'session'),
    email: textOf(content, 'email'),
    emailVerified: flag(content['emailVerified']),
    name: textOf(content, 'name'),
    level: typeof level === 'number' ? level : null,
    groups:
      groups !== undefined && isList(groups)
        ? groups.flatMap((text) => (typeof text === 'string' ? [text] : []))
        : null,
  };
}

/** A sign-in in this browser that waits for the person's password. */
export interface PendingProof {
  readonly state: string;
  readonly signedIn: SignedIn;
  readonly handOver: HandOver;
  readonly userId: string;
}

/** Returns the sign-in that waits for a password in this browser. Raises SignOnFault `cookie_missing`. */
export function waitingOf(signOn: SignOn, visit: Visit, state: string): PendingProof {
  const name = cookieName(isSecure(visit), state);
  const sealed = visit.cookies.get(name);
  const proofState = sealed === undefined ? undefined : signOn.sealer.open(purpose, name, sealed);
  const signedIn = proofState?.['signedIn'];
  if (
    proofState === undefined ||
    proofState['state'] !== state ||
    !(Number(proofState['until']) > signOn.now()) ||
    signedIn === undefined ||
    !isObject(signedIn)
  )
    throw new SignOnFault('cookie_missing', 'No sign-in waits for a password in this browser.');
  return {
    state,
    signedIn: signedInOf(signedIn),
    handOver: readHandOver(proofState['handOver']),
    userId: textOf(proofState, 'userId') ?? '',
  };
}

/**
 * Binds the identity to the existing person if the password is correct, and continues the sign-in. Raises SignOnFault,
 * PasswordsBusy, Problem 429.
 */
export async function prove(
  signOn: SignOn,
  { state, signedIn, handOver, userId }: PendingProof,
  password: string,
  address: string,
): Promise<SignInResult> {
  const [row] = await signOn.store.rows(sql`select password_hash, email from "user" where id = ${userId}`);
  const storedHash = row?.['password_hash'];
  const person = {
    email: String(row?.['email'] ?? userId),
    userId,
    stored: typeof storedHash === 'string' ? storedHash : undefined,
  };
  const tools = { reader: signOn.store, passwords: signOn.passwords, attempts: signOn.attempts };
  if (!(await checkPassword(tools, person, password.slice(0, 1000), address)))
    throw new SignOnFault('password_wrong', 'The password is wrong.');
  const singleUse = { id: `prove ${tokenHash(state)}`, until: timestamp(signOn.now() + loginLastsMs) };
  if (countOf(await writeSso(signOn, { kind: 'sso', step: 'use', ...singleUse })) === 0)
    throw new SignOnFault('already_used', 'This sign-in was gone on with before.');
  const result = await complete(signOn, signedIn, handOver, '', userId);
  if (result.kind === 'prove') throw new SignOnFault('changed_meanwhile', 'The person is another one by now.');
  return result;
}
