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

/** Superlatives, and adjectives after "most" and "least", that a number of rows or any amount can answer. */
const general = set(
  'most least best worst top bottom fewest highest lowest largest smallest biggest greatest busiest quietest commonest rarest ' +
    'strongest weakest main popular active frequent common visited used sold ordered bought booked requested important recent',
);

/** True for superlatives of the list, which no other words end like. */
export const isUsualSuperlative = (text: string): boolean => general.has(text) || leastAdjectives.has(text);

/** True for an adjective such as "slowest", or "productive" after "most", which needs a measure of its own. */
export const needsMeasure = (text: string, textBefore: string): boolean =>
  !general.has(text) && (isSuperlative(text) || /^(?:most|least)$/u.test(textBefore));

/** Returns the order that an adjective implies: "least active" and "cheapest" imply that the smallest comes first. */
export const endOf = (adjective: string): 'asc' | 'desc' =>
  leastAdjectives.has(adjective.split(/[ -]/u)[0] ?? '') ? 'asc' : 'desc';

/** A regular expression that matches adjectives which begin a ranking: `top`, `busiest`, `most visited`. */
export const adjective =
  '(?:(?<!at )(?:most|least) (?!of|in|at|the|recent)[a-z]+|(?:best|worst)(?: [a-z]+ed)?|top|bottom|leading|fewest|' +
  `(?!(?:${[...notSuperlatives].filter((word) => word !== 'best').join('|')}) )[a-z]{2,}est)`;
