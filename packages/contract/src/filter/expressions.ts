const comparisons = [
  ...['=', '!=', 'in', 'not in', 'like', 'not like', 'starts with', 'not starts with', 'ends with', 'not ends with'],
  ...['<', '<=', '>', '>=', 'between'],
];
const relativeDates = [
  ...['last_now', 'to_date', 'last_available', 'last_completed', 'next_now', 'next_full', 'ago', 'more_than_ago'],
  ...['WTD', 'MTD', 'QTD', 'YTD'],
];

/** Expressions that compare with nothing. */
export const nullTests: readonly string[] = ['? is null', '? is not null'];

/** Every expression a filter may have; a misspelt one must never let rows through. */
export const filterExpressions: readonly string[] = [
  ...comparisons.map((sign) => `? ${sign} ?`),
  ...nullTests,
  ...relativeDates.flatMap((word) => [word, `? ${word}`, `? ${word} ?`]),
];
