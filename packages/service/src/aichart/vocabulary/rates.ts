/** Words for a share of rows, without and with "of" after them. */
const bare = ['share', 'percentage', 'percent', '%'];
const withOf = [...bare, 'proportion', 'fraction', 'rate'];
const rateWords = new Set(withOf);

/** True for a word that asks for a share of rows, such as "percentage". */
export const isRateWord = (text: string): boolean => rateWords.has(text);

/** The words before what a share is of, as in "share of women", "percentage late" and "% of visits", as lists of words. */
export const rateOpeners: readonly (readonly string[])[] = [
  ...withOf.map((text) => [text, 'of']),
  ...bare.map((text) => [text]),
];
