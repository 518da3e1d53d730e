import { createHash } from 'node:crypto';
import type { LoadedDataset } from '../model/parts.ts';

/**
 * Identifies what the copy of a dataset is made of: its account, its table or query, and its columns. A copy with
 * another fingerprint does not have the rows that the dataset names now.
 */
export function copyFingerprint({
  account,
  record,
  model,
}: Pick<LoadedDataset, 'account' | 'record' | 'model'>): string {
  const proven = [...model.columns.values()].filter(({ expression }) => expression === null);
  const columns = [
    ...proven.map(({ source, storageType }) => `${source} ${storageType}`),
    // A query that names a column which the source has not confirmed yet must ask the source.
    ...[...(model.unproven?.values() ?? [])].map(({ source }) => source),
  ].toSorted();
  const { source_dataset: table = null, source_sheet: sheet = null, source_query: query = null } = record;
  // Another revision of the account may lead to another server, or to another user of it.
  const text = JSON.stringify([account?.id, account?.revision, table, sheet, query, columns]);
  return createHash('sha256').update(text).digest('base64url');
}
