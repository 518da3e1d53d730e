import type { Json, JsonObject } from '@inlay/contract';
import type { FoundColumn } from '../../commands/sources.ts';
import type { Work } from '../../resource/rules.ts';
import { readWord } from '../model/stored-types.ts';
import { mainTable, recordOf, storedColumns, storedOf } from '../../resource/tables.ts';
import { sql } from '../../store/sql.ts';

/** The storage type of a column that its source no longer has; it is in no query. */
const retired = 'retired ';

interface StoredColumn {
  readonly id: string;
  readonly record: JsonObject;
  readonly kept: string;
}

async function heldColumns({ transaction }: Work, securableId: string): Promise<readonly StoredColumn[]> {
  const rows = await transaction.rows(
    sql`select ${storedColumns(mainTable)}, t.kept from "column" t where t.securable_id = ${securableId}${transaction.dialect.forUpdate}`,
  );
  return rows.map((row) => {
    const stored = storedOf(row);
    const kept = row['kept'];
    return { id: stored.id, record: recordOf(stored), kept: typeof kept === 'string' ? kept : '' };
  });
}

const sourceName = (record: JsonObject): Json => record['source_name'] ?? null;

/** What changes about a column that is still at its source; what people set stays unless the values became others. */
function followed({ record, kept }: StoredColumn, found: FoundColumn): JsonObject {
  if (kept === found.kept) return {};
  const back: JsonObject = kept.startsWith(retired) ? { hidden: false } : {};
  const before = readWord(kept.startsWith(retired) ? kept.slice(retired.length) : kept);
  if (kept === '' || before?.kept === readWord(found.kept)?.kept) return { ...back, kept: found.kept };
  const { type = null, subtype = null } = found.fields;
  return { ...back, kept: found.kept, ...(record['type'] === type ? {} : { type, subtype }) };
}

function changed(held: StoredColumn, found: FoundColumn | undefined): JsonObject {
  if (found !== undefined) return followed(held, found);
  return held.kept.startsWith(retired) ? {} : { hidden: true, kept: `${retired}${held.kept}` };
}

/** What changes about a column whose values got a wider type; what people set stays where it still holds. */
function widened({ record, kept }: StoredColumn, found: FoundColumn): JsonObject {
  if (readWord(kept)?.kept === 'text') return followed({ id: '', record, kept }, found);
  if (kept !== 'date') return { kept: found.kept };
  const { subtype = null, lowestLevel = null } = found.fields;
  return {
    kept: found.kept,
    ...(record['subtype'] === 'date' ? { subtype } : {}),
    ...(record['lowestLevel'] === 5 ? { lowestLevel } : {}),
  };
}

/** Gives columns that are in use the types that their values have now; nothing else changes. */
export async function widenColumns(work: Work, securableId: string, columns: readonly FoundColumn[]): Promise<void> {
  const found = new Map(columns.map((one) => [sourceName(one.fields), one]));
  for (const held of await heldColumns(work, securableId)) {
    const now = found.get(sourceName(held.record));
    if (now === undefined || held.kept === '' || held.kept.startsWith(retired) || held.kept === now.kept) continue;
    await work.change('column', held.id, widened(held, now));
  }
}

/**
 * Brings the columns of a dataset to what its source has: new ones are added at the end, others follow their values, several
 * records of one column alike, columns that are gone are hidden, with everything people set. Gives the number of columns that changed.
 */
export async function mergeColumns(work: Work, securableId: string, columns: readonly FoundColumn[]): Promise<number> {
  const [dataset] = await work.transaction.rows(sql`select organization_id from securable where id = ${securableId}`);
  if (dataset === undefined) return 0;
  const held = await heldColumns(work, securableId);
  const found = new Map(columns.map((one) => [sourceName(one.fields), one]));
  let count = 0;
  for (const one of held) {
    const name = sourceName(one.record);
    if (name === null) continue;
    const fields = changed(one, found.get(name));
    if (Object.keys(fields).length === 0) continue;
    await work.change('column', one.id, fields);
    count += 1;
  }
  for (const { record } of held) found.delete(sourceName(record));
  const next = Math.max(-1, ...held.map(({ record }) => Number(record['order'] ?? 0))) + 1;
  for (const [index, { fields, kept }] of [...found.values()].entries()) {
    const place = {
      order: next + index,
      securable_id: securableId,
      organization_id: dataset['organization_id'] ?? null,
    };
    await work.insert('column', { ...fields, ...place }, { kept });
    count += 1;
  }
  return count;
}
