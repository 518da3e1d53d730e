import type { Expression } from '../expression.ts';
import type { StorageType } from '../model.ts';

/** By type of a column: the types of values that compare with it without loss. */
const comparedWith: Readonly<Partial<Record<StorageType, readonly StorageType[]>>> = {
  integer: ['integer', 'decimal'],
  decimal: ['integer', 'decimal'],
  double: ['integer', 'double'],
};
const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=', 'in']);
const connectives: ReadonlySet<string> = new Set(['and', 'or', 'not']);

/**
 * True if a test may run on rows that the caller must not see, because it cannot fail for any row: it compares stored
 * columns of the relation with bound values of their type or with keys of another dataset, or tests them for null.
 */
export function isSafe(test: Expression, relation: string): boolean {
  if (test.kind === 'member' || test.kind === 'listed') {
    const { of } = test;
    const key = of.kind === 'cast' && of.type === 'text' ? of.of : of;
    return key.kind === 'column' && key.relation === relation;
  }
  if (test.kind !== 'call') return false;
  const { name, args } = test;
  if (connectives.has(name)) return args.every((arg) => isSafe(arg, relation));
  const [of, ...values] = args;
  if (of?.kind !== 'column' || of.relation !== relation) return false;
  if (name === 'isNull' || name === 'isNotNull') return true;
  const types = comparedWith[of.type] ?? [of.type];
  return comparisons.has(name) && values.every((value) => value.kind === 'literal' && types.includes(value.type));
}
