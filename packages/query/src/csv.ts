/** Characters that spreadsheets skip before a formula: blanks, quotes, control and invisible characters. */
const skipped = '[\\x00-\\x08\\x0B\\x0C\\x0E-\\x20"\u{A0}\u{AD}\u{200B}-\u{200F}\u{2060}\u{3000}\u{FEFF}]*';
/** First characters of formulas, full-width forms included (CWE-1236). */
const sign = '[=+@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}-]';

/**
 * Regular expression, for both JavaScript and RE2, of the positions where spreadsheets may detect a formula: the start
 * of a text, and after characters at which some spreadsheets split cells even inside quotes. Its two groups are the
 * parts before and after the position.
 */
export const formulaStart = `(^|[;|\\t\\r\\n])(${skipped}${sign})`;
/** Numbers with a sign. */
export const signedNumber = '^-[0-9]+([.,][0-9]+)?$';
/** Line breaks at the start of a text, which some spreadsheets drop. */
export const leadingBreak = '^[\\t\\r\\n]';

const starts = new RegExp(formulaStart, 'gu');
const number = new RegExp(signedNumber, 'u');
const brokenStart = new RegExp(leadingBreak, 'u');

function harmless(text: string): string {
  if (number.test(text)) return text;
  const guardedText = text.replaceAll(starts, "$1'$2");
  return brokenStart.test(guardedText) ? `'${guardedText}` : guardedText;
}

/** Returns a quoted text. An apostrophe keeps spreadsheets from reading it as a formula. */
export const csvText = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`;

/** Returns a line of CSV (RFC 4180) with line end: texts quoted, numbers and booleans bare, null empty. */
export const csvLine = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map((cell) => (typeof cell === 'string' ? csvText(cell) : String(cell ?? ''))).join(',')}\r\n`;

/** The mark by which spreadsheets detect UTF-8. */
export const byteOrderMark = '\uFEFF';
