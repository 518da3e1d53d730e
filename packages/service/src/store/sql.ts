/** What a statement may bind: the types that both stores take and give back alike. */
export type Value = string | number | null;

/** A piece of SQL: fixed text with a bound value between every two parts. Request text never becomes a part. */
export interface Sql {
  readonly parts: readonly string[];
  readonly values: readonly Value[];
  readonly hints?: Hints;
}

/** What a store may use to run a statement faster. Its result is the same without them. */
export interface Hints {
  /** `parts` is one array that is used again, so that its text is rendered once. */
  readonly reused?: true;
  /** A store may cache the rows until the next commit: few such statements are asked, and often. */
  readonly cached?: true;
  /** It gives one row at most. */
  readonly single?: true;
  /** The row it probably gives; a store may continue with it and verify it at the end. */
  readonly expected?: Readonly<Record<string, Value>>;
  /** The one row it inserts; a store may defer it and send it together with others. */
  readonly inserts?: RowInsert;
}

/** A statement with more hints. */
export const hinted = (statement: Sql, hints: Hints): Sql => ({
  ...statement,
  hints: { ...statement.hints, ...hints },
});

/** A row that a statement inserts, by its parts. The statement binds the value of each column, in their order. */
export interface RowInsert {
  readonly table: string;
  readonly columns: readonly string[];
  /** `on conflict …` */
  readonly conflict?: string;
}

const insertions = new WeakMap<RowInsert, readonly string[]>();

/** The statement that inserts such a row, with a value for each of its columns. */
export function insert(inserts: RowInsert, values: readonly Value[]): Sql {
  const { table, columns, conflict } = inserts;
  const hints = { reused: true, inserts } as const;
  const known = insertions.get(inserts);
  if (known !== undefined) return { parts: known, values, hints };
  const after = text(conflict === undefined ? '' : ` ${conflict}`);
  const { parts } = sql`insert into ${name(table)} (${join(columns.map(name), ', ')}) values ${list(values)}${after}`;
  insertions.set(inserts, parts);
  return { parts, values, hints };
}

/** Thrown where an identifier is not one of ours; a defect, never an answer to a request. */
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
    const after = text[index + 1] ?? '';
    if (isSql(hole)) {
      parts[parts.length - 1] += hole.parts[0] ?? '';
      parts.push(...hole.parts.slice(1));
      values.push(...hole.values);
      parts[parts.length - 1] += after;
    } else {
      parts.push(after);
      values.push(hole);
    }
  });
  return { parts, values };
}

/** Fixed text of our own, for names and keywords that come from declarations. */
export const text = (fixed: string): Sql => ({ parts: [fixed], values: [] });

/** A table or column name of a declaration, checked. Raises IdentifierFault for anything else. */
export function name(word: string): Sql {
  if (!identifier.test(word)) throw new IdentifierFault(`not an identifier: ${JSON.stringify(word)}`);
  return text(`"${word}"`);
}

/** Pieces joined by fixed text, such as `, ` or ` and `. An empty list gives empty SQL. */
export function join(pieces: readonly Sql[], between: string): Sql {
  const parts: string[] = [''];
  const values: Value[] = [];
  pieces.forEach((piece, index) => {
    parts[parts.length - 1] += (index > 0 ? between : '') + (piece.parts[0] ?? '');
    parts.push(...piece.parts.slice(1));
    values.push(...piece.values);
  });
  return { parts, values };
}

/** A parenthesised list of bound values; an empty list matches nothing. */
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

/** A statement for other last values. Where it is kept, its text is rendered and looked up once for all of them. */
export const rebind = ({ parts, values }: Sql, ...last: readonly Value[]): Sql => ({
  parts,
  values: [...values.slice(0, values.length - last.length), ...last],
  hints: { reused: true },
});

const besides = new WeakMap<readonly string[], WeakMap<readonly string[], readonly string[]>>();

/**
 * Two statements of one row at most as one: nothing where the first has none, else its columns, those of the second, and
 * whether that one has a row as `found`, 1 or null.
 */
export function combineSingle(first: Sql, second: Sql): Sql {
  const known = besides.get(first.parts) ?? new WeakMap<readonly string[], readonly string[]>();
  besides.set(first.parts, known);
  const parts =
    known.get(second.parts) ??
    sql`select * from (${first}) one left join (select 1 as found, other.* from (${second}) other) two on 1 = 1`.parts;
  known.set(second.parts, parts);
  return { parts, values: [...first.values, ...second.values], hints: { reused: true } };
}

type Placeholder = 'question' | 'dollar';

function rendered(parts: readonly string[], placeholder: Placeholder): string {
  if (placeholder === 'question') return parts.join('?');
  let whole = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 1) whole += `$${index}${parts[index]}`;
  return whole;
}

const lastingTexts = {
  question: new WeakMap<readonly string[], string>(),
  dollar: new WeakMap<readonly string[], string>(),
} as const;

/** The statement's text with placeholders: `?` for SQLite, `$1`, `$2`, … for PostgreSQL. */
export function render({ parts, hints }: Sql, placeholder: Placeholder): string {
  if (hints?.reused !== true) return rendered(parts, placeholder);
  const known = lastingTexts[placeholder].get(parts);
  if (known !== undefined) return known;
  const made = rendered(parts, placeholder);
  lastingTexts[placeholder].set(parts, made);
  return made;
}
