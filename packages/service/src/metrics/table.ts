interface MetricDeclaration {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** One sentence, which is also the help text of the exposition. */
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper bounds of the buckets of a histogram, in seconds. */
  readonly buckets?: readonly number[];
  /** True for a gauge that counts what requests use, so that it is 0 while the service is idle. */
  readonly perRequest?: true;
}

const quickBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const slowBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/**
 * Every metric of the service except those of the process. Values of labels are fixed words, and never come from a
 * request.
 */
export const metricTable = {
  inlay_request_duration_seconds: {
    type: 'histogram',
    help: 'Time to answer a request.',
    labels: ['resource', 'operation', 'status'],
    buckets: quickBuckets,
  },
  inlay_requests_in_flight: { type: 'gauge', perRequest: true, help: 'Requests being answered.' },
  inlay_requests_unknown_sender: {
    type: 'gauge',
    perRequest: true,
    help: 'Requests in flight without verified credentials.',
  },
  inlay_bodies_reading: { type: 'gauge', perRequest: true, help: 'Bodies being read.' },
  inlay_bodies_waiting: { type: 'gauge', perRequest: true, help: 'Bodies that wait for their budget.' },
  inlay_bodies_reserved_bytes: { type: 'gauge', perRequest: true, help: 'Bytes reserved for bodies.' },
  inlay_bodies_on_disk: { type: 'gauge', perRequest: true, help: 'Bodies spooled to a file.' },
  inlay_bodies_work: { type: 'gauge', perRequest: true, help: 'Work on large bodies, waiting or running.' },
  inlay_answers_waiting: { type: 'gauge', perRequest: true, help: 'Large answers that wait for their budget.' },
  inlay_answers_reserved_bytes: { type: 'gauge', perRequest: true, help: 'Bytes reserved for large answers.' },
  inlay_answers_sending: {
    type: 'gauge',
    perRequest: true,
    help: 'Answers that are being written or read by their client.',
  },
  inlay_queries_total: {
    type: 'counter',
    help: 'Data queries that were answered, by where they ran (`cache` for cached results, `shared` for those that were read for another caller at the same moment, `none` where they were refused before) and their outcome: `ok`, or the code of the error.',
    labels: ['source', 'outcome'],
  },
  inlay_acceleration_queries_total: {
    type: 'counter',
    help: 'Data queries over accelerated datasets, by whether their copies answered (`hit`), or why the source did: `unaccelerated` where another remote dataset of the query has no acceleration, `pending` before the first refresh, `changed` where the account, table or columns are others than at the last refresh, `override` where a token replaces the connection, `too_old` for `max_age`, `lost` where the file is gone.',
    labels: ['outcome'],
  },
  inlay_cluster_queries_total: {
    type: 'counter',
    help: 'Data queries over rows at the cluster, by whether it answered (`ok`), or why the engine did: `refused`, `unknown_host`, `tls` or `credentials` where the service cannot sign in, `timeout`, `busy`, `limit`, `unavailable`, `missing` where the table is gone, `query` or `failed` where the cluster cannot run the query.',
    labels: ['outcome'],
  },
  inlay_rollup_queries_total: {
    type: 'counter',
    help: 'Data queries that copies of sources answered, by whether they read a rollup (`hit`) or the rows of the copy (`copy`).',
    labels: ['outcome'],
  },
  inlay_rollup_checks_total: {
    type: 'counter',
    help: 'Answers from rollups that were compared with those of the copy: `equal`, `unequal` (the rollup is switched off), or `failed` if they were not compared.',
    labels: ['outcome'],
  },
  inlay_query_duration_seconds: {
    type: 'histogram',
    help: 'Time that data queries ran, waiting excluded.',
    labels: ['source'],
    buckets: slowBuckets,
  },
  inlay_query_wait_seconds: {
    type: 'histogram',
    help: 'Time that data queries waited for a child process of the engine.',
    buckets: slowBuckets,
  },
  inlay_queries_pending: { type: 'gauge', perRequest: true, help: 'Admitted data queries without an answer yet.' },
  inlay_answer_cache_bytes: { type: 'gauge', help: 'Memory of cached query results.' },
  inlay_source_requests_total: {
    type: 'counter',
    help: 'Statements and calls sent to sources, by provider and outcome: `ok`, or the cause of the failure.',
    labels: ['provider', 'outcome'],
  },
  inlay_source_connections_held: {
    type: 'gauge',
    perRequest: true,
    help: 'Connections to sources in use or waited for.',
  },
  inlay_plugin_calls: { type: 'gauge', perRequest: true, help: 'Calls of plugins, running or waiting.' },
  inlay_engine_running: { type: 'gauge', perRequest: true, help: 'Statements running in the engine.' },
  inlay_engine_waiting: { type: 'gauge', perRequest: true, help: 'Statements that wait for the engine.' },
  inlay_engine_children: { type: 'gauge', help: 'Child processes of the engine.' },
  inlay_engine_children_slow: {
    type: 'gauge',
    help: 'Child processes of the engine with low priority, which run long statements.',
  },
  inlay_engine_children_retired_total: {
    type: 'counter',
    help: 'Child processes of the engine that were replaced, by reason.',
    labels: ['reason'],
  },
  inlay_ai_requests_total: {
    type: 'counter',
    help: 'Requests to the AI provider, by outcome: `used`, `unusable` where the answer did not pass the checks, `refused`, `timeout` or `failed`.',
    labels: ['outcome'],
  },
  inlay_trace_exports_total: {
    type: 'counter',
    help: 'Batches of spans sent to the collector of traces, by outcome: `ok` or `failed`.',
    labels: ['outcome'],
  },
  inlay_jobs_due: { type: 'gauge', help: 'Jobs of the queue that are due and not running.' },
  inlay_jobs_oldest_due_seconds: { type: 'gauge', help: 'How long the oldest of these jobs has been due.' },
  inlay_jobs_running: { type: 'gauge', help: 'Jobs that this instance runs.' },
  inlay_jobs_dead: { type: 'gauge', help: 'Jobs that failed at every attempt and wait for the operator.' },
  inlay_job_duration_seconds: {
    type: 'histogram',
    help: 'Time of one attempt of a job, by type and outcome: `completed`, `retry`, `skipped` (a scheduled job that runs again at its next time), `postponed` (it found no free place; the attempt does not count), `dead` or `released` (handed to another instance).',
    labels: ['type', 'outcome'],
    buckets: slowBuckets,
  },
  inlay_exports: { type: 'gauge', perRequest: true, help: 'Exports of rows in progress.' },
  inlay_sign_ins_total: {
    type: 'counter',
    help: 'Sign-ins by method (`password`, `sso`) and outcome: `ok`, or the cause of the failure.',
    labels: ['method', 'outcome'],
  },
  inlay_passwords_pending: { type: 'gauge', perRequest: true, help: 'Passwords being hashed, or waiting.' },
  inlay_store_duration_seconds: {
    type: 'histogram',
    help: 'Time of reads, searches and writes of the store, waiting included.',
    labels: ['operation'],
    buckets: quickBuckets,
  },
  inlay_store_failures_total: {
    type: 'counter',
    help: 'Reads, searches and writes that the store did not answer.',
    labels: ['operation'],
  },
  inlay_secrets_unreadable: {
    type: 'gauge',
    help: 'Stored secrets that this instance cannot open, since it does not have their key.',
  },
  inlay_store_reads_pending: { type: 'gauge', perRequest: true, help: 'Reads and searches waiting or running.' },
  inlay_store_writes_pending: { type: 'gauge', perRequest: true, help: 'Writes waiting or running.' },
} as const satisfies Readonly<Record<string, MetricDeclaration>>;

type Table = typeof metricTable;
export type MetricName = keyof Table;

type NamesOf<Type extends MetricDeclaration['type']> = {
  [Name in MetricName]: Table[Name]['type'] extends Type ? Name : never;
}[MetricName];
export type CounterName = NamesOf<'counter'>;
export type HistogramName = NamesOf<'histogram'>;
export type GaugeName = NamesOf<'gauge'>;

const declarationOf: Readonly<Record<string, MetricDeclaration>> = metricTable;
const isGauge = (name: string): name is GaugeName => declarationOf[name]?.type === 'gauge';

export const gaugeNames: readonly GaugeName[] = Object.keys(metricTable).filter(isGauge);

/** The gauges that are 0 while the service is idle. */
export const requestGauges: readonly GaugeName[] = gaugeNames.filter((name) => declarationOf[name]?.perRequest);

/** The labels of a metric, each with its allowed values. */
export type LabelsOf<Name extends MetricName> = Table[Name] extends { readonly labels: readonly (infer Label)[] }
  ? Readonly<Record<Label & string, string>>
  : Readonly<Record<string, never>>;
