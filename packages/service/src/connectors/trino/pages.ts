import { SourceProblem } from '../problem.ts';
import { withAllDigits } from '../session/all-digits.ts';
import { TrinoError } from './failure.ts';

export interface AnswerColumn {
  readonly name: string;
  readonly type: string;
}

/** One page of an answer. */
export interface Page {
  readonly id: string;
  /** Path of the next page; null for the last. */
  readonly nextPath: string | null;
  /** Null while the cluster does not know the columns yet. */
  readonly columns: readonly AnswerColumn[] | null;
  readonly rows: readonly (readonly unknown[])[];
}

const notTrino = (): SourceProblem => new SourceProblem('failed', 'The host answers, but not as a Trino cluster does.');

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  value instanceof Object ? Object.fromEntries(Object.entries(value)) : {};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(withAllDigits(json)));
  } catch {
    throw notTrino();
  }
}

function errorOf(value: unknown): TrinoError | null {
  if (value === undefined || value === null) return null;
  const { errorName, errorType, message } = asRecord(value);
  return new TrinoError(textOf(errorName) ?? 'UNKNOWN', textOf(errorType) ?? '', textOf(message) ?? '');
}

/** Statements lead to no other path, and `nextUri` to no other host: its host may be one that only the cluster knows. */
const statementPath = /^\/v1\/statement\/[\w./-]+$/u;

function pathIn(nextUri: unknown): string | null {
  if (nextUri === undefined || nextUri === null) return null;
  const text = textOf(nextUri);
  if (text === null || !URL.canParse(text)) throw notTrino();
  const { pathname } = new URL(text);
  if (!statementPath.test(pathname)) throw notTrino();
  return pathname;
}

const columnOf = (value: unknown): AnswerColumn => {
  const { name, type } = asRecord(value);
  return { name: textOf(name) ?? '', type: textOf(type) ?? '' };
};

/** Reads a page. Raises TrinoError if the statement has failed, and SourceProblem if the text is no page. */
export function readPage(json: string): Page {
  const { id, nextUri, columns, data, error } = parsed(json);
  const failure = errorOf(error);
  if (failure !== null) throw failure;
  if (typeof id !== 'string') throw notTrino();
  return {
    id,
    nextPath: pathIn(nextUri),
    columns: Array.isArray(columns) ? columns.map(columnOf) : null,
    rows: Array.isArray(data) ? data.filter((row): row is unknown[] => Array.isArray(row)) : [],
  };
}
