import type { Expression } from '../../expression.ts';
import { assertNever } from '../../problem.ts';

/** Returns the direct parts of an expression. Selects inside subqueries and member tests are no parts. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'column':
    case 'literal':
    case 'subquery':
      return [];
    case 'call':
    case 'aggregate':
      return expression.args;
    case 'cast':
    case 'truncate':
    case 'periodKey':
    case 'periodStart':
    case 'quarterKey':
    case 'quarterStart':
    case 'shift':
    case 'zone':
    case 'path':
    case 'member':
    case 'listed':
      return [expression.of];
    case 'bin':
      return [expression.of, expression.low, expression.high];
    case 'running':
      return [expression.of, ...expression.order];
    case 'position':
      return [...expression.per, ...expression.order];
    case 'case': {
      const branches = expression.when.flatMap(({ test, result }) => [test, result]);
      return expression.otherwise === null ? branches : [...branches, expression.otherwise];
    }
    default:
      return assertNever(expression);
  }
}

/** Replaces each part for which `put` returns a replacement, starting from the outermost part. */
export function replace(expression: Expression, put: (part: Expression) => Expression | null): Expression {
  const replacement = put(expression);
  if (replacement !== null) return replacement;
  const replacePart = (part: Expression): Expression => replace(part, put);
  switch (expression.kind) {
    case 'column':
    case 'literal':
    case 'subquery':
      return expression;
    case 'call':
    case 'aggregate':
      return { ...expression, args: expression.args.map(replacePart) };
    case 'cast':
    case 'truncate':
    case 'periodKey':
    case 'periodStart':
    case 'quarterKey':
    case 'quarterStart':
    case 'shift':
    case 'zone':
    case 'path':
    case 'member':
    case 'listed':
      return { ...expression, of: replacePart(expression.of) };
    case 'bin':
      return {
        ...expression,
        of: replacePart(expression.of),
        low: replacePart(expression.low),
        high: replacePart(expression.high),
      };
    case 'running':
      return { ...expression, of: replacePart(expression.of), order: expression.order.map(replacePart) };
    case 'position':
      return { ...expression, per: expression.per.map(replacePart), order: expression.order.map(replacePart) };
    case 'case':
      return {
        ...expression,
        when: expression.when.map(({ test, result }) => ({ test: replacePart(test), result: replacePart(result) })),
        otherwise: expression.otherwise === null ? null : replacePart(expression.otherwise),
      };
    default:
      return assertNever(expression);
  }
}

/** Yields an expression and all of its parts, outermost first. Uses no recursion, so nesting may be deep. */
export function* allParts(expression: Expression): Generator<Expression> {
  const remaining = [expression];
  for (let part = remaining.pop(); part !== undefined; part = remaining.pop()) {
    yield part;
    for (const child of partsOf(part).toReversed()) remaining.push(child);
  }
}

/** Returns the relations whose columns an expression reads, in the order in which it reads them. */
export const relationsOf = (expression: Expression): readonly string[] => [
  ...new Set([...allParts(expression)].flatMap((part) => (part.kind === 'column' ? [part.relation] : []))),
];

/** Returns the aggregates in an expression. */
export const aggregatesOf = (expression: Expression): readonly Extract<Expression, { readonly kind: 'aggregate' }>[] =>
  [...allParts(expression)].flatMap((part) => (part.kind === 'aggregate' ? [part] : []));

/** Returns a key that is the same for equal expressions. Plans are plain data with a fixed order of members. */
export const keyOf = (expression: Expression): string => JSON.stringify(expression);

/** Replaces the dataset id by an alias as the relation of columns. */
export const withAlias = (expression: Expression, datasetId: string, alias: string): Expression =>
  replace(expression, (part) =>
    part.kind === 'column' && part.relation === datasetId ? { ...part, relation: alias } : null,
  );

/** Returns the names of the columns of a relation that expressions read, each once. */
export function columnsOf(expressions: readonly Expression[], relation: string): readonly string[] {
  const parts = expressions.flatMap((expression) => [...allParts(expression)]);
  const names = parts.flatMap((part) => (part.kind === 'column' && part.relation === relation ? [part.name] : []));
  return [...new Set(names)].toSorted((left, right) => (left < right ? -1 : 1));
}
