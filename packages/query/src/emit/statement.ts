import type { OutColumn } from '../cell.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Scalar } from '../query.ts';
import { textOf, type Sql } from '../sql.ts';

/**
 * Source of a dataset's rows: a table by path, or a checked source query. `same` is set if the table stores texts as
 * text, or as an ENUM in the order of the texts. It returns the name of the function that converts texts to the form in
 * which a column compares fastest. That function returns null for texts that are no members of the ENUM.
 */
export type Relation =
  | {
      readonly kind: 'table';
      readonly path: readonly string[];
      readonly same?: (column: string) => string;
    }
  | { readonly kind: 'query'; readonly sql: string };

/** A statement, the values bound to it, and its columns. With `json` output, the statement has a single text column. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Scalar[];
  readonly columns: readonly OutColumn[];
}

/** Renders a statement. */
export const statement = (dialect: Dialect, text: Sql, columns: readonly OutColumn[]): Statement => ({
  sql: textOf(text, (position) => dialect.placeholder(position)),
  params: text.params,
  columns,
});
