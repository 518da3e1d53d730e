import type { Scalar } from '@inlay/query';

/** A data query as it comes over the wire, as far as the tests ask. */
export interface Ref {
  readonly dataset_id: string;
  readonly column_id: string;
  readonly level?: number;
  readonly part?: string;
  readonly discretization?: { readonly type: 'linear' | 'nice'; readonly bins: number };
}
export interface AskedMeasure {
  readonly dataset_id: string;
  readonly column_id?: string;
  readonly aggregation?: { readonly type: string; readonly dataset_id?: string; readonly column_id?: string };
  readonly formula?: string;
}
export type Wanted = Scalar | readonly Scalar[] | { readonly unit: string; readonly quantity: number };
export interface AskedTest {
  readonly expression: string;
  readonly parameters: readonly [Ref & AskedMeasure] | readonly [Ref & AskedMeasure, Wanted];
}
export type AskedFilter =
  | AskedTest
  | { readonly and: readonly AskedFilter[] }
  | { readonly or: readonly AskedFilter[] };
export interface AskedOrder extends Ref {
  readonly order: 'asc' | 'desc';
  readonly aggregation?: { readonly type: string };
}
export interface Asked {
  readonly dimensions: readonly Ref[];
  readonly measures: readonly AskedMeasure[];
  readonly where: readonly AskedFilter[];
  readonly having: readonly AskedFilter[];
  readonly order: readonly AskedOrder[];
  readonly limit?: { readonly by: number; readonly offset: number };
  readonly options: { readonly timezone_id?: string; readonly weekstart?: number; readonly rollup_data?: boolean };
}

/** Row filters of the caller by dataset. */
export type RowFilters = Readonly<Record<string, readonly AskedTest[]>>;

/** Returns the columns that filters name. */
export const columnsOf = (filter: AskedFilter): readonly Ref[] => {
  if ('and' in filter) return filter.and.flatMap(columnsOf);
  return 'or' in filter ? filter.or.flatMap(columnsOf) : [filter.parameters[0]];
};
