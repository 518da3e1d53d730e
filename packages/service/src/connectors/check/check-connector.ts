import { isDeepStrictEqual } from 'node:util';
import {
  duckdb,
  emit,
  emitOrNull,
  emitScan,
  parseQueries,
  plan,
  scansOf,
  shape,
  unsupportedBy,
  type Dialect,
  type Model,
  type Plan,
  type Relation,
} from '@inlay/query';
import { EngineProblem, type Engine, type EngineTable } from '../../engine/engine.ts';
import type {
  ConnectionParams,
  RunLimits,
  SourceColumn,
  SourceFeatures,
  SourceRows,
  SourceStatement,
  SqlConnector,
} from '../connector.ts';
import { SourceProblem } from '../problem.ts';
import { checkQueries, columnId, datasetId, type CheckQuery } from './check-queries.ts';

/** Result of one check. A `note` is useful to know, but not a fault. */
export interface ConnectorFinding {
  readonly level: 'pass' | 'fail' | 'note';
  readonly check: string;
  readonly description: string;
}

export interface ConnectorCheckOptions {
  readonly connector: SqlConnector;
  /** Computes the expected answers. */
  readonly engine: Engine;
  readonly params: ConnectionParams;
  /** Id of the table to query; null to look for a small one. */
  readonly table: string | null;
  readonly signal: AbortSignal;
}

type Findings = AsyncGenerator<ConnectorFinding, void, undefined>;

const pass = (check: string, description: string): ConnectorFinding => ({ level: 'pass', check, description });
const fail = (check: string, description: string): ConnectorFinding => ({ level: 'fail', check, description });
const note = (check: string, description: string): ConnectorFinding => ({ level: 'note', check, description });

/** Maximum number of rows of the table that is queried, since the engine needs all of them. */
const maxRows = 20_000;
/** Number of tables that are tried in search of a small one. */
const maxTables = 20;
const limits: RunLimits = { rowLimit: maxRows, byteLimit: 64_000_000, deadlineMs: 60_000 };

/** Returns the message of a failure at the source. Throws other errors again. */
function messageOf(error: unknown): string {
  if (error instanceof SourceProblem) return error.message;
  throw error;
}

function modelOf(columns: readonly SourceColumn[]): Model {
  const modelColumns = columns.map((column) => {
    const { name, type, subtype, storageType, nativeText } = column;
    const id = columnId(column);
    return [
      id,
      {
        id,
        datasetId,
        source: name,
        type,
        subtype,
        storageType,
        expression: null,
        separator: null,
        joins: [],
        ...(nativeText === true && { nativeText }),
      },
    ] as const;
  });
  return {
    datasets: new Map([[datasetId, { id: datasetId, columns: new Map(modelColumns), formulas: new Map() }]]),
  };
}

/** True if two cells are equal, numbers up to the rounding of doubles. */
function sameCell(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
  if (!Array.isArray(one) || !Array.isArray(other)) return isDeepStrictEqual(one, other);
  return one.length === other.length && one.every((cell, index) => sameCell(cell, other[index]));
}

/** Compares what a database answers with what the engine computes from the rows of the database. */
class Comparison {
  readonly #options: ConnectorCheckOptions;
  readonly #dialect: Dialect;
  readonly #relation: Relation;
  readonly #model: Model;

  constructor(options: ConnectorCheckOptions, dialect: Dialect, relation: Relation, columns: readonly SourceColumn[]) {
    this.#options = options;
    this.#dialect = dialect;
    this.#relation = relation;
    this.#model = modelOf(columns);
  }

  async check({ description, find }: CheckQuery): Promise<ConnectorFinding> {
    const { queries, faults } = parseQueries(find);
    const [query] = queries;
    if (query === undefined || faults.length > 0) throw new Error(`a check is no query: ${JSON.stringify(faults)}`);
    const planned = plan(query, this.#model, {
      nowMs: Date.now(),
      timeZone: 'UTC',
      weekstart: 1,
      locale: 'en',
      rowLimit: maxRows,
      rowFilters: new Map(),
    });
    const reason = unsupportedBy(planned, this.#dialect);
    if (reason !== null) return note('query', `${description}: the engine computes it (${reason})`);
    try {
      const expected = await this.#expected(planned);
      return sameCell(await this.#answer(planned), expected)
        ? pass('query', description)
        : fail('query', `${description}: other rows than the engine computes from the same rows`);
    } catch (error) {
      if (error instanceof EngineProblem) return note('query', `${description}: impossible with these rows`);
      return fail('query', `${description}: ${messageOf(error)}`);
    }
  }

  async #answer(planned: Plan): Promise<unknown> {
    const statement = emitOrNull(planned, this.#dialect, () => this.#relation, 'rows');
    if (statement === null) return null;
    return JSON.parse(`[${shape(await rowsOf(this.#options, statement), statement.columns, 'en')}]`);
  }

  async #expected(planned: Plan): Promise<unknown> {
    const { engine, params, signal } = this.#options;
    const tables = scansOf(planned).map((scan): EngineTable => {
      const statement = emitScan(scan, this.#dialect, this.#relation);
      const columns = scan.columns.length === 0 ? [{ name: 'one', storageType: 'integer' as const }] : scan.columns;
      return { name: scan.datasetId, source: { kind: 'rows', columns, rows: batchesOf(this.#options, statement) } };
    });
    const { sql, params: values } = emit(planned, duckdb, (id) => ({ kind: 'table', path: [id] }), 'json');
    const caller = { suborganization: null, authorizationId: '' };
    const job = { tenant: params.organizationId, caller, tables, sql, params: values, ...limits };
    const { chunks } = await engine.query(job, signal);
    const pieces: Uint8Array[] = [];
    for await (const piece of chunks) pieces.push(piece);
    return JSON.parse(`[${Buffer.concat(pieces).toString()}]`);
  }
}

async function* batchesOf(
  { connector, params, signal }: ConnectorCheckOptions,
  statement: SourceStatement,
  by: RunLimits = limits,
): AsyncGenerator<SourceRows> {
  yield* (await connector.run(params, statement, by, signal)).rows;
}

async function rowsOf(options: ConnectorCheckOptions, statement: SourceStatement): Promise<SourceRows> {
  const rows: SourceRows[number][] = [];
  for await (const batch of batchesOf(options, statement)) rows.push(...batch);
  return rows;
}

/** Sends the statements of a connection test. */
async function* connectionFindings({ connector, params, signal }: ConnectorCheckOptions): Findings {
  for (const { stage, ok, message } of await connector.test(params, signal))
    yield ok ? pass(stage, message) : fail(stage, message);
}

async function* serverFindings(
  { connector, params, signal }: ConnectorCheckOptions,
  { version, zones }: SourceFeatures,
): Findings {
  yield note('version', version);
  yield zones
    ? pass('zones', 'the server converts named time zones')
    : note('zones', 'the server knows no named time zones; the engine computes what needs them');
  yield (await connector.mayWrite(params, signal))
    ? note('user', 'the user may write; give Inlay one who may only read')
    : pass('user', 'the user may only read');
  const links = await connector.foreignKeys(params, signal);
  yield note('foreign keys', links.length === 0 ? 'none are told' : `${links.length} of one column`);
}

interface CheckedTable {
  readonly id: string;
  /** Quoted name of the table. */
  readonly name: string;
  readonly relation: Relation;
  readonly columns: readonly SourceColumn[];
}

/** Finds the table to query, and returns its columns; null if none is small enough. */
async function findTable(options: ConnectorCheckOptions, dialect: Dialect): Promise<CheckedTable | null> {
  const { connector, params, table, signal } = options;
  const listed = await connector.tables(params, signal);
  const small = listed.filter(({ rows }) => rows === null || rows <= maxRows).map(({ id }) => id);
  for (const id of table === null ? small.slice(0, maxTables) : [table]) {
    const path = connector.traits.path(id);
    const name = path.map((part) => dialect.quote(part)).join('.');
    const [[count] = []] = await rowsOf(options, { sql: `select count(*) from ${name}`, params: [] });
    if (Number(count) === 0 || Number(count) > maxRows) continue;
    const columns = await connector.describe(params, { table: id }, signal);
    return { id, name, relation: { kind: 'table', path }, columns };
  }
  return null;
}

/** Checks that a custom query has the columns of its table. */
async function* queryFindings(
  { connector, params, signal }: ConnectorCheckOptions,
  { name, columns }: CheckedTable,
): Findings {
  try {
    const described = await connector.describe(params, { query: `select * from ${name}` }, signal);
    const isSame =
      described.length === columns.length && described.every(({ name: of }, index) => of === columns[index]?.name);
    yield isSame
      ? pass('custom query', 'has the columns of its table')
      : fail('custom query', `has ${described.length} columns, and its table ${columns.length}`);
  } catch (error) {
    yield fail('custom query', messageOf(error));
  }
}

/** Checks that a statement ends at its deadline, and that the next one is answered. */
async function* deadlineFindings(options: ConnectorCheckOptions, statement: SourceStatement): Findings {
  const { connector, params, signal } = options;
  const cause = await connector.run(params, statement, { ...limits, deadlineMs: 1 }, signal).then(
    () => 'answered',
    (error: unknown) => (error instanceof SourceProblem ? error.cause : 'failed'),
  );
  if (cause === 'answered') yield note('deadline', 'a statement with a deadline of 1 ms is answered before it');
  else
    yield cause === 'timeout' || cause === 'busy'
      ? pass('deadline', 'a statement ends at its deadline')
      : fail('deadline', `a statement whose deadline has passed ends as ${cause}`);
  try {
    await rowsOf(options, statement);
    yield pass('after a deadline', 'the next statement is answered');
  } catch (error) {
    yield fail('after a deadline', messageOf(error));
  }
}

/**
 * Checks a source of a user, and compares its answers with those of the engine over the same rows. Only reads. Ends
 * after the first step that makes further ones impossible.
 */
export async function* checkConnector(options: ConnectorCheckOptions): Findings {
  const { connector, params, signal } = options;
  for await (const finding of connectionFindings(options)) {
    yield finding;
    if (finding.level === 'fail') return;
  }
  try {
    const features = await connector.features(params, signal);
    yield* serverFindings(options, features);
    const { dialect: known } = connector.traits;
    const dialect = typeof known === 'function' ? known(features) : known;
    const table = await findTable(options, dialect);
    if (table === null) {
      yield note('table', `none of the first ${maxTables} has 1 to ${maxRows} rows; name one with --table`);
      return;
    }
    yield pass('table', `${table.id}: ${table.columns.length} columns`);
    yield* queryFindings(options, table);
    const comparison = new Comparison(options, dialect, table.relation, table.columns);
    for (const query of checkQueries(table.columns)) yield await comparison.check(query);
    yield* deadlineFindings(options, { sql: `select count(*) from ${table.name}`, params: [] });
  } catch (error) {
    yield fail('source', messageOf(error));
  }
}
