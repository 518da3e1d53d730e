import { SourceProblem, type SourceCause } from '../problem.ts';
import { networkFailure } from '../session/network-failure.ts';

/** Cause and message for SQLSTATE codes, or for classes of codes (their first two characters). */
const states: Readonly<Record<string, readonly [SourceCause, string]>> = {
  '28P01': ['credentials', 'The database does not accept the user name or password.'],
  '28000': ['credentials', 'The database does not let this user sign in from here.'],
  '28': ['credentials', 'The database does not accept the user name or password.'],
  '3D000': ['missing', 'There is no database of this name.'],
  '3F000': ['missing', 'There is no schema of this name.'],
  '42P01': ['missing', 'A table that is asked for does not exist.'],
  '42703': ['missing', 'A column that is asked for does not exist.'],
  '42501': ['grant', 'The user may not read this; grant it SELECT.'],
  '25006': ['query', 'The query would change data, and connections only read.'],
  '25': ['query', 'The query would change how it is run, and connections only read.'],
  '42601': ['query', 'The query is not valid SQL.'],
  '42': ['query', 'The query cannot be run as it is.'],
  '22': ['query', 'The query computes something impossible from a value of the data.'],
  '0A': ['query', 'The database does not support what the query asks.'],
  '53300': ['limit', 'The database has no connection left for this user.'],
  '53': ['limit', 'The database has no resources left for this.'],
  '57014': ['timeout', 'The database gave the query up because it took too long.'],
  '57P03': ['unavailable', 'The database is starting or stopping; try again soon.'],
  '57P01': ['failed', 'The database ended the connection.'],
  '25P03': ['timeout', 'The rows were not read in time.'],
  '55P03': ['timeout', 'What is read is locked by somebody else.'],
  '40': ['failed', 'The database gave the query up because of another one; try again.'],
};

const field = (error: unknown, name: 'code' | 'message'): string => {
  if (!(error instanceof Error)) return '';
  if (name === 'message') return error.message;
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
};

/** Translates any error of the PostgreSQL driver to a SourceProblem. */
export function postgresqlFailure(error: unknown): SourceProblem {
  if (error instanceof SourceProblem) return error;
  const code = field(error, 'code');
  const isServers = error instanceof Error && 'severity' in error && /^[\dA-Z]{5}$/u.test(code);
  const failure = isServers ? (states[code] ?? states[code.slice(0, 2)]) : undefined;
  if (failure !== undefined) return new SourceProblem(...failure);
  if (isServers) return new SourceProblem('failed', `The database could not run the query (SQLSTATE ${code}).`);
  const message = field(error, 'message');
  if (message.includes('does not support SSL'))
    return new SourceProblem(
      'tls',
      'The database offers no encryption. Set the property "ssl" to "disable" if that is intended.',
    );
  if (/SASL|password/iu.test(message))
    return new SourceProblem('credentials', 'The database asks for a password in a way that failed.');
  if (/Connection terminated|timeout expired|not queryable|connection error/iu.test(message))
    return new SourceProblem('failed', 'The database closed the connection.');
  return networkFailure(error);
}

/** Like `postgresqlFailure`, but if the SQL of a custom query is at fault, quotes the message of the database. */
export function postgresqlQueryFailure(error: unknown): SourceProblem {
  const problem = postgresqlFailure(error);
  const isAboutText =
    field(error, 'code').startsWith('42') && (problem.cause === 'query' || problem.cause === 'missing');
  return isAboutText
    ? new SourceProblem(problem.cause, `${problem.message} The database says: ${field(error, 'message')}`)
    : problem;
}
