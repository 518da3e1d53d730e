const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const notSuperlatives = set(
  'test rest west midwest northwest southwest guest request quest conquest interest forest harvest contest invest nest chest ' +
    'honest modest protest suggest arrest crest pest vest digest manifest latest newest earliest best',
);
const leastAdjectives = set(
  'lowest smallest least fewest cheapest shortest youngest weakest slowest lightest coldest coolest poorest worst nearest ' +
    'closest narrowest thinnest quietest driest emptiest rarest bottom last',
);

/**
 * True for superlatives such as "busiest" and "tallest", which are recognized by their ending. False for superlatives
 * about time, such as "latest".
 */
export const isSuperlative = (text: string): boolean =>
  /^(?:most|least|best|worst|top|bottom|fewest)$/u.test(text) ||
  (/^[a-z]{2,}est$/u.test(text) && !notSuperlatives.has(text));

/** Returns the order that an adjective implies: "least active" and "cheapest" imply that the smallest comes first. */
export const endOf = (adjective: string): 'asc' | 'desc' =>
  leastAdjectives.has(adjective.split(/[ -]/u)[0] ?? '') ? 'asc' : 'desc';

/** A regular expression that matches adjectives which begin a ranking: `top`, `busiest`, `most visited`. */
export const adjective =
  '(?:(?<!at )(?:most|least) (?!of|in|at|the|recent)[a-z]+|(?:best|worst)(?: [a-z]+ed)?|top|bottom|leading|fewest|' +
  `(?!(?:${[...notSuperlatives].filter((word) => word !== 'best').join('|')}) )[a-z]{2,}est)`;
