import { isList, timestamp, type JsonObject } from '@inlay/contract';
import type { Connector, SourceLink, SourceTable } from '../connectors/connector.ts';
import { textsOf } from '../pipeline/records.ts';
import type { Command, NewLookup, Written } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { Registry } from '../resource/registry.ts';
import type { Serve, ServedRequest } from '../resource/served.ts';
import type { Store } from '../store/store.ts';
import { toldProblem } from './answer.ts';
import { newDataset } from './metadata/found.ts';
import { usableAccount } from './model/load-account.ts';
import { reachOf, type Reached } from './reach.ts';
import { atSource, type Runners } from './run.ts';
import { connectorOf, type Reaching } from './sources.ts';
import { dueAfter } from './metadata/sync-due.ts';

/** What listing and describing sources works with. */
export interface Providing extends Reaching, Pick<Runners, 'credentials'> {
  readonly store: Store<Command, Written>;
  readonly registry: Registry;
  /** Notes what was learnt about a record; nobody waits for it. */
  readonly note: (resource: string, id: string, fields: JsonObject) => void;
}

const words = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Opened {
  readonly reached: Reached;
  readonly connector: Connector;
}

async function openAccount(providing: Providing, { caller, asked }: ServedRequest, at: string): Promise<Opened> {
  const account = await usableAccount(providing.store, caller, words(asked['account_id']).toLowerCase(), at);
  const reached = reachOf(account, null, caller.authorizationId, providing.open, providing.now());
  const provider = words(account.record['provider']);
  const wanted = asked['provider'];
  if (typeof wanted === 'string' && wanted !== provider)
    throw new Problem('validation_failed', {
      validation: { [at.replace('account_id', 'provider')]: [`the account is of ${provider}`] },
    });
  return connectorOf(providing, reached, caller, null);
}

async function tablesOf(
  providing: Providing,
  { reached, connector }: Opened,
  signal: AbortSignal,
): Promise<readonly SourceTable[]> {
  const tables = await atSource(providing, reached, () => connector.tables(reached.reach, signal));
  const { id, record } = reached.account;
  if (record['synced'] !== true) providing.note('account', id, { synced: true });
  if (connector.kind === 'sql') {
    const mayWrite = await connector.mayWrite(reached.reach, signal);
    if (record['user_may_write'] !== mayWrite) providing.note('account', id, { user_may_write: mayWrite });
  }
  return tables;
}

const foreignKeysOf = (
  providing: Providing,
  { reached, connector }: Opened,
  signal: AbortSignal,
): Promise<readonly SourceLink[]> =>
  connector.kind === 'sql'
    ? atSource(providing, reached, () => connector.foreignKeys(reached.reach, signal))
    : Promise.resolve([]);

/** Tries the connection step by step and says in words what each step found. */
async function testConnection(providing: Providing, request: ServedRequest): Promise<string> {
  const { reached, connector } = await openAccount(providing, request, 'find.account_id');
  const stages = await connector.test(reached.reach, request.signal);
  const signIn = stages.find(({ stage }) => stage === 'sign_in');
  if (signIn !== undefined && (signIn.ok || signIn.cause === 'credentials')) providing.credentials(reached, signIn.ok);
  return JSON.stringify({ count: stages.length, rows: stages });
}

async function listTables(providing: Providing, request: ServedRequest): Promise<string> {
  const opened = await openAccount(providing, request, 'find.account_id');
  const tables = await tablesOf(providing, opened, request.signal);
  const keys = Map.groupBy(await foreignKeysOf(providing, opened, request.signal), ({ table }) => table);
  const rows = tables.map(({ id, name, schema, kind, rows: count }) => ({
    id,
    name: { en: name },
    schema,
    kind,
    rows: count,
    links: (keys.get(id) ?? []).map(({ column, toTable, toColumn, cardinality }) => ({
      ...{ column, dataset: toTable, dataset_column: toColumn, cardinality },
    })),
  }));
  return JSON.stringify({ count: rows.length, rows });
}

/** The tables asked for, in the order asked. Raises Problem naming those that are not there. */
function chosen(tables: readonly SourceTable[], ids: readonly string[]): readonly SourceTable[] {
  const byId = new Map(tables.map((table) => [table.id, table]));
  const missing = ids.flatMap((id, index) => (byId.has(id) ? [] : [`properties.datasets[${index}]`]));
  if (missing.length > 0) {
    const validation = Object.fromEntries(missing.map((at) => [at, ['the connection has no such table']]));
    throw new Problem('reference_unknown', { validation });
  }
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function makeDatasets(providing: Providing, request: ServedRequest): Promise<string> {
  const { caller, asked, signal, idempotency } = request;
  const opened = await openAccount(providing, request, 'properties.account_id');
  const { reached, connector } = opened;
  const ids = isList(asked['datasets']) ? asked['datasets'].map(words) : [];
  const tables = chosen(await tablesOf(providing, opened, signal), ids);
  const provider = words(reached.account.record['provider']);
  const dueAt = dueAfter(
    reached.account.record,
    { meta_sync_enabled: true, meta_sync_inherit: true },
    timestamp(providing.now()),
  );
  const datasets = [];
  for (const table of tables) {
    const columns = await atSource(providing, reached, () =>
      connector.describe(reached.reach, { table: table.id }, signal),
    );
    datasets.push(newDataset(reached.account.id, provider, table, columns, dueAt));
  }
  const isAnonymous = caller.authorizationId === caller.userId;
  const places = new Map(tables.map(({ id }, place) => [id, place]));
  const keys = await foreignKeysOf(providing, opened, signal);
  const lookups = keys.flatMap(({ table, column, toTable, toColumn }): readonly NewLookup[] => {
    const [from, to] = [places.get(table), places.get(toTable)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, column, to, toColumn }];
  });
  const written = await providing.store.write({
    kind: 'datasets',
    authorizationId: isAnonymous ? null : caller.authorizationId,
    anonymousUserId: isAnonymous ? caller.userId : null,
    datasets,
    lookups,
    idempotency,
  });
  if (written.kind === 'problem') throw new Problem(written.problem.code, written.problem);
  if (written.kind !== 'records') throw new Error('datasets were answered as something else');
  const asking = { reader: providing.store, registry: providing.registry, caller };
  const seen = written.stored.map((stored) => ({ stored, unseen: [] }));
  const rows = await textsOf(asking, providing.registry.resource('securable'), seen);
  return `{"count":${rows.length},"rows":[${rows.join(',')}]}`;
}

/** The part that lists the tables of a connection and makes datasets of them. */
export const createDataproviderPart =
  (providing: Providing): Serve =>
  async (request) => {
    try {
      const { operation, asked } = request;
      const answer = operation === 'create' ? makeDatasets : asked['validate'] === true ? testConnection : listTables;
      return { body: await answer(providing, request) };
    } catch (error) {
      throw toldProblem(error, '');
    }
  };
