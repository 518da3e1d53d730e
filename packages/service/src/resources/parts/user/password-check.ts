import { createHash } from 'node:crypto';
import { Problem } from '../../../problems/problem.ts';
import type { Tools } from '../../../resource/rules.ts';
import { sql } from '../../../store/sql.ts';

/**
 * The columns of a person that a password check needs. `userId` and `stored` are undefined if there is no such person.
 */
export interface PasswordOf {
  readonly email: string;
  readonly userId: string | undefined;
  readonly stored: string | undefined;
}

/** Returns a client address as stored with a person: a hash salted by user, so it cannot be matched across people. */
export const keptAddress = (userId: string, address: string): string =>
  createHash('sha256').update(`${userId} ${address}`).digest('base64url');

async function hasLoggedInFrom({ reader }: Pick<Tools, 'reader'>, userId: string, address: string): Promise<boolean> {
  const rows = await reader.rows(
    sql`select 1 as found from login_address where user_id = ${userId} and address = ${keptAddress(userId, address)}`,
  );
  return rows.length > 0;
}

/**
 * Verifies a password. An unknown person takes as long as a known one. Failures are counted by e-mail address, whether
 * known or not, but never lock out somebody who has logged in from the same address before. Raises Problem 429,
 * PasswordsBusy.
 */
export async function checkPassword(
  tools: Pick<Tools, 'reader' | 'passwords' | 'attempts'>,
  { email, userId, stored }: PasswordOf,
  password: string,
  address: string,
): Promise<boolean> {
  const { passwords, attempts } = tools;
  const giveBack = attempts.take(email);
  // Also runs for unknown users, so that the response time does not reveal whether an account exists.
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
