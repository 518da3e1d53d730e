import { aggregate } from './aggregate.ts';
import { columnsOf, type Asked, type AskedMeasure, type AskedOrder, type AskedTest, type RowFilters } from './asked.ts';
import { groundOf, valueIn, type Joined, type Member } from './ground.ts';
import { passes } from './passes.ts';
import { rawRows } from './raw.ts';
import { keyOf, sortValues, whole, wire, type Value } from './values.ts';

interface Group {
  readonly members: readonly Member[];
  readonly rows: Map<string, Joined[]>;
}

/** A formula that a query may have, as a function of the rows of a group. */
export type Formulas = Readonly<Record<string, (rows: readonly Joined[]) => Value>>;

const measureOf = (measure: AskedMeasure, rows: readonly Joined[], formulas: Formulas): Value => {
  if (measure.formula !== undefined) return formulas[measure.formula]?.(rows) ?? null;
  const { column_id: column = '*', aggregation } = measure;
  if (column === '*') return whole(rows.length);
  const second = aggregation?.column_id;
  return aggregate(
    aggregation?.type ?? 'sum',
    rows.map((row) => valueIn(row, column)),
    second === undefined ? null : rows.map((row) => valueIn(row, second)),
  );
};

/**
 * Answers a query over the world in plain TypeScript, by the rules of docs/specification/data-queries.md: the rows of each measure's
 * dataset with what they look up; budgets, which match several times, count each row once per group.
 */
export const evaluate = (
  asked: Asked,
  filters: RowFilters,
  formulas: Formulas = {},
): readonly (readonly unknown[])[] => {
  const ground = groundOf(asked, filters);
  const { clock, rowsOf, membersOf } = ground;
  if (asked.options.rollup_data === false) return rawRows(asked, ground, rootOf(asked) ?? 'sales');
  const tested = (test: AskedTest): AskedMeasure => test.parameters[0];
  const measures = [...asked.measures, ...asked.having.flatMap(havingMeasures), ...asked.order.flatMap(orderMeasure)];
  const factRoots = [...new Set(measures.map(({ dataset_id }) => dataset_id))];
  const [onlyRoot = 'sales'] = [
    ...factRoots,
    ...(asked.dimensions.some((one) => one.dataset_id === 'sales') ? ['sales'] : []),
  ];
  const roots = factRoots.length === 0 ? [rootOf(asked) ?? onlyRoot] : factRoots;

  const groups = new Map<string, Group>();
  if (asked.dimensions.length === 0) groups.set('', { members: [], rows: new Map() });
  for (const root of roots) {
    for (const row of rowsOf(root)) {
      const members = membersOf(row);
      const key = members.map(({ sorts }) => keyOf(sorts)).join('|');
      const group = groups.get(key) ?? { members, rows: new Map<string, Joined[]>() };
      group.rows.set(root, [...(group.rows.get(root) ?? []), row]);
      groups.set(key, group);
    }
  }
  const value = (group: Group, measure: AskedMeasure): Value =>
    measureOf(measure, group.rows.get(measure.dataset_id) ?? [], formulas);
  const kept = [...groups.values()]
    .filter((group) =>
      asked.having.every((filter) =>
        passes(
          filter,
          (test) => value(group, tested(test)),
          () => null,
          clock,
        ),
      ),
    )
    .toSorted((left, right) => compareGroups(left, right))
    .map((group) => ({ group, values: asked.measures.map((measure) => value(group, measure)) }));

  asked.measures.forEach((measure, index) => {
    if (measure.aggregation?.type !== 'cumulativesum') return;
    let total: Value = null;
    for (const one of kept) {
      total = aggregate('sum', [total, one.values[index] ?? null], null);
      one.values[index] = total;
    }
  });

  const bys = asked.order.map((order) => ({ order, index: dimensionIndex(asked, order) }));
  const sorted = kept.toSorted((left, right) => {
    for (const { order, index } of bys) {
      const of = (one: { readonly group: Group; readonly values: readonly Value[] }): Value =>
        index >= 0
          ? (one.group.members[index]?.sorts ?? null)
          : value(one.group, { ...order, aggregation: order.aggregation ?? { type: 'sum' } });
      const difference = sortValues(of(left), of(right), order.order);
      if (difference !== 0) return difference;
    }
    return compareGroups(left.group, right.group);
  });
  const { by, offset } = asked.limit ?? { by: sorted.length, offset: 0 };
  return sorted
    .slice(offset, offset + by)
    .map(({ group, values }) => [...group.members.map(({ shows }) => shows), ...values.map(wire)]);
};

const rootOf = (asked: Asked): string | undefined => {
  const named = [...asked.dimensions, ...asked.measures, ...asked.where.flatMap(columnsOf)];
  const used = new Set(named.map(({ dataset_id }) => dataset_id));
  return ['sales', 'tickets', 'customers', 'products', 'budgets'].find((dataset) => used.has(dataset));
};
const havingMeasures = (filter: Asked['having'][number]): readonly AskedMeasure[] =>
  columnsOf(filter).map((one): AskedMeasure => one);
const orderMeasure = (order: AskedOrder): readonly AskedMeasure[] => (order.aggregation === undefined ? [] : [order]);
const dimensionIndex = (asked: Asked, order: AskedOrder): number =>
  order.aggregation === undefined
    ? asked.dimensions.findIndex(
        (one) =>
          one.column_id === order.column_id &&
          (order.level === undefined || one.level === order.level) &&
          (order.part === undefined || one.part === order.part),
      )
    : -1;
const compareGroups = (left: Group, right: Group): number => {
  for (const [index, member] of left.members.entries()) {
    const difference = sortValues(member.sorts, right.members[index]?.sorts ?? null, 'asc');
    if (difference !== 0) return difference;
  }
  return 0;
};
