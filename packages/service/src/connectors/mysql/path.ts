import { SourceProblem } from '../problem.ts';
import { tablePath } from '../table-id.ts';

/**
 * Returns the name of a table, which has a single part: the name of the database comes from the account, since tenants
 * may have different databases. Raises SourceProblem `missing`.
 */
export function mysqlPath(id: string): readonly string[] {
  const path = tablePath(id);
  if (path.length !== 1) throw new SourceProblem('missing', 'There is no table of this name.');
  return path;
}
