import type { SourceName } from '../../packages/service/src/demo/sources.ts';

/** A question over the demo data that the guide shows with its answer. */
export interface PicturedQuestion {
  /** Name of its picture. */
  readonly name: string;
  /** What kind of question it is. */
  readonly kind: string;
  readonly source: SourceName;
  readonly question: string;
  /** Messages before the question, the oldest first. */
  readonly history?: readonly string[];
  /** Language of the viewer; English by default. */
  readonly locale?: string;
}

export const questions: readonly PicturedQuestion[] = [
  {
    name: 'period',
    kind: 'A number by group, in a span of time',
    source: 'orders',
    question: 'revenue by category in 2024',
  },
  {
    name: 'comparison',
    kind: 'Two spans compared',
    source: 'orders',
    question: 'revenue this year vs last year by category',
  },
  {
    name: 'ratio',
    kind: 'A measure that combines columns',
    source: 'orders',
    question: 'cost as a share of revenue by channel',
  },
  {
    name: 'parts',
    kind: 'Parts of a time',
    source: 'orders',
    question: 'heatmap of orders by weekday and hour',
  },
  {
    name: 'others',
    kind: 'More members than a chart has room for',
    source: 'birdstrikes',
    question: 'share of strikes by airline',
  },
  {
    name: 'relation',
    kind: 'Two numbers against each other',
    source: 'penguins',
    question: 'scatter plot of beak length versus body mass',
  },
  {
    name: 'dutch',
    kind: 'Another language, and a message before',
    source: 'orders',
    history: ['omzet per maand in 2024'],
    question: 'alleen Duitsland en Frankrijk',
    locale: 'nl',
  },
  {
    name: 'unread',
    kind: 'A word that names nothing',
    source: 'orders',
    question: 'revenue by month only Japan and Zubrowka',
  },
];
