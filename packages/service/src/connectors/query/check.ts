import { refusedFunctions } from './functions.ts';
import { pieces, refuse, type Lexis, type QueryDialect } from './pieces.ts';

interface Rules extends Lexis {
  /** Words that would write, lock or leave the statement. */
  readonly refused: RegExp;
}

/** How statements of persons are read, and what they may not say. */
export const rules = {
  postgres: {
    quotes: { "'": { backslash: false, names: false }, '"': { backslash: false, names: true } },
    lineComment: /--[^\r\n]*/uy,
    nestedComments: true,
    dollarQuotes: true,
    parameter: /\$/uy,
    refused: /^(?:into|call|copy|do|execute|prepare|begin|commit|rollback|lock|listen|notify|vacuum)$/iu,
  },
  mysql: {
    quotes: {
      "'": { backslash: true, names: false },
      '"': { backslash: true, names: false },
      '`': { backslash: false, names: true },
    },
    lineComment: /(?:#|--(?=[\0- \x7F]|$))[^\r\n]*/uy,
    nestedComments: false,
    dollarQuotes: false,
    parameter: /[?$]/uy,
    refused:
      /^(?:into|outfile|dumpfile|load_file|call|handler|prepare|execute|begin|commit|rollback|lock|procedure)$/iu,
  },
} as const satisfies Readonly<Record<QueryDialect, Rules>>;

const writing = /^(?:insert|update|delete|merge|replace|truncate|drop|alter|create|grant|set|show)$/iu;
const writingAfter = /^(?:insert|update|delete|merge)$/iu;
const locking = /^(?:update|share|no|key)$/iu;

/**
 * The text of a `source_query` as it may stand in parentheses: one SELECT (or WITH … SELECT) without comments and without
 * a closing semicolon. It is one lock of several: the server parses the text alone before it is used, the statement runs
 * in a read-only transaction and as a user with few rights. Where versions of a server read a text in several ways, it is
 * refused. Raises SourceProblem `query`.
 */
export function checkSourceQuery(text: string, dialect: QueryDialect): string {
  const own: Rules = rules[dialect];
  const isRefused = refusedFunctions[dialect];
  if (text.length > 100_000) throw refuse('is longer than 100,000 characters');
  if (/[\0\uFEFF]/u.test(text) || !text.isWellFormed()) throw refuse('has a character that does not belong into SQL');
  let depth = 0;
  let ended = false;
  let before = '';
  let called: string | null = null;
  const cleaned: string[] = [];
  for (const { kind, text: piece, name } of pieces(text, own)) {
    if (kind === 'space') {
      cleaned.push(piece);
      continue;
    }
    if (ended && piece !== ';') throw refuse('is more than one statement');
    if (piece === ';') {
      if (depth > 0) throw refuse('is more than one statement');
      ended = true;
      continue;
    }
    if (before === '' && !(kind === 'word' && /^(?:select|with)$/iu.test(piece)))
      throw refuse('must begin with SELECT or WITH');
    if (kind === 'word') {
      if (own.refused.test(piece)) throw refuse(`must not say ${piece.toUpperCase()}`);
      if (before === '(' && writing.test(piece)) throw refuse('must only read');
      if (before === ')' && writingAfter.test(piece)) throw refuse('must only read');
      if (/^for$/iu.test(before) && locking.test(piece)) throw refuse('must not lock rows');
    }
    // A name is that of a function where a parenthesis follows, whatever stands between, and however it is quoted.
    if (piece === '(' && called !== null && isRefused(called)) throw refuse(`must not call ${called.toUpperCase()}`);
    // PostgreSQL also calls the function that a name after a value and a point names: ('/etc/passwd'::text).pg_read_file.
    if (before === '.' && name !== null && isRefused(name)) throw refuse(`must not call ${name.toUpperCase()}`);
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (depth < 0) throw refuse('has a parenthesis too many');
    called = name;
    before = piece;
    // Two minus signs must not become a comment by what is taken out after them.
    cleaned.push(piece === '-' && cleaned.at(-1)?.endsWith('-') === true ? ' -' : piece);
  }
  if (before === '') throw refuse('is empty');
  if (depth > 0) throw refuse('has a parenthesis that is not closed');
  return cleaned.join('').trim();
}
