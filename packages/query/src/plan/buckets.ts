import { aggregate, call, cast, column, type Expression, type Select, type SelectColumn } from '../expression.ts';
import { wallOfPart } from './time/parts.ts';
import { hasWholeQuarters } from './time/zone.ts';
import { aggregatesOf, keyOf, replace } from './expressions/walk.ts';

type Aggregate = Extract<Expression, { readonly kind: 'aggregate' }>;

/** Returns the aggregate that merges partial results of an aggregate; null if partial results cannot be merged. */
function mergingAggregate(name: Aggregate['name']): 'sum' | 'min' | 'max' | null {
  if (name === 'rows' || name === 'count' || name === 'sum') return 'sum';
  return name === 'min' || name === 'max' ? name : null;
}

/** Replaces each average by a sum divided by a count, since sums and counts can be merged. */
const divided = (expression: Expression): Expression =>
  replace(expression, (part) => {
    if (part.kind !== 'aggregate' || part.name !== 'average') return null;
    const sum = aggregate(
      'sum',
      part.args.map((arg) => cast(arg, 'double')),
      'double',
    );
    return call('/', [sum, aggregate('count', part.args, 'integer')], 'double');
  });

/**
 * If a key is a period of at least an hour or a part of a time, in the calendar of a zone, returns the UTC time that
 * the key is computed from; otherwise null.
 */
const localTimeIn = (key: Expression): Expression | null => {
  const wall = key.kind === 'periodKey' ? (key.level <= 6 ? key.of : null) : wallOfPart(key);
  return wall?.kind === 'zone' && wall.to === 'local' && hasWholeQuarters(wall.zone) ? wall.of : null;
};

/**
 * Groups by quarters of an hour in UTC first, and then converts the quarters to the zone, which is far cheaper than
 * converting every row. The result is exact since 1970. Known limit: before 1970, offsets were often no multiples of a
 * quarter. Zones that changed their clocks within a quarter since 1970 are grouped without quarters, and so are selects
 * with aggregates that cannot be merged.
 */
export function bucketed(select: Select): Select {
  const { from } = select;
  if (from.kind === 'stack') return { ...select, from: { ...from, of: from.of.map(bucketed) } };
  if (from.kind === 'select') return { ...select, from: bucketed(from) };
  const keys = select.columns.slice(0, select.grouped ?? 0);
  const times = keys.map(({ of }) => localTimeIn(of));
  const values = select.columns.slice(keys.length).map(({ as, of }) => ({ as, of: divided(of) }));
  const having = select.having.map(divided);
  const aggregates = [...values.map(({ of }) => of), ...having].flatMap(aggregatesOf);
  const areMergeable = aggregates.every(({ name }) => mergingAggregate(name) !== null);
  if (select.grouped === null || !areMergeable || times.every((time) => time === null)) return select;

  const partialAggregates = new Map(aggregates.map((aggregate) => [keyOf(aggregate), aggregate]));
  const names = new Map([...partialAggregates.keys()].map((key, index) => [key, `a${index}`]));
  const innerSelect: Select = {
    ...select,
    having: [],
    order: [],
    limit: null,
    offset: 0,
    columns: [
      ...keys.map(({ of }, index): SelectColumn => {
        const time = times[index];
        const isUnchanged = time === null || time === undefined;
        return { as: `k${index}`, of: isUnchanged ? of : { kind: 'quarterKey', of: time, type: 'integer' } };
      }),
      ...[...partialAggregates].map(([key, of]): SelectColumn => ({ as: names.get(key) ?? '', of })),
    ],
  };
  const withPartialResults = (expression: Expression): Expression =>
    replace(expression, (part) => {
      if (part.kind !== 'aggregate') return null;
      const partialResult = column('z', names.get(keyOf(part)) ?? '', part.type);
      return { kind: 'aggregate', name: mergingAggregate(part.name) ?? 'sum', args: [partialResult], type: part.type };
    });
  const keyColumns = keys.map(({ as, of }, index): SelectColumn => {
    const time = times[index];
    if (time === null || time === undefined) return { as, of: column('z', `k${index}`, of.type) };
    const start: Expression = { kind: 'quarterStart', of: column('z', `k${index}`, 'integer'), type: time.type };
    return { as, of: replace(of, (part) => (part === time ? start : null)) };
  });
  return {
    ...select,
    from: innerSelect,
    as: 'z',
    joins: [],
    where: [],
    columns: [...keyColumns, ...values.map(({ as, of }) => ({ as, of: withPartialResults(of) }))],
    having: having.map(withPartialResults),
  };
}
