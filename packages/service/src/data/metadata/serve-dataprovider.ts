import { filledText, listOr, objectOr, textOr, timestamp, type JsonObject, type Json } from '@inlay/contract';
import type { Connector, SourceLink, SourceTable } from '../../connectors/connector.ts';
import { referenceTo } from '../../callers/caller-of.ts';
import { textsOf } from '../../search/records.ts';
import type { Command, WriteResult } from '../../commands/command.ts';
import type { NewDataset, NewLookup } from '../../commands/sources.ts';
import { Problem } from '../../problems/problem.ts';
import type { Registry } from '../../resource/registry.ts';
import type { ServedHandler, ServedRequest } from '../../resource/served.ts';
import type { Store } from '../../store/store.ts';
import { toProblem } from '../problems.ts';
import { newDataset } from './found.ts';
import { usableAccount } from '../model/load-account.ts';
import { resolveAccount, type ResolvedAccount } from '../resolve-account.ts';
import { atSource, type SourceAsking } from '../run/at-source.ts';
import { connectorOf, type AccountResolver } from '../sources.ts';
import { dueAfter } from './sync-due.ts';

/** Dependencies for listing and describing the tables of sources. */
export interface DataProviderContext extends AccountResolver, SourceAsking {
  readonly store: Store<Command, WriteResult>;
  readonly registry: Registry;
  /** Stores facts about a record in the background. */
  readonly note: (resource: string, id: string, fields: JsonObject) => void;
}

interface OpenedSource {
  readonly resolved: ResolvedAccount;
  readonly connector: Connector;
}

async function openAccount(
  context: DataProviderContext,
  { caller, input }: ServedRequest,
  at: string,
): Promise<OpenedSource> {
  const account = await usableAccount(context.store, caller, textOr(input['account_id'], '').toLowerCase(), at);
  const resolvedAccount = resolveAccount(account, null, caller.authorizationId, context.open, context.now());
  const provider = textOr(account.record['provider'], '');
  const providerName = input['provider'];
  if (typeof providerName === 'string' && providerName !== provider)
    throw new Problem('validation_failed', {
      validation: { [at.replace('account_id', 'provider')]: [`the account is of ${provider}`] },
    });
  return connectorOf(context, resolvedAccount, caller, null);
}

async function tablesOf(
  context: DataProviderContext,
  { resolved, connector }: OpenedSource,
  { signal, trace }: Pick<ServedRequest, 'signal' | 'trace'>,
): Promise<readonly SourceTable[]> {
  const tables = await atSource(context, resolved, trace, (params) => connector.tables(params, signal));
  const { id, record } = resolved.account;
  if (record['synced'] !== true) context.note('account', id, { synced: true });
  if (connector.kind === 'sql') {
    const mayWrite = await connector.mayWrite(resolved.params, signal);
    if (record['user_may_write'] !== mayWrite) context.note('account', id, { user_may_write: mayWrite });
  }
  return tables;
}

const foreignKeysOf = (
  context: DataProviderContext,
  { resolved, connector }: OpenedSource,
  { signal, trace }: Pick<ServedRequest, 'signal' | 'trace'>,
): Promise<readonly SourceLink[]> =>
  connector.kind === 'sql'
    ? atSource(context, resolved, trace, (params) => connector.foreignKeys(params, signal))
    : Promise.resolve([]);

/** Tests the connection step by step. The answer contains the result of each step. */
async function testConnection(context: DataProviderContext, request: ServedRequest): Promise<string> {
  const { resolved, connector } = await openAccount(context, request, 'find.account_id');
  const stages = await connector.test(resolved.params, request.signal);
  const signIn = stages.find(({ stage }) => stage === 'sign_in');
  if (signIn !== undefined && (signIn.ok || signIn.cause === 'credentials')) context.credentials(resolved, signIn.ok);
  return JSON.stringify({ count: stages.length, rows: stages, data: stages });
}

async function listTables(context: DataProviderContext, request: ServedRequest): Promise<string> {
  const openedSource = await openAccount(context, request, 'find.account_id');
  const tables = await tablesOf(context, openedSource, request);
  const keys = Map.groupBy(await foreignKeysOf(context, openedSource, request), ({ table }) => table);
  const rows = tables.map(({ id, name, schema, kind, rows: count }) => ({
    id,
    name: { en: name },
    schema,
    table: name,
    type: kind,
    kind,
    rows: count,
    links: (keys.get(id) ?? []).map(({ column, toTable, toColumn, cardinality }) => ({
      column,
      dataset: toTable,
      dataset_column: toColumn,
      cardinality,
    })),
  }));
  return JSON.stringify({ count: rows.length, rows, data: rows });
}

/**
 * Returns the requested tables: first those requested by id, then those by name. Raises Problem that lists the missing
 * tables.
 */
function chosen(tables: readonly SourceTable[], input: JsonObject): readonly SourceTable[] {
  const byId = listOr(input['datasets']).map((id, index) => ({
    at: `properties.datasets[${index}]`,
    table: tables.find((table) => table.id === id),
  }));
  const byName = listOr(input['tables']).flatMap((entry, index) =>
    isQuery(entry)
      ? []
      : {
          at: `properties.tables[${index}]`,
          table: tables.find((table) => isNamed(table, objectOr(entry))),
        },
  );
  const chosenTables = [...byId, ...byName];
  const missingTables = chosenTables.filter(({ table }) => table === undefined);
  if (missingTables.length > 0) {
    const validation = Object.fromEntries(missingTables.map(({ at }) => [at, ['the connection has no such table']]));
    throw new Problem('reference_unknown', { validation });
  }
  return chosenTables.flatMap(({ table }) => table ?? []);
}

const isQuery = (entry: Json): boolean => objectOr(entry)['sql'] !== undefined;

/**
 * True if a table matches `{schema, table}`. If the request or the source has no schema, only the name or the id must
 * match.
 */
const isNamed = ({ id, name, schema }: SourceTable, entry: JsonObject): boolean => {
  const schemaName = filledText(entry['schema']);
  return schemaName === null || schema === null
    ? entry['table'] === name || entry['table'] === id
    : entry['table'] === name && schemaName === schema;
};

/**
 * Describes a dataset with the columns of a query. The query is checked like any `source_query`. Raises SourceProblem.
 */
async function datasetOfQuery(
  context: DataProviderContext,
  { resolved, connector }: OpenedSource,
  { name, text, dueAt }: { readonly name: string; readonly text: string; readonly dueAt: string | null },
  { signal, trace }: Pick<ServedRequest, 'signal' | 'trace'>,
): Promise<NewDataset> {
  const columns = await atSource(context, resolved, trace, (params) =>
    connector.describe(params, { query: text }, signal),
  );
  const provider = textOr(resolved.account.record['provider'], '');
  const table = { id: '', name, schema: null, kind: 'dataset', rows: null } as const;
  const dataset = newDataset(resolved.account.id, provider, table, columns, dueAt);
  return { ...dataset, set: { ...dataset.set, source_dataset: null, source_query: text } };
}

async function makeDatasets(context: DataProviderContext, request: ServedRequest): Promise<string> {
  const { caller, input, signal, idempotency, trace } = request;
  const openedSource = await openAccount(context, request, 'properties.account_id');
  const { resolved, connector } = openedSource;
  const tables = chosen(await tablesOf(context, openedSource, request), input);
  const provider = textOr(resolved.account.record['provider'], '');
  const dueAt = dueAfter(
    resolved.account.record,
    { meta_sync_enabled: true, meta_sync_inherit: true },
    timestamp(context.now()),
  );
  const datasets = [];
  for (const table of tables) {
    const columns = await atSource(context, resolved, trace, (params) =>
      connector.describe(params, { table: table.id }, signal),
    );
    datasets.push(newDataset(resolved.account.id, provider, table, columns, dueAt));
  }
  for (const query of [...listOr(input['tables']).filter(isQuery), ...listOr(input['queries'])]) {
    const { name, sql } = objectOr(query);
    datasets.push(
      await datasetOfQuery(context, openedSource, { name: textOr(name, ''), text: textOr(sql, ''), dueAt }, request),
    );
  }
  const places = new Map(tables.map(({ id }, place) => [id, place]));
  const keys = await foreignKeysOf(context, openedSource, request);
  const lookups = keys.flatMap(({ table, column, toTable, toColumn }): readonly NewLookup[] => {
    const [from, to] = [places.get(table), places.get(toTable)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, column, to, toColumn }];
  });
  const result = await context.store.write({
    kind: 'datasets',
    caller: referenceTo(caller),
    datasets,
    lookups,
    idempotency,
  });
  if (result.kind === 'problem') throw new Problem(result.problem.code, result.problem);
  if (result.kind === 'records' && result.replayed === true) request.replays?.();
  if (result.kind !== 'records') throw new Error('datasets were answered as something else');
  const recordContext = { reader: context.store, registry: context.registry, caller };
  const visibleRecords = result.stored.map((storedRecord) => ({ stored: storedRecord, hiddenFields: [] }));
  const rows = await textsOf(recordContext, context.registry.resource('securable'), visibleRecords);
  const list = `[${rows.join(',')}]`;
  return `{"count":${rows.length},"rows":${list},"data":${list}}`;
}

/** Creates the handler that lists the tables of a connection and creates datasets from them. */
export const createDataproviderHandler =
  (context: DataProviderContext): ServedHandler =>
  async (request) => {
    try {
      const { operation, input } = request;
      const answer = operation === 'create' ? makeDatasets : input['validate'] === true ? testConnection : listTables;
      return { body: await answer(context, request) };
    } catch (error) {
      throw toProblem(error, '');
    }
  };
