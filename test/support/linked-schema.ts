import type { Random } from './tenant-queries.ts';

/** Linked datasets of two tenants, drawn from a seed, and which of their rows a caller may see, worked out row by row. */

export const tenants = ['acme', 'bolt'] as const;

/** A row: its key (unique per tenant at most), its tenant, two references and an amount. */
export interface LinkedRow {
  readonly id: number | null;
  readonly tenant: string | null;
  readonly left: number | null;
  readonly right: number | null;
  readonly amount: number;
}
export const linkColumns = ['left', 'right'] as const;
export type LinkColumn = (typeof linkColumns)[number];

/** A link from a column of one dataset to the key of another; datasets go by their places. */
export interface SchemaLink {
  readonly from: number;
  readonly column: LinkColumn;
  readonly to: number;
  readonly type: 'lookup' | 'exact';
}

export interface SchemaFilter {
  readonly dataset: number;
  readonly value: (typeof tenants)[number];
  readonly propagate: boolean;
}

export interface LinkedSchema {
  readonly datasets: readonly (readonly LinkedRow[])[];
  readonly links: readonly SchemaLink[];
  readonly filters: readonly SchemaFilter[];
}

const is = (random: Random, percent: number): boolean => random.below(100) < percent;

const rowOf = (random: Random, keys: number): LinkedRow => {
  const key = (): number | null => (is(random, 15) ? null : random.below(keys));
  return {
    id: is(random, 5) ? null : random.below(keys),
    tenant: is(random, 5) ? null : random.pick(tenants),
    left: key(),
    right: key(),
    amount: random.below(100),
  };
};

/** Two to six datasets in which links make second paths, cycles and steps to themselves. */
export function drawSchema(random: Random): LinkedSchema {
  const count = 2 + random.below(5);
  const keys = 2 + random.below(5);
  const datasets = Array.from({ length: count }, () =>
    Array.from({ length: random.below(12) }, () => rowOf(random, keys)),
  );
  const chain = Array.from({ length: count - 1 }, (_, from): SchemaLink => ({
    from,
    column: 'left',
    to: from + 1,
    type: is(random, 90) ? 'lookup' : 'exact',
  }));
  const others = Array.from({ length: random.below(4) }, (): SchemaLink => ({
    from: random.below(count),
    column: random.pick(linkColumns),
    to: random.below(count),
    type: is(random, 85) ? 'lookup' : 'exact',
  }));
  const named = new Map<string, SchemaLink>();
  for (const link of [...chain, ...others])
    if (link.from !== link.to) named.set(`${link.from} ${link.column} ${link.to}`, link);
  const filters = Array.from({ length: 1 + random.below(2) }, (): SchemaFilter => ({
    dataset: is(random, 50) ? count - 1 : random.below(count),
    value: random.pick(tenants),
    propagate: is(random, 85),
  }));
  return { datasets, links: [...named.values()], filters };
}

/**
 * Returns the rows of a dataset that pass the filters about it and, along every path of lookups, those about what they
 * look up.
 */
export function visibleRows(schema: LinkedSchema, dataset: number): readonly LinkedRow[] {
  const { datasets, links, filters } = schema;
  const leadsToFilter = (from: number, path: readonly number[]): boolean =>
    filters.some(({ dataset: of, propagate }) => propagate && of === from) ||
    links.some((link) => {
      const isOpen = link.from === from && link.type === 'lookup' && !path.includes(link.to) && link.to !== from;
      return isOpen && leadsToFilter(link.to, [...path, from]);
    });
  const passes = (row: LinkedRow, at: number, path: readonly number[]): boolean => {
    const own = filters.filter((filter) => filter.dataset === at && (filter.propagate || path.length === 0));
    if (!own.every(({ value }) => row.tenant === value)) return false;
    return links.every((link) => {
      if (link.from !== at || link.type !== 'lookup' || path.includes(link.to)) return true;
      if (!leadsToFilter(link.to, [...path, at])) return true;
      const key = row[link.column];
      const found = key === null ? [] : (datasets[link.to] ?? []).filter(({ id }) => id === key);
      return found.length > 0 && found.every((one) => passes(one, link.to, [...path, at]));
    });
  };
  return (datasets[dataset] ?? []).filter((row) => passes(row, dataset, []));
}
