import { dataItemTypes, declarationOf, isDataItemType, type DataItemType, type TypeWords } from '@inlay/contract';
import type { PhraseMatch, PhraseText, WordRange } from './phrase.ts';

interface TypeKind {
  readonly kind: 'type';
  readonly type: DataItemType;
  readonly stacked: boolean;
}

export type Kind =
  | TypeKind
  | { readonly kind: 'idea'; readonly idea: 'share' | 'trend' | 'relation' | 'comparison' | 'distribution' };

/** The kind of chart in a question, and the words that express it. */
export interface ChartClause {
  readonly kind: Kind | null;
  readonly taken: readonly WordRange[];
}

const lead =
  '(?:(?:please )?(?:show|draw|plot|visuali[sz]e|return|display|create|make|give|present|render|build|use|using|put) )?(?:(?:me|us|it|them|this|that|the result|the results|result|the data|data) )?' +
  '(?:(?:with|in|by|using|as|via|on|through|into|use|for|to|of) )?(?:(?:a|an|the) )?';
const chart = '(?: (?:chart|charts|graph|graphs|plot|plots|diagram|visual|visuali[sz]ation))';
function askedWords(type: DataItemType): readonly TypeWords[] {
  const declaration = declarationOf(type);
  return declaration.kind === 'content' ? [] : declaration.questionWords;
}

interface Pattern extends TypeWords {
  readonly type: DataItemType;
  readonly expression: RegExp;
}

const expressionOf = ({ words, isPhrase }: TypeWords): RegExp => {
  const named = words.replaceAll('{chart}', chart);
  const adjectives = '(?:(?:simple|nice|big|small|single|colored|coloured|new) )?';
  return new RegExp(isPhrase === true ? named : ` ${lead}${adjectives}(?<kind>${named})(?= )`, 'u');
};

const readPatterns = (): readonly Pattern[] =>
  dataItemTypes
    .flatMap((type) => askedWords(type).map((wording) => ({ ...wording, type, expression: expressionOf(wording) })))
    .toSorted((left, right) => left.rank - right.rank);

const cached: { patterns?: readonly Pattern[] } = {};
/** Compiled on the first question. */
const patterns = (): readonly Pattern[] => (cached.patterns ??= readPatterns());
const ideas: readonly (readonly [RegExp, Extract<Kind, { kind: 'idea' }>['idea']])[] = [
  [
    / (?:proportions?|propotions?|percentages?|share|shares|fraction|composition|part of the whole|make ?-?up|breakdown) (?:of|in|by|per) /u,
    'share',
  ],
  [/ (?:proportions?|propotions?|percentage split|market share) /u, 'share'],
  [
    / (?:trends?|tendency|evolution|evolve[sd]?|over time|through time|time series|development|chang(?:e|ed|es|ing) over|progress|growth|history|timeline|grow|grew|grown)/u,
    'trend',
  ],
  [
    / (?:relationships?|relations?|relate[sd]?|correlations?|correlated?|correlates?|depends? on|influences?|affects?|impacts?|do(?:es)? (?:older|younger|bigger|smaller|larger|taller|heavier|longer|higher|cheaper|faster)) /u,
    'relation',
  ],
  [/ (?:compare[sd]?|comparing|comparisons?) /u, 'comparison'],
  [/ (?:distributions?|distributed|spread|frequency|histogram) /u, 'distribution'],
];

const matchesOf = (phrase: PhraseText, { expression, isPhrase }: Pattern): readonly PhraseMatch[] =>
  isPhrase === true ? phrase.findAll(expression).slice(0, 1) : phrase.findAll(expression);

/** True if a matched pattern really means its type: "order by the bar" is about an axis. */
function isMeant(
  phrase: PhraseText,
  { words, isPhrase, onlyAs }: Pattern,
  own: WordRange,
  allowed: (range: WordRange) => boolean,
): boolean {
  if (isPhrase === true) return true;
  if (!allowed(own)) return false;
  if (onlyAs !== true) return true;
  return phrase.findAll(new RegExp(` (?:as|in|using) (?:a |an )?${words}s? `, 'u')).some(({ end }) => end === own.end);
}

/**
 * Finds the kind of chart in a question: by name ("as a pie chart"), else by intent ("the trend of"). `allowed` returns
 * false for words that belong to a column, such as "area".
 */
export function findChart(phrase: PhraseText, allowed: (range: WordRange) => boolean): ChartClause {
  const taken: WordRange[] = [];
  const matches: { at: number; rank: number; kind: TypeKind }[] = [];
  for (const pattern of patterns()) {
    const { type, rank, stacked = false } = pattern;
    for (const match of matchesOf(phrase, pattern)) {
      const own = pattern.isPhrase === true ? match : match.range('kind');
      if (own === null || !isMeant(phrase, pattern, own, allowed)) continue;
      taken.push(match);
      matches.push({ at: own.start, rank, kind: { kind: 'type', type, stacked } });
    }
  }
  matches.sort((left, right) => left.rank - right.rank);
  const stackedOne = matches.find(({ kind }) => kind.kind === 'type' && kind.stacked);
  const [first] = matches;
  if (first !== undefined) return { kind: (stackedOne ?? first).kind, taken };
  const named = itemNamed(phrase.text);
  if (named !== null) return { kind: { kind: 'type', type: named, stacked: false }, taken };
  for (const [expression, idea] of ideas) {
    const match = phrase.find(expression);
    if (match !== null) return { kind: { kind: 'idea', idea }, taken };
  }
  return { kind: null, taken };
}

const itemNamed = (text: string): DataItemType | null => {
  const name = / (?<name>[a-z]+(?: [a-z]+)? (?:chart|plot|table|number|filter)) /u
    .exec(text)
    ?.groups?.['name']?.replaceAll(' ', '-');
  return name !== undefined && isDataItemType(name) ? name : null;
};
