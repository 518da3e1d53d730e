/** Returns an expression that matches any of some words or phrases, which a comma separates. */
export const anyOf = (words: string): string => `(?:${words.split(', ').join('|')})`;
