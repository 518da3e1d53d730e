import { filledText, isObject, parseObject, type Json, type JsonObject } from '@inlay/contract';
import type { ColumnType, StorageType, ModelColumn, ModelDataset, ModelFormula } from '@inlay/query';
import { list, sql } from '../../store/sql.ts';
import { readWord } from './stored-types.ts';
import type { Reader, Row } from '../../store/store.ts';

/** A dataset with the fingerprint of its model. */
interface ModelFingerprint {
  readonly id: string;
  readonly print: string;
}

/** Returns the models of datasets. Takes a model from the cache if its fingerprint is unchanged. */
export type ModelCache = (
  reader: Reader,
  wanted: readonly ModelFingerprint[],
) => Promise<ReadonlyMap<string, ModelDataset>>;

const types = ['numeric', 'datetime', 'hierarchy', 'spatial'] as const satisfies readonly ColumnType[];

/** Default storage types by column type, for columns that were created by hand. */
const storageTypeOf = {
  numeric: 'double',
  datetime: 'timestamp',
  hierarchy: 'text',
  spatial: 'json',
} as const satisfies Record<ColumnType, StorageType>;

/**
 * True if the source has confirmed the column and its storage type. Also true for a formula, which is not at the
 * source.
 */
const isProven = (row: Row): boolean =>
  readWord(row['kept']) !== undefined || filledText(parseObject(String(row['record']))['expression']) !== null;

type Joins = ModelColumn['joins'];

/**
 * Returns the separator of a hierarchy that has declared levels: its `informat`, or a slash. Returns null for other
 * columns.
 */
function separatorOf(type: ColumnType, record: JsonObject, levels: number): string | null {
  if (type !== 'hierarchy' || levels < 2) return null;
  return filledText(record['informat']) ?? '/';
}

function columnOf(row: Row, levels: ReadonlyMap<string, number>, joins: ReadonlyMap<string, Joins>): ModelColumn {
  const record = parseObject(String(row['record']));
  const id = String(row['id']);
  const type = types.find((word) => word === record['type']) ?? 'hierarchy';
  return {
    id,
    datasetId: String(row['securable_id']),
    source: filledText(record['source_name']) ?? id,
    type,
    subtype: filledText(record['subtype']),
    ...(readWord(row['kept']) ?? { storageType: storageTypeOf[type] }),
    expression: filledText(record['expression']),
    separator: separatorOf(type, record, levels.get(id) ?? 0),
    joins: joins.get(id) ?? [],
  };
}

function joinsOf(rows: readonly Row[]): ReadonlyMap<string, Joins> {
  const joins = new Map<string, Joins>();
  for (const row of rows) {
    const from = String(row['first_id']);
    const properties: Json = typeof row['properties'] === 'string' ? JSON.parse(row['properties']) : {};
    const type = isObject(properties) && properties['type'] === 'exact' ? ('exact' as const) : ('lookup' as const);
    const isOptional = type === 'lookup' && isObject(properties) && properties['optional'] === true;
    const to = {
      datasetId: String(row['securable_id']),
      columnId: String(row['target_id']),
      type,
      ...(isOptional ? { isOptional } : {}),
    };
    joins.set(from, [...(joins.get(from) ?? []), to]);
  }
  return joins;
}

/** Loads complete models. Uses one statement each for columns, formulas, levels and joins. */
async function readModels(reader: Reader, ids: readonly string[]): Promise<readonly ModelDataset[]> {
  const within = list(ids);
  const [columns, formulas, levels, joins] = await Promise.all([
    reader.rows(
      sql`select c.id, c.securable_id, c.kept, c.record from "column" c where c.securable_id in ${within}
        and coalesce(c.kept, '') not like 'retired %'`,
    ),
    reader.rows(sql`select f.id, f.securable_id, f.record from formula f where f.securable_id in ${within}`),
    reader.rows(
      sql`select h.column_id, count(*) as levels from hierarchylevel h join "column" c on c.id = h.column_id
        where c.securable_id in ${within} group by h.column_id`,
    ),
    reader.rows(
      sql`select j.first_id, j.target_id, j.properties, o.securable_id from "column" c join link j
        on j.first_id = c.id and j.association = 'column.Joins' join "column" o on o.id = j.target_id
        where c.securable_id in ${within} order by j.first_id, j.target_id`,
    ),
  ]);
  const levelsBy = new Map(levels.map((row) => [String(row['column_id']), Number(row['levels'])]));
  const joinsBy = joinsOf(joins);
  return ids.map((id) => {
    const ownColumns = columns
      .filter((row) => row['securable_id'] === id)
      .map((row) => ({
        order: Number(parseObject(String(row['record']))['order'] ?? 0),
        column: columnOf(row, levelsBy, joinsBy),
      }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ column }) => column);
    const ownFormulas = formulas
      .filter((row) => row['securable_id'] === id)
      .map((row): ModelFormula => ({
        id: String(row['id']),
        datasetId: id,
        expression: filledText(parseObject(String(row['record']))['expression']) ?? '',
      }));
    const provenIds = new Set(columns.flatMap((row) => (isProven(row) ? [String(row['id'])] : [])));
    const by = (isProvenColumn: boolean): ModelDataset['columns'] =>
      new Map(
        ownColumns
          .filter((ownColumn) => provenIds.has(ownColumn.id) === isProvenColumn)
          .map((ownColumn) => [ownColumn.id, ownColumn]),
      );
    return {
      id,
      columns: by(true),
      unproven: by(false),
      formulas: new Map(ownFormulas.map((formula) => [formula.id, formula])),
    };
  });
}

/** Creates a cache for at most `maxEntries` models. Evicts the least recently used model first. */
export function createModelCache(maxEntries = 1000): ModelCache {
  const cache = new Map<string, { readonly print: string; readonly model: ModelDataset }>();
  return async (reader, fingerprints) => {
    const staleFingerprints = fingerprints.filter(({ id, print }) => cache.get(id)?.print !== print);
    const freshModels =
      staleFingerprints.length === 0
        ? []
        : await readModels(
            reader,
            staleFingerprints.map(({ id }) => id),
          );
    const freshById = new Map(freshModels.map((model) => [model.id, model]));
    const models = new Map<string, ModelDataset>();
    for (const { id, print } of fingerprints) {
      const model = freshById.get(id) ?? cache.get(id)?.model;
      if (model === undefined) continue;
      cache.delete(id);
      cache.set(id, { print, model });
      models.set(id, model);
    }
    for (const [oldest] of cache) {
      if (cache.size <= maxEntries) break;
      cache.delete(oldest);
    }
    return models;
  };
}
