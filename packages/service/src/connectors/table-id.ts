import { SourceProblem } from './problem.ts';

const plainPart = /^[\p{L}_][\p{L}\p{N}_$]*$/u;

/** Joins the parts of a table's name to an id, such as `public.orders`; quotes unusual parts. */
export const tableId = (path: readonly string[]): string =>
  path.map((part) => (plainPart.test(part) ? part : `"${part.replaceAll('"', '""')}"`)).join('.');

const part = /(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*))(\.|$)/uy;

/** Splits a table id into the parts of its name. Raises SourceProblem `missing` for an invalid id. */
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
