const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const notSuperlatives = set(
  'test rest west midwest northwest southwest guest request quest conquest interest forest harvest contest invest nest chest ' +
    'honest modest protest suggest arrest crest pest vest digest manifest latest newest earliest best',
);
const leastAdjectives = set(
  'lowest smallest least fewest cheapest shortest youngest weakest slowest lightest coldest coolest poorest worst nearest ' +
    'closest narrowest thinnest quietest driest emptiest rarest bottom last',
);

/** "busiest", "tallest": a superlative by its ending. Superlatives of time are handled elsewhere. */
export const isSuperlative = (text: string): boolean =>
  /^(?:most|least|best|worst|top|bottom|fewest)$/u.test(text) ||
  (/^[a-z]{2,}est$/u.test(text) && !notSuperlatives.has(text));

/** The direction an adjective implies: "least active" and "cheapest" put the smallest first. */
export const endOf = (adjective: string): 'asc' | 'desc' =>
  leastAdjectives.has(adjective.split(/[ -]/u)[0] ?? '') ? 'asc' : 'desc';

/** A regular expression for adjectives that start a ranking: `top`, `busiest`, `most visited`. */
export const adjective =
  '(?:(?<!at )(?:most|least) (?!of|in|at|the|recent)[a-z]+|(?:best|worst)(?: [a-z]+ed)?|top|bottom|leading|fewest|' +
  `(?!(?:${[...notSuperlatives].filter((word) => word !== 'best').join('|')}) )[a-z]{2,}est)`;
