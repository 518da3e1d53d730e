import type { Validation } from '@inlay/contract';
import { Problem } from '../../problems/problem.ts';
import type { ChartDataset } from '../dataset.ts';

const kinds = [
  ['numeric', 'numbers'],
  ['datetime', 'dates'],
  ['hierarchy', 'categories'],
  ['spatial', 'places'],
] as const;

/** Returns a sentence that lists, for each type of column, the first columns of the dataset. */
function offeredCharts(dataset: ChartDataset): string {
  const parts = kinds.flatMap(([type, word]) => {
    const names = dataset.columns
      .filter((column) => column.type === type && column.isFormula !== true)
      .map(({ name }) => Object.values(name)[0] ?? '');
    return names.length === 0 ? [] : [`${word} (${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''})`];
  });
  return parts.length === 0 ? 'the dataset has no columns' : `the dataset offers ${parts.join('; ')}`;
}

/** Returns the problem for a request that no column fits. The problem lists the columns that the dataset has. */
export function impossible(dataset: ChartDataset): Problem {
  const validation: Validation = { 'properties.type': [offeredCharts(dataset)] };
  return new Problem('aichart_impossible', { validation });
}
