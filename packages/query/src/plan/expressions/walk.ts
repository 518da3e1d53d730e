import type { Expression } from '../../expression.ts';
import { assertNever } from '../../problem.ts';

/** The expressions an expression is made of; the select of a subquery or member test is not entered. */
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

/** Builds an expression again from the outside in: where `put` answers one, that takes the place of the whole part. */
export function replace(expression: Expression, put: (part: Expression) => Expression | null): Expression {
  const instead = put(expression);
  if (instead !== null) return instead;
  const inner = (part: Expression): Expression => replace(part, put);
  switch (expression.kind) {
    case 'column':
    case 'literal':
    case 'subquery':
      return expression;
    case 'call':
    case 'aggregate':
      return { ...expression, args: expression.args.map(inner) };
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
      return { ...expression, of: inner(expression.of) };
    case 'bin':
      return { ...expression, of: inner(expression.of), low: inner(expression.low), high: inner(expression.high) };
    case 'running':
      return { ...expression, of: inner(expression.of), order: expression.order.map(inner) };
    case 'position':
      return { ...expression, per: expression.per.map(inner), order: expression.order.map(inner) };
    case 'case':
      return {
        ...expression,
        when: expression.when.map(({ test, result }) => ({ test: inner(test), result: inner(result) })),
        otherwise: expression.otherwise === null ? null : inner(expression.otherwise),
      };
    default:
      return assertNever(expression);
  }
}

/** An expression and all it is made of, outside first; in one pass, however deep it is. */
export function* allParts(expression: Expression): Generator<Expression> {
  const open = [expression];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    yield part;
    for (const inner of partsOf(part).toReversed()) open.push(inner);
  }
}

/** Names of the relations whose columns an expression reads, each once, in order of appearance. */
export const relationsOf = (expression: Expression): readonly string[] => [
  ...new Set([...allParts(expression)].flatMap((part) => (part.kind === 'column' ? [part.relation] : []))),
];

/** The aggregates in an expression. */
export const aggregatesOf = (expression: Expression): readonly Extract<Expression, { readonly kind: 'aggregate' }>[] =>
  [...allParts(expression)].flatMap((part) => (part.kind === 'aggregate' ? [part] : []));

/** Whether two expressions say the same: plans are plain data, made in one order. */
export const keyOf = (expression: Expression): string => JSON.stringify(expression);

/** An expression over a dataset whose columns go by an alias. */
export const withAlias = (expression: Expression, datasetId: string, alias: string): Expression =>
  replace(expression, (part) =>
    part.kind === 'column' && part.relation === datasetId ? { ...part, relation: alias } : null,
  );

/** The columns of a relation that expressions read, each once, by name. */
export function columnsOf(expressions: readonly Expression[], relation: string): readonly string[] {
  const parts = expressions.flatMap((one) => [...allParts(one)]);
  const names = parts.flatMap((part) => (part.kind === 'column' && part.relation === relation ? [part.name] : []));
  return [...new Set(names)].toSorted((one, other) => (one < other ? -1 : 1));
}
