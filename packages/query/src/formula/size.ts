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

/** Assumed length of the text in a column, and the maximum length of a formula's text under that assumption. */
const usualText = 100;
const longestText = 1_000_000;

/**
 * Creates a function that returns the maximum length of an expression's text, if each column has the assumed length.
 * Replacing a character by a long text multiplies the length, and nested calls multiply it again.
 */
const createLength = (): ((of: Expression) => number) => {
  const countByExpression = new Map<Expression, number>();
  const length = (of: Expression): number => {
    const knownCount = countByExpression.get(of);
    if (knownCount !== undefined) return knownCount;
    const characters = Math.min(Number.MAX_SAFE_INTEGER, lengthOf(of, length));
    countByExpression.set(of, characters);
    return characters;
  };
  return length;
};

const lengthOf = (of: Expression, length: (of: Expression) => number): number => {
  if (of.kind === 'literal') return typeof of.value === 'string' ? of.value.length : 0;
  if (of.kind === 'column') return usualText;
  const parts = partsOf(of).map(length);
  if (of.kind !== 'call') return Math.max(usualText, ...parts);
  if (of.name === 'concat') return parts.reduce((sum, part) => sum + part, 0);
  const [text = 0, , by = 0] = parts;
  if (of.name !== 'replace') return Math.max(0, ...parts);
  const soughtLength = of.args[1]?.kind === 'literal' ? Math.max(1, String(of.args[1].value ?? '').length) : 1;
  return Math.max(text, Math.ceil(text / soughtLength) * by);
};

/**
 * Returns why an expression is too large for databases. Some functions write an argument several times, so a short
 * formula may become a long statement.
 *
 * @returns a sentence, or null if the expression is small enough
 */
export const measure = (expression: Expression): string | null => {
  const sizeByExpression = new Map<Expression, { readonly nodes: number; readonly depth: number }>();
  const sizeOf = (of: Expression): { readonly nodes: number; readonly depth: number } => {
    const knownSize = sizeByExpression.get(of);
    if (knownSize !== undefined) return knownSize;
    const parts = partsOf(of).map(sizeOf);
    const size = {
      nodes: 1 + parts.reduce((sum, { nodes }) => sum + nodes, 0),
      depth: 1 + parts.reduce((max, { depth }) => Math.max(max, depth), 0),
    };
    sizeByExpression.set(of, size);
    return size;
  };
  const { nodes, depth } = sizeOf(expression);
  if (nodes > largest || depth > deepest) return 'the formula is too large once its functions are written out';
  const length = createLength();
  return [...sizeByExpression.keys()].some((part) => length(part) > longestText)
    ? 'the formula may make texts that are too long: replace each text by a shorter one, or nest fewer of them'
    : null;
};
