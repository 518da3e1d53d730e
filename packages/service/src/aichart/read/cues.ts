import { anyOf } from './any-of.ts';
import type { Mention } from './find-mentions.ts';
import type { Word } from '../vocabulary/words.ts';

/** How a measure is aggregated; null means the raw values. */
export type Aggregation =
  | 'sum'
  | 'average'
  | 'min'
  | 'max'
  | 'median'
  | 'stddev'
  | 'count'
  | 'distinctcount'
  | 'cumulativesum';

/** What the words around a mention say about the role of the column in the chart. */
export interface Cues {
  /** Aggregations in the order of the words, such as "average price" and "the most expensive". */
  readonly aggregations: readonly Aggregation[];
  /** `yes` for "number of"; `total` for "total number of", which may also mean a sum. */
  readonly counted: 'no' | 'yes' | 'total';
  /** True for "different" and "unique": each value is counted once. */
  readonly distinct: boolean;
  /** How clearly the words ask for a group: 2 for "for each" and "by", 1 for "in", "of" and "from", otherwise 0. */
  readonly grouped: 0 | 1 | 2;
  /** True for "coloured by" and "split by". */
  readonly legend: boolean;
  /** Whether the words ask for a further group: `then` for "then split by", `group` for "and group by". */
  readonly regrouped: 'no' | 'group' | 'then';
  readonly axis: 'x' | 'y' | null;
  /** True for phrases such as "for players" and "of all products", which name the rows and not a group. */
  readonly population: boolean;
  /** True if "and" or a comma joins the mention to the previous one. */
  readonly joined: boolean;
  /** True if "versus" compares the mention with the previous one. */
  readonly versus: boolean;
}

const aggregationWords: readonly (readonly [RegExp, Aggregation])[] = [
  [/^(?:average|averages|avg|mean|typical|averaged)$/u, 'average'],
  [/^(?:sum|total|totals|overall|combined|cumulative|summed|totalled|altogether)$/u, 'sum'],
  [
    /^(?:maximum|max|maximal|highest|greatest|largest|biggest|oldest|longest|latest|heaviest|tallest|peak|maximally)$/u,
    'max',
  ],
  [/^(?:minimum|min|minimal|lowest|smallest|least|youngest|shortest|cheapest|earliest|lightest|minimally)$/u, 'min'],
  [/^(?:median)$/u, 'median'],
];
const aggregationOf = (text: string): Aggregation | null =>
  aggregationWords.find(([words]) => words.test(text))?.[1] ?? null;

/** Words that join the parts of a question, and so are no noun. */
const joints =
  'of, in, on, for, over, by, and, from, to, with, among, across, at, per, than, is, are, versus, vs, against, between, each, the';
const noun = `(?: (?!${anyOf(joints)} )\\w+)`;

const countNouns =
  '(?<total>total (?:number|count)s?), number, numbers, count, counts, how many, amounts? of how many, frequency, frequencies, no, #, quantity';
const countedBy = 'the, all, their, its, those, each, corresponding, total, such';
const countEnd = new RegExp(
  `${anyOf(countNouns)}(?: \\()?(?: of)?(?: ${anyOf(countedBy)})*(?: (?<distinct>distinct|different|unique))?(?: the)?${noun}? $`,
  'u',
);

/** Words before a group: "for each region", "broken down by region". */
const groupOpeners =
  'each, every, per, by, across, among different, grouped by, group by, grouping by, groups by, based on, according to, different, distinct, ' +
  'various, respective, all the possible, broken down by, split by, by the, within each, through, along, over';
/** Words between those and the group: "by the type of car", "for each available region". */
const groupFillers =
  'the, all, of, a, an, attribute, their, its, its own, different, distinct, each, every, various, type of, types of, kinds? of, our, possible, ' +
  'single, individual, given, particular, \\(, column, field, available, following';
const strongGroup = new RegExp(`(?:^| )${anyOf(groupOpeners)}(?: ${anyOf(groupFillers)}){0,4}${noun}{0,2} $`, 'u');
/** Words before what may be a group: "sales in Europe", "salary vs age". */
const softGroupOpeners = 'in, from, to, at, versus, vs, against, with, within, on';
const softGroup = new RegExp(`(?:^| )${anyOf(softGroupOpeners)}(?: (?:the|all|a|an|their|its))* $`, 'u');

/** Words before a group that has a colour or a series each. */
const legendOpeners =
  'colou?red by, colou?r(?:ed)?(?: (?:is|as|them|it))? (?:by|for|with), colou?rs? for(?: each)?, split(?:ted|ting)?(?: \\w+)? (?:by|into|up by), ' +
  'stack(?:ed|ing)? (?:by|on), broken (?:down )?by, break(?:ing)? (?:it |them |this )?(?:down )?by, breakdown (?:by|per), segment(?:ed)? by, ' +
  'legend(?: (?:is|as|by|shows?|of))?, series (?:per|for|by), lines? (?:per|for(?: each)?), separate(?:d)? (?:by|for), divided by, ' +
  'one \\w+ (?:per|for each), compar(?:e|ing) between';
const legend = new RegExp(
  `(?:^| )${anyOf(legendOpeners)}(?: ${anyOf('the, each, attribute, different, every')})* $`,
  'u',
);
const regroup = new RegExp(
  '(?:(?:and |, )?(?<then>then) (?:group|split|stack|divide)(?:ed|s|ing)? (?:by|into)|' +
    '(?:and|,) ?group(?:ed|s|ing|ing them)? (?:them )?(?:by|into)(?: the)?(?: attribute)?|group(?:ed|s|ing)? by(?: the)? attribute)' +
    '(?: the| each| attribute)* $',
  'u',
);

/** Words between the name of an axis and what it shows: "the x axis is the region". */
const axisVerbs = 'is, as, shows?, represents?, being, for, :, =';
const yAxis = new RegExp(
  `(?:^| )(?:y axis|y|vertical axis)(?: ${anyOf(axisVerbs)})?(?: the| a)*(?: ${anyOf('number of, count of, count \\(, total number of')})?(?: the)? $`,
  'u',
);
const xAxis = new RegExp(`(?:^| )(?:x axis|x|horizontal axis)(?: ${anyOf(axisVerbs)})?(?: the| a)* $`, 'u');

/** Returns the words between two positions, with a space after each word. */
const between = (words: readonly Word[], from: number, to: number): string =>
  words
    .slice(Math.max(0, from), Math.max(0, to))
    .map(({ text }) => `${text} `)
    .join('');

function aggregationsBefore(left: string): Aggregation[] {
  const texts = left.trim().split(' ');
  const aggregations: Aggregation[] = [];
  let distance = 0;
  for (let at = texts.length - 1; at >= 0; at -= 1) {
    const text = texts[at] ?? '';
    // "At least 400" is a bound.
    const aggregation = texts[at - 1] === 'at' ? null : aggregationOf(text);
    if (aggregation !== null) {
      const isCount = aggregation === 'sum' && /^(?:number|count)/u.test(texts[at + 1] ?? '');
      if (!isCount) aggregations.unshift(aggregation);
      if (aggregations.length > 0 && texts[at - 1] !== 'and' && texts[at - 1] !== ',') break;
      distance = 0;
      continue;
    }
    if (
      ['of', 'the', 'all', 'and', ',', 'for', '(', 'a', 'an', 'their', 'its', 's', 'value', 'values'].includes(text)
    ) {
      if (text === 'for' || ((text === 'and' || text === ',') && aggregations.length === 0)) break;
      continue;
    }
    // In "average number of nights", the aggregation is the average.
    if (text === 'number' && texts[at + 1] === 'of' && aggregationOf(texts[at - 1] ?? '') === 'average') continue;
    if (
      /^(?:each|every|per|by|number|count|many|across|different|in|from|with|whose|that|who|over|versus)$/u.test(text)
    )
      break;
    distance += 1;
    if (distance > 2) break;
  }
  return aggregations;
}

/**
 * Returns the aggregation after a mention, as in "marge average by region" and "sales total"; an empty list if there is
 * none or if it may belong to something else.
 */
function saidAfter(right: string): Aggregation[] {
  const [firstWord = '', secondWord = ''] = right.split(' ');
  const aggregation = aggregationOf(firstWord);
  return aggregation !== null && /^(?:|by|per|for|in|of|each|[.?!,;]|over|across)$/u.test(secondWord)
    ? [aggregation]
    : [];
}

/**
 * Returns the aggregation that a superlative implies, in the mention or after it, as in "how old is the youngest
 * person".
 */
function superlative(words: readonly Word[], mention: Mention, right: string): Aggregation[] {
  const mentionWords = words.slice(mention.start, mention.end).map(({ text }) => text);
  const candidates =
    mentionWords[0] === 'how' ? [...mentionWords, ...right.split(' ')] : mentionWords.length === 1 ? mentionWords : [];
  if (/^(?:most|least) expensive$/u.test(mentionWords.join(' '))) return mentionWords[0] === 'most' ? ['max'] : ['min'];
  const aggregations = candidates
    .map(aggregationOf)
    .filter((aggregation) => aggregation !== null && aggregation !== 'sum');
  return aggregations.flatMap((aggregation) => (aggregation === null ? [] : [aggregation])).slice(0, 1);
}

const isPopulation = (left: string, afterMention: boolean): boolean =>
  /(?:^| )(?:(?:for|about|among|amongst)(?: (?:the|all|all the|our|these|those))?|of (?:all|all the|our|these|those)) $/u.test(
    left,
  ) ||
  (afterMention && /^of(?: the)? $/u.test(left));

/** The words around a mention, and the cues of the previous mention. */
interface MentionContext {
  readonly words: readonly Word[];
  readonly mention: Mention;
  readonly left: string;
  readonly right: string;
  readonly isFirst: boolean;
  readonly previous: Cues | undefined;
  /** True if the question asks for the first in an order. */
  readonly foremost: boolean;
  /** True if the question contains "on average". */
  readonly onAverage: boolean;
}

const joiner =
  /^(?:and|,|, and|or|&|plus|as well as|along with(?: the)?|together with(?: the)?|and the|and its|and their|and also)(?: the| its| their)? $/u;

/**
 * Returns the aggregations of a mention. If the mention is joined to the previous one, it may have the aggregations of
 * that one.
 */
function aggregationsOf(context: MentionContext, isJoined: boolean): Cues['aggregations'] {
  const { words, mention, left, right, previous, onAverage } = context;
  const aggregations = aggregationsBefore(left);
  if (aggregations.length > 0) return aggregations;
  const isShared = isJoined && previous?.grouped === 0 && !/the|its|their/u.test(left);
  if (isShared && previous.aggregations.length > 0) return [...previous.aggregations];
  if (onAverage) return ['average'];
  const superlatives = superlative(words, mention, right);
  return superlatives.length > 0 ? superlatives : saidAfter(right);
}

/** Returns how clearly a mention is a group: 2 if it certainly is, 1 if it may be, otherwise 0. */
function groupingOf(
  { left, previous, foremost }: MentionContext,
  cues: Pick<Cues, 'aggregations' | 'counted' | 'joined'>,
) {
  const { aggregations, counted, joined } = cues;
  // In "which agents sold the most", the subject of the question is the group.
  const isAsked = foremost && /(?:^| )which (?:\d+ )?$/u.test(left);
  const grouping = (isAsked || strongGroup.test(left)) && counted === 'no' ? 2 : softGroup.test(left) ? 1 : 0;
  if (aggregations.length > 0 || counted !== 'no') {
    const isMeasure = aggregations.length > 0 && !/(?:each|every|per|by) $/u.test(left);
    return grouping === 2 && !isMeasure ? 2 : 0;
  }
  return joined && previous?.grouped === 2 && !/(?:the|its|their) $/u.test(left) ? 2 : grouping;
}

function axisOf({ left, right }: MentionContext): Cues['axis'] {
  if (yAxis.test(left) || /^(?:on|as|in|to|for|at) (?:the )?y(?: axis)? /u.test(right)) return 'y';
  return xAxis.test(left) || /^(?:on|as|in|to|for|at|is) (?:the )?x(?: axis)? /u.test(right) ? 'x' : null;
}

function cuesOf(context: MentionContext): Cues {
  const { left, isFirst } = context;
  const isJoined = !isFirst && joiner.test(left);
  const aggregations = aggregationsOf(context, isJoined);
  const count = countEnd.exec(left);
  const countCue = count === null ? 'no' : count.groups?.['total'] === undefined ? 'yes' : 'total';
  const regrouped = regroup.exec(left);
  const isThen = regrouped?.groups?.['then'] !== undefined;
  return {
    aggregations,
    counted: countCue,
    distinct: count?.groups?.['distinct'] !== undefined,
    grouped: groupingOf(context, { aggregations, counted: countCue, joined: isJoined }),
    legend: !isThen && legend.test(left),
    regrouped: regrouped === null ? 'no' : isThen ? 'then' : 'group',
    axis: axisOf(context),
    population: countCue === 'no' && aggregations.length === 0 && isPopulation(left, !isFirst),
    joined: isJoined,
    versus: /(?:versus|vs|against|compared (?:to|with)) (?:the )?$/u.test(left),
  };
}

/** Reads the cues around each mention; the result has the order of the mentions. */
export function readCues(words: readonly Word[], mentions: readonly Mention[]): readonly Cues[] {
  const cues: Cues[] = [];
  const foremost = words.some(({ text }) => text === '_');
  const onAverage = words.some(({ text }, at) => text === 'average' && words[at - 1]?.text === 'on');
  for (const [index, mention] of mentions.entries()) {
    const previousMention = mentions[index - 1];
    let from = Math.max(previousMention?.end ?? 0, mention.start - 12);
    for (let at = mention.start - 1; at >= from; at -= 1)
      if (['.', '?', '!', ';'].includes(words[at]?.text ?? '')) from = at + 1;
    const end = Math.min(mentions[index + 1]?.start ?? words.length, mention.end + 6);
    const [left, right] = [between(words, from, mention.start), between(words, mention.end, end)];
    const position = { isFirst: previousMention === undefined, previous: cues[index - 1], foremost, onAverage };
    cues.push(cuesOf({ words, mention, left, right, ...position }));
  }
  return cues;
}

/** True if the words ask for a row count: "how many flights", "the number of orders", "count them". */
export const asksForCount = (text: string): boolean =>
  / (?:how many|numbers? of|number|counts?|counting|counted|frequency|frequencies|tally|total number|no of|# of|amount of (?:times|people|orders)) /u.test(
    text,
  );
