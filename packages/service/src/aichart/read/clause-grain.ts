import { isPartOfTime, type Grain } from '../grain.ts';
import { anyOf } from './any-of.ts';
import type { WordRange, PhraseText } from './phrase.ts';
import { adjective } from '../vocabulary/superlatives.ts';

/**
 * The grain that a question asks for. `sure` is true if the words can only mean a grain, as in "bin by month" and
 * "monthly basis".
 */
export interface GrainClause {
  readonly grain: Grain;
  readonly sure: boolean;
  readonly taken: WordRange;
  /** The position of the unit, such as "month". The unit may also be the name of a column. */
  readonly unit: WordRange;
}

const units: readonly (readonly [expression: string, grain: Grain])[] = [
  ['week ?days?|days? (?:of|in) (?:the )?weeks?|day names?', 'weekday'],
  ['hours? (?:of|in) (?:the )?days?|times? of (?:the )?day', 'hour_of_day'],
  ['days? (?:of|in) (?:the )?months?', 'day_of_month'],
  ['calendar months?|months? (?:of|in) (?:the )?years?', 'month_of_year'],
  ['calendar quarters?|quarters? (?:of|in) (?:the )?years?', 'quarter_of_year'],
  ['years?|annual|annually|yearly', 'year'],
  ['quarters?|quarterly', 'quarter'],
  ['months?|monthly', 'month'],
  ['weeks?|weekly', 'week'],
  ['days?|daily', 'day'],
  ['hours?|hourly', 'hour'],
  ['minutes?', 'minute'],
];
const unit = units.map(([expression, grain]) => `(?<${grain}>${expression})`).join('|');
const binWords = 'bin, bins, binned, binning, bucket, bucketed, group, grouped, grouping, split, aggregate, aggregated';
const binOpeners = 'by, into, in, per, at, to';
const binNouns = 'interval, intervals, level, basis, bins, buckets, granularity';
const binned = new RegExp(
  ` ${anyOf(binWords)}(?: \\S+){0,8}? ${anyOf(binOpeners)}(?: ${anyOf('the, a, each, every')})?(?: (?<unit>${unit}))(?: ${anyOf(binNouns)})?(?= )`,
  'u',
);
/** Words before a unit that groups. */
const unitOpeners =
  'by, per, and, each, every, over, across, for each, in each, of each, on which, which, in which, in different, different, for different, ' +
  'with each, a, from, change over, through, along, x, ×';
const eachUnit = new RegExp(` ${anyOf(unitOpeners)}(?: the)? (?<unit>${unit})(?= )`, 'u');
/** Matches a unit after another noun: "per season year", "in each calendar month". */
const notNouns = 'the, first, last, next, of, in, on, for, to, a, an, and, day';
const eachNamed = new RegExp(
  ` ${anyOf('by, per, each, every')} (?:the )?(?!${anyOf(notNouns)} )[a-z]+ (?<unit>${unit})(?= )`,
  'u',
);
/** Matches a unit after a superlative: "busiest month", "hottest 10 days". */
const foremost = new RegExp(` (?:${adjective}) (?:\\d+ )?(?<unit>${unit})(?= )`, 'u');
const adverb =
  / (?<unit>(?<year>annual|annually|yearly)|(?<quarter>quarterly)|(?<month>monthly)|(?<week>weekly)|(?<day>daily)|(?<hour>hourly))(?= )/u;
const interval = new RegExp(` (?<unit>${unit}) ${anyOf('interval, intervals, level, granularity, basis')}(?= )`, 'u');

const bareParts = units.filter(([, grain]) => isPartOfTime(grain));
const bare = new RegExp(
  ` (?<unit>${bareParts.map(([expression, grain]) => `(?<${grain}>${expression})`).join('|')})(?= )`,
  'u',
);

const part = bareParts.map(([expression]) => expression).join('|');
const crossing = 'x, ×, by, and, vs, versus, against, /, \\*';
/** Matches the first of two times that are set against each other: "weekday x hour", "weekday by hour of day". */
const crossed = new RegExp(
  ` (?<unit>${unit})(?= (?:${anyOf(crossing)} )?(?:the )?(?:${part}|hours?|months?|years?|quarters?) )`,
  'u',
);

/** Finds a part of a time without a word that groups by it: "hour of day". Returns null if there is none. */
export const findPart = (phrase: PhraseText): GrainClause | null => grainIn(phrase, bare, false);

/** Returns the grain that an expression finds; null if it finds none. */
function grainIn(phrase: PhraseText, expression: RegExp, sure: boolean): GrainClause | null {
  for (const match of phrase.findAll(expression)) {
    const grain = units.find(([, name]) => match.parts[name] !== undefined)?.[1];
    const place = match.range('unit');
    if (grain === undefined || place === null) continue;
    // Hours are those of the day: a chart of each hour since the first row says nothing.
    const stated = grain === 'hour' && !sure ? 'hour_of_day' : grain;
    return { grain: stated, sure, unit: place, taken: sure ? { start: place.start, end: match.end } : place };
  }
  return null;
}

/**
 * Finds the grain that a question asks for: "bin the date by month", "per quarter", "monthly". Returns null if there is
 * none.
 */
export function findGrain(phrase: PhraseText): GrainClause | null {
  return (
    grainIn(phrase, interval, true) ??
    grainIn(phrase, binned, true) ??
    grainIn(phrase, crossed, false) ??
    grainIn(phrase, eachUnit, false) ??
    grainIn(phrase, adverb, false) ??
    grainIn(phrase, eachNamed, false) ??
    grainIn(phrase, foremost, false)
  );
}
