import type { ChartDataset } from '../dataset.ts';
import { noValues } from '../values/found-values.ts';
import { readFormula, type FormulaCheck } from './read-formula.ts';

/** Returns texts that ask for a formula over the columns of a dataset, the most telling first. */
function candidates({ columns }: ChartDataset): readonly string[] {
  const nameOf = ({ name, sourceName }: (typeof columns)[number]): string =>
    name['en'] ?? Object.values(name)[0] ?? sourceName ?? '';
  const numbers = columns
    .filter(({ type }) => type === 'numeric')
    .slice(0, 4)
    .map(nameOf);
  const categories = columns
    .filter(({ type }) => type === 'hierarchy')
    .slice(0, 4)
    .map(nameOf);
  const [first = ''] = numbers;
  return [
    ...numbers.slice(1).map((name) => `${first} divided by ${name}`),
    ...numbers.map((name) => `average ${name}`),
    ...categories.map((name) => `number of distinct ${name}`),
    'number of rows',
  ];
}

/** Returns a text that is read as a formula over a dataset; null if none is known. */
export const exampleFor = (check: FormulaCheck, dataset: ChartDataset): string | null =>
  candidates(dataset).find(
    (question) => 'formula' in readFormula(check, dataset, { question, today: '2024-01-01' }, noValues),
  ) ?? null;
