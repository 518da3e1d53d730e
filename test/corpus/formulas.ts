import { aggregate } from './aggregate.ts';
import type { Formulas } from './evaluate.ts';
import { valueIn, type Joined } from './ground.ts';
import { double, numberOf, whole, type Value } from './values.ts';

/** Formulas over sales, each with what it means. */
const of = (rows: readonly Joined[], column: string): readonly Value[] => rows.map((row) => valueIn(row, column));
const over = (name: string, rows: readonly Joined[], column: string): number | null =>
  numberOf(aggregate(name, of(rows, column), null));
const ratio = (above: number | null, below: number | null): Value =>
  above === null || below === null || below === 0 ? null : double(above / below);
const where = (rows: readonly Joined[], column: string, test: (value: unknown) => boolean): readonly Joined[] =>
  rows.filter((row) => {
    const value = valueIn(row, column);
    return value !== null && 'value' in value && test(value.value);
  });
const times = (value: number | null, factor: number): Value => (value === null ? null : double(value * factor));

export const formulas: Formulas = {
  'sum({sales.amount}) / sum({sales.quantity})': (rows) =>
    ratio(over('sum', rows, 'sales.amount'), over('sum', rows, 'sales.quantity')),
  'count(* where {sales.paid})': (rows) => whole(where(rows, 'sales.paid', (paid) => paid === true).length),
  "sum({sales.weight} where {sales.note} != 'a') * 2": (rows) =>
    times(
      over(
        'sum',
        where(rows, 'sales.note', (note) => note !== 'a'),
        'sales.weight',
      ),
      2,
    ),
  'if(count(*) > 3, max({sales.quantity}), min({sales.quantity}))': (rows) =>
    aggregate(rows.length > 3 ? 'max' : 'min', of(rows, 'sales.quantity'), null),
  'coalesce(distinctcount({sales.customer}), 0) + count({sales.note}) / 2': (rows) =>
    double((over('distinctcount', rows, 'sales.customer') ?? 0) + (over('count', rows, 'sales.note') ?? 0) / 2),
  'sum({sales.amount} * {sales.quantity})': (rows) => {
    const products = rows.map((row): Value => {
      const [amount, quantity] = [numberOf(valueIn(row, 'sales.amount')), numberOf(valueIn(row, 'sales.quantity'))];
      return amount === null || quantity === null ? null : double(amount * quantity);
    });
    return aggregate('sum', products, null);
  },
  'max({sales.amount}) - min({sales.amount})': (rows) => {
    const [most, least] = [over('max', rows, 'sales.amount'), over('min', rows, 'sales.amount')];
    return most === null || least === null ? null : double(most - least);
  },
  'abs(sum({sales.weight})) > 5': (rows) => {
    const sum = over('sum', rows, 'sales.weight');
    return sum === null ? null : { is: 'boolean', value: Math.abs(sum) > 5 };
  },
};
