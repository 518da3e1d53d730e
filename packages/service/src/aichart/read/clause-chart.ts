import { isDataItemType, type DataItemType } from '@inlay/contract/charts';
import type { WordRange, PhraseText } from './phrase.ts';

/** What kind of chart a question asks for. */
export type Kind =
  | { readonly kind: 'type'; readonly type: DataItemType; readonly stacked: boolean }
  | { readonly kind: 'idea'; readonly idea: 'share' | 'trend' | 'relation' | 'comparison' | 'distribution' };

/** What a question says about the kind of chart, and the words it takes to say so. */
export interface ChartClause {
  readonly kind: Kind | null;
  readonly taken: readonly WordRange[];
}

const lead =
  '(?:(?:please )?(?:show|draw|plot|visuali[sz]e|return|display|create|make|give|present|render|build|use|using|put) )?(?:(?:me|us|it|them|this|that|the result|the results|result|the data|data) )?' +
  '(?:(?:with|in|by|using|as|via|on|through|into|use|for|to|of) )?(?:(?:a|an|the) )?';
const chart = '(?: (?:chart|charts|graph|graphs|plot|plots|diagram|visual|visuali[sz]ation))';
const kinds: readonly (readonly [expression: string, type: DataItemType, stacked?: true])[] = [
  [`(?:stacked|stack|stacking|grouped|group|clustered) (?:bar|bars)${chart}?`, 'bar-chart', true],
  [`(?:stacked|stack|grouped|clustered) (?:column|columns)${chart}`, 'column-chart', true],
  [`(?:horizontal )?(?:bar|bars)${chart}`, 'bar-chart'],
  ['bar', 'bar-chart'],
  [`(?:vertical )?columns?${chart}`, 'column-chart'],
  [`histograms?${chart}?`, 'histogram'],
  [`funnels?${chart}?`, 'funnel-chart'],
  [`waterfalls?${chart}?`, 'waterfall-chart'],
  [`(?:stacked|stack) area${chart}?`, 'area-chart', true],
  [`area${chart}`, 'area-chart'],
  [`(?:multi |multiple |multi-series )?(?:grouped|group|grouping|multi)[ -]lines?${chart}?`, 'line-chart', true],
  [`(?:trend )?lines?${chart}`, 'line-chart'],
  [`trend ?lines?${chart}?`, 'line-chart'],
  [`(?:grouped|group|grouping) scatter${chart}?`, 'scatter-plot', true],
  [`scatter ?(?:plot|plots|chart|graph|diagram)?${chart}?`, 'scatter-plot'],
  [`scatterplots?`, 'scatter-plot'],
  [`(?:symbol|bubble|dot|point|marker|pin)[ -]maps?${chart}?`, 'symbol-map'],
  [`bubbles?${chart}?`, 'bubble-chart'],
  [`(?:pie|donut|doughnut|ring)${chart}?`, 'donut-chart'],
  [`tree ?-?maps?${chart}?`, 'treemap-chart'],
  [`sun ?-?bursts?${chart}?`, 'sunburst-chart'],
  [`circle[ -]?pack(?:ing|ed|s)?${chart}?`, 'circle-pack-chart'],
  [`packed circles?${chart}?`, 'circle-pack-chart'],
  [`pivot(?:[ -]?table)?s?`, 'pivot-table'],
  [`(?:cross ?-?tab|crosstab|cross table|matrix)`, 'pivot-table'],
  [`heat ?(?:map|table)s?`, 'heat-table'],
  [`(?:evolution|big|single|key|kpi|headline) (?:number|figure|value|metric)(?: tile)?`, 'evolution-number'],
  [`bullet${chart}s?`, 'bullet-chart'],
  [`(?:combo|combination|combined|dual[ -]axis|bar and line|column and line)${chart}`, 'combination-chart'],
  [`(?:speedometer|dial)s?${chart}?`, 'speedometer-chart'],
  [`(?:circular |ring |round )?gauges?${chart}?`, 'circular-gauge'],
  [`(?:conditional|target) (?:number|figure|kpi)(?: tile)?`, 'conditional-number'],
  [`(?:kpi|scorecard|single number|indicator)(?: (?:card|tile))?`, 'evolution-number'],
  [`(?:date|time|period)[ -]comparison[ -](?:filter|picker|selector)`, 'date-comparison-filter'],
  [`(?:date|time|period|calendar)[ -](?:filter|picker|selector|range filter|slicer)`, 'date-filter'],
  [`(?:search|text)[ -](?:filter|box|field|bar)`, 'search-filter'],
  [`(?:drop ?-?down)(?:[ -](?:filter|list|menu|selector))?`, 'dropdown-filter'],
  [`(?:slicer|button|checkbox|tick box)(?:[ -](?:filter|list))?`, 'slicer-filter'],
  [`(?:slider|range)[ -](?:filter|selector)`, 'slider-filter'],
  [`slider`, 'slider-filter'],
  [`choropleths?(?: maps?)?${chart}?`, 'choropleth-map'],
  [`(?:(?:filled|shaded|world|geo|geographic|geographical|colou?red) )?maps?${chart}?`, 'choropleth-map'],
];
const tables: readonly (readonly [RegExp, DataItemType])[] = [
  [
    / (?:as|in|into) (?:a |an )?(?:plain |simple |regular |flat )?(?:table|list|grid)(?= [.?!,;]| $| (?:with|of|by|for|please|sorted|ordered|showing) )/u,
    'regular-table',
  ],
  [/ (?:plain|simple|regular|flat|detailed|detail|data) table /u, 'regular-table'],
  [/ (?:make|create|show|give|draw|build|want|need|display)(?: me| us)? (?:a|the) table /u, 'regular-table'],
  [/^ (?:a )?table (?:of|with|showing|listing) /u, 'regular-table'],
  [/ (?:by|in|as|return|using) (?:a )?(?:pie|donut) /u, 'donut-chart'],
];
const readPatterns = (): readonly Pattern[] =>
  kinds.map(([expression, type, stacked]) => ({
    expression: new RegExp(
      ` ${lead}(?:(?:simple|nice|big|small|single|colored|coloured|new) )?(?<kind>${expression})(?= )`,
      'u',
    ),
    type,
    stacked: stacked === true,
  }));

interface Pattern {
  readonly expression: RegExp;
  readonly type: DataItemType;
  readonly stacked: boolean;
}

const kept: { patterns?: readonly Pattern[] } = {};
/** Made when the first question is asked. */
const patterns = (): readonly Pattern[] => (kept.patterns ??= readPatterns());
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

/**
 * Finds the kind of chart a question asks for: by name ("as a pie chart"), else by what it wants to see ("the trend of").
 * `allowed` says whether the words of a name may be read so: a column called "area" is not a chart.
 */
export function findChart(said: PhraseText, allowed: (range: WordRange) => boolean): ChartClause {
  const taken: WordRange[] = [];
  const found: { at: number; rank: number; kind: Kind }[] = [];
  patterns().forEach(({ expression, type, stacked }, rank) => {
    for (const match of said.findAll(expression)) {
      const own = match.range('kind');
      if (own === null || !allowed(own)) continue;
      if (type === 'bar-chart' && !stacked && said.text.trim().length > 0 && isBareBar(said, own)) continue;
      taken.push(match);
      found.push({ at: own.start, rank, kind: { kind: 'type', type, stacked } });
    }
  });
  for (const [expression, type] of tables) {
    const match = said.find(expression);
    if (match === null) continue;
    taken.push(match);
    found.push({ at: match.start, rank: 90, kind: { kind: 'type', type, stacked: false } });
  }
  found.sort((left, right) => left.rank - right.rank);
  const stackedOne = found.find(({ kind }) => kind.kind === 'type' && kind.stacked);
  const [first] = found;
  if (first !== undefined) return { kind: (stackedOne ?? first).kind, taken };
  const named = itemNamed(said.text);
  if (named !== null) return { kind: { kind: 'type', type: named, stacked: false }, taken };
  for (const [expression, idea] of ideas) {
    const match = said.find(expression);
    if (match !== null) return { kind: { kind: 'idea', idea }, taken };
  }
  return { kind: null, taken };
}

/** "bar" alone is a chart only after "as a", "in a" and the like: "order by the bar" speaks of the axis. */
const isBareBar = (said: PhraseText, own: WordRange): boolean => {
  if (own.end - own.start > 1) return false;
  return !said.findAll(/ (?:as|in|using) (?:a |an )?bars? /u).some(({ end }) => end === own.end);
};

const itemNamed = (text: string): DataItemType | null => {
  const name = / (?<name>[a-z]+(?: [a-z]+)? (?:chart|plot|table|number|filter)) /u
    .exec(text)
    ?.groups?.['name']?.replaceAll(' ', '-');
  return name !== undefined && isDataItemType(name) ? name : null;
};
