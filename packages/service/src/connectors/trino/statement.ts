import { trinoStatement } from '@inlay/query';
import type { SourceStatement } from '../connector.ts';
import { SourceProblem } from '../problem.ts';

/** Begins a statement that returns the plan of the statement behind it. */
export const explain = 'explain (format json) ';

const reads = /^\s*(?:select|with)\b/iu;

/**
 * Returns the one statement that runs a compiled statement with its values. A cluster has no sessions that only read, but
 * a single statement that begins with SELECT or WITH changes nothing. Raises SourceProblem `query` for others.
 */
export function statementText({ sql, params }: Pick<SourceStatement, 'sql' | 'params'>): string {
  const prefix = sql.startsWith(explain) ? explain : '';
  const statement = sql.slice(prefix.length);
  if (!reads.test(statement))
    throw new SourceProblem('query', 'The query would change data, and connections only read.');
  return `${prefix}${trinoStatement({ sql: statement, params })}`;
}
