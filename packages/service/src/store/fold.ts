/** Folds a text to lower case by the Unicode tables. Searches that ignore case compare folded texts; nothing else folds. */
export const foldCase = (text: string): string => text.toLowerCase();
