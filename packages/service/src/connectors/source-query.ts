import { SourceProblem } from './problem.ts';

/** How the texts of a dialect are read; total by what differs. */
interface Lexis {
  /** Quotes and whether a backslash escapes inside them. */
  readonly quotes: Readonly<Record<string, { readonly backslash: boolean }>>;
  readonly lineComment: RegExp;
  readonly nestedComments: boolean;
  readonly dollarQuotes: boolean;
  /** Words that would write, lock or leave the statement. */
  readonly refused: RegExp;
}

const lexes = {
  postgres: {
    quotes: { "'": { backslash: false }, '"': { backslash: false } },
    lineComment: /--[^\r\n]*/uy,
    nestedComments: true,
    dollarQuotes: true,
    refused: /^(?:into|call|copy|do|execute|prepare|begin|commit|rollback|lock|listen|notify|vacuum)$/iu,
  },
  mysql: {
    quotes: { "'": { backslash: true }, '"': { backslash: true }, '`': { backslash: false } },
    lineComment: /(?:#|--(?=[\s\p{Cc}]|$))[^\r\n]*/uy,
    nestedComments: false,
    dollarQuotes: false,
    refused:
      /^(?:into|outfile|dumpfile|load_file|call|handler|prepare|execute|begin|commit|rollback|lock|procedure)$/iu,
  },
} as const satisfies Readonly<Record<string, Lexis>>;

export type QueryDialect = keyof typeof lexes;

const refuse = (why: string): SourceProblem => new SourceProblem('query', `The query ${why}.`);

/** End of the quoted piece that begins at `from`; a doubled quote stands for itself. */
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

interface Piece {
  readonly kind: 'word' | 'quoted' | 'space' | 'sign';
  readonly text: string;
}

const match = (expression: RegExp, text: string, at: number): string | undefined => {
  const sticky = new RegExp(expression);
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
};

const word = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const number = /\d[\p{L}\p{N}_.]*/uy;
const dollarTag = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

function* pieces(text: string, lexis: Lexis): Generator<Piece, void, undefined> {
  let previous = '';
  for (let at = 0; at < text.length;) {
    const start = at;
    const letter = text[at] ?? '';
    const quote = Object.hasOwn(lexis.quotes, letter) ? lexis.quotes[letter] : undefined;
    const tag = lexis.dollarQuotes ? match(dollarTag, text, at) : undefined;
    const comment = match(lexis.lineComment, text, at);
    const name = match(word, text, at);
    if (quote !== undefined) {
      // PostgreSQL: E'…' is the one text in which a backslash escapes.
      const escapes = quote.backslash || (letter === "'" && lexis.dollarQuotes && /^e$/iu.test(previous));
      at = endOfQuoted(text, at, letter, escapes);
      yield { kind: 'quoted', text: text.slice(start, at) };
    } else if (tag !== undefined) {
      const end = text.indexOf(tag, at + tag.length);
      if (end < 0) throw refuse('has a quote that is not closed');
      at = end + tag.length;
      yield { kind: 'quoted', text: text.slice(start, at) };
    } else if (comment !== undefined) {
      at += comment.length;
      yield { kind: 'space', text: '\n' };
    } else if (text.startsWith('/*', at)) {
      // MySQL runs what stands in /*! and /*M! comments.
      if (/^\/\*M?!/u.test(text.slice(at, at + 4))) throw refuse('has a comment that the database would run');
      at = endOfComment(text, at, lexis.nestedComments);
      yield { kind: 'space', text: ' ' };
    } else {
      const run = name ?? match(number, text, at) ?? letter;
      at += run.length;
      yield { kind: name !== undefined ? 'word' : /\s/u.test(run) ? 'space' : 'sign', text: run };
    }
    previous = text.slice(start, at);
  }
}

/**
 * The text of a `source_query` as it may stand in parentheses: one SELECT (or WITH … SELECT) without comments and without
 * a closing semicolon. It is the second lock; the first is the read-only transaction and the rights of the user it runs as.
 * Raises SourceProblem `query`.
 */
export function checkSourceQuery(text: string, dialect: QueryDialect): string {
  const lexis: Lexis = lexes[dialect];
  if (text.length > 100_000) throw refuse('is longer than 100,000 characters');
  if (/[\0\uFEFF]/u.test(text)) throw refuse('has a character that does not belong into SQL');
  let depth = 0;
  let ended = false;
  let opens = true;
  let first = true;
  let cleaned = '';
  for (const { kind, text: piece } of pieces(text, lexis)) {
    if (kind === 'space') {
      cleaned += piece;
      continue;
    }
    if (ended && piece !== ';') throw refuse('is more than one statement');
    if (piece === ';') {
      if (depth > 0) throw refuse('is more than one statement');
      ended = true;
      continue;
    }
    if (kind === 'word') {
      if (first && !/^(?:select|with)$/iu.test(piece)) throw refuse('must begin with SELECT or WITH');
      if (lexis.refused.test(piece)) throw refuse(`must not say ${piece.toUpperCase()}`);
      if (opens && /^(?:insert|update|delete|merge|replace|truncate|drop|alter|create|grant|set|show)$/iu.test(piece))
        throw refuse('must only read');
    } else if (first) throw refuse('must begin with SELECT or WITH');
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (depth < 0) throw refuse('has a parenthesis too many');
    opens = piece === '(';
    first = false;
    // Two minus signs must not become a comment by what is taken out after them.
    cleaned += piece === '-' && cleaned.endsWith('-') ? ' -' : piece;
  }
  if (first) throw refuse('is empty');
  if (depth > 0) throw refuse('has a parenthesis that is not closed');
  return cleaned.trim();
}
