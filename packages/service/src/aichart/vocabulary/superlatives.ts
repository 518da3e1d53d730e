const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const none = set(
  'test rest west midwest northwest southwest guest request quest conquest interest forest harvest contest invest nest chest ' +
    'honest modest protest suggest arrest crest pest vest digest manifest latest newest earliest best',
);
const least = set(
  'lowest smallest least fewest cheapest shortest youngest weakest slowest lightest coldest coolest poorest worst nearest ' +
    'closest narrowest thinnest quietest driest emptiest rarest bottom last',
);

/** "busiest", "tallest": the end of an order by the look of the word; the ends of time are another matter. */
export const isSuperlative = (text: string): boolean =>
  /^(?:most|least|best|worst|top|bottom|fewest)$/u.test(text) || (/^[a-z]{2,}est$/u.test(text) && !none.has(text));

/** Which end of an order an adjective speaks of: "least active" and "cheapest" begin with the smallest. */
export const endOf = (adjective: string): 'asc' | 'desc' =>
  least.has(adjective.split(/[ -]/u)[0] ?? '') ? 'asc' : 'desc';

/** An adjective that says where a list of the first few begins, as an expression: `top`, `busiest`, `most visited`. */
export const adjective =
  '(?:(?<!at )(?:most|least) (?!of|in|at|the|recent)[a-z]+|(?:best|worst)(?: [a-z]+ed)?|top|bottom|leading|fewest|' +
  `(?!(?:${[...none].filter((word) => word !== 'best').join('|')}) )[a-z]{2,}est)`;
