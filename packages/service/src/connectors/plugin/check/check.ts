import type { Scalar } from '@inlay/query';
import { authorizationOf } from '../authorization.ts';
import { bodyOf, textOf } from '../client.ts';
import { datasetsOf, type PluginDataset } from '../datasets.ts';
import { filtered, grouped, sameRows } from './expected.ts';
import { PluginFault } from '../fault.ts';
import { readRows } from '../json-rows.ts';
import type { CallOptions, Plugins } from '../plugin.ts';
import {
  authorizeCall,
  datasetsCall,
  levelWords,
  queryCall,
  type PluginColumnRef,
  type PluginFilter,
  type PluginReach,
  type PushedAggregation,
} from '../protocol.ts';
import { rowOf, type RowColumn } from '../rows.ts';

/** Result of one check. A `note` is useful to know, but not a fault. */
export interface CheckFinding {
  readonly level: 'pass' | 'fail' | 'note';
  readonly check: string;
  readonly description: string;
}

type Row = readonly Scalar[];

const maxRows = 100_000;
const maxDatasets = 20;

const pass = (check: string, description: string): CheckFinding => ({ level: 'pass', check, description });
const fail = (check: string, description: string): CheckFinding => ({ level: 'fail', check, description });
const note = (check: string, description: string): CheckFinding => ({ level: 'note', check, description });

/** Converts a fault of the plugin to a finding. Throws other errors again. */
function findingOf(check: string, error: unknown): CheckFinding {
  if (!(error instanceof PluginFault)) throw error;
  return fail(check, `it ${error.message}`);
}

const statusOf = (plugins: Plugins, reach: PluginReach, options: CallOptions): Promise<number> =>
  plugins.call(datasetsCall(reach), options, async (answer) => {
    await textOf(answer);
    return answer.status;
  });

/**
 * Detects the protocol version by listing the tables. Returns version 2 only if the plugin refuses the request of
 * version 1 and accepts that of version 2.
 */
async function detectedProtocol(plugins: Plugins, reach: PluginReach, options: CallOptions): Promise<string> {
  const [olderVersion, newerVersion] = ['1.0.0', '2.0.0'];
  try {
    if (![400, 404, 405, 501].includes(await statusOf(plugins, { ...reach, protocolVersion: olderVersion }, options)))
      return olderVersion;
    const status = await statusOf(plugins, { ...reach, protocolVersion: newerVersion }, options);
    return [400, 404, 405, 501].includes(status) ? olderVersion : newerVersion;
  } catch (error) {
    // The checks that follow report the fault.
    if (error instanceof PluginFault) return olderVersion;
    throw error;
  }
}

/** Sends a plugin every kind of request that the service uses. Reports which answers follow the protocol. */
export async function* checkPlugin(
  plugins: Plugins,
  settings: PluginReach,
  options: CallOptions,
): AsyncGenerator<CheckFinding, void, undefined> {
  const protocolVersion = settings.protocolVersion === '' ? await detectedProtocol(plugins, settings, options) : null;
  const reach = protocolVersion === null ? settings : { ...settings, protocolVersion };
  if (protocolVersion === '2.0.0')
    yield pass('protocol', `answers /datasets as a plugin of protocol ${protocolVersion}`);
  yield await authorizeFinding(plugins, reach, options);
  if (reach.secret !== null) yield await secretFinding(plugins, reach, options);
  let datasets: readonly PluginDataset[];
  try {
    datasets = datasetsOf(await plugins.json(datasetsCall(reach), options));
  } catch (error) {
    yield findingOf('datasets', error);
    return;
  }
  const columns = datasets.reduce((sum, dataset) => sum + dataset.columns.length, 0);
  yield datasets.length === 0
    ? note('datasets', 'lists no dataset')
    : pass('datasets', `lists ${datasets.length} with ${columns} columns`);
  yield await missingFinding(plugins, reach, options);
  for (const dataset of datasets.slice(0, maxDatasets)) yield* datasetFindings(plugins, reach, options, dataset);
  if (datasets.length > maxDatasets) yield note('datasets', `only the first ${maxDatasets} were looked into`);
}

async function authorizeFinding(plugins: Plugins, reach: PluginReach, options: CallOptions): Promise<CheckFinding> {
  try {
    const answer = await plugins.call(authorizeCall(reach), options, async (response) => ({
      status: response.status,
      mediaType: response.headers.get('content-type') ?? '',
      text: await textOf(response),
    }));
    const authorization = authorizationOf(answer, { secrets: [], isOauth2: true, isPlainAllowed: true });
    if (authorization.kind === 'refused')
      return fail('authorize', `refuses these credentials: ${authorization.message}`);
    if (authorization.kind === 'consent') return pass('authorize', 'answers where a person consents (oauth2)');
    return pass(
      'authorize',
      answer.status === 404 ? 'is not there, which lets every account in' : 'lets the account in',
    );
  } catch (error) {
    return findingOf('authorize', error);
  }
}

/**
 * Checks if the plugin refuses a wrong secret. Otherwise, anyone who knows the address of the plugin can read all its
 * data.
 */
async function secretFinding(plugins: Plugins, reach: PluginReach, options: CallOptions): Promise<CheckFinding> {
  try {
    const status = await statusOf(plugins, { ...reach, secret: `${reach.secret ?? ''}-wrong` }, options);
    if (status >= 200 && status < 300)
      return note('secret', 'is not looked at: /datasets answers whoever sends another X-Secret');
    return status === 401 || status === 403
      ? pass('secret', `another one is refused (${status})`)
      : note('secret', `another one is answered ${status}; 401 or 403 would say that it is refused`);
  } catch (error) {
    return findingOf('secret', error);
  }
}

async function missingFinding(plugins: Plugins, reach: PluginReach, options: CallOptions): Promise<CheckFinding> {
  const id = 'no-such-dataset-8f2c';
  try {
    const call = queryCall(reach, { id, columns: [], filters: [], options: { pushdown: false } });
    const status = await plugins.call(call, options, async (answer) => {
      await textOf(answer);
      return answer.status;
    });
    return status === 404
      ? pass('missing dataset', 'is answered 404')
      : note('missing dataset', `is answered ${status} instead of 404, so nobody is told that it is gone`);
  } catch (error) {
    return findingOf('missing dataset', error);
  }
}

interface CheckQuery {
  readonly columns: readonly PluginColumnRef[];
  readonly shape: readonly RowColumn[];
  readonly filters?: readonly PluginFilter[];
  readonly pushdown: boolean;
}

async function rowsOf(
  plugins: Plugins,
  reach: PluginReach,
  options: CallOptions,
  id: string,
  query: CheckQuery,
): Promise<Row[]> {
  const { columns, filters = [], pushdown, shape } = query;
  const call = queryCall(reach, { id, columns, filters, options: { pushdown } });
  return plugins.call(call, options, async (answer) => {
    const rows: Row[] = [];
    for await (const batch of readRows(bodyOf(answer))) {
      for (const row of batch) rows.push(rowOf(row, shape, rows.length));
      if (rows.length > maxRows) throw new PluginFault('limit', `answers more than ${maxRows} rows`);
    }
    return rows;
  });
}

async function* datasetFindings(
  plugins: Plugins,
  reach: PluginReach,
  options: CallOptions,
  dataset: PluginDataset,
): AsyncGenerator<CheckFinding, void, undefined> {
  const { id, columns } = dataset;
  const ask = (query: CheckQuery): Promise<Row[]> => rowsOf(plugins, reach, options, id, query);
  const allRowsQuery = {
    columns: columns.map((column) => ({ column_id: column.id })),
    shape: columns,
    pushdown: false,
  };
  let rows: readonly Row[];
  try {
    rows = await ask(allRowsQuery);
    yield pass(`rows of ${id}`, `${rows.length}, each with the ${columns.length} cells that /datasets says`);
  } catch (error) {
    return yield findingOf(`rows of ${id}`, error);
  }
  const filters = filtersFor(dataset, rows);
  let failureCount = 0;
  for (const filter of filters) {
    const finding = await filterFinding(dataset, rows, filter, () => ask({ ...allRowsQuery, filters: [filter] }));
    if (finding === null) continue;
    failureCount += 1;
    yield finding;
  }
  if (failureCount === 0)
    yield pass(`filters on ${id}`, `${filters.length} sent, none loses a row that it should keep`);
  if (!reach.pushdown) return;
  for (const query of groupsFor(dataset)) {
    const check = `groups of ${id}: ${query.columns.map(nameOf).join(', ')}`;
    try {
      const keys = query.columns.filter(({ aggregation }) => aggregation === undefined).length;
      const isRight = sameRows(await ask(query), grouped(dataset, rows, query.columns), keys);
      yield isRight ? pass(check, 'agree with the rows') : fail(check, 'differ from what the rows give');
    } catch (error) {
      yield findingOf(check, error);
    }
  }
}

/**
 * Checks the answer to a request with one filter. Returns null if the answer is correct. It may contain other rows too,
 * since the engine applies the filter again.
 */
async function filterFinding(
  dataset: PluginDataset,
  rows: readonly Row[],
  filter: PluginFilter,
  ask: () => Promise<readonly Row[]>,
): Promise<CheckFinding | null> {
  const check = `filter ${filter.expression} on ${dataset.id}.${filter.column_id}`;
  const expected = filtered(dataset, rows, filter).length;
  try {
    const rowCount = filtered(dataset, await ask(), filter).length;
    return rowCount === expected ? null : fail(check, `gives ${rowCount} of the ${expected} rows that it should keep`);
  } catch (error) {
    return findingOf(check, error);
  }
}

const nameOf = ({ column_id, level, aggregation }: PluginColumnRef): string =>
  [aggregation, column_id, level].filter((part) => part !== undefined).join(' ');

/**
 * Chooses filters that select some rows: for each column, a value that occurs, and null if the column contains nulls.
 */
function filtersFor({ columns }: PluginDataset, rows: readonly Row[]): readonly PluginFilter[] {
  return columns.flatMap(({ id, type }, place): readonly PluginFilter[] => {
    const cells = rows.map((row) => row[place] ?? null);
    const value = cells.find((cell) => cell !== null);
    if (type === 'spatial' || value === undefined) return [];
    const filterBy = (expression: PluginFilter['expression'], ...values: Row): PluginFilter => ({
      column_id: id,
      expression,
      value: values,
    });
    const orderFilters =
      type === 'hierarchy'
        ? []
        : [filterBy('>=', value), filterBy('<', value), filterBy('<=', value), filterBy('>', value)];
    return [
      filterBy('=', value),
      filterBy('in', value, null),
      filterBy('not in', value),
      filterBy('is null'),
      filterBy('is not null'),
      ...orderFilters,
    ];
  });
}

/** Chooses groups to request: by a text column, by each level of a time column, and all rows as one group. */
function groupsFor({ columns }: PluginDataset): readonly CheckQuery[] {
  const text = columns.find(({ type }) => type === 'hierarchy');
  const time = columns.find(({ type }) => type === 'datetime');
  const number = columns.find(({ type }) => type === 'numeric');
  const numeric = (id: string): RowColumn => ({ id, type: 'numeric' });
  const of = (column: RowColumn | undefined, aggregations: readonly PushedAggregation[]): readonly PluginColumnRef[] =>
    column === undefined ? [] : aggregations.map((aggregation) => ({ column_id: column.id, aggregation }));
  const count: PluginColumnRef = { column_id: '*', aggregation: 'count' };
  const measures = [count, ...of(number, ['sum', 'min', 'max', 'count']), ...of(text, ['count', 'distinctcount'])];
  const queryOf = (
    keys: readonly PluginColumnRef[],
    shape: readonly RowColumn[],
    sums: readonly PluginColumnRef[],
  ): CheckQuery => ({
    columns: [...keys, ...sums],
    shape: [...shape, ...sums.map(nameOf).map(numeric)],
    pushdown: true,
  });
  return [
    queryOf([], [], measures),
    ...(text === undefined
      ? []
      : [queryOf([{ column_id: text.id }], [text], [count, ...of(number, ['sum', 'min', 'max'])])]),
    ...(time === undefined ? [] : levelWords.map((level) => queryOf([{ column_id: time.id, level }], [time], [count]))),
  ];
}
