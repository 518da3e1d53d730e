import { SourceProblem, type SourceCause } from '../problem.ts';
import { advice, networkFailure } from '../session/network-failure.ts';

/** Cause and message for each error number of MySQL and MariaDB. */
const numbers: Readonly<Record<number, readonly [SourceCause, string]>> = {
  1045: ['credentials', 'The database does not accept the user name or password.'],
  1698: ['credentials', 'The database does not let this user sign in with a password.'],
  1130: ['credentials', 'The database does not let this service sign in from its address.'],
  1820: ['credentials', 'The password of this user has expired.'],
  1862: ['credentials', 'The password of this user has expired.'],
  3118: ['credentials', 'This user is locked.'],
  4151: ['credentials', 'This user is locked.'],
  1251: ['credentials', 'The database asks for a way of signing in that is not supported.'],
  1044: ['grant', 'The user may not use this database.'],
  1142: ['grant', 'The user may not read this; grant it SELECT.'],
  1143: ['grant', 'The user may not read one of the columns; grant it SELECT.'],
  1227: ['grant', 'The user lacks a privilege that this needs.'],
  1370: ['grant', 'The user may not call one of the functions.'],
  1049: ['missing', 'There is no database of this name.'],
  1146: ['missing', 'A table that is asked for does not exist.'],
  1054: ['missing', 'A column that is asked for does not exist.'],
  1064: ['query', 'The query is not valid SQL.'],
  1060: ['query', 'The query gives two columns of the same name.'],
  1305: ['query', 'A function that the query calls does not exist.'],
  1365: ['query', 'The query computes something impossible from a value of the data.'],
  1690: ['query', 'The query computes something impossible from a value of the data.'],
  1139: ['query', 'The query computes something impossible from a value of the data.'],
  1292: ['query', 'The query computes something impossible from a value of the data.'],
  3140: ['query', 'The query computes something impossible from a value of the data.'],
  3141: ['query', 'The query computes something impossible from a value of the data.'],
  1792: ['query', 'The query would change data, and connections only read.'],
  1568: ['query', 'The query would change how it is run, and connections only read.'],
  1148: ['query', 'The query would read files, which connections never do.'],
  3948: ['query', 'The query would read files, which connections never do.'],
  1040: ['limit', 'The database has no connection left.'],
  1203: ['limit', 'The database has no connection left for this user.'],
  1226: ['limit', 'The user has used up what the database allows it.'],
  1129: ['unavailable', 'The database has blocked this service after too many failed connections.'],
  1053: ['unavailable', 'The database is stopping; try again soon.'],
  1205: ['timeout', 'What is read is locked by somebody else.'],
  1969: ['timeout', 'The database gave the query up because it took too long.'],
  3024: ['timeout', 'The database gave the query up because it took too long.'],
  1317: ['timeout', 'The database gave the query up.'],
  1927: ['failed', 'The database ended the connection.'],
  3159: ['tls', 'The database takes encrypted connections only; set the property "ssl" to "require" or "verify-full".'],
};

/** Cause and message for error codes of the driver. */
const codes: Readonly<Record<string, readonly [SourceCause, string]>> = {
  HANDSHAKE_NO_SSL_SUPPORT: [
    'tls',
    'The server offers no encryption. Set the property "ssl" to "disable" if that is intended.',
  ],
  HANDSHAKE_SSL_ERROR: ['tls', advice.tls],
  PROTOCOL_CONNECTION_LOST: ['failed', 'The database closed the connection.'],
  AUTH_SWITCH_PLUGIN_ERROR: ['credentials', 'The database asks for a way of signing in that is not supported.'],
};

export const numberOf = (error: unknown): number =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;

/** Translates any error of the MySQL driver to a SourceProblem. */
export function mysqlFailure(error: unknown): SourceProblem {
  if (error instanceof SourceProblem) return error;
  const number = numberOf(error);
  // The system reports its errors as negative numbers.
  const failure = number > 0 ? numbers[number] : undefined;
  if (failure !== undefined) return new SourceProblem(...failure);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const clientFailure = codes[code];
  if (clientFailure !== undefined) return new SourceProblem(...clientFailure);
  if (number > 1000) return new SourceProblem('failed', `The database could not run the query (error ${number}).`);
  return networkFailure(error);
}

const aboutText = new Set([1054, 1060, 1064, 1146, 1305]);

/** Like `mysqlFailure`, but if the SQL of a custom query is at fault, quotes the message of the database. */
export function mysqlQueryFailure(error: unknown): SourceProblem {
  const problem = mysqlFailure(error);
  if (!aboutText.has(numberOf(error)) || !(error instanceof Error)) return problem;
  return new SourceProblem(problem.cause, `${problem.message} The database says: ${error.message}`);
}
