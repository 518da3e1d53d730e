import type { OutColumn } from '../cell.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Scalar } from '../query.ts';
import { textOf, type Sql } from '../sql.ts';

/**
 * Where the rows of a dataset are: a table by its path, or a source query that was checked and is trusted by then.
 * `same`, where there is one, says that texts of the table are kept as text or as members of a closed set in the order of
 * text, and names for a column the function that puts texts in the way in which it is fastest compared: null for a text
 * that is no member.
 */
export type Relation =
  | {
      readonly kind: 'table';
      readonly path: readonly string[];
      readonly same?: (column: string) => string;
    }
  | { readonly kind: 'query'; readonly sql: string };

/** What is sent: text with bound values, and what its columns are. In `json` output there is one text column. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Scalar[];
  readonly columns: readonly OutColumn[];
}

/** What is written as it is sent. */
export const statement = (dialect: Dialect, written: Sql, columns: readonly OutColumn[]): Statement => ({
  sql: textOf(written, (position) => dialect.placeholder(position)),
  params: written.params,
  columns,
});
