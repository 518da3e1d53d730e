import type { Range, Spoken } from './spoken.ts';

/** How many groups a question wants, and from which end. */
export interface LimitClause {
  readonly count: number;
  readonly order: 'asc' | 'desc' | null;
  readonly taken: Range;
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const number = `(?<count>\\d{1,4}|${numbers.join('|')}|fifteen|twenty|dozen)`;
const best =
  'best|highest|largest|biggest|greatest|most(?: popular| common| frequent| expensive| important)?|longest|oldest|top|leading|strongest|busiest';
const worst =
  'worst|lowest|smallest|least(?: popular| common| frequent| expensive)?|fewest|cheapest|shortest|youngest|weakest|bottom';
const patterns: readonly RegExp[] = [
  new RegExp(` (?<top>top|best|highest|largest|biggest|first|leading) ${number}(?= )(?! %)`, 'u'),
  new RegExp(
    ` (?<bottom>bottom|worst|lowest|smallest|last|least) ${number}(?= )(?! (?:%|days?|weeks?|months?|quarters?|years?|hours?) )`,
    'u',
  ),
  new RegExp(` ${number} (?:\\S+ ){0,3}?(?:(?<top>${best})|(?<bottom>${worst}))(?= )`, 'u'),
  new RegExp(
    ` (?:only|limit(?:ed)? to|just|maximum of|at most|limit) (?:the )?(?:(?<top>top|best|first) |(?<bottom>bottom|worst|last) )?${number}(?= )`,
    'u',
  ),
];

/** Finds how many groups a question wants: "top 5", "the three cheapest", "only 10". */
export function findLimit(said: Spoken): LimitClause | null {
  for (const pattern of patterns) {
    const found = said.find(pattern);
    const text = found?.parts['count'];
    if (found === null || text === undefined) continue;
    const word = numbers.indexOf(text) + 1;
    const count =
      word > 0 ? word : text === 'fifteen' ? 15 : text === 'twenty' ? 20 : text === 'dozen' ? 12 : Number(text);
    if (count < 1 || count > 1000) continue;
    const order = found.parts['top'] !== undefined ? 'desc' : found.parts['bottom'] !== undefined ? 'asc' : null;
    return { count, order, taken: found };
  }
  return null;
}
