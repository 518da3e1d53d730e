import type { Condition } from '@inlay/contract';
import { Failure } from '@inlay/client/transport';

/** Returns the failure for page filters that cannot be parsed. Such filters are null in `conditions`. */
export function unreadableFilters(conditions: readonly (Condition | null)[]): Failure {
  const places = conditions.flatMap((condition, index) => (condition === null ? [`filters[${index}]`] : []));
  const hint = `${places.join(', ')}: {expression, parameters: [{dataset_id, column_id}, value]}`;
  return new Failure('filter_invalid', 400, 'A filter of the page cannot be read.', hint);
}
