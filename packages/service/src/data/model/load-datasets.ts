import { filledText, parseObject, textOr, type JsonObject } from '@inlay/contract';
import type { ModelDataset } from '@inlay/query';
import type { Caller } from '../../access/caller.ts';
import { columnsOf, condition, permits } from '../../access/permits.ts';
import { securable, type Right } from '../../declare/roles.ts';
import { list, sql, text, type Sql } from '../../store/sql.ts';
import type { Reader, Row } from '../../store/store.ts';
import { newestIn, rollupsInUse } from '../rollups/stored.ts';
import type { ModelCache } from './load-model.ts';
import type { DatasetAcceleration, LoadedDataset, Publication, StoredAccount } from './parts.ts';

const dataset = text('t');

const holdsRight = (caller: Caller, right: Right): Sql =>
  condition(permits(securable(right), caller, columnsOf(dataset)));

const textsOf = (object: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([place, value]) => (typeof value === 'string' ? [[place, value]] : [])),
  );

const wordIn = (row: Row, column: string): string | null => {
  const value = row[column];
  return typeof value === 'string' ? value : null;
};

function accountOf(row: Row): StoredAccount | null {
  const id = wordIn(row, 'account_id');
  if (id === null) return null;
  return {
    id,
    organizationId: wordIn(row, 'account_organization'),
    revision: Number(row['account_revision']),
    record: parseObject(textOr(row['account_record'], '{}')),
    sealed: textsOf(parseObject(textOr(row['account_secrets'], '{}'))),
  };
}

function accelerationOf(row: Row): DatasetAcceleration | null {
  const id = wordIn(row, 'acceleration_id');
  if (id === null) return null;
  const record = parseObject(textOr(row['acceleration_record'], '{}'));
  const [version, fingerprint] = [wordIn(row, 'copy_version'), wordIn(row, 'copy_of')];
  const dataAsOf = filledText(record['data_as_of']);
  const isDeleting = record['load_type'] !== 'full' && record['data_storage_strategy'] === 'insert-update-delete';
  return {
    id,
    copy:
      version === null || fingerprint === null || dataAsOf === null
        ? null
        : {
            version,
            fingerprint,
            dataAsOf,
            rollups: rollupsInUse(record, wordIn(row, 'rollup_shapes')),
            newest: newestIn(record),
          },
    deletedColumnId: isDeleting ? filledText(record['deleted_at_column_id']) : null,
  };
}

const textsIn = (row: Row, column: string): readonly string[] => {
  const list: unknown = JSON.parse(textOr(row[column], '[]'));
  return Array.isArray(list) ? list.map(String) : [];
};

function publicationOf(row: Row): Publication | null {
  const id = wordIn(row, 'publication_id');
  return id === null ? null : { id, place: textsIn(row, 'place'), columns: textsIn(row, 'columns') };
}

/** A fingerprint of everything that determines the model of a dataset: its columns, formulas, levels and joins. */
function fingerprint({ dialect }: Reader): Sql {
  const columns = sql`(select ${dialect.listed(sql`c.id || ':' || c.revision`)} from "column" c where c.securable_id = t.id)`;
  const formulas = sql`(select ${dialect.listed(sql`f.id || ':' || f.revision`)} from formula f where f.securable_id = t.id)`;
  const levels = sql`(select ${dialect.listed(sql`h.id || ':' || h.revision`)} from hierarchylevel h
    where h.column_id in (select c.id from "column" c where c.securable_id = t.id))`;
  const joins = sql`(select ${dialect.listed(sql`j.first_id || j.target_id || coalesce(j.properties, '')`)}
    from link j where j.association = 'column.Joins' and j.first_id in (select c.id from "column" c
    where c.securable_id = t.id))`;
  return sql`coalesce(${columns}, '') || '|' || coalesce(${formulas}, '')
    || '|' || coalesce(${levels}, '') || '|' || coalesce(${joins}, '')`;
}

async function loadWhere(
  reader: Reader,
  models: ModelCache,
  ids: readonly string[],
  where: Sql,
): Promise<ReadonlyMap<string, LoadedDataset>> {
  const rows = await reader.rows(
    sql`select t.id, t.organization_id, t.record, t.revision, t.data_version, ${fingerprint(reader)} as model,
      a.id as account_id, a.organization_id as account_organization, a.revision as account_revision,
      a.record as account_record, a.secrets as account_secrets,
      x.id as acceleration_id, x.record as acceleration_record, x.copy_version, x.copy_of, x.rollup_shapes,
      p.id as publication_id, p.place, p.columns
      from securable t left join account a on a.id = t.account_id left join acceleration x on x.securable_id = t.id
      left join publication p on p.version = coalesce(t.data_version, x.copy_version)
        and p.folder = case when t.data_version is null then x.id else t.id end
        and p.ready_at is not null and p.dropped_at is null
      where t.id in ${list(ids)} and t.type = 'dataset' and ${where}`,
  );
  const candidates = rows.map((row) => ({ row, id: String(row['id']), print: String(row['model']) }));
  const loadedModels = await models(reader, candidates);
  const model = (id: string): ModelDataset => loadedModels.get(id) ?? { id, columns: new Map(), formulas: new Map() };
  return new Map(
    candidates.map(({ row, id }) => [
      id,
      {
        id,
        organizationId: String(row['organization_id']),
        revision: Number(row['revision']),
        record: parseObject(textOr(row['record'], '{}')),
        dataVersion: wordIn(row, 'data_version'),
        account: accountOf(row),
        acceleration: accelerationOf(row),
        publication: publicationOf(row),
        model: model(id),
      },
    ]),
  );
}

/**
 * Loads those of the datasets on which the caller currently has the right (*use* by default), by id. Omits the other
 * datasets without giving a reason. Runs one statement; takes unchanged models from the cache `models`.
 */
export const loadDatasets = (
  reader: Reader,
  models: ModelCache,
  caller: Caller,
  ids: readonly string[],
  right: Right = 'use',
): Promise<ReadonlyMap<string, LoadedDataset>> => loadWhere(reader, models, ids, holdsRight(caller, right));

/** Loads datasets of the caller's organization that row filters look up, whether the caller may see them or not. */
export const loadReached = async (
  reader: Reader,
  models: ModelCache,
  { organizationId }: Pick<Caller, 'organizationId'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoadedDataset>> =>
  ids.length === 0 ? new Map() : loadWhere(reader, models, ids, sql`t.organization_id = ${organizationId}`);

/** Returns those of the ids that are ids of datasets on which the caller has the right (*read* by default). */
export async function seenDatasets(
  reader: Reader,
  caller: Caller,
  ids: readonly string[],
  right: Right = 'read',
): Promise<ReadonlySet<string>> {
  const rows = await reader.rows(
    sql`select t.id from securable t where t.id in ${list(ids)} and t.type = 'dataset' and ${holdsRight(caller, right)}`,
  );
  return new Set(rows.map((row) => String(row['id'])));
}
