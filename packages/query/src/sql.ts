import type { Scalar } from './query.ts';

/**
 * A piece of SQL. A bound value stands between each two literal texts, so `texts` has one element more than `params`.
 */
export interface Sql {
  readonly texts: readonly string[];
  readonly params: readonly Scalar[];
}

/** Literal SQL that contains no user input: keywords of the compiler and quoted identifiers of the model. */
export const raw = (text: string): Sql => ({ texts: [text], params: [] });

/** Creates a bound parameter. */
export const bound = (value: Scalar): Sql => ({ texts: ['', ''], params: [value] });

/**
 * Puts literal text before and after a piece. It is faster than the template tag, for a template that is used often.
 */
export function around(prefix: string, { texts, params }: Sql, suffix: string): Sql {
  const [firstText = '', ...others] = texts;
  if (others.length === 0) return { texts: [prefix + firstText + suffix], params };
  const lastText = others.pop() ?? '';
  return { texts: [prefix + firstText, ...others, lastText + suffix], params };
}

/** Joins pieces with a literal separator. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  const texts: string[] = [];
  const params: Scalar[] = [];
  let openText = '';
  pieces.forEach((piece, index) => {
    piece.texts.forEach((text, at) => {
      openText += at === 0 && index > 0 ? separator + text : text;
      if (at === piece.texts.length - 1) return;
      texts.push(openText);
      openText = '';
    });
    for (const param of piece.params) params.push(param);
  });
  return { texts: [...texts, openText], params };
}

/**
 * Template tag: sql`date_trunc('month', ${of})`. Only pieces can be interpolated, so a value never becomes text of a
 * statement.
 */
export const sql = (texts: TemplateStringsArray, ...pieces: readonly Sql[]): Sql =>
  join(
    texts.flatMap((text, index) => {
      const piece = pieces[index];
      return piece === undefined ? [raw(text)] : [raw(text), piece];
    }),
    '',
  );

/** Writes a statement with placeholders, which are numbered from 1 in the order of the parameters. */
export const textOf = (piece: Sql, placeholder: (position: number) => string): string =>
  piece.texts.reduce((text, nextText, index) => (index === 0 ? nextText : text + placeholder(index) + nextText), '');
