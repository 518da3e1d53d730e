import { SourceProblem, type SourceCause } from '../problem.ts';
import { networkFailure } from '../session/network-failure.ts';

/** An error that the server reports. */
export class ClickhouseError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ClickhouseError';
    this.code = code;
  }
}

const form = /Code: (\d{1,5})\. ?(?:DB::Exception: )?(.*)/su;

/** Returns the error in a text of the server; null if the text has none. `code` is the one in the headers, if any. */
export function errorIn(text: string, code?: string): ClickhouseError | null {
  const [, foundCode, message = text] = form.exec(text) ?? [];
  const number = Number(code ?? foundCode);
  if (!Number.isInteger(number)) return null;
  return new ClickhouseError(number, message.replace(/ \([A-Z_]+\)(?: \(version .*)?\s*$/su, '').trim());
}

const wrongPassword = 'The database does not accept the user name or password.';
const asItIs = 'The query cannot be run as it is.';
const impossible = 'The query computes something impossible from a value of the data.';
const tooMuch = 'The query needs more than the database allows it.';

/** Cause and message for each error code. */
const codes: Readonly<Record<number, readonly [SourceCause, string]>> = {
  192: ['credentials', wrongPassword],
  193: ['credentials', wrongPassword],
  194: ['credentials', wrongPassword],
  195: ['credentials', 'The database does not let this service sign in from its address.'],
  516: ['credentials', wrongPassword],
  497: ['grant', 'The user may not read this; grant it SELECT.'],
  81: ['missing', 'There is no database of this name.'],
  60: ['missing', 'A table that is asked for does not exist.'],
  47: ['missing', 'A column that is asked for does not exist.'],
  10: ['missing', 'A column that is asked for does not exist.'],
  16: ['missing', 'A column that is asked for does not exist.'],
  62: ['query', 'The query is not valid SQL.'],
  46: ['query', 'A function that the query calls does not exist.'],
  42: ['query', asItIs],
  43: ['query', asItIs],
  44: ['query', asItIs],
  48: ['query', 'The database does not support what the query asks.'],
  53: ['query', asItIs],
  215: ['query', asItIs],
  164: ['query', 'The query would change data, and connections only read.'],
  36: ['query', asItIs],
  6: ['query', impossible],
  27: ['query', impossible],
  38: ['query', impossible],
  41: ['query', impossible],
  69: ['query', impossible],
  70: ['query', impossible],
  72: ['query', impossible],
  153: ['query', impossible],
  321: ['query', impossible],
  349: ['query', impossible],
  407: ['query', impossible],
  457: ['query', 'A value of the query does not have the type of its column.'],
  125: ['query', asItIs],
  179: ['query', 'The query gives two columns of the same name.'],
  184: ['query', asItIs],
  207: ['query', asItIs],
  352: ['query', asItIs],
  386: ['query', asItIs],
  403: ['query', asItIs],
  395: ['query', impossible],
  202: ['limit', 'The database runs too many queries already.'],
  203: ['limit', 'The database has no connection left.'],
  158: ['limit', tooMuch],
  241: ['limit', 'The query needs more memory than the database allows it.'],
  307: ['limit', tooMuch],
  201: ['limit', 'The user has used up what the database allows it.'],
  452: ['settings', 'The profile of the user does not allow the limits that this service sets.'],
  159: ['timeout', 'The database gave the query up because it took too long.'],
  160: ['timeout', 'The database gave the query up because it would take too long.'],
  209: ['timeout', 'The database did not answer in time.'],
  394: ['timeout', 'The database gave the query up.'],
  210: ['failed', 'The database could not reach one of its servers.'],
  279: ['unavailable', 'The database cannot reach its servers; try again soon.'],
};

/** Translates any error of the ClickHouse client to a SourceProblem. */
export function clickhouseFailure(error: unknown): SourceProblem {
  if (error instanceof SourceProblem) return error;
  if (!(error instanceof ClickhouseError)) return networkFailure(error);
  const failure = codes[error.code];
  if (failure !== undefined) return new SourceProblem(...failure);
  return new SourceProblem('failed', `The database could not run the query (error ${error.code}).`);
}

/** Like `clickhouseFailure`, but if the SQL of a custom query is at fault, quotes the message of the database. */
export function clickhouseQueryFailure(error: unknown): SourceProblem {
  const problem = clickhouseFailure(error);
  const isAboutText = error instanceof ClickhouseError && (problem.cause === 'query' || problem.cause === 'missing');
  return isAboutText
    ? new SourceProblem(problem.cause, `${problem.message} The database says: ${error.message.slice(0, 1000)}`)
    : problem;
}
