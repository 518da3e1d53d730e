import { SourceProblem } from './problem.ts';

const plainPart = /^[\p{L}_][\p{L}\p{N}_$]*$/u;

/** Joins the parts of a table's name to an id such as `public.orders`. Quotes parts with unusual characters. */
export const tableId = (path: readonly string[]): string =>
  path.map((part) => (plainPart.test(part) ? part : `"${part.replaceAll('"', '""')}"`)).join('.');

const part = /(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*))(\.|$)/uy;

/** Returns the parts of the name in a table id. Raises SourceProblem `missing` if the id is invalid. */
export function tablePath(id: string): readonly string[] {
  const parts: string[] = [];
  const reader = new RegExp(part);
  for (let hasMore = true; hasMore;) {
    const match = reader.exec(id);
    const name = match?.[1]?.replaceAll('""', '"') ?? match?.[2];
    if (name === undefined || name.includes('\0'))
      throw new SourceProblem('missing', 'There is no table of this name.');
    parts.push(name);
    hasMore = match?.[3] === '.';
  }
  return parts;
}

/**
 * Returns the name of a table, which has a single part: the name of the database comes from the account, since tenants
 * may have different databases. Raises SourceProblem `missing`.
 */
export function unqualifiedPath(id: string): readonly string[] {
  const path = tablePath(id);
  if (path.length !== 1) throw new SourceProblem('missing', 'There is no table of this name.');
  return path;
}
