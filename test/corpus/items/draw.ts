import type { Json, JsonObject } from '@inlay/contract';
import type { Visit } from './engine.ts';

/** Chance that is the same for a seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  is(share: number): boolean {
    return this.next() < share;
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }
}

const dayMs = 86_400_000;
const firstMs = Date.UTC(2024, 0, 1);
/** The moment at which items are drawn; rows lie before and behind it. */
export const nowMs = Date.UTC(2026, 5, 17, 10);

/** Rows with members that are none, empty, alike, and in letters of several kinds. */
export function visitsOf(chance: Chance): readonly Visit[] {
  const isPositive = chance.is(0.5);
  const lastMs = chance.is(0.5) ? nowMs + 12 * dayMs : nowMs + 300 * dayMs;
  return Array.from({ length: 1 + chance.below(120) }, (): Visit => {
    const at = firstMs + Math.floor((chance.next() * (lastMs - firstMs)) / 60_000) * 60_000;
    const amount = (chance.below(800) - (isPositive ? 0 : 300)) / 4;
    return {
      name: chance.pick([null, '', 'Ada', 'ada', 'Ben', 'Zoë', 'Émile', 'a "b"', 'x-y']),
      kind: chance.pick(['open', 'won', 'lost']),
      at: chance.is(0.05) ? null : at,
      day: firstMs + Math.floor((chance.next() * (lastMs - firstMs)) / dayMs) * dayMs,
      amount: chance.is(0.1) ? null : amount,
      units: chance.is(0.05) ? null : chance.below(10),
    };
  });
}

export const aggregations = ['sum', 'average', 'median', 'min', 'max', 'count', 'distinctcount'] as const;
export type Aggregation = (typeof aggregations)[number];

/** What an item measures: a column by an aggregation, the number of rows, or a formula. */
export type Measure =
  | { readonly kind: 'column'; readonly column: 'amount' | 'units'; readonly aggregation: Aggregation }
  | { readonly kind: 'rows' }
  | { readonly kind: 'ratio' };

/** What an item groups by. */
export interface Group {
  readonly column: 'name' | 'kind' | 'at' | 'day';
  readonly level: number | null;
}

export type Filter =
  | { readonly kind: 'kinds'; readonly values: readonly string[] }
  | { readonly kind: 'nameless' }
  | { readonly kind: 'least'; readonly amount: number }
  /** Days of the column of a number; null if it has no such end. */
  | { readonly kind: 'days'; readonly column: 'at' | 'day'; readonly from: number | null; readonly to: number | null };

/** An item as plain facts, from which both the contents and the expected rows are made. */
export interface ItemFacts {
  readonly type: string;
  readonly group: Group;
  readonly split: Group | null;
  readonly measures: readonly [Measure, ...Measure[]];
  readonly sort: { readonly by: 'measure' | 'group'; readonly index: number; readonly order: 'asc' | 'desc' } | null;
  readonly limit: number | null;
  readonly others: boolean;
  readonly filter: Filter | null;
  readonly comparison: 'previous' | 'year' | 'none';
  readonly zone: string;
  readonly locale: 'en' | 'fr' | 'de' | 'nl' | 'ar';
}

function measureOf(chance: Chance): Measure {
  if (chance.is(0.1)) return { kind: 'ratio' };
  return { kind: 'column', column: chance.pick(['amount', 'units']), aggregation: chance.pick(aggregations) };
}

const types = [
  ...(['bar-chart', 'column-chart', 'line-chart', 'donut-chart', 'treemap-chart', 'funnel-chart'] as const),
  ...(['regular-table', 'pivot-table', 'evolution-number'] as const),
] as const;
const splitTypes: readonly string[] = ['bar-chart', 'column-chart', 'line-chart'];

/** Returns a range of days: it starts up to 500 days ago, and ends before, on or after the last day of a period. */
function daysOf(chance: Chance, column: 'at' | 'day'): Filter {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const at = new Date(today);
  const ends = [1, 3, 4, 6, 12].map((months) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1 - months) - dayMs);
  const to = chance.is(0.8)
    ? chance.pick([today - chance.below(200) * dayMs, ...ends, today, today + 9 * dayMs])
    : null;
  const from = to === null || chance.is(0.5) ? (to ?? today) - chance.below(500) * dayMs : null;
  return { kind: 'days', column, from, to };
}

export function factsOf(chance: Chance): ItemFacts {
  const type = chance.pick(types);
  const isNumber = type === 'evolution-number';
  const column: Group['column'] = isNumber
    ? chance.pick(['at', 'day'])
    : chance.pick(['name', 'kind', 'at', 'day', 'name']);
  const isTime = column === 'at' || column === 'day';
  const level = isTime ? 1 + chance.below(isNumber ? 4 : 5) : null;
  const isSplit = type === 'pivot-table' || (splitTypes.includes(type) && chance.is(0.3));
  const split: Group | null = isSplit && column !== 'kind' ? { column: 'kind', level: null } : null;
  const first =
    chance.is(0.1) && !['regular-table', 'pivot-table'].includes(type) ? { kind: 'rows' as const } : measureOf(chance);
  const isTable = type === 'regular-table' || type === 'pivot-table';
  const second = isTable && chance.is(0.5) ? [measureOf(chance)] : [];
  const measures: ItemFacts['measures'] = first.kind === 'rows' ? [first] : [first, ...second];
  const isSorted = !isNumber && chance.is(0.6);
  const filter = chance.is(0.4)
    ? isNumber && chance.is(0.7)
      ? daysOf(chance, column === 'day' ? 'day' : 'at')
      : chance.pick<Filter>([
          { kind: 'kinds', values: chance.is(0.5) ? ['open'] : ['open', 'lost'] },
          { kind: 'nameless' },
          { kind: 'least', amount: chance.below(100) / 4 },
        ])
    : null;
  return {
    type,
    group: { column, level },
    split,
    measures,
    filter,
    sort: isSorted
      ? {
          by: chance.pick(['measure', 'measure', 'group']),
          index: chance.below(measures.length),
          order: chance.pick(['asc', 'desc']),
        }
      : null,
    limit: !isNumber && chance.is(0.5) ? 1 + chance.below(5) : null,
    others: chance.is(0.5),
    comparison: chance.pick(['previous', 'year', 'none']),
    zone: chance.pick(['UTC', 'Europe/Brussels', 'America/New_York', 'Asia/Kathmandu']),
    locale: chance.pick(['en', 'fr', 'de', 'nl', 'ar']),
  };
}

const entryOf = (column: string, type: string, more: JsonObject = {}): JsonObject => ({
  datasetId: 'visits',
  columnId: column,
  type,
  label: column,
  ...more,
});
const groupEntry = ({ column, level }: Group): JsonObject =>
  level === null
    ? entryOf(column, 'hierarchy')
    : entryOf(column, 'datetime', { level, ...(column === 'day' ? { subtype: 'date' } : {}) });

function measureEntries(measures: ItemFacts['measures']): readonly JsonObject[] {
  return measures.flatMap((measure): readonly JsonObject[] => {
    if (measure.kind === 'rows') return [];
    if (measure.kind === 'ratio')
      return [{ datasetId: 'visits', formula: 'sum({amount}) / count(*)', type: 'numeric', label: 'ratio' }];
    return [entryOf(measure.column, 'numeric', { aggregationFunc: measure.aggregation })];
  });
}

const groupSlots: Readonly<Record<string, string>> = {
  'bar-chart': 'y-axis',
  'column-chart': 'x-axis',
  'line-chart': 'x-axis',
  'pivot-table': 'row',
  'evolution-number': 'evolution',
  'regular-table': 'columns',
};

/** Returns the contents of the item. */
export function contentOf(facts: ItemFacts): JsonObject {
  const { type, group, split, measures, sort, limit, others, comparison } = facts;
  const slot = groupSlots[type] ?? 'category';
  const isTable = type === 'regular-table';
  const entries = measureEntries(measures);
  const slots: readonly Json[] = isTable
    ? [{ name: 'columns', content: [groupEntry(group), ...entries] }]
    : [
        { name: slot, content: [groupEntry(group)] },
        ...(split === null
          ? []
          : [{ name: type === 'pivot-table' ? 'column' : 'legend', content: [groupEntry(split)] }]),
        { name: 'measure', content: entries },
      ];
  const place = isTable
    ? sort?.by === 'group'
      ? 0
      : (sort?.index ?? 0) + 1
    : sort?.by === 'group'
      ? 0
      : (sort?.index ?? 0);
  const by = isTable ? 'columns' : sort?.by === 'group' ? slot : 'measure';
  return {
    id: 'i',
    type,
    title: 'Item',
    slots,
    options: {
      ...(sort === null ? {} : { sort: { by, index: place, order: sort.order } }),
      ...(limit === null ? {} : { limit }),
      ...(others ? { others } : {}),
      ...(type === 'evolution-number' ? { comparison: { with: comparison } } : {}),
    },
  };
}

const dayText = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** Returns the filter as a data query takes it. */
export function conditionOf(filter: Filter): JsonObject {
  const on = (column: string): JsonObject => ({ dataset_id: 'visits', column_id: column });
  switch (filter.kind) {
    case 'kinds':
      return { expression: '? in ?', parameters: [on('kind'), filter.values] };
    case 'nameless':
      return { expression: '? is null', parameters: [on('name')] };
    case 'least':
      return { expression: '? >= ?', parameters: [on('amount'), filter.amount] };
    case 'days': {
      const [from, to] = [filter.from, filter.to].map((day) => (day === null ? [] : [dayText(day)]));
      const ends = [...(from ?? []), ...(to ?? [])];
      const [expression, value] =
        ends.length === 2 ? ['? between ?', ends] : [filter.from === null ? '? <= ?' : '? >= ?', ends[0] ?? null];
      return { expression, parameters: [on(filter.column), value] };
    }
  }
}
