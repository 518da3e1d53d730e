import type { JsonObject } from '@inlay/contract';
import type { ChartDataset } from '../dataset.ts';
import { profile } from '../profile.ts';
import { suggest } from '../decide/suggest.ts';
import { titleIn } from './titles.ts';

/** Returns at most six sample questions for a dataset, each with its chart and columns. */
export function examples(dataset: ChartDataset): readonly JsonObject[] {
  const datasetProfile = profile(dataset);
  const plans = [0, 1, 2, 3, 4, 5].map((nth) => suggest(datasetProfile, null, nth)).filter((plan) => plan !== null);
  return plans.map((plan) => {
    const columns = [
      ...plan.groups.map(({ column }) => column),
      ...[...(plan.across === null ? [] : [plan.across]), ...plan.quantities].map(({ column }) => column),
    ];
    const ids = columns.flatMap((column) => (column === null ? [] : (datasetProfile.columns[column]?.id ?? [])));
    return {
      title: titleIn(datasetProfile, plan, datasetProfile.languages[0] ?? 'en'),
      chartType: plan.type,
      columnIds: [...new Set(ids)],
    };
  });
}
