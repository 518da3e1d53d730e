import { timestamp, type JsonObject } from '@inlay/contract';
import { seenDatasets } from '../data/model/load-datasets.ts';
import { mergeColumns, widenColumns } from '../data/metadata/merge-columns.ts';
import { mustSeeAllRows, whoStores } from '../data/row-filters/unfiltered.ts';
import { authorizeWrite, type Asked } from '../pipeline/write/authorize-write.ts';
import type { FoundColumn, RowsCommand, Written } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { Stored } from '../resource/tables.ts';
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { create } from './create.ts';
import { once } from './idempotency.ts';
import { changeRecord, load, performing, workOf, type Environment, type Performing } from './performing.ts';
import { callerOf } from './write.ts';

const askedOf = ({ environment, transaction, caller }: Performing): Asked => ({
  reader: transaction,
  registry: environment.registry,
  caller,
  lock: transaction.dialect.forUpdate,
  sharedLock: transaction.dialect.forShare,
});

/** A new dataset under the id its rows are kept by. */
async function makeDataset(performed: Performing, { set, securableId }: RowsCommand): Promise<void> {
  const resource = performed.environment.registry.resource('securable');
  const input = { kind: 'create', set, echoes: {}, links: [] } as const;
  const authorized = await authorizeWrite(askedOf(performed), resource, input, { type: 'dataset' });
  const ids = [securableId];
  const id = (unixMs: number): string => ids.pop() ?? performed.environment.id(unixMs);
  const named = { ...performed, environment: { ...performed.environment, id } };
  await create(named, resource, authorized, {});
}

/** Statistics of columns that were there before; what people set stays. */
async function freshen(performed: Performing, securableId: string, columns: readonly FoundColumn[]): Promise<void> {
  const { transaction, environment } = performed;
  await mergeColumns(workOf(performed), securableId, columns);
  const rows = await transaction.rows(sql`select id, record from "column" where securable_id = ${securableId}`);
  const resource = environment.registry.resource('column');
  for (const row of rows) {
    const stored = await load(performed, resource, String(row['id']));
    const record: JsonObject = stored === null ? {} : JSON.parse(stored.text);
    const found = columns.find(({ fields }) => fields['source_name'] === record['source_name']);
    if (stored === null || found === undefined) continue;
    const { cardinality = null, minimum = null, maximum = null } = found.fields;
    await changeRecord(performed, resource, stored.id, { cardinality, minimum, maximum });
  }
}

const mayStore = async ({ transaction, caller }: Performing, id: string): Promise<boolean> =>
  caller !== null && (await seenDatasets(transaction, caller, [id], 'modify')).has(id);

async function putVersion(performed: Performing, command: RowsCommand): Promise<Stored> {
  const { environment, transaction } = performed;
  const { securableId, isNew, columns, rows, version, before } = command;
  const resource = environment.registry.resource('securable');
  if (isNew) await makeDataset(performed, command);
  else {
    if (!(await mayStore(performed, securableId))) throw new Problem('forbidden');
    await mustSeeAllRows(transaction, performed.caller, securableId, whoStores);
  }
  const [current] = await transaction.rows(
    sql`select data_version from securable where id = ${securableId}${transaction.dialect.forUpdate}`,
  );
  if (current === undefined) throw new Problem('not_found');
  if ((current['data_version'] ?? null) !== before) throw new Problem('rows_changed');
  if (isNew) {
    const work = workOf(performed);
    for (const { fields, kept } of columns)
      await work.insert('column', { ...fields, securable_id: securableId }, { kept });
  } else if (command.follow === 'all') await freshen(performed, securableId, columns);
  else await widenColumns(workOf(performed), securableId, columns);
  await transaction.run(sql`update securable set data_version = ${version} where id = ${securableId}`);
  await changeRecord(performed, resource, securableId, {
    rows,
    storage: 'columnar',
    uses_columnar_experimental: true,
    last_metadata_sync_at: performed.now,
    last_metadata_sync_attempt_at: performed.now,
  });
  const stored = await load(performed, resource, securableId);
  if (stored === null) throw new Problem('not_found');
  return stored;
}

/** Makes a version of rows the one that is read, with the rights of a create of a dataset where it is new. Raises Problem. */
export async function storeRows(
  environment: Environment,
  transaction: Transaction,
  command: RowsCommand,
): Promise<Written> {
  const caller = await callerOf(transaction, command, timestamp(environment.now()));
  const performed = performing(environment, transaction, caller);
  return once(performed, command.idempotency, async () => ({
    kind: 'record',
    stored: await putVersion(performed, command),
    carried: {},
    shown: {},
  }));
}
