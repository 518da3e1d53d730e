import type { Asked, AskedMeasure, AskedOrder, AskedTest, Ref, RowFilters } from './asked.ts';
import { columnsOf } from './asked.ts';
import { aggregate } from './aggregate.ts';
import { startOf } from './calendar.ts';
import { passes, type Clock } from './passes.ts';
import { compare, double, keyOf, numberOf, read, sortValues, whole, wire, type Value } from './values.ts';
import { nowMs, world } from './world.ts';

type Row = Readonly<Record<string, Value>>;
/** A row of the dataset that is counted, with the rows it looks up. */
export type Joined = Readonly<Record<string, Row | null>>;

const datasetOf = (column: string): string => column.split('.')[0] ?? '';
const lookups: Readonly<Record<string, readonly { readonly from: string; readonly to: string }[]>> = {
  sales: [
    { from: 'sales.product', to: 'products.id' },
    { from: 'sales.customer', to: 'customers.name' },
  ],
  tickets: [{ from: 'tickets.customer', to: 'customers.name' }],
};

const derived = (row: Row): Row => {
  const amount = numberOf(row['sales.amount'] ?? null);
  const note = row['sales.note'] ?? null;
  const quantity = row['sales.quantity'] ?? null;
  const label = `${note?.is === 'text' ? note.value : ''}-${quantity === null ? '' : String(wire(quantity))}`;
  return {
    ...row,
    'sales.half': amount === null ? null : double(amount / 2),
    'sales.label': { is: 'text', value: label },
  };
};

const stored = new Map(
  Object.entries(world).map(([id, { columns, rows }]) => [
    id,
    rows.map((row): Row => {
      const own = Object.fromEntries(
        Object.entries(columns).map(([column, { kept }]) => [column, read(row[column] ?? null, kept)]),
      );
      return id === 'sales' ? derived(own) : own;
    }),
  ]),
);

/** Rows of each dataset that the caller may see. */
const visible = (filters: RowFilters, clock: Clock): ((dataset: string) => readonly Row[]) => {
  const latest = (test: AskedTest): number | null =>
    newest(stored.get(datasetOf(test.parameters[0].column_id)) ?? [], test);
  return (dataset) =>
    (stored.get(dataset) ?? []).filter((row) =>
      (filters[dataset] ?? []).every((filter) =>
        passes(filter, (test) => atLevel(row[test.parameters[0].column_id] ?? null, test.parameters[0]), latest, clock),
      ),
    );
};
const newest = (rows: readonly Row[], test: AskedTest): number | null => {
  const times = rows.flatMap((row) => {
    const value = row[test.parameters[0].column_id] ?? null;
    return value?.is === 'time' ? [value.ms] : [];
  });
  return times.length === 0 ? null : Math.max(...times);
};

const separators: Readonly<Record<string, string>> = { 'sales.place': '/' };
const atLevel = (value: Value, { column_id, level }: Ref): Value => {
  const separator = separators[column_id];
  if (separator === undefined || level === undefined || value?.is !== 'text') return value;
  return { is: 'text', value: value.value.split(separator).slice(0, level).join(separator) };
};

const same = (left: Value | undefined, right: Value | undefined): boolean =>
  left !== null && right !== null && left !== undefined && right !== undefined && compare(left, right) === 0;

/** The key of a group for one dimension: what it is sorted by, and how it is answered. */
interface Member {
  readonly sorts: Value;
  readonly shows: unknown;
}

type Cut = { readonly low: number; readonly high: number } | null;

const memberOf = (value: Value, ref: Ref, cut: Cut, clock: Clock): Member => {
  if (value === null) return { sorts: null, shows: null };
  const bins = ref.discretization?.bins;
  if (bins !== undefined) {
    const number = numberOf(value);
    if (number === null || cut === null) return { sorts: null, shows: null };
    const { low, high } = cut;
    const part = high === low ? 0 : Math.min(bins - 1, Math.floor(((number - low) / (high - low)) * bins));
    const edge = (index: number): number => (index === bins ? high : low + ((high - low) * index) / bins);
    return { sorts: whole(part), shows: [edge(part), edge(part + 1)] };
  }
  if (value.is === 'time') {
    const level = value.day ? Math.min(ref.level ?? 5, 5) : (ref.level ?? 9);
    const ms = startOf(value.ms, level, value.day ? 'UTC' : clock.zone, clock.weekstart);
    const sorts: Value = { is: 'time', ms, day: value.day };
    return { sorts, shows: wire(sorts) };
  }
  const cut_ = atLevel(value, ref);
  const isNumber = cut_?.is === 'exact' || cut_?.is === 'double';
  if (cut_ === null || isNumber) return { sorts: cut_, shows: wire(cut_) };
  const id = cut_.is === 'text' ? cut_.value : String(wire(cut_));
  const separator = separators[ref.column_id];
  const name = separator === undefined ? id : id.split(separator).at(-1);
  return { sorts: cut_, shows: { id, name: { en: name } } };
};

interface Group {
  readonly members: readonly Member[];
  readonly rows: Map<string, Joined[]>;
}

/** A formula that a query may have, as a function of the rows of a group. */
export type Formulas = Readonly<Record<string, (rows: readonly Joined[]) => Value>>;

export const valueIn = (row: Joined, column: string): Value => row[datasetOf(column)]?.[column] ?? null;

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
 * Answers a query over the world in plain TypeScript, from the words of the documents: the rows of each measure's
 * dataset with what they look up; budgets, which match several times, count each row once per group.
 */
export const evaluate = (
  asked: Asked,
  filters: RowFilters,
  formulas: Formulas = {},
): readonly (readonly unknown[])[] => {
  const clock: Clock = { nowMs, zone: asked.options.timezone_id ?? 'UTC', weekstart: asked.options.weekstart ?? 1 };
  const seen = visible(filters, clock);
  const latest = (test: AskedTest): number | null => newest(seen(datasetOf(test.parameters[0].column_id)), test);
  const ofDataset = (dataset: string) =>
    asked.where.filter((filter) => columnsOf(filter).every(({ column_id }) => datasetOf(column_id) === dataset));
  const filtered = (dataset: string): readonly Row[] =>
    seen(dataset).filter((row) =>
      ofDataset(dataset).every((filter) =>
        passes(filter, ({ parameters: [ref] }) => atLevel(row[ref.column_id] ?? null, ref), latest, clock),
      ),
    );
  const many = asked.dimensions.filter(({ dataset_id }) => dataset_id === 'budgets');
  const usesBudgets = many.length > 0 || ofDataset('budgets').length > 0;

  const withBudgets = (row: Joined): readonly Joined[] => {
    if (!usesBudgets) return [row];
    const matching = filtered('budgets').filter((one) =>
      same(one['budgets.country'], valueIn(row, 'customers.country')),
    );
    const different = new Map(
      matching.map((one) => [many.map(({ column_id }) => keyOf(one[column_id] ?? null)).join(), one]),
    );
    return [...different.values()].map((budgets) => ({ ...row, budgets }));
  };
  const rowsOf = (root: string): readonly Joined[] =>
    seen(root)
      .map((row): Joined => {
        const looked = (lookups[root] ?? []).map(({ from, to }) => [
          datasetOf(to),
          seen(datasetOf(to)).find((other) => same(row[from], other[to])) ?? null,
        ]);
        return { ...Object.fromEntries(looked), [root]: row };
      })
      .flatMap(withBudgets)
      .filter((row) =>
        asked.where.every((filter) =>
          passes(filter, ({ parameters: [ref] }) => atLevel(valueIn(row, ref.column_id), ref), latest, clock),
        ),
      );

  const cuts = asked.dimensions.map(({ column_id, discretization }): Cut => {
    if (discretization === undefined) return null;
    const values = filtered(datasetOf(column_id)).flatMap((row) => numberOf(row[column_id] ?? null) ?? []);
    return values.length === 0 ? null : { low: Math.min(...values), high: Math.max(...values) };
  });
  const membersOf = (row: Joined): readonly Member[] =>
    asked.dimensions.map((ref, index) => memberOf(valueIn(row, ref.column_id), ref, cuts[index] ?? null, clock));

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
  const used = new Set([...asked.dimensions, ...asked.where.flatMap(columnsOf)].map(({ dataset_id }) => dataset_id));
  return ['sales', 'tickets', 'customers', 'products', 'budgets'].find((dataset) => used.has(dataset));
};
const havingMeasures = (filter: Asked['having'][number]): readonly AskedMeasure[] =>
  columnsOf(filter).map((one): AskedMeasure => one);
const orderMeasure = (order: AskedOrder): readonly AskedMeasure[] => (order.aggregation === undefined ? [] : [order]);
const dimensionIndex = (asked: Asked, order: AskedOrder): number =>
  order.aggregation === undefined
    ? asked.dimensions.findIndex(
        (one) => one.column_id === order.column_id && (order.level === undefined || one.level === order.level),
      )
    : -1;
const compareGroups = (left: Group, right: Group): number => {
  for (const [index, member] of left.members.entries()) {
    const difference = sortValues(member.sorts, right.members[index]?.sorts ?? null, 'asc');
    if (difference !== 0) return difference;
  }
  return 0;
};
