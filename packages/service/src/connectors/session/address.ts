import type { ConnectionParams } from '../connector.ts';
import { SourceProblem } from '../problem.ts';

/** Host and port of a database, according to its account. */
export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

/** Where a database listens, according to its account, and who signs in. */
export interface Address extends HostAddress {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

function requiredText(value: string | null, what: string): string {
  if (value === null || value === '') throw new SourceProblem('settings', `The connection has no ${what}.`);
  if (/\p{Cc}/u.test(value))
    throw new SourceProblem('settings', `The ${what} of the connection has a control character.`);
  return value;
}

/**
 * Reads the host and port of an account. The host must be a name or an IP address, not a path. Raises SourceProblem
 * `settings`.
 */
export function hostOf({ host, port }: Pick<ConnectionParams, 'host' | 'port'>, usualPort: number): HostAddress {
  const name = requiredText(host, 'host');
  if (/[/\\@?#\s,]/u.test(name))
    throw new SourceProblem('settings', 'The host of the connection is neither a host name nor an address.');
  const number = port === null || port === '' ? usualPort : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw new SourceProblem('settings', 'The port of the connection is not a number from 1 to 65535.');
  return { host: name, port: number };
}

/** Reads the user and password of an account. Raises SourceProblem `settings`. */
export const credentialsOf = ({
  identifier,
  token,
}: Pick<ConnectionParams, 'identifier' | 'token'>): Pick<Address, 'user' | 'password'> => ({
  user: requiredText(identifier, 'user name'),
  password: token ?? '',
});

/** Reads the address of an account with a database. Raises SourceProblem `settings`. */
export const addressOf = (params: ConnectionParams, usualPort: number): Address => ({
  ...hostOf(params, usualPort),
  ...credentialsOf(params),
  database: requiredText(params.scope, 'database name'),
});
