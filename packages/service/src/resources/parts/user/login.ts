import type { JsonObject } from '@inlay/contract';
import type { Preparation, Tools } from '../../../resource/rules.ts';
import { Problem } from '../../../problems/problem.ts';
import { checkPassword, keptAddress } from './password-check.ts';
import { sql } from '../../../store/sql.ts';

/**
 * Verifies e-mail and password before the transaction. The result is empty if they are wrong. An unknown address takes
 * as long as a wrong password and gets the same answer.
 */
export async function logIn({ sent, address }: Preparation, tools: Tools): Promise<JsonObject> {
  const { reader, tokenHours } = tools;
  if (sent['type'] !== 'login') return { tokenHours };
  const { email, password } = sent;
  for (const [name, value] of Object.entries({ email: email ?? null, password: password ?? null }))
    if (value === null)
      throw new Problem('credentials_missing', {
        message: `A login needs "email" and "password"; "${name}" is missing.`,
      });
  const mail = typeof email === 'string' ? email.toLowerCase() : '';
  const [person] = await reader.rows(
    sql`select u.id, u.organization_id, u.suborganization, u.password_hash, (select count(*) from ssoconfig s
      where s.organization_id = u.organization_id and s.disable_email_password = 1) as disabled from "user" u
      where u.email = ${mail}`,
  );
  const stored = typeof person?.['password_hash'] === 'string' ? person['password_hash'] : undefined;
  const userId = person === undefined ? undefined : String(person['id']);
  const matches = await checkPassword(
    tools,
    { email: mail, userId, stored },
    typeof password === 'string' ? password : '',
    address,
  );
  // Only a caller with the correct password learns that the account is disabled.
  if (person !== undefined && matches && Number(person['disabled']) > 0)
    throw new Problem('credentials_invalid', {
      message: 'Your organization signs in with its identity provider only; logins with a password are off.',
    });
  const allowed = person !== undefined && matches;
  return allowed
    ? {
        tokenHours,
        user_id: String(person['id']),
        organization_id: String(person['organization_id']),
        suborganization: person['suborganization'] ?? null,
        password_hash: stored ?? null,
        login_address: keptAddress(String(person['id']), address),
      }
    : { tokenHours };
}
