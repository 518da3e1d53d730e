import type { Expression, Join, SelectColumn } from '../../expression.ts';

/** A dataset in the join tree. A looked-up dataset belongs to the level of the dataset that looks it up. */
export interface JoinNode {
  readonly datasetId: string;
  /** Name by which the level above refers to this node's columns. */
  readonly alias: string;
  /** Name by which the select of this node refers to the columns of its dataset. */
  readonly inner: string;
  readonly level: JoinLevel;
  /** Columns that the select of this node returns, by the key of their expression. */
  readonly exports: Map<string, SelectColumn>;
  readonly key: { readonly parent: Expression; readonly own: Expression } | null;
}

/**
 * One level of the join tree: a head dataset and the datasets it looks up. A row of this level may match several rows
 * of the level above.
 */
export interface JoinLevel {
  readonly up: JoinLevel | null;
  head: JoinNode | null;
  readonly joined: JoinNode[];
  readonly bounds: Join[];
  readonly filters: Expression[];
  readonly where: Expression[];
}

export const levelUnder = (levelAbove: JoinLevel | null): JoinLevel => ({
  up: levelAbove,
  head: null,
  joined: [],
  bounds: [],
  filters: [],
  where: [],
});
