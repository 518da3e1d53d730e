/**
 * Converts text to lower case by the Unicode tables, for case-insensitive search. The only such conversion of the
 * service.
 */
export const foldCase = (text: string): string => text.toLowerCase();
