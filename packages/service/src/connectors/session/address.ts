import type { ConnectionParams } from '../connector.ts';
import { SourceProblem } from '../problem.ts';

/** Where a database listens, according to its account. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/**
 * Reads the address of an account. The host must be a name or an IP address, not a path. Raises SourceProblem
 * `settings`.
 */
export function addressOf({ host, port, identifier, token, scope }: ConnectionParams, usualPort: number): Address {
  const requireValue = (value: string | null, what: string): string => {
    if (value === null || value === '') throw new SourceProblem('settings', `The connection has no ${what}.`);
    if (/\p{Cc}/u.test(value))
      throw new SourceProblem('settings', `The ${what} of the connection has a control character.`);
    return value;
  };
  const name = requireValue(host, 'host');
  if (/[/\\@?#\s,]/u.test(name))
    throw new SourceProblem('settings', 'The host of the connection is neither a host name nor an address.');
  const number = port === null || port === '' ? usualPort : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw new SourceProblem('settings', 'The port of the connection is not a number from 1 to 65535.');
  const user = requireValue(identifier, 'user name');
  return { host: name, port: number, user, password: token ?? '', database: requireValue(scope, 'database name') };
}
