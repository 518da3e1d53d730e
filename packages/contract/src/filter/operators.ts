import type { ColumnType } from '../item-types/declare/vocabulary.ts';

/** What follows the column of a test: one value, a list, two bounds, a text, `{unit, quantity}`, or nothing. */
export type OperandKind = 'value' | 'list' | 'range' | 'text' | 'period' | 'nothing';

interface OperatorRule {
  readonly takes: OperandKind;
  /** Types of the columns that it tests. */
  readonly of: readonly ColumnType[];
  /** True if it tests a time against today. */
  readonly isRelative: boolean;
}

const all = ['hierarchy', 'numeric', 'datetime', 'spatial'] as const;
const ordered = ['hierarchy', 'numeric', 'datetime'] as const;
const plain = (takes: OperandKind, of: readonly ColumnType[]): OperatorRule => ({ takes, of, isRelative: false });
const relative = (takes: 'period' | 'nothing'): OperatorRule => ({ takes, of: ['datetime'], isRelative: true });

/** All operators, by the word between the question marks of their expression. specification/data-queries#filters */
export const filterOperators = {
  '=': plain('value', all),
  '!=': plain('value', all),
  in: plain('list', all),
  'not in': plain('list', all),
  like: plain('text', ['hierarchy']),
  'not like': plain('text', ['hierarchy']),
  'starts with': plain('text', ['hierarchy']),
  'not starts with': plain('text', ['hierarchy']),
  'ends with': plain('text', ['hierarchy']),
  'not ends with': plain('text', ['hierarchy']),
  '<': plain('value', ordered),
  '<=': plain('value', ordered),
  '>': plain('value', ordered),
  '>=': plain('value', ordered),
  between: plain('range', ordered),
  'is null': plain('nothing', all),
  'is not null': plain('nothing', all),
  last_now: relative('period'),
  to_date: relative('period'),
  last_available: relative('period'),
  last_completed: relative('period'),
  next_now: relative('period'),
  next_full: relative('period'),
  ago: relative('period'),
  more_than_ago: relative('period'),
  WTD: relative('nothing'),
  MTD: relative('nothing'),
  QTD: relative('nothing'),
  YTD: relative('nothing'),
} as const satisfies Readonly<Record<string, OperatorRule>>;

export type FilterOperator = keyof typeof filterOperators;

const isOperator = (word: string): word is FilterOperator => Object.hasOwn(filterOperators, word);

/** All operators, in the order in which they are listed. */
export const operatorNames: readonly FilterOperator[] = Object.keys(filterOperators).filter(isOperator);

/** Returns the rule of an operator. */
export const operatorRule = (operator: FilterOperator): OperatorRule => filterOperators[operator];

/** Returns the usual expression of an operator, such as `? in ?`. */
export const expressionOf = (operator: FilterOperator): string =>
  filterOperators[operator].takes === 'nothing' ? `? ${operator}` : `? ${operator} ?`;

/** By relative operator without a value: the unit of the period until now. */
export const toDateUnits = { WTD: 'week', MTD: 'month', QTD: 'quarter', YTD: 'year' } as const;

/** Returns the operator of an expression, which relative dates write with question marks or without; null if it has none. */
export function operatorOf(expression: string): FilterOperator | null {
  const word = expression.replace(/^\? /u, '').replace(/ \?$/u, '');
  return isOperator(word) && expressionsOf(word).includes(expression) ? word : null;
}

/** Returns all expressions of an operator. */
export const expressionsOf = (operator: FilterOperator): readonly string[] =>
  filterOperators[operator].isRelative ? [operator, `? ${operator}`, `? ${operator} ?`] : [expressionOf(operator)];
