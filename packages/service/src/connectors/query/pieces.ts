import { SourceProblem } from '../problem.ts';

/** Lexical rules of a dialect. */
export interface Lexis {
  /**
   * Quote characters. `backslash`: true if a backslash is an escape within these quotes. `names`: true if these quotes
   * enclose identifiers.
   */
  readonly quotes: Readonly<Record<string, { readonly backslash: boolean; readonly names: boolean }>>;
  readonly lineComment: RegExp;
  /** True if comments nest; `refused` if versions of the server disagree, so that no comment may contain another. */
  readonly nestedComments: boolean | 'refused';
  readonly dollarQuotes: boolean;
  /** Matches a placeholder for a bound value; a custom query must not contain one. */
  readonly parameter: RegExp;
  /**
   * True if the server reads characters beyond ASCII outside quotes, or a word before a quote, in ways of its own. A
   * text that contains them is refused.
   */
  readonly asciiOnly?: true;
}

/** Lexical rules of the statements that the engine runs. */
export const engineLexis: Lexis = {
  quotes: { "'": { backslash: false, names: false }, '"': { backslash: false, names: true } },
  lineComment: /--[^\r\n]*/uy,
  nestedComments: true,
  dollarQuotes: true,
  parameter: /\$/uy,
};

/** A token of a query. `name` is the name that a word or a quoted identifier stands for; otherwise null. */
export interface Piece {
  readonly kind: 'word' | 'quoted' | 'space' | 'sign';
  readonly text: string;
  readonly name: string | null;
}

export const refuse = (why: string): SourceProblem => new SourceProblem('query', `The query ${why}.`);

/** Returns the end of a quoted token that begins at `from`. A doubled quote stands for the quote itself. */
function endOfQuoted(text: string, from: number, quote: string, backslash: boolean): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (backslash && text[at] === '\\') at += 1;
    else if (text[at] === quote && text[at + 1] === quote) at += 1;
    else if (text[at] === quote) return at + 1;
  }
  throw refuse('has a quote that is not closed');
}

function endOfComment(text: string, from: number, nested: boolean): number {
  let depth = 1;
  for (let at = from + 2; at < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    if (pair === '*/') {
      at += 1;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (nested && pair === '/*') {
      at += 1;
      depth += 1;
    }
  }
  throw refuse('has a comment that is not closed');
}

const match = (expression: RegExp, text: string, at: number): string | undefined => {
  const sticky = new RegExp(expression);
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
};

// Servers scan bytes. To them, every character beyond ASCII is part of an identifier, even a Unicode space.
const word = /[A-Za-z_\u{80}-\u{10FFFF}][A-Za-z0-9_$\u{80}-\u{10FFFF}]*/uy;
const number = /\d[A-Za-z0-9_.\u{80}-\u{10FFFF}]*/uy;
const dollarTag = /\$(?:[A-Za-z_\u{80}-\u{10FFFF}][A-Za-z0-9_\u{80}-\u{10FFFF}]*)?\$/uy;
const space = /[ \t\n\v\f\r]/u;

const nameIn = (quotedName: string): string => {
  const [quote = ''] = quotedName;
  return quotedName.slice(1, -1).replaceAll(quote + quote, quote);
};

/**
 * Splits a query into tokens as the server does. Raises SourceProblem for a text that servers or their versions
 * interpret differently.
 */
export function* pieces(text: string, lexis: Lexis): Generator<Piece, void, undefined> {
  let previousText = '';
  // PostgreSQL joins string literals with a line break between them. The first one decides whether a backslash is an
  // escape in all of them.
  let escapesBefore = false;
  for (let at = 0; at < text.length;) {
    const start = at;
    const letter = text[at] ?? '';
    const quote = Object.hasOwn(lexis.quotes, letter) ? lexis.quotes[letter] : undefined;
    const tag = lexis.dollarQuotes ? match(dollarTag, text, at) : undefined;
    const comment = match(lexis.lineComment, text, at);
    const name = match(word, text, at);
    if (quote !== undefined) {
      // In PostgreSQL, a backslash is an escape only in E'…' strings, and identifiers have escapes only in the form
      // U&"…".
      const escapes = letter === "'" && lexis.dollarQuotes && /^e$/iu.test(previousText);
      if (escapesBefore && letter === "'") throw refuse('has a text that goes on after its end');
      if (lexis.dollarQuotes && letter === '"' && previousText === '&') throw refuse('has a name with escapes');
      at = endOfQuoted(text, at, letter, quote.backslash || escapes);
      const piece = text.slice(start, at);
      if (quote.names && quote.backslash && piece.includes('\\')) throw refuse('has a name with escapes');
      yield { kind: 'quoted', text: piece, name: quote.names ? nameIn(piece) : null };
      escapesBefore = escapes;
    } else if (tag !== undefined) {
      const end = text.indexOf(tag, at + tag.length);
      if (end < 0) throw refuse('has a quote that is not closed');
      at = end + tag.length;
      yield { kind: 'quoted', text: text.slice(start, at), name: null };
      escapesBefore = false;
    } else if (comment !== undefined) {
      at += comment.length;
      yield { kind: 'space', text: '\n', name: null };
    } else if (text.startsWith('/*', at)) {
      // MySQL runs the text within /*! and /*M! comments.
      if (/^\/\*M?!/u.test(text.slice(at, at + 4))) throw refuse('has a comment that the database would run');
      at = endOfComment(text, at, lexis.nestedComments === true);
      if (lexis.nestedComments === 'refused' && text.slice(start + 2, at).includes('/*'))
        throw refuse('has a comment within a comment');
      yield { kind: 'space', text: ' ', name: null };
    } else {
      const digits = name === undefined ? match(number, text, at) : undefined;
      const run = name ?? digits ?? letter;
      at += run.length;
      if (lexis.asciiOnly === true && (/[^\0-\x7F]/u.test(run) || (name !== undefined && text[at] === "'")))
        throw refuse('has a letter or a sign that databases read differently');
      // Some versions of servers end the number earlier, and start another token at the quote.
      if (digits !== undefined && /["'`$]/u.test(text[at] ?? '')) throw refuse('has a number that runs into a quote');
      if (match(lexis.parameter, text, start) !== undefined) throw refuse('must not have parameters');
      const isSpace = space.test(run) && name === undefined;
      yield { kind: name !== undefined ? 'word' : isSpace ? 'space' : 'sign', text: run, name: name ?? null };
      if (!isSpace) escapesBefore = false;
    }
    previousText = text.slice(start, at);
  }
}
