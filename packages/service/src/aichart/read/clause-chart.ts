import { dataItemTypes, declarationOf, isDataItemType, type DataItemType, type TypeWords } from '@inlay/contract';
import { anyOf } from './any-of.ts';
import type { PhraseMatch, PhraseText, WordRange } from './phrase.ts';

interface TypeKind {
  readonly kind: 'type';
  readonly type: DataItemType;
  readonly stacked: boolean;
}

export type Kind =
  | TypeKind
  | {
      readonly kind: 'idea';
      readonly idea: 'share' | 'trend' | 'relation' | 'comparison' | 'distribution';
      /** The words of the idea, which may also name a column. */
      readonly range: WordRange;
    };

/** The kind of chart that a question asks for, and the words that ask for it. */
export interface ChartClause {
  readonly kind: Kind | null;
  readonly taken: readonly WordRange[];
}

const requests =
  'show, draw, plot, visuali[sz]e, return, display, create, make, give, present, render, build, use, using, put';
const objects = 'me, us, it, them, this, that, the result, the results, result, the data, data';
const connections = 'with, in, by, using, as, via, on, through, into, use, for, to, of';
/** Words before the name of a chart: "please show it as a". */
const lead =
  `(?:(?:please )?${anyOf(requests)} )?(?:${anyOf(objects)} )?` +
  `(?:${anyOf(connections)} )?(?:${anyOf('a, an, the')} )?`;
const chart = `(?: ${anyOf('chart, charts, graph, graphs, plot, plots, diagram, visual, visuali[sz]ation')})`;
function askedWords(type: DataItemType): readonly TypeWords[] {
  const declaration = declarationOf(type);
  return declaration.kind === 'content' ? [] : declaration.questionWords;
}

interface Pattern extends TypeWords {
  readonly type: DataItemType;
  readonly expression: RegExp;
}

const expressionOf = ({ words, isPhrase }: TypeWords): RegExp => {
  const namedWords = words.replaceAll('{chart}', chart);
  const adjectives = `(?:${anyOf('simple, nice, big, small, single, colored, coloured, new')} )?`;
  return new RegExp(isPhrase === true ? namedWords : ` ${lead}${adjectives}(?<kind>${namedWords})(?= )`, 'u');
};

const readPatterns = (): readonly Pattern[] =>
  dataItemTypes
    .flatMap((type) => askedWords(type).map((wording) => ({ ...wording, type, expression: expressionOf(wording) })))
    .toSorted((left, right) => left.rank - right.rank);

const cache: { patterns?: readonly Pattern[] } = {};
/** Returns the patterns, which are compiled on the first call. */
const patterns = (): readonly Pattern[] => (cache.patterns ??= readPatterns());
type Idea = Extract<Kind, { kind: 'idea' }>['idea'];

/** Words for what a chart shall say; those of a share mostly before "of". */
const shareWords =
  'proportions?, propotions?, percentages?, share, shares, fraction, composition, part of the whole, make ?-?up, breakdown';
const ideaWords: readonly (readonly [words: string, idea: Idea])[] = [
  ['proportions?, propotions?, percentage split, market share', 'share'],
  [
    'relationships?, relations?, relate[sd]?, correlations?, correlated?, correlates?, depends? on, influences?, affects?, impacts?, ' +
      'do(?:es)? (?:older|younger|bigger|smaller|larger|taller|heavier|longer|higher|cheaper|faster)',
    'relation',
  ],
  ['compare[sd]?, comparing, comparisons?', 'comparison'],
  ['distributions?, distributed, spread, frequency, histogram', 'distribution'],
];
/** How words for a trend begin. */
const trendWords =
  'trends?, tendency, evolution, evolve[sd]?, over time, through time, time series, development, chang(?:e|ed|es|ing) over, progress, growth, ' +
  'history, timeline, grow, grew, grown';
const ideasOf = (words: typeof ideaWords): readonly (readonly [RegExp, Idea])[] =>
  words.map(([phrases, idea]) => [new RegExp(` ${anyOf(phrases)} `, 'u'), idea]);
const ideas: readonly (readonly [RegExp, Idea])[] = [
  [new RegExp(` ${anyOf(shareWords)} (?:of|in|by|per) `, 'u'), 'share'],
  ...ideasOf(ideaWords.slice(0, 1)),
  [new RegExp(` ${anyOf(trendWords)}`, 'u'), 'trend'],
  ...ideasOf(ideaWords.slice(1)),
];

const matchesOf = (phrase: PhraseText, { expression, isPhrase }: Pattern): readonly PhraseMatch[] =>
  isPhrase === true ? phrase.findAll(expression).slice(0, 1) : phrase.findAll(expression);

/** True if a matched pattern really means its chart type. It does not in "order by the bar", which means an axis. */
function isMeant(
  phrase: PhraseText,
  { words, isPhrase, onlyAs }: Pattern,
  kindRange: WordRange,
  isAllowed: (range: WordRange) => boolean,
): boolean {
  if (isPhrase === true) return true;
  if (!isAllowed(kindRange)) return false;
  if (onlyAs !== true) return true;
  return phrase
    .findAll(new RegExp(` (?:as|in|using) (?:a |an )?${words}s? `, 'u'))
    .some(({ end }) => end === kindRange.end);
}

/**
 * Finds the kind of chart that a question asks for: by name ("as a pie chart"), else by intent ("the trend of").
 * `isAllowed` returns false for words that belong to a column, such as "area".
 */
export function findChart(phrase: PhraseText, isAllowed: (range: WordRange) => boolean): ChartClause {
  const takenRanges: WordRange[] = [];
  const matches: { at: number; rank: number; kind: TypeKind }[] = [];
  for (const pattern of patterns()) {
    const { type, rank, stacked = false } = pattern;
    for (const match of matchesOf(phrase, pattern)) {
      const kindRange = pattern.isPhrase === true ? match : match.range('kind');
      if (kindRange === null || !isMeant(phrase, pattern, kindRange, isAllowed)) continue;
      takenRanges.push(match);
      matches.push({ at: kindRange.start, rank, kind: { kind: 'type', type, stacked } });
    }
  }
  matches.sort((left, right) => left.rank - right.rank);
  const stackedOne = matches.find(({ kind }) => kind.kind === 'type' && kind.stacked);
  const [firstMatch] = matches;
  if (firstMatch !== undefined) return { kind: (stackedOne ?? firstMatch).kind, taken: takenRanges };
  const namedType = itemNamed(phrase.text);
  if (namedType !== null) return { kind: { kind: 'type', type: namedType, stacked: false }, taken: takenRanges };
  for (const [expression, idea] of ideas) {
    const match = phrase.find(expression);
    if (match !== null) return { kind: { kind: 'idea', idea, range: match }, taken: takenRanges };
  }
  return { kind: null, taken: takenRanges };
}

const itemNamed = (text: string): DataItemType | null => {
  const name = / (?<name>[a-z]+(?: [a-z]+)? (?:chart|plot|table|number|filter)) /u
    .exec(text)
    ?.groups?.['name']?.replaceAll(' ', '-');
  return name !== undefined && isDataItemType(name) ? name : null;
};
