/** The one folding of letters: searches ignore case by comparing folded text. In: any text. Out: its lower case, by Unicode. */
export const foldCase = (text: string): string => text.toLowerCase();
