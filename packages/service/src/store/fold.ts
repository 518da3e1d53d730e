/**
 * Converts text to lower case by the Unicode tables, for case-insensitive search. All code of the service uses this
 * function for that.
 */
export const foldCase = (text: string): string => text.toLowerCase();
