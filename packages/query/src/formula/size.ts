import type { Expression } from '../expression.ts';

const largest = 5000;
const deepest = 300;

const partsOf = (of: Expression): readonly Expression[] => {
  switch (of.kind) {
    case 'call':
    case 'aggregate':
      return of.args;
    case 'case':
      return [
        ...of.when.flatMap(({ test, result }) => [test, result]),
        ...(of.otherwise === null ? [] : [of.otherwise]),
      ];
    case 'column':
    case 'literal':
    case 'subquery':
      return [];
    case 'bin':
      return [of.of, of.low, of.high];
    case 'running':
      return [of.of, ...of.order];
    case 'position':
      return [...of.per, ...of.order];
    default:
      return [of.of];
  }
};

/**
 * Why an expression is more than databases should be asked: some functions write an argument several times, so that a
 * short formula may become a long statement.
 *
 * @returns a sentence, or null when it is small enough
 */
export const measure = (expression: Expression): string | null => {
  const known = new Map<Expression, { readonly nodes: number; readonly depth: number }>();
  const sized = (of: Expression): { readonly nodes: number; readonly depth: number } => {
    const before = known.get(of);
    if (before !== undefined) return before;
    const parts = partsOf(of).map(sized);
    const size = {
      nodes: 1 + parts.reduce((sum, { nodes }) => sum + nodes, 0),
      depth: 1 + parts.reduce((most, { depth }) => Math.max(most, depth), 0),
    };
    known.set(of, size);
    return size;
  };
  const { nodes, depth } = sized(expression);
  return nodes > largest || depth > deepest ? 'the formula is too large once its functions are written out' : null;
};
