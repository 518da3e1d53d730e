import { createHash } from 'node:crypto';
import { Problem } from '../../../problems/problem.ts';
import type { Tools } from '../../../resource/rules.ts';
import { sql } from '../../../store/sql.ts';

/** A person as far as a password is compared; undefined members where there is no such person. */
export interface PasswordOf {
  readonly email: string;
  readonly userId: string | undefined;
  readonly stored: string | undefined;
}

/** An address as it is kept beside a person: as a hash, which says nothing about other people at it. */
export const keptAddress = (userId: string, address: string): string =>
  createHash('sha256').update(`${userId} ${address}`).digest('base64url');

async function hasLoggedInFrom({ reader }: Pick<Tools, 'reader'>, userId: string, address: string): Promise<boolean> {
  const rows = await reader.rows(
    sql`select 1 as found from login_address where user_id = ${userId} and address = ${keptAddress(userId, address)}`,
  );
  return rows.length > 0;
}

/**
 * Whether a password is right; nobody's is wrong after the same work. Failed ones are counted by e-mail address, known or not, but
 * keep nobody out who has logged in from the same place before. Raises Problem 429, PasswordsBusy.
 */
export async function checkPassword(
  tools: Pick<Tools, 'reader' | 'passwords' | 'attempts'>,
  { email, userId, stored }: PasswordOf,
  password: string,
  address: string,
): Promise<boolean> {
  const { passwords, attempts } = tools;
  const giveBack = attempts.take(email);
  // Asked for nobody too: an answer takes as long for an address that is not known.
  if (giveBack === null && !(await hasLoggedInFrom(tools, userId ?? '', address)))
    throw new Problem('rate_limited', {
      message:
        'Too many wrong passwords with this e-mail address. Wait as long as Retry-After says, or log in from where you have logged in before.',
      retryAfterS: attempts.nextS,
    });
  const isRight = await passwords.verify(password, stored, address).catch((error: unknown) => {
    giveBack?.();
    throw error;
  });
  if (isRight) giveBack?.();
  return isRight;
}
