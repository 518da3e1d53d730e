import { columnsOf, type Asked, type AskedTest, type Ref, type RowFilters } from './asked.ts';
import { partOf, startOf, utc, zoneOf } from './calendar.ts';
import { passes, type Clock } from './passes.ts';
import { compare, double, keyOf, numberOf, read, whole, wire, type Value } from './values.ts';
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
        Object.entries(columns).map(([column, { storageType }]) => [column, read(row[column] ?? null, storageType)]),
      );
      return id === 'sales' ? derived(own) : own;
    }),
  ]),
);

/** Row filters read times by the caller's clock, whatever zone and first day of the week a query names. */
const callersClock: Clock = { nowMs, zone: utc, weekstart: 1 };

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
export interface Member {
  readonly sorts: Value;
  readonly shows: unknown;
}

type Cut = { readonly low: number; readonly high: number } | null;

/** At most this many parts, their edges multiples of 1, 2 or 5 times a power of ten. */
function roundCut({ low, high }: NonNullable<Cut>, bins: number): Cut {
  if (bins === 1 || low === high) return { low, high };
  const wanted = (high - low) / (bins - 1);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => wanted <= one) ?? 10 * power;
  const first = Math.floor(low / step) * step;
  return { low: first, high: first + bins * step };
}

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
    const zone = value.day ? utc : clock.zone;
    if (ref.part !== undefined) {
      const { place, shown } = partOf(value.ms, ref.part, zone, clock.weekstart);
      return { sorts: whole(place), shows: shown };
    }
    const level = value.day ? Math.min(ref.level ?? 5, 5) : (ref.level ?? 9);
    const ms = startOf(value.ms, level, zone, clock.weekstart);
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

export const valueIn = (row: Joined, column: string): Value => row[datasetOf(column)]?.[column] ?? null;

/** The rows that a query is about, and what its dimensions make of each. */
export interface Ground {
  readonly clock: Clock;
  readonly rowsOf: (root: string) => readonly Joined[];
  readonly membersOf: (row: Joined) => readonly Member[];
}

/**
 * Returns the rows of a dataset with what they look up, as a caller sees them; budgets match several times, and each
 * row counts once for each different set of members.
 */
export const groundOf = (asked: Asked, filters: RowFilters): Ground => {
  const clock: Clock = {
    nowMs,
    zone: zoneOf(asked.options.timezone_id ?? 'UTC'),
    weekstart: asked.options.weekstart ?? 1,
  };
  const seen = visible(filters, callersClock);
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
  const filtersBudgets = asked.where.flatMap(columnsOf).some(({ dataset_id }) => dataset_id === 'budgets');
  const usesBudgets = many.length > 0 || filtersBudgets;

  const cuts = new Map<string, Cut>();
  const cutOf = ({ column_id: column, discretization }: Ref): Cut => {
    if (discretization === undefined) return null;
    const values = filtered(datasetOf(column)).flatMap((row) => numberOf(row[column] ?? null) ?? []);
    const cut = values.length === 0 ? null : { low: Math.min(...values), high: Math.max(...values) };
    const found = cuts.get(column) ?? cut;
    cuts.set(column, found);
    return found !== null && discretization.type === 'nice' ? roundCut(found, discretization.bins) : found;
  };
  const withBudgets = (row: Joined): readonly Joined[] => {
    if (!usesBudgets) return [row];
    const matching = filtered('budgets').filter((one) =>
      same(one['budgets.country'], valueIn(row, 'customers.country')),
    );
    const membersIn = (one: Row): string =>
      many.map((ref) => keyOf(memberOf(one[ref.column_id] ?? null, ref, cutOf(ref), clock).sorts)).join();
    const different = new Map(matching.map((one) => [membersIn(one), one]));
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

  const membersOf = (row: Joined): readonly Member[] =>
    asked.dimensions.map((ref) => memberOf(valueIn(row, ref.column_id), ref, cutOf(ref), clock));

  return { clock, rowsOf, membersOf };
};
