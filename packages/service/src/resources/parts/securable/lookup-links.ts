import { parseObject } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import { columnsOf, condition, permits } from '../../../access/permits.ts';
import { allRows } from '../../../declare/roles.ts';
import { mustSeeAllRows } from '../../../data/row-filters/unfiltered.ts';
import type { Doubt, LinkEnds, MadeLink } from '../../../resource/define.ts';
import { Problem } from '../../../problems/problem.ts';
import { sql, text } from '../../../store/sql.ts';
import type { Transaction } from '../../../store/store.ts';

/**
 * Records that a dataset looks up another, so that row filters follow the link. The entry stays when the link is
 * removed, so that queries stay refused. Raises Problem for a link that is optional but not a lookup.
 */
export async function rememberLookup(
  { firstId, targetId, properties }: MadeLink,
  transaction: Transaction,
): Promise<void> {
  if (properties['type'] === 'exact') {
    if (properties['optional'] !== true) return;
    throw new Problem('validation_failed', {
      validation: {
        'properties.optional': [
          'is of a lookup alone: row filters follow no link of type "exact"; leave it out, or send null',
        ],
      },
    });
  }
  await transaction.run(
    sql`insert into lookup_link (dataset_id, looked_up_id)
      select c.securable_id, o.securable_id from "column" c join "column" o on o.id = ${targetId}
      where c.id = ${firstId} and c.securable_id <> o.securable_id on conflict do nothing`,
  );
}

/**
 * Refuses callers with row filters on a dataset to create or remove its links. Row filters follow links, so a different
 * link would expose different rows. Raises Problem `forbidden`.
 */
export async function mayChangeLookup(
  { firstId }: LinkEnds,
  caller: Caller | null,
  transaction: Transaction,
): Promise<void> {
  const [column] = await transaction.rows(sql`select c.securable_id from "column" c where c.id = ${firstId}`);
  const datasetId = column?.['securable_id'];
  if (typeof datasetId === 'string')
    await mustSeeAllRows(transaction, caller, datasetId, 'its links decide which rows are seen.');
}

/**
 * If there are fewer distinct values per row than this share, duplicates are certain, although distinct counts are
 * approximate.
 */
const certain = 0.8;

/** Warns of a lookup to a column with duplicate values, if the caller may see the counts. */
export async function doubtsLookup(
  { targetId, properties }: MadeLink,
  caller: Caller | null,
  transaction: Transaction,
): Promise<Doubt | null> {
  if (caller === null || properties['type'] === 'exact') return null;
  const [row] = await transaction.rows(
    sql`select t.record as of_column, s.record as of_dataset from "column" t join securable s on s.id = t.securable_id
      where t.id = ${targetId} and ${condition(permits(allRows('securable_id'), caller, columnsOf(text('t'))))}`,
  );
  if (row === undefined) return null;
  const values = parseObject(String(row['of_column']))['cardinality'];
  const rows = parseObject(String(row['of_dataset']))['rows'];
  if (typeof values !== 'number' || typeof rows !== 'number' || values >= rows * certain) return null;
  const message = `is no key: it has about ${values} distinct values in ${rows} rows. A lookup goes from the column that refers to the key that it refers to, and row filters follow only that direction: link the other way round, or with the type "exact"`;
  return { code: 'lookup_not_unique', message };
}
