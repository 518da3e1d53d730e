import type { FormulaFault } from './fault.ts';

/** A token of a formula. `at` is the offset of its first character. */
export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'text' | 'column' | 'word' | 'sign' | 'end'; readonly value: string; readonly at: number };

export const longestFormula = 10_000;

const patterns = {
  number: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y,
  text: /'(?:[^']|'')*'|"(?:[^"]|"")*"/y,
  column: /\{[^{}]{1,64}\}/y,
  word: /[A-Za-z_][A-Za-z0-9_]*/y,
  sign: /<=|>=|<>|!=|[-+*/%()=<>,]/y,
} as const;
const kinds = ['number', 'text', 'column', 'word', 'sign'] as const;

const unquote = (text: string): string => {
  const quote = text.charAt(0);
  return text.slice(1, -1).replaceAll(quote + quote, quote);
};

const matchAt = (pattern: RegExp, text: string, at: number): string | null => {
  const stickyPattern = new RegExp(pattern);
  stickyPattern.lastIndex = at;
  return stickyPattern.exec(text)?.[0] ?? null;
};

const unfinished: Readonly<Record<string, string>> = {
  "'": 'a text that begins here has no closing quote',
  '"': 'a text that begins here has no closing quote',
  '{': 'a column is written {id}, with its id between the braces',
};

const tokenAt = (text: string, at: number): { token: Token; end: number } | FormulaFault => {
  for (const kind of kinds) {
    const tokenText = matchAt(patterns[kind], text, at);
    if (tokenText === null) continue;
    const end = at + tokenText.length;
    if (kind === 'number') {
      const value = Number(tokenText);
      return Number.isFinite(value) ? { token: { kind, value, at }, end } : { at, message: 'this number is too large' };
    }
    if (kind === 'text') return { token: { kind, value: unquote(tokenText), at }, end };
    if (kind === 'column') return { token: { kind, value: tokenText.slice(1, -1).trim(), at }, end };
    return { token: { kind, value: kind === 'word' ? tokenText.toLowerCase() : tokenText, at }, end };
  }
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { at, message: unfinished[sign] ?? `${JSON.stringify(sign)} means nothing in a formula` };
};

/** A token with the offset behind its last character. What is no token, such as a text without a closing quote, is `other`. */
export interface TextPiece {
  readonly kind: Token['kind'] | 'other';
  readonly value: string;
  readonly at: number;
  readonly end: number;
}

/** Splits a text into tokens, although it may not be a formula yet. A text without a closing quote goes to the end. */
export function piecesOf(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let at = 0; at < text.length;) {
    const scanResult = /\s/.test(text.charAt(at)) ? null : tokenAt(text, at);
    const isQuote = text.charAt(at) === "'" || text.charAt(at) === '"';
    const end = scanResult !== null && 'token' in scanResult ? scanResult.end : isQuote ? text.length : at + 1;
    if (scanResult !== null) {
      const { kind, value } =
        'token' in scanResult ? scanResult.token : ({ kind: 'other', value: text.slice(at, end) } as const);
      pieces.push({ kind, value: String(value), at, end });
    }
    at = end;
  }
  return pieces;
}

const columnPlace = /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|\{([^{}]*)\}/gu;

/** What stands between braces in a text, outside of its quotes. */
export interface ColumnPlace {
  readonly name: string;
  /** Where it stands, with its braces. */
  readonly start: number;
  readonly end: number;
}

/** Returns the places of columns in a text, although it may not be a formula yet. */
export const columnPlaces = (text: string): readonly ColumnPlace[] =>
  [...text.matchAll(columnPlace)].flatMap(({ 0: whole, 1: name, index }) =>
    name === undefined ? [] : [{ name: name.trim(), start: index, end: index + whole.length }],
  );

/**
 * Splits a formula into tokens. Words and function names are not case-sensitive.
 *
 * @returns the tokens, of which the last has kind `end`; or the first fault
 */
export const tokenize = (text: string): readonly Token[] | FormulaFault => {
  if (text.length > longestFormula)
    return { at: longestFormula, message: `a formula has at most ${longestFormula} characters` };
  const nul = text.indexOf('\0');
  if (nul >= 0) return { at: nul, message: 'a formula has no NUL character' };
  if (!text.isWellFormed()) return { at: 0, message: 'the text of the formula is not valid Unicode' };
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const scanResult = tokenAt(text, at);
    if (!('token' in scanResult)) return scanResult;
    tokens.push(scanResult.token);
    at = scanResult.end;
  }
  return [...tokens, { kind: 'end', value: '', at: text.length }];
};
