/** Texts that a spreadsheet would evaluate as a formula. */
const formula = /^[=+@-]/u;
const number = /^[=+@-](?:\d+(?:[.,]\d+)?|[.,]\d+)$/u;

function cellOf(text: string): string {
  const escapedText = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[\t\n\r"]/u.test(escapedText) ? `"${escapedText.replaceAll('"', '""')}"` : escapedText;
}

/** Returns rows with a header as tab-separated text, which can be pasted into spreadsheets. */
export const tabSeparated = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, ...rows].map((row) => row.map(cellOf).join('\t')).join('\n');
