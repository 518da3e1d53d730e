import { textOr, type Json, type JsonObject } from '@inlay/contract';
import type { FoundColumn } from '../../commands/sources.ts';
import type { Work } from '../../resource/rules.ts';
import { readWord } from '../model/stored-types.ts';
import { mainTable, recordOf, storedColumns, storedOf } from '../../resource/tables.ts';
import { sql } from '../../store/sql.ts';

/** Prefix of the storage type of a column that no longer exists at the source. Queries ignore such columns. */
const retiredPrefix = 'retired ';

interface StoredColumn {
  readonly id: string;
  readonly record: JsonObject;
  readonly storageType: string;
}

async function currentColumns({ transaction }: Work, securableId: string): Promise<readonly StoredColumn[]> {
  const rows = await transaction.rows(
    sql`select ${storedColumns(mainTable)}, t.kept from "column" t where t.securable_id = ${securableId}${transaction.dialect.forUpdate}`,
  );
  return rows.map((row) => {
    const storedRecord = storedOf(row);
    return { id: storedRecord.id, record: recordOf(storedRecord), storageType: textOr(row['kept'], '') };
  });
}

const sourceName = (record: JsonObject): Json => record['source_name'] ?? null;

/**
 * Returns the changes to a column that still exists at the source. Keeps the settings of users unless the type of the
 * values has changed.
 */
function followed({ record, storageType }: StoredColumn, sourceColumn: FoundColumn): JsonObject {
  if (storageType === sourceColumn.storageType) return {};
  const unhiding: JsonObject = storageType.startsWith(retiredPrefix) ? { hidden: false } : {};
  const earlierType = readWord(
    storageType.startsWith(retiredPrefix) ? storageType.slice(retiredPrefix.length) : storageType,
  );
  if (storageType === '' || earlierType?.storageType === readWord(sourceColumn.storageType)?.storageType)
    return { ...unhiding, kept: sourceColumn.storageType };
  const { type = null, subtype = null } = sourceColumn.fields;
  return { ...unhiding, kept: sourceColumn.storageType, ...(record['type'] === type ? {} : { type, subtype }) };
}

function changed(storedColumn: StoredColumn, sourceColumn: FoundColumn | undefined): JsonObject {
  if (sourceColumn !== undefined) return followed(storedColumn, sourceColumn);
  return storedColumn.storageType.startsWith(retiredPrefix)
    ? {}
    : { hidden: true, kept: `${retiredPrefix}${storedColumn.storageType}` };
}

/** Returns the changes to a column whose type was widened. Keeps the settings of users that are still valid. */
function widened({ record, storageType }: StoredColumn, sourceColumn: FoundColumn): JsonObject {
  if (readWord(storageType)?.storageType === 'text') return followed({ id: '', record, storageType }, sourceColumn);
  if (storageType !== 'date') return { kept: sourceColumn.storageType };
  const { subtype = null, lowestLevel = null } = sourceColumn.fields;
  return {
    kept: sourceColumn.storageType,
    ...(record['subtype'] === 'date' ? { subtype } : {}),
    ...(record['lowestLevel'] === 5 ? { lowestLevel } : {}),
  };
}

/** Updates the types of existing columns to those of their stored values. Changes nothing else. */
export async function widenColumns(work: Work, securableId: string, columns: readonly FoundColumn[]): Promise<void> {
  const sourceColumns = new Map(columns.map((column) => [sourceName(column.fields), column]));
  for (const storedColumn of await currentColumns(work, securableId)) {
    const sourceColumn = sourceColumns.get(sourceName(storedColumn.record));
    if (
      sourceColumn === undefined ||
      storedColumn.storageType === '' ||
      storedColumn.storageType.startsWith(retiredPrefix) ||
      storedColumn.storageType === sourceColumn.storageType
    )
      continue;
    await work.change('column', storedColumn.id, widened(storedColumn, sourceColumn));
  }
}

/**
 * Updates the columns of a dataset to those of its source. Adds new columns at the end. Updates changed columns;
 * several records may have the same source column. Hides removed columns and keeps their settings. Returns the number
 * of changed columns.
 */
export async function mergeColumns(work: Work, securableId: string, columns: readonly FoundColumn[]): Promise<number> {
  const [dataset] = await work.transaction.rows(sql`select organization_id from securable where id = ${securableId}`);
  if (dataset === undefined) return 0;
  const existing = await currentColumns(work, securableId);
  const sourceColumns = new Map(columns.map((column) => [sourceName(column.fields), column]));
  let count = 0;
  for (const storedColumn of existing) {
    const name = sourceName(storedColumn.record);
    if (name === null) continue;
    const fields = changed(storedColumn, sourceColumns.get(name));
    if (Object.keys(fields).length === 0) continue;
    await work.change('column', storedColumn.id, fields);
    count += 1;
  }
  for (const { record } of existing) sourceColumns.delete(sourceName(record));
  const nextOrder = Math.max(-1, ...existing.map(({ record }) => Number(record['order'] ?? 0))) + 1;
  for (const [index, { fields, storageType }] of [...sourceColumns.values()].entries()) {
    const place = {
      order: nextOrder + index,
      securable_id: securableId,
      organization_id: dataset['organization_id'] ?? null,
    };
    await work.insert('column', { ...fields, ...place }, { kept: storageType });
    count += 1;
  }
  return count;
}
