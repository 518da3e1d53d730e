/** Values that can be bound. Both stores accept and return such values in the same way. */
export type Value = string | number | null;

/**
 * A piece of SQL: literal texts, with a bound value between every two of them. User input is always a value, never
 * literal text.
 */
export interface Sql {
  readonly parts: readonly string[];
  readonly values: readonly Value[];
  readonly hints?: Hints;
}

/** Optimization hints. A store may ignore them without changing the result. */
export interface Hints {
  /** True if `parts` is a shared array, so that its rendered text can be cached. */
  readonly reused?: true;
  /** If true, the store may cache the rows until the next commit. For statements that are few and run often. */
  readonly cached?: true;
  /** True if the statement returns at most one row. */
  readonly single?: true;
  /** The row that the statement is expected to return. A store may assume this row and verify it at the end. */
  readonly expected?: Readonly<Record<string, Value>>;
  /** The row that the statement inserts. A store may defer the insert and combine it with others. */
  readonly inserts?: RowInsert;
}

/** Adds hints to a statement. */
export const hinted = (statement: Sql, hints: Hints): Sql => ({
  ...statement,
  hints: { ...statement.hints, ...hints },
});

/** Table and columns of an inserted row. The statement binds one value per column, in order. */
export interface RowInsert {
  readonly table: string;
  readonly columns: readonly string[];
  /** An `on conflict …` clause. */
  readonly conflict?: string;
}

const insertions = new WeakMap<RowInsert, readonly string[]>();

/** Builds the statement that inserts a row. */
export function insert(inserts: RowInsert, values: readonly Value[]): Sql {
  const { table, columns, conflict } = inserts;
  const hints = { reused: true, inserts } as const;
  const cachedParts = insertions.get(inserts);
  if (cachedParts !== undefined) return { parts: cachedParts, values, hints };
  const conflictClause = text(conflict === undefined ? '' : ` ${conflict}`);
  const { parts } =
    sql`insert into ${name(table)} (${join(columns.map(name), ', ')}) values ${list(values)}${conflictClause}`;
  insertions.set(inserts, parts);
  return { parts, values, hints };
}

/** Thrown for an invalid identifier, which is always a bug. */
class IdentifierFault extends Error {}

const identifier = /^[a-z][a-z0-9_]*$/u;

const isSql = (part: Value | Sql): part is Sql => part !== null && typeof part === 'object';
const areValues = (holes: readonly (Value | Sql)[]): holes is readonly Value[] => !holes.some(isSql);

/**
 * Builds SQL from a template. Interpolated values are bound, interpolated `Sql` is spliced in.
 * @example sql`select record from theme where id = ${id} and ${visible}`
 */
export function sql(text: TemplateStringsArray, ...holes: readonly (Value | Sql)[]): Sql {
  if (areValues(holes)) return { parts: text, values: holes, hints: { reused: true } };
  const parts: string[] = [text[0] ?? ''];
  const values: Value[] = [];
  holes.forEach((hole, index) => {
    const followingText = text[index + 1] ?? '';
    if (isSql(hole)) {
      parts[parts.length - 1] += hole.parts[0] ?? '';
      parts.push(...hole.parts.slice(1));
      values.push(...hole.values);
      parts[parts.length - 1] += followingText;
    } else {
      parts.push(followingText);
      values.push(hole);
    }
  });
  return { parts, values };
}

/** Returns literal SQL, for names and keywords from declarations of this program. */
export const text = (sqlText: string): Sql => ({ parts: [sqlText], values: [] });

/** Returns a table or column name of a declaration as SQL. Raises IdentifierFault. */
export function name(word: string): Sql {
  if (!identifier.test(word)) throw new IdentifierFault(`not an identifier: ${JSON.stringify(word)}`);
  return text(`"${word}"`);
}

/** Joins pieces with a literal text, such as `, ` or ` and `. An empty list becomes empty SQL. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  const parts: string[] = [''];
  const values: Value[] = [];
  pieces.forEach((piece, index) => {
    parts[parts.length - 1] += (index > 0 ? separator : '') + (piece.parts[0] ?? '');
    parts.push(...piece.parts.slice(1));
    values.push(...piece.values);
  });
  return { parts, values };
}

/** Returns a parenthesized list of bound values, for IN. An empty list matches nothing. */
export const list = (values: readonly Value[]): Sql =>
  values.length === 0
    ? text('(null)')
    : join(
        [
          text('('),
          join(
            values.map((value) => ({ parts: ['', ''], values: [value] })),
            ', ',
          ),
          text(')'),
        ],
        '',
      );

/**
 * Replaces the last bound values of a statement. A statement that is reused this way is rendered and prepared only
 * once.
 */
export const rebind = ({ parts, values }: Sql, ...lastValues: readonly Value[]): Sql => ({
  parts,
  values: [...values.slice(0, values.length - lastValues.length), ...lastValues],
  hints: { reused: true },
});

const combinedTexts = new WeakMap<readonly string[], WeakMap<readonly string[], readonly string[]>>();

/**
 * Combines two statements that return at most one row each. The result has no row if `first` has no row. Otherwise it
 * has one row with the columns of both statements, and `found`, which is 1 if `second` has a row and null if not.
 */
export function combineSingle(first: Sql, second: Sql): Sql {
  const combinations = combinedTexts.get(first.parts) ?? new WeakMap<readonly string[], readonly string[]>();
  combinedTexts.set(first.parts, combinations);
  const parts =
    combinations.get(second.parts) ??
    sql`select * from (${first}) one left join (select 1 as found, other.* from (${second}) other) two on 1 = 1`.parts;
  combinations.set(second.parts, parts);
  return { parts, values: [...first.values, ...second.values], hints: { reused: true } };
}

type Placeholder = 'question' | 'dollar';

function rendered(parts: readonly string[], placeholder: Placeholder): string {
  if (placeholder === 'question') return parts.join('?');
  let statement = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 1) statement += `$${index}${parts[index]}`;
  return statement;
}

const lastingTexts = {
  question: new WeakMap<readonly string[], string>(),
  dollar: new WeakMap<readonly string[], string>(),
} as const;

/** Renders a statement with placeholders: `?` for SQLite, `$1`, `$2`, … for PostgreSQL. */
export function render({ parts, hints }: Sql, placeholder: Placeholder): string {
  if (hints?.reused !== true) return rendered(parts, placeholder);
  const cachedText = lastingTexts[placeholder].get(parts);
  if (cachedText !== undefined) return cachedText;
  const renderedText = rendered(parts, placeholder);
  lastingTexts[placeholder].set(parts, renderedText);
  return renderedText;
}
