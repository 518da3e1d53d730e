import * as kind from './setting-kinds.ts';
import type { SettingKind } from './setting-kinds.ts';

/** A setting: how to read it, its default, and its effect. */
export interface Setting<Value> {
  readonly group: Group;
  readonly kind: SettingKind<Value>;
  readonly fallback: Value;
  /** The default in production; undefined if it does not differ. */
  readonly inProduction?: Value;
  readonly description: string;
  /** True if the value is never shown anywhere. */
  readonly secret?: true;
  /**
   * True if the setting is not secret, but belongs to a secret, so that it can also be read from the file that the
   * variable with `_FILE` names.
   */
  readonly mounted?: true;
}

/** True if a setting can be read from the file that the variable with `_FILE` names. */
export const isFromFile = ({ secret, mounted }: Pick<Setting<unknown>, 'secret' | 'mounted'>): boolean =>
  secret === true || mounted === true;

/** The sections of the settings reference, in order. */
export const groups = {
  service: 'The service',
  store: 'The store',
  secrets: 'Secret keys',
  start: 'The first start',
  access: 'Access',
  sources: 'Data sources',
  limits: 'Limits',
  engine: 'The columnar engine',
  cluster: 'A cluster for large datasets',
  ai: 'AI charts',
  logs: 'Logs and metrics',
} as const;

type Group = keyof typeof groups;

const setting = <Value>(
  group: Group,
  kind: SettingKind<Value>,
  fallback: NoInfer<Value>,
  sentence: string,
  more: { readonly inProduction?: NoInfer<Value> } = {},
): Setting<Value> => ({ group, kind, fallback, description: sentence, ...more });

const optional = <Value>(group: Group, kind: SettingKind<Value>, sentence: string): Setting<Value | undefined> =>
  setting<Value | undefined>(group, kind, undefined, sentence);

const secret = <Value>(group: Group, kind: SettingKind<Value>, sentence: string): Setting<Value | undefined> => ({
  ...optional<Value>(group, kind, sentence),
  secret: true,
});

/**
 * Every setting of the service. Each is read from the variable of its name: `maxInFlight` from INLAY_MAX_IN_FLIGHT.
 * Names include their units.
 */
export const settings = {
  env: setting(
    'service',
    kind.oneOf(['development', 'production']),
    'development',
    'Production refuses settings that are meant for development only. The default is production if NODE_ENV is.',
    { inProduction: 'production' },
  ),
  host: setting('service', kind.anyText, '127.0.0.1', 'Address to listen on; `0.0.0.0` or `::` for all addresses.'),
  port: setting('service', kind.whole(0, 65_535), 8080, 'Port to listen on; 0 selects any free port.'),
  baseUrl: optional('service', kind.baseUrl, 'Public URL of this service if it is behind a proxy.'),
  trustProxy: setting(
    'service',
    kind.listOf(kind.network),
    [],
    'Trusted proxies: their X-Forwarded headers are used. None by default.',
  ),
  stopTimeoutS: setting(
    'service',
    kind.whole(1, 600),
    10,
    'Seconds that requests in flight have to finish when the service stops.',
  ),
  readyGraceMs: setting(
    'service',
    kind.whole(0, 60_000),
    0,
    'Milliseconds that /readyz answers 503 before the port closes, so that load balancers stop sending requests first.',
    { inProduction: 3000 },
  ),
  dataDir: setting(
    'store',
    kind.anyText,
    '../data',
    'Data directory, relative to the working directory (by default beside the checkout in which npm start runs): the embedded store, the rows of datasets and, in development, the key file.',
  ),
  databaseUrl: secret('store', kind.postgresUrl, 'PostgreSQL database for records, instead of the embedded store.'),
  postgresPool: setting('store', kind.whole(1, 200), 10, 'Maximum connections to PostgreSQL.'),
  storeTimeoutMs: setting(
    'store',
    kind.whole(100, 600_000),
    3500,
    'Milliseconds without a response after which the store counts as down and a broken connection is dropped.',
  ),
  idempotencyHours: setting(
    'store',
    kind.whole(1, 720),
    24,
    'Hours that the response for an Idempotency-Key is stored.',
  ),
  secretKey: secret(
    'secrets',
    kind.secretKey,
    'Key that encrypts stored secrets. Required in production; development generates a key file.',
  ),
  secretKeyPrevious: {
    ...setting(
      'secrets',
      kind.listOf(kind.secretKey),
      [],
      'Older keys. They still decrypt secrets that were encrypted with them.',
    ),
    secret: true,
  },
  bootstrapKey: {
    ...optional('start', kind.uuid, 'Key of the first API token; goes with INLAY_BOOTSTRAP_TOKEN.'),
    mounted: true,
  },
  bootstrapToken: secret('start', kind.token, 'The first API token, instead of a random one that is printed once.'),
  bootstrapEmail: { ...optional('start', kind.email, 'E-mail address of the first owner.'), mounted: true },
  bootstrapPassword: secret(
    'start',
    kind.password,
    'Password of the first owner; without it, the API token is the only credential.',
  ),
  demo: {
    ...setting(
      'start',
      kind.yesOrNo,
      true,
      'Whether the first start creates a demo organization with public data, shown at `/`.',
    ),
    inProduction: false,
  },
  signup: setting('access', kind.yesOrNo, false, 'Whether anyone may create an organization by signing up.'),
  devAnonymousOwner: setting(
    'access',
    kind.yesOrNo,
    false,
    'Whether requests without credentials act as the first owner. Works only on loopback, never in production or behind a proxy. The Host header, and Origin if present, must be loopback too.',
  ),
  allowPrivateHosts: setting(
    'access',
    kind.yesOrNo,
    false,
    'Whether plugins and sources may use http or private addresses.',
  ),
  allowHosts: setting(
    'access',
    kind.listOf(kind.networkPort),
    [],
    'Private addresses that plugins and sources may have, each a network and one port. None by default.',
  ),
  corsOrigins: setting('access', kind.listOf(kind.origin), [], 'Sites whose pages may call the API from a browser.'),
  ssoOrigins: setting(
    'access',
    kind.listOf(kind.origin),
    [],
    'Sites whose pages may start a sign-in with the identity provider of an organization.',
  ),
  tokenHours: setting('access', kind.whole(1, 8760), 24, 'Hours that a login lasts.'),
  passwordThreads: setting(
    'access',
    kind.whole(1, 16),
    2,
    'Passwords that are hashed concurrently, with 19 MiB of memory each.',
  ),
  filesDir: optional(
    'sources',
    kind.anyText,
    'Folder whose CSV, Parquet and NDJSON files accounts of the provider `duckdb` may read; `{organization}` in it stands for the id of the organization. Without it, no files can be read.',
  ),
  sourceConnections: setting('sources', kind.whole(1, 50), 5, 'Maximum connections to the database of one account.'),
  sourceRows: setting(
    'sources',
    kind.whole(1000, 1_000_000_000),
    5_000_000,
    'Maximum rows that one query may fetch from a source that cannot run the whole query; a query that needs more is refused.',
  ),
  sourceMb: setting(
    'sources',
    kind.whole(1, 100_000),
    1000,
    'Maximum MB that one query may fetch from a source that cannot run the whole query.',
  ),
  resultRows: setting(
    'sources',
    kind.whole(1, 10_000_000),
    100_000,
    'Maximum rows of a query result; a truncated result has `truncated: true`.',
  ),
  resultMb: setting(
    'sources',
    kind.whole(1, 10_000),
    256,
    'Maximum size of a query result in MB; a truncated result has `truncated: true`.',
  ),
  answerCacheMb: setting(
    'sources',
    kind.whole(0, 100_000),
    64,
    'Memory in MB for cached query results of datasets and accounts with `cache`; 0 disables the cache.',
  ),
  syncMetadata: setting(
    'sources',
    kind.yesOrNo,
    true,
    'Whether this instance refreshes the metadata of datasets in the background.',
  ),
  rateLimit: setting(
    'limits',
    kind.whole(0, 1_000_000),
    100,
    'Sustained requests per second of a token; 0 is no limit.',
  ),
  rateBurst: setting('limits', kind.whole(1, 1_000_000), 1000, 'Size of the burst that a token may send, in requests.'),
  loginRateLimit: setting(
    'limits',
    kind.whole(0, 1_000_000),
    30,
    'Logins per minute from one network address; 0 is no limit.',
  ),
  loginFailures: setting(
    'limits',
    kind.whole(0, 1_000_000),
    100,
    'Wrong passwords per hour for one e-mail address, whether it exists or not, on one instance; 0 is no limit. Network addresses from which the user has logged in before are exempt.',
  ),
  queryTimeoutS: setting('limits', kind.whole(1, 3600), 60, 'Seconds after which a data query is answered 504.'),
  queryWaitS: setting(
    'limits',
    kind.whole(1, 3600),
    20,
    'Seconds that a request for rows may be expected to wait for its last answer; a request that would wait longer is answered 503 with Retry-After before any of its queries runs.',
  ),
  answerMb: setting(
    'limits',
    kind.whole(1, 4096),
    64,
    'Maximum size in MB of the stored records in a search response; a larger response is refused before the records are read.',
  ),
  maxInFlight: setting(
    'limits',
    kind.whole(1, 100_000),
    1000,
    'Maximum requests in flight; further requests are answered 503.',
  ),
  maxUnknownInFlight: setting(
    'limits',
    kind.whole(1, 100_000),
    200,
    'Maximum requests in flight from one network address without verified credentials, and as many again whose Authorization header was accepted within the last ten minutes; further ones are answered 429. Name a proxy in INLAY_TRUST_PROXY; otherwise all clients share its address.',
  ),
  maxEventLoopDelayMs: setting(
    'limits',
    kind.whole(10, 60_000),
    500,
    'Maximum milliseconds that a request waits for the event loop; half of it for a PostgreSQL connection. Requests expected to wait longer are answered 503.',
  ),
  uploadMb: setting(
    'limits',
    kind.whole(1, 1_000_000),
    20_000,
    'Maximum size of an uploaded file in MB. The file is in the data directory while it is read.',
  ),
  organizationMb: optional(
    'limits',
    kind.whole(1, 1_000_000_000),
    'Disk space in MB for the stored rows and running uploads of one organization; beyond it the answer is 400 `quota_exceeded`. No limit by default.',
  ),
  uploadTimeoutS: setting('limits', kind.whole(10, 86_400), 3600, 'Seconds that one upload may take.'),
  exportRows: setting(
    'limits',
    kind.whole(1, 999_999_999),
    100_000_000,
    'Maximum rows of an exported file; a truncated file says so in its last line.',
  ),
  exportTimeoutS: setting(
    'limits',
    kind.whole(10, 86_400),
    3600,
    'Seconds that an export of rows, or a task, may take.',
  ),
  taskFilesMb: setting(
    'limits',
    kind.whole(1, 1_000_000_000),
    20_000,
    'Disk space in MB for the files of the tasks of one organization, which are stored for 7 days; beyond it the answer is 429 `task_quota_exceeded`.',
  ),
  exportsAtOnce: setting(
    'limits',
    kind.whole(1, 1000),
    2,
    'Concurrent row exports of one organization on this instance.',
  ),
  bodiesMb: setting(
    'limits',
    kind.whole(64, 1_000_000),
    1024,
    'Budget in MB for request bodies over 64 KB that are read or handled at once; others wait, then are answered 503. Half of it is reserved for requests with credentials in a header. Bodies over 1 MB are spooled to the data directory.',
  ),
  bodiesPerAddressMb: setting(
    'limits',
    kind.whole(64, 1_000_000),
    256,
    'Budget in MB for request bodies over 64 KB from one network address.',
  ),
  bodyLimitMb: setting(
    'limits',
    kind.whole(1, 64),
    1,
    'Maximum size of a request body in MB, for resources without a limit of their own.',
  ),
  engineMemoryMb: setting(
    'engine',
    kind.whole(256, 1_048_576),
    400,
    'Memory of one child process of the engine, in MB: all that the process holds (resident). DuckDB may use 220 MB less; the rest is for Node, code, results and freed memory. A process above the limit is ended; its query runs once more in a process of its own, and is refused with 507 if that does not suffice.',
  ),
  engineSpillMb: setting(
    'engine',
    kind.whole(0, 1_048_576),
    4096,
    'Disk space in MB that one child process may use in the data directory to spill data that does not fit into its memory.',
  ),
  engineChildren: setting('engine', kind.whole(2, 64), 4, 'Child processes of the engine that run queries at once.'),
  engineWriters: setting(
    'engine',
    kind.whole(1, 64),
    3,
    'Child processes of the engine that write rows at once, beside those that run queries; one organization uses all but one of them.',
  ),
  sortRows: setting(
    'engine',
    kind.yesOrNo,
    true,
    'Whether this instance sorts large stored datasets in the background by the column that filters bound most, so that a query reads the rows of its tenant alone.',
  ),
  engineThreads: setting('engine', kind.whole(1, 256), 2, 'Threads of one child process of the engine.'),
  cluster: optional(
    'cluster',
    kind.clusterAddress,
    'Trino cluster that answers queries over stored datasets with very many rows: user, host, port, a catalog of the Hive connector, and a schema of it that only this service uses. The host may have a private address. Without it, the columnar engine answers all queries over stored rows.',
  ),
  clusterPassword: secret('cluster', kind.anyText, 'Password of the user of the cluster.'),
  clusterFiles: optional(
    'cluster',
    kind.clusterFiles,
    'Folder that this service and all nodes of the cluster see, or bucket and prefix of an object store, such as `s3://analytics/inlay`. The rows of large datasets are written there as Parquet files.',
  ),
  clusterLocation: optional(
    'cluster',
    kind.location,
    'Address of these files at the cluster, such as `local:///inlay`. By default `file://` and the path, or the same address of the object store.',
  ),
  clusterS3Endpoint: optional(
    'cluster',
    kind.origin,
    'Address of the object store with the protocol of S3, such as `https://minio.internal:9000`. The host may have a private address. By default Amazon S3 in the region.',
  ),
  clusterS3Region: optional('cluster', kind.region, 'Region of the bucket. By default `us-east-1`.'),
  clusterS3KeyId: {
    ...optional('cluster', kind.accessKey, 'Id of the access key for the bucket.'),
    mounted: true,
  },
  clusterS3SecretKey: secret('cluster', kind.accessKey, 'Secret of the access key for the bucket.'),
  clusterRows: setting(
    'cluster',
    kind.whole(1, 999_999_999),
    50_000_000,
    'Rows from which on a stored dataset, or the copy of an accelerated one, is written to the cluster.',
  ),
  aiBaseUrl: optional(
    'ai',
    kind.baseUrl,
    'Base URL of a provider with an OpenAI-compatible chat API, such as `https://api.example.com/v1`. Without it the built-in engine makes charts and nothing is sent.',
  ),
  aiPrivateHost: setting(
    'ai',
    kind.yesOrNo,
    false,
    'Whether INLAY_AI_BASE_URL may use http or a private address, such as that of a model on the same machine. No other call may use it.',
  ),
  aiKey: secret('ai', kind.anyText, 'API key of the provider.'),
  aiModel: optional('ai', kind.anyText, 'Name of the model to use.'),
  aiTimeoutS: setting(
    'ai',
    kind.whole(1, 60),
    8,
    'Seconds to wait for the provider; after that the built-in engine answers.',
  ),
  aiDailyRequests: setting(
    'ai',
    kind.whole(0, 1_000_000),
    1000,
    'Requests to the provider per day and organization; beyond it the built-in engine answers.',
  ),
  aiRequestDays: setting('ai', kind.whole(1, 3650), 90, 'Days that requests to the provider are stored for auditing.'),
  embedKeepDays: setting(
    'service',
    kind.whole(1, 365),
    30,
    'Days that files of the elements of earlier versions are served to pages that are open, at most 50 MB of them.',
  ),
  logLevel: setting(
    'logs',
    kind.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Minimum severity of logged messages.',
  ),
  metricsToken: secret(
    'logs',
    kind.token,
    'Bearer token that `/metrics` requires. Without it `/metrics` is open to everybody who reaches the port.',
  ),
  logRequests: setting('logs', kind.yesOrNo, true, 'Whether each request is logged.'),
  slowQueryMs: setting(
    'logs',
    kind.whole(0, 86_400_000),
    5000,
    'Milliseconds, waiting for the engine included, from which on a data query is logged as slow, with its statement without values; 0 logs every query.',
  ),
  slowQueryPlans: setting(
    'logs',
    kind.yesOrNo,
    false,
    'Whether the line of a slow query has its plan, which is read from the source or the engine after the query, one at a time.',
  ),
  tracesUrl: optional(
    'logs',
    kind.baseUrl,
    'Base URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`; traces are sent to `/v1/traces` below it. Without it nothing is traced.',
  ),
  tracesHeaders: {
    ...setting('logs', kind.listOf(kind.headerPair), [], 'Headers that the collector requires.'),
    secret: true,
  },
  tracesPercent: setting(
    'logs',
    kind.whole(1, 100),
    100,
    'Traces that are recorded, of 100. A request whose `traceparent` is not sampled is not recorded.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

type ValueOf<Entry> = Entry extends Setting<infer Value> ? Value : never;

/** The values of all settings. Unset settings have their defaults. */
export type Config = { readonly [Name in keyof typeof settings]: ValueOf<(typeof settings)[Name]> };

export const variableOf = (name: string): string =>
  `INLAY_${name.replace(/[A-Z]/gu, (letter) => `_${letter}`).toUpperCase()}`;
