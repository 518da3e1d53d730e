import { pieces, refuse, type Lexis } from './pieces.ts';

/** How custom queries of a database are split into tokens, and what they must not contain. */
export interface QueryRules {
  readonly lexis: Lexis;
  /** Matches keywords that would write, lock, or begin another statement. */
  readonly refusedWord: RegExp;
  /** True if a query must not call the function. */
  readonly isRefusedFunction: (name: string) => boolean;
  /** True if a name after a value and a dot also calls a function: `('/etc/passwd'::text).pg_read_file`. */
  readonly callsByDot: boolean;
  /** Schemas, in lower case, whose tables a query must not name. */
  readonly refusedSchemas?: ReadonlySet<string>;
}

/** Returns a function that finds names in lists. Listed names are in lower case. A star stands for any suffix. */
export function isListed(lists: Readonly<Record<string, readonly string[]>>): (name: string) => boolean {
  const patterns = Object.values(lists).flat();
  const exactNames = new Set(patterns);
  const beginnings = patterns.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : []));
  return (name) => {
    const lowerName = name.toLowerCase();
    return exactNames.has(lowerName) || beginnings.some((beginning) => lowerName.startsWith(beginning));
  };
}

const writing = /^(?:insert|update|delete|merge|replace|truncate|drop|alter|create|grant|set|show)$/iu;
const writingAfter = /^(?:insert|update|delete|merge)$/iu;
const locking = /^(?:update|share|no|key)$/iu;

/**
 * Returns a `source_query` in a form that can be put in parentheses: one SELECT (or WITH … SELECT) without comments and
 * without a final semicolon. Refuses a text that versions of the server would interpret differently. This check is one
 * of several defences: the server also parses the query as a separate statement, and runs it in a read-only transaction
 * as a user with few privileges. Raises SourceProblem `query`.
 */
export function checkSourceQuery(text: string, rules: QueryRules): string {
  const { lexis, refusedWord, isRefusedFunction, callsByDot, refusedSchemas } = rules;
  if (text.length > 100_000) throw refuse('is longer than 100,000 characters');
  if (/[\0\uFEFF]/u.test(text) || !text.isWellFormed()) throw refuse('has a character that does not belong into SQL');
  let depth = 0;
  let isEnded = false;
  let previousPiece = '';
  let pieceBeforeName = '';
  let calledName: string | null = null;
  const cleanedPieces: string[] = [];
  for (const { kind, text: piece, name } of pieces(text, lexis)) {
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
      if (refusedWord.test(piece)) throw refuse(`must not say ${piece.toUpperCase()}`);
      if (previousPiece === '(' && writing.test(piece)) throw refuse('must only read');
      if (previousPiece === ')' && writingAfter.test(piece)) throw refuse('must only read');
      if (/^for$/iu.test(previousPiece) && locking.test(piece)) throw refuse('must not lock rows');
    }
    // A name before a parenthesis is a function call, even with spaces or comments between them, and even if the name
    // is quoted.
    if (piece === '(' && calledName !== null && isRefusedFunction(calledName))
      throw refuse(`must not call ${calledName.toUpperCase()}`);
    if (callsByDot && previousPiece === '.' && name !== null && isRefusedFunction(name))
      throw refuse(`must not call ${name.toUpperCase()}`);
    if (piece === '.' && pieceBeforeName !== '.' && refusedSchemas?.has(calledName?.toLowerCase() ?? '') === true)
      throw refuse(`must not read tables of ${calledName?.toUpperCase()}`);
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (depth < 0) throw refuse('has a parenthesis too many');
    calledName = name;
    pieceBeforeName = previousPiece;
    previousPiece = piece;
    // If a comment between two minus signs is removed, the signs must not form a new comment.
    cleanedPieces.push(piece === '-' && cleanedPieces.at(-1)?.endsWith('-') === true ? ' -' : piece);
  }
  if (previousPiece === '') throw refuse('is empty');
  if (depth > 0) throw refuse('has a parenthesis that is not closed');
  return cleanedPieces.join('').trim();
}
