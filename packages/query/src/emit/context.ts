import type { Dialect, EmittedSql } from '../dialect/dialect.ts';
import type { Select } from '../expression.ts';
import { QueryProblem } from '../problem.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import type { Relation } from './statement.ts';

/** The dialect and relations of a statement. */
export interface EmitContext {
  readonly dialect: Dialect;
  readonly relations: (datasetId: string) => Relation;
  /** Writes a select inside an expression. */
  readonly select: (block: Select) => Sql;
}

/** Returns the SQL that a dialect wrote. Raises QueryProblem `unsupported` if the dialect cannot write it. */
export function sqlOrThrow(emitted: EmittedSql): Sql {
  if ('unsupported' in emitted) throw new QueryProblem('unsupported', '', emitted.unsupported);
  return emitted;
}

export const quoted = (dialect: Dialect, name: string): Sql => raw(dialect.quote(name));

/** Returns a clause of a statement, such as WHERE with its tests; an empty text if there are no parts. */
export const clause = (word: string, parts: readonly Sql[], separator: string): Sql =>
  parts.length === 0 ? raw('') : sql` ${raw(word)} ${join(parts, separator)}`;
