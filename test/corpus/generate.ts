import fc from 'fast-check';
import { timeParts } from '@inlay/contract';
import type { Asked, AskedFilter, AskedMeasure, AskedOrder, AskedTest, Ref, RowFilters, Wanted } from './asked.ts';
import { zones } from './engines.ts';
import { formulas } from './formulas.ts';
import { countries, people, places, teams, words, world } from './world.ts';

/** Generates queries over the world, and says what they are answered for. */
export interface Generated {
  readonly asked: Asked;
  readonly rowFilters: RowFilters;
}

const datasetOf = (column: string): string => column.split('.')[0] ?? '';
const columnOf = (id: string) => world[datasetOf(id)]?.columns[id];
const ref = (column: string): Ref => ({ dataset_id: datasetOf(column), column_id: column });

const texts: Readonly<Record<string, readonly string[]>> = {
  'sales.customer': people,
  'customers.name': people,
  'tickets.customer': people,
  'sales.place': [...places, 'Europe/Belgium', 'Asia', 'Africa/'],
  'customers.country': countries,
  'budgets.country': countries,
  'budgets.team': teams,
  'products.category': ['tea', 'Tea', 'coffee'],
};
const times = [
  '2024-03-31',
  '2024-01-01',
  '2023-12-31T23:59:59.999Z',
  '2024-10-27T01:15:00Z',
  '2024-02-29T12:00:00Z',
  '2024-06-15T00:00:00+02:00',
  '2023-08-01',
  '2025-01-01',
];
const zoned = ['UTC', ...zones];
const nullable = <Of>(arb: fc.Arbitrary<Of>): fc.Arbitrary<Of | null> => fc.option(arb, { freq: 8 });

const valueFor = (column: string): fc.Arbitrary<string | number | boolean> => {
  const { type = 'hierarchy', storageType = 'text' } = columnOf(column) ?? {};
  if (storageType === 'boolean') return fc.boolean();
  if (type === 'datetime') return fc.constantFrom(...times);
  if (column === 'sales.big') return fc.constantFrom(0, 1, 2, '9007199254740993', '18014398509481987');
  if (type === 'numeric')
    return fc.oneof(fc.integer({ min: -3, max: 100 }), fc.constantFrom(0.5, -12.25, '10.50', 2.75));
  return fc.constantFrom(...(texts[column] ?? words), 'e', 'a_%', '%l%', '\\%%', 'nothing');
};

const unit = fc.constantFrom('year', 'quarter', 'month', 'week', 'day', 'hour');
const period = fc.record({ unit, quantity: fc.integer({ min: 0, max: 5 }) });
const relative = ['last_now', 'to_date', 'last_available', 'last_completed', 'next_now', 'next_full', 'ago'] as const;

const testOf = (column: string): fc.Arbitrary<AskedTest> => {
  const { type = 'hierarchy', storageType = 'text' } = columnOf(column) ?? {};
  const value = valueFor(column);
  const levels =
    type === 'datetime' ? fc.integer({ min: 1, max: storageType === 'date' ? 5 : 8 }) : fc.integer({ min: 1, max: 3 });
  const hasLevel = type === 'datetime' || column === 'sales.place';
  const on: fc.Arbitrary<Ref> = hasLevel
    ? fc
        .option(levels, { nil: undefined })
        .map((level) => (level === undefined ? ref(column) : { ...ref(column), level }))
    : fc.constant(ref(column));
  const make = (expression: fc.Arbitrary<string>, wanted: fc.Arbitrary<Wanted>): fc.Arbitrary<AskedTest> =>
    fc.tuple(expression, on, wanted).map(([word, at, one]) => ({ expression: word, parameters: [at, one] }));
  const nulls = fc
    .tuple(fc.constantFrom('? is null', '? is not null'), on)
    .map(([expression, at]): AskedTest => ({ expression, parameters: [at] }));
  const equality = make(fc.constantFrom('? = ?', '? != ?'), storageType === 'boolean' ? value : nullable(value));
  const lists = make(fc.constantFrom('? in ?', '? not in ?'), fc.array(nullable(value), { maxLength: 4 }));
  if (storageType === 'boolean') return fc.oneof(nulls, equality, lists);
  const bounds = make(fc.constantFrom('? < ?', '? <= ?', '? > ?', '? >= ?'), value);
  const between = make(fc.constant('? between ?'), fc.tuple(value, value));
  const common = [nulls, equality, lists, bounds, between];
  if (type === 'datetime') {
    const toDate = fc
      .tuple(fc.constantFrom('? YTD', '? QTD', '? MTD', '? WTD'), on)
      .map(([expression, at]): AskedTest => ({ expression, parameters: [at] }));
    return fc.oneof(
      ...common,
      make(fc.constantFrom(...relative.map((word) => `? ${word} ?`), '? more_than_ago ?'), period),
      toDate,
    );
  }
  if (type === 'numeric') return fc.oneof(...common);
  const like = [
    '? like ?',
    '? not like ?',
    '? starts with ?',
    '? not starts with ?',
    '? ends with ?',
    '? not ends with ?',
  ];
  return fc.oneof(...common, make(fc.constantFrom(...like), value));
};

const filterOn = (dataset: string): fc.Arbitrary<AskedFilter> => {
  const columns = Object.keys(world[dataset]?.columns ?? {});
  const test = fc.constantFrom(...columns).chain(testOf);
  const list = fc.array(test, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 4, arbitrary: test },
    { weight: 1, arbitrary: list.map((or): AskedFilter => ({ or })) },
    { weight: 1, arbitrary: fc.tuple(test, list).map(([one, and]): AskedFilter => ({ or: [one, { and }] })) },
  );
};

const dimensionOf = (column: string): fc.Arbitrary<Ref> => {
  const { type = 'hierarchy', storageType = 'text' } = columnOf(column) ?? {};
  if (type === 'datetime')
    return fc.oneof(
      fc.integer({ min: 1, max: storageType === 'date' ? 5 : 8 }).map((level): Ref => ({ ...ref(column), level })),
      fc.constantFrom(...timeParts).map((part): Ref => ({ ...ref(column), part })),
    );
  if (column === 'sales.place') return fc.integer({ min: 1, max: 4 }).map((level) => ({ ...ref(column), level }));
  if (type === 'numeric' && column !== 'sales.big')
    return fc.oneof(
      fc.constant(ref(column)),
      fc
        .record({ type: fc.constantFrom('linear' as const, 'nice' as const), bins: fc.integer({ min: 1, max: 7 }) })
        .map((discretization): Ref => ({ ...ref(column), discretization })),
    );
  return fc.constant(ref(column));
};

const numeric = [
  'sum',
  'average',
  'median',
  'min',
  'max',
  'stddev',
  'count',
  'distinctcount',
  'cumulativesum',
] as const;
/** The deviation of whole numbers beyond 2^53 is noise in doubles. */
const ofBig = numeric.filter((name) => name !== 'stddev');
const measureOf = (column: string): fc.Arbitrary<AskedMeasure> => {
  const { type = 'hierarchy' } = columnOf(column) ?? {};
  const names =
    type === 'numeric'
      ? column === 'sales.big'
        ? ofBig
        : numeric
      : type === 'datetime'
        ? (['min', 'max', 'count', 'distinctcount'] as const)
        : (['count', 'distinctcount'] as const);
  const plain = fc
    .constantFrom(...names)
    .map((name): AskedMeasure => ({ ...ref(column), aggregation: { type: name } }));
  if (type !== 'numeric' || datasetOf(column) !== 'sales') return plain;
  const second = fc
    .tuple(
      fc.constantFrom('weightedaverage', 'rate'),
      fc.constantFrom('sales.quantity', 'sales.weight', 'sales.amount'),
    )
    .map(([name, other]): AskedMeasure => ({ ...ref(column), aggregation: { type: name, ...ref(other) } }));
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: second });
};
const rowsOf = (dataset: string): AskedMeasure => ({
  dataset_id: dataset,
  column_id: '*',
  aggregation: { type: 'count' },
});

const measuresOn = (dataset: string): fc.Arbitrary<AskedMeasure> => {
  const columns = Object.keys(world[dataset]?.columns ?? {});
  const own = fc.constantFrom(...columns).chain(measureOf);
  const formula = fc
    .constantFrom(...Object.keys(formulas))
    .map((text): AskedMeasure => ({ dataset_id: 'sales', formula: text }));
  return dataset === 'sales'
    ? fc.oneof(
        { weight: 5, arbitrary: own },
        { weight: 1, arbitrary: fc.constant(rowsOf(dataset)) },
        { weight: 1, arbitrary: formula },
      )
    : fc.oneof({ weight: 5, arbitrary: own }, { weight: 1, arbitrary: fc.constant(rowsOf(dataset)) });
};

/** Sorted by what has no last digits that could differ. */
const orderOf = (
  dimensions: readonly Ref[],
  measures: readonly AskedMeasure[],
): fc.Arbitrary<readonly AskedOrder[]> => {
  const exact = measures.filter(
    ({ column_id: id = '*', aggregation }) =>
      id !== '*' && ['count', 'distinctcount', 'min', 'max'].includes(aggregation?.type ?? ''),
  );
  const keys = [
    ...dimensions.map(({ dataset_id, column_id, level, part }) => ({
      dataset_id,
      column_id,
      ...(level !== undefined && { level }),
      ...(part !== undefined && { part }),
    })),
    ...exact.map(({ dataset_id, column_id = '', aggregation }) => ({
      dataset_id,
      column_id,
      ...(aggregation && { aggregation }),
    })),
  ];
  if (keys.length === 0) return fc.constant([]);
  const one = fc
    .tuple(fc.constantFrom(...keys), fc.constantFrom('asc', 'desc'))
    .map(([key, order]): AskedOrder => ({ ...key, order }));
  return fc.array(one, { maxLength: 2 });
};

const havingOf = (measures: readonly AskedMeasure[]): fc.Arbitrary<readonly AskedFilter[]> => {
  const exact = measures.filter(
    ({ column_id: id, aggregation }) =>
      id !== undefined &&
      ['count', 'distinctcount', 'sum'].includes(aggregation?.type ?? '') &&
      columnOf(id)?.storageType !== 'double',
  );
  if (exact.length === 0) return fc.constant([]);
  const test = fc
    .tuple(
      fc.constantFrom(...exact),
      fc.constantFrom('? > ?', '? <= ?', '? = ?', '? != ?'),
      fc.integer({ min: 0, max: 30 }),
    )
    .map(([measure, expression, value]): AskedFilter => ({
      expression,
      parameters: [{ ...measure, column_id: measure.column_id ?? '*' }, value],
    }));
  return fc.array(test, { maxLength: 2 });
};

const shapes = fc.constantFrom(
  { roots: ['sales'], around: ['sales', 'sales', 'products', 'customers'] },
  { roots: ['sales'], around: ['sales', 'customers', 'budgets'] },
  { roots: ['tickets'], around: ['tickets', 'customers'] },
  { roots: ['sales', 'tickets'], around: ['customers'] },
);

const rowFilters: fc.Arbitrary<RowFilters> = fc.record(
  {
    sales: fc.array(fc.constantFrom('sales.note', 'sales.quantity', 'sales.at').chain(testOf), { maxLength: 1 }),
    customers: fc.array(fc.constantFrom('customers.tier', 'customers.country').chain(testOf), { maxLength: 1 }),
  },
  { requiredKeys: [] },
);
const limit = fc.record({ by: fc.integer({ min: 0, max: 40 }), offset: fc.integer({ min: 0, max: 3 }) });
const options = fc.record({ timezone_id: fc.constantFrom(...zoned), weekstart: fc.integer({ min: 1, max: 7 }) });
const columnIn = (datasets: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...datasets).chain((dataset) => fc.constantFrom(...Object.keys(world[dataset]?.columns ?? {})));

const rolledUp: fc.Arbitrary<Generated> = shapes.chain(({ roots, around }) => {
  const dimension = columnIn(around).chain(dimensionOf);
  const measures = fc.tuple(...roots.map((root) => fc.array(measuresOn(root), { minLength: 1, maxLength: 2 })));
  return fc
    .tuple(fc.uniqueArray(dimension, { maxLength: 2, selector: ({ column_id }) => column_id }), measures)
    .chain(([dimensions, lists]) => {
      const all = lists.flat();
      return fc.record({
        asked: fc.record({
          dimensions: fc.constant(dimensions),
          measures: fc.constant(all),
          where: fc.array(fc.constantFrom(...around).chain(filterOn), { maxLength: 2 }),
          having: havingOf(all),
          order: orderOf(dimensions, all),
          limit,
          options,
        }),
        rowFilters,
      });
    });
});

const asTheyAre: fc.Arbitrary<Generated> = fc
  .tuple(
    fc.uniqueArray(columnIn(['sales', 'sales', 'products', 'customers']), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('asc' as const, 'desc' as const),
  )
  .chain(([columns, direction]) =>
    fc.record({
      asked: fc.record({
        dimensions: fc.constant([ref('sales.id'), ...columns.filter((column) => column !== 'sales.id').map(ref)]),
        measures: fc.constant([ref('sales.amount')]),
        where: fc.array(fc.constantFrom('sales', 'customers').chain(filterOn), { maxLength: 2 }),
        having: fc.constant([]),
        order: fc.constant([{ ...ref(columns[0] ?? 'sales.id'), order: direction }]),
        limit,
        options: options.map((one) => ({ ...one, rollup_data: false })),
      }),
      rowFilters,
    }),
  );

/** A query over one or two kinds of rows, with filters, levels, zones, order and limits, for a caller with row filters. */
export const generated: fc.Arbitrary<Generated> = fc.oneof(
  { weight: 6, arbitrary: rolledUp },
  { weight: 1, arbitrary: asTheyAre },
);
