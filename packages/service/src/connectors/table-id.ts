import { SourceProblem } from './problem.ts';

const plain = /^[\p{L}_][\p{L}\p{N}_$]*$/u;

/** The id of a table: its name in parts, such as `public.orders`; odd parts stand in double quotes. */
export const tableId = (path: readonly string[]): string =>
  path.map((part) => (plain.test(part) ? part : `"${part.replaceAll('"', '""')}"`)).join('.');

const part = /(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*))(\.|$)/uy;

/** The parts of a table's name. Raises SourceProblem `missing` for what is no id. */
export function tablePath(id: string): readonly string[] {
  const parts: string[] = [];
  const reader = new RegExp(part);
  for (let open = true; open;) {
    const found = reader.exec(id);
    const name = found?.[1]?.replaceAll('""', '"') ?? found?.[2];
    if (name === undefined || name.includes('\0'))
      throw new SourceProblem('missing', 'There is no table of this name.');
    parts.push(name);
    open = found?.[3] === '.';
  }
  return parts;
}
