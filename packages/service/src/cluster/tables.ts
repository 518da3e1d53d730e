import type { SourceRows } from '../connectors/connector.ts';
import { trinoText } from '@inlay/query';
import { publishedDialect } from '../data/cluster/cluster.ts';
import type { ClusterSchema } from './connect.ts';
import type { FileColumn } from '../engine/engine.ts';
import { Problem } from '../problems/problem.ts';
import type { TableNames } from './publication-names.ts';

/** Returns the quoted name of a table. */
const nameOf = (place: readonly string[]): string => place.map((name) => publishedDialect.quote(name)).join('.');

/** Precision of times in the catalog, as the property `hive.timestamp-precision` names it, and the type for it. */
const timeTypes: ReadonlyMap<string, string> = new Map([
  ['MICROSECONDS', 'timestamp(6)'],
  ['NANOSECONDS', 'timestamp(9)'],
]);

/** The tables of publications at the cluster: external tables over Parquet files. */
export class ClusterTables {
  readonly names: TableNames;
  readonly #schema: ClusterSchema;

  constructor(schema: ClusterSchema, names: TableNames) {
    this.#schema = schema;
    this.names = names;
  }

  /**
   * Creates a table over the files at a location, and proves that the cluster reads all their rows. Raises Problem
   * `source_failed`, SourceProblem.
   */
  async create(
    place: readonly string[],
    location: string,
    files: { readonly columns: readonly FileColumn[]; readonly rows: number },
    signal: AbortSignal,
  ): Promise<void> {
    const timeType = files.columns.some(({ type }) => type === 'TIMESTAMP') ? await this.#timeType(signal) : '';
    const columns = files.columns.map(({ type }, index) => `c${index} ${type === 'TIMESTAMP' ? timeType : type}`);
    const options = `format = 'PARQUET', external_location = ${trinoText(location)}`;
    await this.#run(`CREATE TABLE ${nameOf(place)} (${columns.join(', ')}) WITH (${options})`, signal);
    const [[count] = []] = await this.#run(`SELECT count(*) FROM ${nameOf(place)}`, signal);
    if (Number(count) === files.rows) return;
    throw new Problem('source_failed', {
      message: `The cluster reads ${String(count)} of ${files.rows} rows at ${location}. Check that INLAY_CLUSTER_LOCATION names the folder INLAY_CLUSTER_FILES.`,
    });
  }

  /** Deletes a table, if it exists. Its files stay. Raises SourceProblem. */
  async drop(place: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#run(`DROP TABLE IF EXISTS ${nameOf(place)}`, signal);
  }

  /** Returns the ids of the publications that have a table. Raises SourceProblem. */
  async list(signal: AbortSignal): Promise<readonly string[]> {
    const { catalog, schema } = this.#schema;
    const tables = nameOf([catalog, 'information_schema', 'tables']);
    const rows = await this.#run(`SELECT table_name FROM ${tables} WHERE table_schema = ${trinoText(schema)}`, signal);
    return rows.flatMap(([name]) => this.names.idOf(String(name)) ?? []);
  }

  /** Returns the type of times. Raises Problem `source_failed` if the catalog would truncate times. */
  async #timeType(signal: AbortSignal): Promise<string> {
    const { catalog } = this.#schema;
    const rows = await this.#run(`SHOW SESSION LIKE ${trinoText(`${catalog}.timestamp_precision`)}`, signal);
    const [[, precision] = []] = rows;
    const type = timeTypes.get(String(precision));
    if (type !== undefined) return type;
    throw new Problem('source_failed', {
      message: `The catalog ${catalog} does not read times to the microsecond. Set hive.timestamp-precision=MICROSECONDS in its properties at all nodes of the cluster.`,
    });
  }

  #run(text: string, signal: AbortSignal): Promise<SourceRows> {
    return this.#schema.execute(text, signal);
  }
}
