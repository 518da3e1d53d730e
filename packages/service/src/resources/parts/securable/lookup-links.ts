import type { Caller } from '../../../access/caller.ts';
import { mustSeeAllRows } from '../../../data/row-filters/unfiltered.ts';
import type { LinkEnds, MadeLink } from '../../../resource/define.ts';
import { sql } from '../../../store/sql.ts';
import type { Transaction } from '../../../store/store.ts';

/** Notes that one dataset looks up another: row filters follow, and go on refusing where the link is removed. */
export async function rememberLookup(
  { firstId, targetId, properties }: MadeLink,
  transaction: Transaction,
): Promise<void> {
  if (properties['type'] === 'exact') return;
  await transaction.run(
    sql`insert into lookup_link (dataset_id, looked_up_id)
      select c.securable_id, o.securable_id from "column" c join "column" o on o.id = ${targetId}
      where c.id = ${firstId} and c.securable_id <> o.securable_id on conflict do nothing`,
  );
}

/**
 * Row filters follow links, so another link would let other rows through: whoever filters hold for on a dataset neither makes
 * nor undoes its links. Raises Problem `forbidden`.
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
