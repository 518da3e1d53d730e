/** What spreadsheets skip before a formula: blanks, quotes, controls, and letters that nobody sees. */
const skipped = '[\\x00-\\x08\\x0B\\x0C\\x0E-\\x20"\u{A0}\u{AD}\u{200B}-\u{200F}\u{2060}\u{3000}\u{FEFF}]*';
/** What a formula begins with, in full width too (CWE-1236). */
const sign = '[=+@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}-]';

/**
 * Where a formula may begin, as a regular expression that JavaScript and RE2 read alike: at the start of a text, and behind what some
 * spreadsheets split cells at whatever quotes say. The parts before and behind the place are its two groups.
 */
export const formulaStart = `(^|[;|\\t\\r\\n])(${skipped}${sign})`;
/** Texts that begin with a sign and are numbers all the same. */
export const signedNumber = '^-[0-9]+([.,][0-9]+)?$';
/** Breaks at the start of a text, which some spreadsheets drop, with what is behind them. */
export const leadingBreak = '^[\\t\\r\\n]';

const starts = new RegExp(formulaStart, 'gu');
const number = new RegExp(signedNumber, 'u');
const broken = new RegExp(leadingBreak, 'u');

function harmless(text: string): string {
  if (number.test(text)) return text;
  const kept = text.replaceAll(starts, "$1'$2");
  return broken.test(kept) ? `'${kept}` : kept;
}

/** A text in quotes; where a spreadsheet would take some of it for a formula, an apostrophe keeps it a text. */
export const csvText = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`;

/** A line of CSV (RFC 4180) with its end: texts in quotes, numbers and conditions bare, nothing for null. */
export const csvLine = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map((cell) => (typeof cell === 'string' ? csvText(cell) : String(cell ?? ''))).join(',')}\r\n`;

/** What stands before CSV for spreadsheets to take it as UTF-8. */
export const byteOrderMark = '\uFEFF';
