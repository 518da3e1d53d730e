import type { Expression, Join, SelectColumn } from '../../expression.ts';

/** A dataset in the tree. A dataset that is looked up stays at the level of the dataset that looks it up. */
export interface JoinNode {
  readonly datasetId: string;
  /** Name of its columns for the level above. */
  readonly alias: string;
  /** Name of its columns inside its own select. */
  readonly inner: string;
  readonly level: JoinLevel;
  /** Expressions that its select answers, by their key. */
  readonly exports: Map<string, SelectColumn>;
  readonly key: { readonly parent: Expression; readonly own: Expression } | null;
}

/** Rows of a head with all that it looks up; its rows may match several rows of the level above. */
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
