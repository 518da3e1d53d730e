/** Characters that spreadsheets skip before a formula: blanks, quotes, control and invisible characters. */
const skipped = '[\\x00-\\x08\\x0B\\x0C\\x0E-\\x20"\u{A0}\u{AD}\u{200B}-\u{200F}\u{2060}\u{3000}\u{FEFF}]*';
/** First characters of formulas, including full-width forms (CWE-1236). */
const sign = '[=+@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}-]';

/**
 * Regular expression, for both JavaScript and RE2, that finds where spreadsheets may detect a formula: at the start of
 * a text, and after characters at which some spreadsheets split cells even inside quotes. Its first group is the
 * character before that place, its second group the first characters of the formula.
 */
export const formulaStart = `(^|[;|\\t\\r\\n])(${skipped}${sign})`;
/** Negative numbers. Their sign does not start a formula. */
export const signedNumber = '^-[0-9]+([.,][0-9]+)?$';
/** A tab or line break at the start of a text. Some spreadsheets drop it and then detect a formula. */
export const leadingBreak = '^[\\t\\r\\n]';

const starts = new RegExp(formulaStart, 'gu');
const number = new RegExp(signedNumber, 'u');
const brokenStart = new RegExp(leadingBreak, 'u');

function harmless(text: string): string {
  if (number.test(text)) return text;
  const guardedText = text.replaceAll(starts, "$1'$2");
  return brokenStart.test(guardedText) ? `'${guardedText}` : guardedText;
}

/** Returns a text in quotes. Inserts an apostrophe where a spreadsheet would read a formula. */
export const csvText = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`;

/**
 * Returns a line of CSV (RFC 4180) with its line end. Texts are quoted, numbers and booleans are not, null is empty.
 */
export const csvLine = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map((cell) => (typeof cell === 'string' ? csvText(cell) : String(cell ?? ''))).join(',')}\r\n`;

/** The mark by which spreadsheets detect UTF-8. */
export const byteOrderMark = '\uFEFF';
