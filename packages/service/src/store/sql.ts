/** What a statement may bind: the types that both stores take and give back alike. */
export type Value = string | number | null;

/** A piece of SQL: fixed text with a bound value between every two parts. Request text never becomes a part. */
export interface Sql {
  readonly parts: readonly string[];
  readonly values: readonly Value[];
}

/** Thrown where an identifier is not one of ours; a defect, never an answer to a request. */
export class IdentifierFault extends Error {}

const identifier = /^[a-z][a-z0-9_]*$/u;

const isSql = (part: Value | Sql): part is Sql => part !== null && typeof part === 'object';

/**
 * Builds SQL from a template. Interpolated values are bound, interpolated `Sql` is spliced in.
 * @example sql`select record from theme where id = ${id} and ${visible}`
 */
export function sql(text: TemplateStringsArray, ...holes: readonly (Value | Sql)[]): Sql {
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

/** The statement's text with placeholders: `?` for SQLite, `$1`, `$2`, … for PostgreSQL. */
export function render(statement: Sql, placeholder: 'question' | 'dollar'): string {
  if (placeholder === 'question') return statement.parts.join('?');
  let rendered = statement.parts[0] ?? '';
  for (let index = 1; index < statement.parts.length; index += 1) rendered += `$${index}${statement.parts[index]}`;
  return rendered;
}
