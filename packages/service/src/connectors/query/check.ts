import { refusedFunctions } from './functions.ts';
import { pieces, refuse, type Lexis, type QueryDialect } from './pieces.ts';

interface Rules extends Lexis {
  /** Keywords that would write, lock, or begin another statement. */
  readonly refused: RegExp;
}

/** For each dialect: how to split custom queries into tokens, and which words they must not contain. */
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
 * Returns a `source_query` in a form that can be put in parentheses: one SELECT (or WITH … SELECT) without comments and
 * without a final semicolon. Refuses a text that versions of the server would interpret differently. This check is one
 * of several defences: the server also parses the query as a separate statement, and runs it in a read-only transaction
 * as a user with few privileges. Raises SourceProblem `query`.
 */
export function checkSourceQuery(text: string, dialect: QueryDialect): string {
  const dialectRules: Rules = rules[dialect];
  const isRefused = refusedFunctions[dialect];
  if (text.length > 100_000) throw refuse('is longer than 100,000 characters');
  if (/[\0\uFEFF]/u.test(text) || !text.isWellFormed()) throw refuse('has a character that does not belong into SQL');
  let depth = 0;
  let isEnded = false;
  let previousPiece = '';
  let calledName: string | null = null;
  const cleanedPieces: string[] = [];
  for (const { kind, text: piece, name } of pieces(text, dialectRules)) {
    if (kind === 'space') {
      cleanedPieces.push(piece);
      continue;
    }
    if (isEnded && piece !== ';') throw refuse('is more than one statement');
    if (piece === ';') {
      if (depth > 0) throw refuse('is more than one statement');
      isEnded = true;
      continue;
    }
    if (previousPiece === '' && !(kind === 'word' && /^(?:select|with)$/iu.test(piece)))
      throw refuse('must begin with SELECT or WITH');
    if (kind === 'word') {
      if (dialectRules.refused.test(piece)) throw refuse(`must not say ${piece.toUpperCase()}`);
      if (previousPiece === '(' && writing.test(piece)) throw refuse('must only read');
      if (previousPiece === ')' && writingAfter.test(piece)) throw refuse('must only read');
      if (/^for$/iu.test(previousPiece) && locking.test(piece)) throw refuse('must not lock rows');
    }
    // A name before a parenthesis is a function call, even with spaces or comments between them, and even if the name
    // is quoted.
    if (piece === '(' && calledName !== null && isRefused(calledName))
      throw refuse(`must not call ${calledName.toUpperCase()}`);
    // In PostgreSQL, a name after a value and a dot is also a function call: ('/etc/passwd'::text).pg_read_file.
    if (previousPiece === '.' && name !== null && isRefused(name)) throw refuse(`must not call ${name.toUpperCase()}`);
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (depth < 0) throw refuse('has a parenthesis too many');
    calledName = name;
    previousPiece = piece;
    // If a comment between two minus signs is removed, the signs must not form a new comment.
    cleanedPieces.push(piece === '-' && cleanedPieces.at(-1)?.endsWith('-') === true ? ' -' : piece);
  }
  if (previousPiece === '') throw refuse('is empty');
  if (depth > 0) throw refuse('has a parenthesis that is not closed');
  return cleanedPieces.join('').trim();
}
