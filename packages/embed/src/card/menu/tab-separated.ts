/** Texts that spreadsheets would compute rather than show. */
const formula = /^[=+@-]/u;
const number = /^[=+@-](?:\d+(?:[.,]\d+)?|[.,]\d+)$/u;

function cellOf(text: string): string {
  const shown = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[\t\n\r"]/u.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Rows as spreadsheets take them, under the names of their columns. */
export const tabSeparated = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, ...rows].map((row) => row.map(cellOf).join('\t')).join('\n');
