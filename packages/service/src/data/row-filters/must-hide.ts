import { Problem } from '../../problems/problem.ts';
import type { LoadedDataset, TokenTerms } from '../model/parts.ts';

/**
 * Refuses a dataset that no longer has a column which the token hides: a column that replaces it would be visible.
 * Raises Problem `row_filter_invalid`.
 */
export function mustHide({ hiddenOf }: TokenTerms, datasets: readonly LoadedDataset[]): void {
  for (const [columnId, datasetId] of hiddenOf) {
    const of = datasetId === null ? datasets : datasets.filter(({ id }) => id === datasetId);
    const isGone = of.some(({ model }) => !model.columns.has(columnId) && model.unproven?.has(columnId) !== true);
    if (isGone)
      throw new Problem('row_filter_invalid', {
        message: `This token hides the column ${columnId}, which is not there any more; ask for a new token.`,
      });
  }
}
