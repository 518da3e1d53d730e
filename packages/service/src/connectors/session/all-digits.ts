const hasLongNumbers = /[[,]-?\d{16,}[\],]/u;
/** Matches a text, or a number. A text without its end is matched too, so that it is looked for once. */
const token = /"(?:[^"\\]|\\[^])*"?|-?\d[\d.eE+-]*/gu;
const isLongNumber = /^-?\d{16,}$/u;

/** Puts whole numbers of a JSON text that are beyond 2^53 into quotes, since JSON.parse would round them. */
export const withAllDigits = (json: string): string =>
  hasLongNumbers.test(json) ? json.replace(token, (text) => (isLongNumber.test(text) ? `"${text}"` : text)) : json;
