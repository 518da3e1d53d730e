import type { Field, Row } from '../frame/frame.ts';
import { runsOf, type Path } from './groups.ts';

/** A row of a pivot table: one combination of members, or the subtotal of several combinations. */
export type Line =
  | { readonly kind: 'row'; readonly path: Path }
  | { readonly kind: 'subtotal'; readonly depth: number; readonly row: Row; readonly paths: readonly Path[] };

/** A row header that spans several lines: its first line, and its number of lines. */
interface LineHead {
  readonly first: number;
  readonly rows: number;
}

/** Returns the lines of a pivot table. If `hasSubtotals`, a subtotal follows the lines of each outer member. */
export function linesOf(paths: readonly Path[], fields: readonly Field[], hasSubtotals: boolean): readonly Line[] {
  const ends = new Map<number, Line[]>();
  if (hasSubtotals)
    for (let depth = fields.length - 2; depth >= 0; depth -= 1)
      for (const { row, first, size } of runsOf(paths, fields, depth)) {
        const lastIndex = first + size - 1;
        const totalLine: Line = { kind: 'subtotal', depth, row, paths: paths.slice(first, first + size) };
        ends.set(lastIndex, [...(ends.get(lastIndex) ?? []), totalLine]);
      }
  return paths.flatMap((path, index): readonly Line[] => [{ kind: 'row', path }, ...(ends.get(index) ?? [])]);
}

/**
 * Returns the row header of each line at a depth. The header of a member spans its lines and the subtotals among them.
 */
export function headsOf(lines: readonly Line[], fields: readonly Field[], depth: number): readonly LineHead[] {
  const upTo = fields.slice(0, depth + 1);
  const keyAt = (line: Line): string => {
    const row = line.kind === 'row' ? line.path.row : line.row;
    const subtotalMark = line.kind === 'subtotal' && line.depth <= depth ? '\u0002' : '';
    return subtotalMark + upTo.map((field) => field.key(row[field.index])).join('\u0001');
  };
  const keys = lines.map(keyAt);
  const heads: LineHead[] = [];
  for (let firstIndex = 0; firstIndex < keys.length;) {
    let end = firstIndex + 1;
    while (end < keys.length && keys[end] === keys[firstIndex]) end += 1;
    const head = { first: firstIndex, rows: end - firstIndex };
    for (let at = firstIndex; at < end; at += 1) heads.push(head);
    firstIndex = end;
  }
  return heads;
}
