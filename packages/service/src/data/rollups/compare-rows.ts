import { isList, type Json } from '@inlay/contract';
import type { Plan } from '@inlay/query';

/** Relative difference that doubles may have, since their sums depend on the order of the rows. */
const tolerance = 1e-9;

const isAlike = (left: Json, right: Json): boolean =>
  typeof left === 'number' && typeof right === 'number'
    ? Math.abs(left - right) <= tolerance * Math.max(1, Math.abs(left), Math.abs(right))
    : JSON.stringify(left) === JSON.stringify(right);

/** True if two answers of a plan have the same rows, in any order. Doubles may differ in the last digits. */
export function haveSameRows({ cells }: Plan, left: readonly Json[], right: readonly Json[]): boolean {
  if (left.length !== right.length) return false;
  const isDouble = cells.map(({ cell }) => cell.kind === 'number' && cell.type === 'double');
  const ordered = (rows: readonly Json[]) =>
    rows
      .map((row) => {
        const list = isList(row) ? row : [];
        const doubles = list.filter((_, index) => isDouble[index] === true);
        return { text: JSON.stringify(list.filter((_, index) => isDouble[index] !== true)), doubles };
      })
      .toSorted((first, second) => {
        if (first.text !== second.text) return first.text < second.text ? -1 : 1;
        return Number(first.doubles[0] ?? 0) - Number(second.doubles[0] ?? 0);
      });
  const rights = ordered(right);
  return ordered(left).every(({ text, doubles }, index) => {
    const other = rights[index];
    return (
      other?.text === text &&
      doubles.length === other.doubles.length &&
      doubles.every((value, at) => isAlike(value, other.doubles[at] ?? null))
    );
  });
}
