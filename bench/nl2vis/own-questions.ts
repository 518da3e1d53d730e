import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemType } from '@inlay/contract';
import type { ChartColumn, ChartDataset } from '../../packages/service/src/aichart/dataset.ts';

const folder = join(import.meta.dirname, 'questions');
const lines = (file: string): readonly string[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
const cells = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim());

const words: Readonly<Record<string, ItemType>> = {
  line: 'line-chart',
  area: 'area-chart',
  bar: 'bar-chart',
  column: 'column-chart',
  donut: 'donut-chart',
  treemap: 'treemap-chart',
  sunburst: 'sunburst-chart',
  'circle-pack': 'circle-pack-chart',
  bubble: 'bubble-chart',
  scatter: 'scatter-plot',
  pivot: 'pivot-table',
  table: 'regular-table',
  evolution: 'evolution-number',
  date: 'date-filter',
  dropdown: 'dropdown-filter',
  slicer: 'slicer-filter',
  slider: 'slider-filter',
};

/** Builds a UUID from two numbers, so that every run has the same ids. */
export const idOf = (dataset: number, column: number): string =>
  `01890a5d-ac96-7${String(dataset).padStart(3, '0')}-8000-${String(column).padStart(12, '0')}`;

const typeOf = (text: string): ChartColumn['type'] => (text === 'numeric' || text === 'datetime' ? text : 'hierarchy');

/** `own`: people's questions on datasets of every kind. `wide`: small tables and turns of phrase as public sets have them. `last`: the same, asked at the end. */
export type QuestionSet = 'own' | 'wide' | 'last';
const files: Readonly<Record<QuestionSet, { datasets: string; questions: string }>> = {
  own: { datasets: 'datasets.txt', questions: 'questions.txt' },
  wide: { datasets: 'wide-datasets.txt', questions: 'wide-questions.txt' },
  last: { datasets: 'last-datasets.txt', questions: 'last-questions.txt' },
};

/** Reads the datasets of a question set, by key. */
export function readDatasets(set: QuestionSet = 'own'): ReadonlyMap<string, ChartDataset> {
  const found = new Map<
    string,
    { id: string; name: Record<string, string>; columns: ChartColumn[]; language: string }
  >();
  let key = '';
  for (const line of lines(files[set].datasets)) {
    const [first = '', second = '', third = ''] = cells(line);
    if (first.startsWith('=')) {
      key = first.slice(1).trim();
      const [language = 'en', name = ''] = second.split(':').map((part) => part.trim());
      found.set(key, { id: idOf(found.size + 1, 0), name: { [language]: name }, columns: [], language });
      continue;
    }
    const dataset = found.get(key);
    if (dataset === undefined) continue;
    const [type = '', subtype = null] = second.split('/');
    const position = dataset.columns.length;
    dataset.columns.push({
      id: idOf(found.size, position + 1),
      position,
      name: { [dataset.language]: first },
      sourceName: first,
      synonyms: [],
      description: third === '' ? {} : { [dataset.language]: third },
      type: typeOf(type),
      subtype,
      format: null,
      aggregation: 'sum',
      cardinality: null,
      span: null,
    });
  }
  return new Map(
    [...found].map(([name, { id, name: label, columns }]) => [name, { id, name: label, description: {}, columns }]),
  );
}

/** What a question expects of the answer; a part that is null is not judged. */
export interface Expected {
  readonly types: readonly ItemType[];
  readonly groups: readonly string[] | null;
  readonly measures: readonly string[] | null;
  readonly legend: string | null;
  readonly sort: string | null;
  readonly limit: string | null;
  /** Words the message has to say. */
  readonly told: readonly string[];
}

export interface OwnQuestion {
  readonly id: number;
  /** For tuning; else for checking. */
  readonly tuning: boolean;
  readonly line: string;
  readonly dataset: string;
  readonly asked: string;
  readonly question: string | null;
  readonly history: readonly string[];
  readonly expected: Expected;
}

const asks: Readonly<Record<string, string>> = { c: 'generate-chart', f: 'generate-filter' };

/**
 * Reads the questions, numbered. Of the own set the odd ones are for tuning, the even ones for checking; of the wide
 * one those about datasets at odd places, so that no dataset is in both halves.
 */
export function readQuestions(set: QuestionSet = 'own'): readonly OwnQuestion[] {
  const places = new Map([...readDatasets(set).keys()].map((key, index) => [key, index + 1]));
  return lines(files[set].questions).map((line, index) => {
    const [dataset = '', asked = '', said = '', types = '', parts = ''] = cells(line);
    const messages = said.split(' / ').filter((message) => message !== '…');
    const part = (letter: string): string | null =>
      new RegExp(`(?:^| )${letter} (.*?)(?= [gmlsnw] |$)`, 'u').exec(parts)?.[1] ?? null;
    const list = (text: string | null): readonly string[] | null => text?.split(',').map((one) => one.trim()) ?? null;
    return {
      id: index + 1,
      line,
      dataset,
      asked: asks[asked] ?? asked,
      tuning: set !== 'last' && (set === 'own' ? index + 1 : (places.get(dataset) ?? 0)) % 2 === 1,
      question: messages.at(-1) === '' ? null : (messages.at(-1) ?? null),
      history: messages.slice(0, -1),
      expected: {
        types: types.split(' ').flatMap((word) => words[word] ?? []),

        groups: list(part('g')),
        measures: list(part('m')),
        legend: part('l'),
        sort: sortOf(parts),
        limit: part('n'),
        told: list(part('w')) ?? [],
      },
    };
  });
}

const sortOf = (parts: string): string | null => /(?:^| )s ([mg] (?:asc|desc))/u.exec(parts)?.[1] ?? null;
