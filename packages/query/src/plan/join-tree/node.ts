import type { Expression, Join, SelectColumn } from '../../expression.ts';

/** A dataset in the join tree. A looked-up dataset belongs to the level of the dataset that looks it up. */
export interface JoinNode {
  readonly datasetId: string;
  /** Relation of its columns for the level above. */
  readonly alias: string;
  /** Relation of its columns within its own select. */
  readonly inner: string;
  readonly level: JoinLevel;
  /** Columns that its select returns, by the key of their expression. */
  readonly exports: Map<string, SelectColumn>;
  readonly key: { readonly parent: Expression; readonly own: Expression } | null;
}

/** A head with everything that it looks up. Its rows may match several rows of the level above. */
export interface JoinLevel {
  readonly up: JoinLevel | null;
  head: JoinNode | null;
  readonly joined: JoinNode[];
  readonly bounds: Join[];
  readonly filters: Expression[];
  readonly where: Expression[];
}

export const levelUnder = (up: JoinLevel | null): JoinLevel => ({
  up,
  head: null,
  joined: [],
  bounds: [],
  filters: [],
  where: [],
});
