import { isObject, sameJson, type Json, type JsonObject } from '@inlay/contract';
import { authorizeWrite } from '../pipeline/rights/authorize-write.ts';
import { callerOf } from '../callers/caller-of.ts';
import { lockedContext } from '../pipeline/rights/held-roles.ts';
import { done, type WriteResult } from '../commands/command.ts';
import type { Performers } from './performers.ts';
import type {
  ColumnsCommand,
  DatasetsCommand,
  FoundColumn,
  NewLookup,
  NoteCommand,
  SourceCommands,
  VersionCommand,
} from '../commands/sources.ts';
import { emptyValuesOf } from '../data/metadata/found.ts';
import { mergeColumns } from '../data/metadata/merge-columns.ts';
import { rememberLookup } from '../resources/parts/securable/lookup-links.ts';
import { recordOf, type StoredRecord } from '../resource/tables.ts';
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { create } from './create.ts';
import { runIdempotent } from '../idempotency/run-idempotent.ts';
import {
  changeRecord,
  load,
  beginWrite,
  putLink,
  workOf,
  type WriteEnvironment,
  type WriteContext,
} from './context.ts';

async function insertColumns(
  context: WriteContext,
  securableId: string,
  columns: readonly FoundColumn[],
): Promise<void> {
  const work = workOf(context);
  for (const { fields, storageType } of columns)
    await work.insert('column', { ...fields, securable_id: securableId }, { kept: storageType });
}

/** Creates datasets with their columns. For each dataset, the caller needs the rights of a create. Raises Problem. */
async function makeDatasets(context: WriteContext, command: DatasetsCommand): Promise<readonly StoredRecord[]> {
  const { environment, transaction, caller } = context;
  const resource = environment.registry.resource('securable');
  const authorization = lockedContext(transaction, environment.registry, caller);
  const made: StoredRecord[] = [];
  for (const { set, columns, rows, dueAt } of command.datasets) {
    const input = { kind: 'create', set, echoes: {}, links: [] } as const;
    const authorized = await authorizeWrite(authorization, resource, input, { type: 'dataset' });
    const { stored } = await create(context, resource, authorized, {});
    await insertColumns(context, stored.id, columns);
    const metadata = {
      rows: rows ?? 0,
      empty_values: emptyValuesOf(columns),
      last_metadata_sync_at: context.now,
      last_metadata_sync_attempt_at: context.now,
    };
    await changeRecord(context, resource, stored.id, { ...metadata, sync_due_at: dueAt });
    made.push((await load(context, resource, stored.id)) ?? stored);
  }
  for (const lookup of command.lookups) await makeLookup(context, made, lookup);
  return made;
}

/** Creates a lookup between columns of new datasets for a foreign key of their source. */
async function makeLookup(
  context: WriteContext,
  made: readonly StoredRecord[],
  { from, column, to, toColumn }: NewLookup,
): Promise<void> {
  const { transaction } = context;
  const columnOf = async (place: number, name: string): Promise<string | null> => {
    const rows = await transaction.rows(
      sql`select c.id, c.record from "column" c where c.securable_id = ${made[place]?.id ?? ''}`,
    );
    const existing = rows.find((row) => {
      const record: Json = JSON.parse(String(row['record']));
      return isObject(record) && record['source_name'] === name;
    });
    return existing === undefined ? null : String(existing['id']);
  };
  const [firstId, targetId] = [await columnOf(from, column), await columnOf(to, toColumn)];
  if (firstId === null || targetId === null) return;
  const properties = { type: 'lookup' };
  await putLink(context, firstId, 'column.Joins', targetId, null, properties);
  await rememberLookup({ firstId, targetId, properties }, transaction);
}

async function datasets(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: DatasetsCommand,
): Promise<WriteResult> {
  const caller = await callerOf(transaction, command.caller, environment.now());
  const context = beginWrite(environment, transaction, caller);
  return runIdempotent(context, command.idempotency, async () => ({
    kind: 'records',
    stored: await makeDatasets(context, command),
  }));
}

/** Updates those fields of a record whose values differ. Does nothing if the record was deleted. */
async function note(
  environment: WriteEnvironment,
  transaction: Transaction,
  { resource: name, id, fields }: NoteCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  const resource = environment.registry.resource(name);
  const stored = await load(context, resource, id);
  const record: JsonObject = stored === null ? {} : recordOf(stored);
  const isKnown =
    stored === null || Object.entries(fields).every(([field, value]) => sameJson(record[field] ?? null, value));
  if (!isKnown) await changeRecord(context, resource, id, fields);
  return done(isKnown ? 0 : 1, id);
}

async function columns(
  environment: WriteEnvironment,
  transaction: Transaction,
  { securableId, columns: sourceColumns, attempted, dueAt }: ColumnsCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  const count = sourceColumns === null ? 0 : await mergeColumns(workOf(context), securableId, sourceColumns);
  const read: JsonObject =
    sourceColumns === null ? {} : { last_metadata_sync_at: context.now, empty_values: emptyValuesOf(sourceColumns) };
  if (attempted) {
    const securable = environment.registry.resource('securable');
    const fields = { ...read, last_metadata_sync_attempt_at: context.now, sync_due_at: dueAt };
    await changeRecord(context, securable, securableId, fields);
  } else {
    await transaction.run(sql`update securable set sync_due_at = ${dueAt} where id = ${securableId}`);
  }
  return done(count, securableId);
}

async function version(
  _environment: WriteEnvironment,
  transaction: Transaction,
  { securableId, before, version: next }: VersionCommand,
): Promise<WriteResult> {
  const count = await transaction.run(
    sql`update securable set data_version = ${next} where id = ${securableId} and data_version = ${before}`,
  );
  return done(count, securableId);
}

/** Handlers of commands that store metadata of a source. They raise Problem. */
export const sourcePerformers: Performers<keyof SourceCommands> = { datasets, note, columns, version };
