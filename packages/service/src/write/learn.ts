import { isObject, sameJson, type Json, type JsonObject } from '@inlay/contract';
import { authorizeWrite } from '../pipeline/write/authorize-write.ts';
import { callerOf } from '../callers/caller-of.ts';
import { lockedContext } from '../pipeline/write/held-roles.ts';
import type { Command, DatasetsCommand, FoundColumn, NewLookup, WriteResult } from '../commands/command.ts';
import { emptyValuesOf } from '../data/metadata/found.ts';
import { mergeColumns } from '../data/metadata/merge-columns.ts';
import { rememberLookup } from '../resources/parts/securable/lookup-links.ts';
import { recordOf, type StoredRecord } from '../resource/tables.ts';
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { create } from './create.ts';
import { once } from './idempotency.ts';
import {
  changeRecord,
  load,
  performing,
  putLink,
  workOf,
  type WriteEnvironment,
  type WriteContext,
} from './context.ts';

/** What is written because a source was read. */
type OfSources = Command & { readonly kind: 'datasets' | 'note' | 'claim' | 'columns' | 'version' };

export const isOfSources = (command: Command): command is OfSources =>
  ['datasets', 'note', 'claim', 'columns', 'version'].includes(command.kind);

async function insertColumns(
  context: WriteContext,
  securableId: string,
  columns: readonly FoundColumn[],
): Promise<void> {
  const work = workOf(context);
  for (const { fields, kept } of columns)
    await work.insert('column', { ...fields, securable_id: securableId }, { kept });
}

/** Datasets with their columns, with the rights of a create of each. Raises Problem. */
async function makeDatasets(context: WriteContext, command: DatasetsCommand): Promise<readonly StoredRecord[]> {
  const { environment, transaction, caller } = context;
  const resource = environment.registry.resource('securable');
  const asked = lockedContext(transaction, environment.registry, caller);
  const made: StoredRecord[] = [];
  for (const { set, columns, rows, dueAt } of command.datasets) {
    const input = { kind: 'create', set, echoes: {}, links: [] } as const;
    const authorized = await authorizeWrite(asked, resource, input, { type: 'dataset' });
    const { stored } = await create(context, resource, authorized, {});
    await insertColumns(context, stored.id, columns);
    const told = {
      rows: rows ?? 0,
      empty_values: emptyValuesOf(columns),
      last_metadata_sync_at: context.now,
      last_metadata_sync_attempt_at: context.now,
    };
    await changeRecord(context, resource, stored.id, { ...told, sync_due_at: dueAt });
    made.push((await load(context, resource, stored.id)) ?? stored);
  }
  for (const lookup of command.lookups) await makeLookup(context, made, lookup);
  return made;
}

/** Links two columns of new datasets as a foreign key of their source does. */
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
    const found = rows.find((row) => {
      const record: Json = JSON.parse(String(row['record']));
      return isObject(record) && record['source_name'] === name;
    });
    return found === undefined ? null : String(found['id']);
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
  const context = performing(environment, transaction, caller);
  return once(context, command.idempotency, async () => ({
    kind: 'records',
    stored: await makeDatasets(context, command),
  }));
}

/** Changes fields of a record where they differ; a record that is gone is left so. */
async function note(context: WriteContext, name: string, id: string, fields: JsonObject): Promise<WriteResult> {
  const resource = context.environment.registry.resource(name);
  const stored = await load(context, resource, id);
  const record: JsonObject = stored === null ? {} : recordOf(stored);
  const isKnown =
    stored === null || Object.entries(fields).every(([field, value]) => sameJson(record[field] ?? null, value));
  if (!isKnown) await changeRecord(context, resource, id, fields);
  return { kind: 'done', count: isKnown ? 0 : 1, id };
}

async function claimDue(
  context: WriteContext,
  { at, untilAt, most }: OfSources & { kind: 'claim' },
): Promise<WriteResult> {
  const { transaction, environment } = context;
  const due = await transaction.rows(
    sql`select t.id from securable t where t.sync_due_at <= ${at} order by t.sync_due_at limit ${most}${transaction.dialect.forUpdate}`,
  );
  const stored: StoredRecord[] = [];
  for (const row of due) {
    const id = String(row['id']);
    await transaction.run(sql`update securable set sync_due_at = ${untilAt} where id = ${id}`);
    const found = await load(context, environment.registry.resource('securable'), id);
    if (found !== null) stored.push(found);
  }
  return { kind: 'records', stored };
}

async function columns(context: WriteContext, command: OfSources & { kind: 'columns' }): Promise<WriteResult> {
  const { securableId, columns: found, attempted, dueAt } = command;
  const count = found === null ? 0 : await mergeColumns(workOf(context), securableId, found);
  const read: JsonObject =
    found === null ? {} : { last_metadata_sync_at: context.now, empty_values: emptyValuesOf(found) };
  const tried: JsonObject = attempted ? { last_metadata_sync_attempt_at: context.now } : {};
  if (attempted) {
    const securable = context.environment.registry.resource('securable');
    await changeRecord(context, securable, securableId, { ...read, ...tried, sync_due_at: dueAt });
  } else {
    await context.transaction.run(sql`update securable set sync_due_at = ${dueAt} where id = ${securableId}`);
  }
  return { kind: 'done', count, id: securableId };
}

/** Everything the writer does because a source was read. Raises Problem. */
export async function learn(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: OfSources,
): Promise<WriteResult> {
  const context = performing(environment, transaction, null);
  switch (command.kind) {
    case 'datasets':
      return datasets(environment, transaction, command);
    case 'note':
      return note(context, command.resource, command.id, command.fields);
    case 'claim':
      return claimDue(context, command);
    case 'columns':
      return columns(context, command);
    case 'version': {
      const { securableId, before, version } = command;
      const count = await transaction.run(
        sql`update securable set data_version = ${version} where id = ${securableId} and data_version = ${before}`,
      );
      return { kind: 'done', count, id: securableId };
    }
  }
}
