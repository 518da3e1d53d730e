import type { JsonObject } from '@inlay/contract';
import { seenDatasets } from '../data/model/load-datasets.ts';
import { emptyValuesOf } from '../data/metadata/found.ts';
import { mergeColumns, widenColumns } from '../data/metadata/merge-columns.ts';
import { mustSeeAllRows, whoStores } from '../data/row-filters/unfiltered.ts';
import { authorizeWrite } from '../pipeline/rights/authorize-write.ts';
import { callerOf } from '../callers/caller-of.ts';
import { lockedContext } from '../pipeline/rights/held-roles.ts';
import type { FoundColumn } from '../commands/sources.ts';
import type { RowsCommand, RowsStorer } from '../commands/rows.ts';
import type { WriteResult } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { StoredRecord } from '../resource/tables.ts';
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { create } from './create.ts';
import { runIdempotent } from '../idempotency/run-idempotent.ts';
import { changeRecord, load, beginWrite, workOf, type WriteEnvironment, type WriteContext } from './context.ts';

/** Creates a dataset with the id under which its rows are already stored. */
async function makeDataset(context: WriteContext, { set, securableId }: RowsCommand): Promise<void> {
  const { environment, transaction, caller } = context;
  const resource = environment.registry.resource('securable');
  const input = { kind: 'create', set, echoes: {}, links: [] } as const;
  const authorized = await authorizeWrite(lockedContext(transaction, environment.registry, caller), resource, input, {
    type: 'dataset',
  });
  const ids = [securableId];
  const id = (unixMs: number): string => ids.pop() ?? environment.id(unixMs);
  const named = { ...context, environment: { ...environment, id } };
  await create(named, resource, authorized, {});
}

/** Updates statistics of existing columns. Settings that users made stay unchanged. */
async function freshen(context: WriteContext, securableId: string, columns: readonly FoundColumn[]): Promise<void> {
  const { transaction, environment } = context;
  await mergeColumns(workOf(context), securableId, columns);
  const rows = await transaction.rows(sql`select id, record from "column" where securable_id = ${securableId}`);
  const resource = environment.registry.resource('column');
  for (const row of rows) {
    const stored = await load(context, resource, String(row['id']));
    const record: JsonObject = stored === null ? {} : JSON.parse(stored.text);
    const column = columns.find(({ fields }) => fields['source_name'] === record['source_name']);
    if (stored === null || column === undefined) continue;
    const { cardinality = null, minimum = null, maximum = null } = column.fields;
    await changeRecord(context, resource, stored.id, { cardinality, minimum, maximum });
  }
}

const mayStore = async ({ transaction, caller }: WriteContext, id: string): Promise<boolean> =>
  caller !== null && (await seenDatasets(transaction, caller, [id], 'modify')).has(id);

/** Refuses callers who may not store rows of a dataset. Raises Problem `forbidden`. */
async function mustBeAllowed(context: WriteContext, id: string): Promise<void> {
  if (!(await mayStore(context, id))) throw new Problem('forbidden');
  await mustSeeAllRows(context.transaction, context.caller, id, whoStores);
}

async function putVersion(context: WriteContext, command: RowsCommand): Promise<StoredRecord> {
  const { environment, transaction } = context;
  const { securableId, isNew, columns, rows, version, before } = command;
  const resource = environment.registry.resource('securable');
  if (isNew) await makeDataset(context, command);
  else await mustBeAllowed(context, securableId);
  const [current] = await transaction.rows(
    sql`select data_version from securable where id = ${securableId}${transaction.dialect.forUpdate}`,
  );
  if (current === undefined) throw new Problem('not_found');
  if ((current['data_version'] ?? null) !== before) throw new Problem('rows_changed');
  if (isNew) {
    const work = workOf(context);
    for (const { fields, storageType } of columns)
      await work.insert('column', { ...fields, securable_id: securableId }, { kept: storageType });
  } else if (command.follow === 'all') await freshen(context, securableId, columns);
  else await widenColumns(workOf(context), securableId, columns);
  await transaction.run(sql`update securable set data_version = ${version} where id = ${securableId}`);
  await changeRecord(context, resource, securableId, {
    rows,
    empty_values: emptyValuesOf(columns),
    storage: 'columnar',
    uses_columnar_experimental: true,
    last_metadata_sync_at: context.now,
    last_metadata_sync_attempt_at: context.now,
  });
  const stored = await load(context, resource, securableId);
  if (stored === null) throw new Problem('not_found');
  return stored;
}

/** True if two of the requests for the same version have the same Idempotency-Key. */
function isRepeated({ others, ...first }: RowsCommand): boolean {
  const keys = [first, ...others].flatMap(({ idempotency }) =>
    idempotency === null ? [] : [JSON.stringify([idempotency.scope, idempotency.key])],
  );
  return new Set(keys).size < keys.length;
}

/**
 * Makes a version the current one of its dataset. For a new dataset, the caller needs the rights of a create. Raises
 * Problem.
 */
export async function storeRows(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: RowsCommand,
): Promise<WriteResult> {
  if (isRepeated(command)) throw new Problem('idempotency_conflict');
  const storeAs = async (
    storer: RowsStorer,
    work: (context: WriteContext) => Promise<WriteResult>,
  ): Promise<WriteResult> => {
    const caller = await callerOf(transaction, storer.caller, environment.now());
    const context = beginWrite(environment, transaction, caller);
    const result = await runIdempotent(context, storer.idempotency, () => work(context));
    const isReplayed = result.kind === 'record' && result.replayed === true;
    // Rows that are already stored must not be stored again together with others.
    if (isReplayed && command.others.length > 0) throw new Problem('idempotency_conflict');
    return result;
  };
  const storeFor = ([other, ...others]: readonly RowsStorer[]): Promise<WriteResult> =>
    other === undefined
      ? storeAs(command, async (context) => ({
          kind: 'record',
          stored: await putVersion(context, command),
          carried: {},
          shown: {},
        }))
      : storeAs(other, async (context) => {
          await mustBeAllowed(context, command.securableId);
          return storeFor(others);
        });
  return storeFor(command.others);
}
