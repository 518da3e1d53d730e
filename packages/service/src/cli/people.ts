import { randomBytes } from 'node:crypto';
import { createPasswords } from '../login/passwords.ts';
import { user } from '../resources/user.ts';
import { password as passwordKind } from '../config/setting-kinds.ts';
import { CommandRefused, UsageFault } from './faults.ts';
import type { Host } from './host.ts';

const variable = 'INLAY_NEW_PASSWORD';

/** Returns an e-mail address in the form that the API accepts. Raises UsageFault. */
export function emailOf(text: string, option: string): string {
  const { pattern, maxLength = 0 } = user.fields['email'] ?? {};
  if (pattern?.expression.test(text) !== true || text.length > maxLength) {
    throw new UsageFault(`${option} ${pattern?.message ?? 'is refused'}, such as ada@example.com`);
  }
  return text.toLowerCase();
}

/** Removes the password of a new person from the environment, since it is not a setting of the service. */
export function withoutPassword(host: Host): Host {
  const { [variable]: _password, ...env } = host.env;
  return { ...host, env };
}

/**
 * Returns the password for a new person from the environment; undefined if unset. Raises CommandRefused for a weak
 * password.
 */
export function givenPassword({ env }: Host): string | undefined {
  const text = env[variable] ?? '';
  if (text === '') return undefined;
  const result = passwordKind.read(text);
  if ('problem' in result) throw new CommandRefused(`${variable} ${result.problem}. ${result.fix}`);
  return text;
}

/** Generates a password of 144 random bits. */
export const makePassword = (): string => randomBytes(18).toString('base64url');

export const hashOf = (password: string): Promise<string> =>
  createPasswords({ concurrency: 1, queueLimit: 1 }).hash(password);
