import type { MetricName } from '../packages/service/src/metrics/table.ts';

interface Target {
  readonly expr: string;
  readonly legend: string;
}

interface PanelSpec {
  readonly title: string;
  readonly description: string;
  readonly unit: 'reqps' | 's' | 'short' | 'bytes' | 'percentunit' | 'cps';
  readonly targets: readonly Target[];
}

const filter = (labels: string): string => `{job="$job",instance=~"$instance"${labels === '' ? '' : `,${labels}`}}`;

const rate = (name: string, by: string, labels = ''): string =>
  `sum by (${by}) (rate(${name}${filter(labels)}[$__rate_interval]))`;

const quantile = (name: MetricName, share: number, by: string, labels = ''): string =>
  `histogram_quantile(${share}, ${rate(`${name}_bucket`, by === '' ? 'le' : `le, ${by}`, labels)})`;

const both = (name: MetricName, by: string, labels = ''): readonly Target[] =>
  [0.5, 0.95].map((share) => ({
    expr: quantile(name, share, by, labels),
    legend: `${by === '' ? '' : `{{${by}}} `}p${share * 100}`,
  }));

const gauge = (name: MetricName | `process_${string}` | `nodejs_${string}`, legend: string): Target => ({
  expr: `sum by (instance) (${name}${filter('')})`,
  legend: `${legend} {{instance}}`,
});

const panels: readonly PanelSpec[] = [
  {
    title: 'Requests',
    description: 'Answered requests per second, by status.',
    unit: 'reqps',
    targets: [{ expr: rate('inlay_request_duration_seconds_count', 'status'), legend: '{{status}}' }],
  },
  {
    title: 'Time of a request',
    description: 'By resource, 95th percentile.',
    unit: 's',
    targets: [{ expr: quantile('inlay_request_duration_seconds', 0.95, 'resource'), legend: '{{resource}}' }],
  },
  {
    title: 'Refused or failed requests',
    description: '429: too many requests of one sender. 503: the service, its store or a source is busy or down.',
    unit: 'reqps',
    targets: [
      { expr: rate('inlay_request_duration_seconds_count', 'status', 'status=~"429|5.."'), legend: '{{status}}' },
    ],
  },
  {
    title: 'Data queries',
    description: 'By where they ran: `cache` for cached results, `none` where they were refused before.',
    unit: 'cps',
    targets: [{ expr: rate('inlay_queries_total', 'source'), legend: '{{source}}' }],
  },
  {
    title: 'Failed data queries',
    description: 'By the code of the error.',
    unit: 'cps',
    targets: [{ expr: rate('inlay_queries_total', 'outcome', 'outcome!="ok"'), legend: '{{outcome}}' }],
  },
  {
    title: 'Time that data queries run',
    description: 'Waiting excluded.',
    unit: 's',
    targets: both('inlay_query_duration_seconds', 'source'),
  },
  {
    title: 'Time that data queries wait for the engine',
    description: 'Above some tenths of a second: more processor cores, or `cache` on datasets.',
    unit: 's',
    targets: both('inlay_query_wait_seconds', ''),
  },
  {
    title: 'Engine',
    description: 'Statements that run and wait. It is saturated while statements wait.',
    unit: 'short',
    targets: [
      gauge('inlay_engine_running', 'running'),
      gauge('inlay_engine_waiting', 'waiting'),
      gauge('inlay_engine_children', 'child processes'),
    ],
  },
  {
    title: 'Cache hits',
    description: 'Share of answered data queries that came from the cache.',
    unit: 'percentunit',
    targets: [
      {
        expr: `sum(rate(inlay_queries_total${filter('source="cache"')}[$__rate_interval])) / sum(rate(inlay_queries_total${filter('outcome="ok"')}[$__rate_interval]))`,
        legend: 'hits',
      },
    ],
  },
  {
    title: 'Sources',
    description: 'Statements and calls sent to sources, by provider and outcome.',
    unit: 'cps',
    targets: [{ expr: rate('inlay_source_requests_total', 'provider, outcome'), legend: '{{provider}} {{outcome}}' }],
  },
  {
    title: 'Time of the store',
    description: 'Reads, searches and writes, waiting included.',
    unit: 's',
    targets: both('inlay_store_duration_seconds', 'operation'),
  },
  {
    title: 'Store: waiting or running',
    description: 'Reads, writes, and failures per second.',
    unit: 'short',
    targets: [
      gauge('inlay_store_reads_pending', 'reads'),
      gauge('inlay_store_writes_pending', 'writes'),
      { expr: rate('inlay_store_failures_total', 'operation'), legend: 'failed {{operation}}' },
    ],
  },
  {
    title: 'Sign-ins',
    description: 'By method and outcome. Many wrong passwords may be an attack.',
    unit: 'cps',
    targets: [{ expr: rate('inlay_sign_ins_total', 'method, outcome'), legend: '{{method}} {{outcome}}' }],
  },
  {
    title: 'Memory',
    description: 'Of the service, without its child processes.',
    unit: 'bytes',
    targets: [
      gauge('process_resident_memory_bytes', 'resident'),
      gauge('inlay_answer_cache_bytes', 'cached results'),
      gauge('inlay_bodies_reserved_bytes', 'bodies'),
      gauge('inlay_answers_reserved_bytes', 'answers'),
    ],
  },
  {
    title: 'Processor',
    description: 'Cores that the service uses, without its child processes.',
    unit: 'short',
    targets: [
      {
        expr: `sum by (instance) (rate(process_cpu_seconds_total${filter('')}[$__rate_interval]))`,
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'Event loop delay',
    description: '99th percentile. Requests that would wait longer than INLAY_MAX_EVENT_LOOP_DELAY_MS are refused.',
    unit: 's',
    targets: [gauge('nodejs_eventloop_lag_p99_seconds', 'p99')],
  },
];

const variable = (name: string, label: string, query: string): object => ({
  type: 'query',
  name,
  label,
  query,
  refresh: 2,
  sort: 1,
  datasource: { type: 'prometheus', uid: '${datasource}' },
  ...(name === 'instance' ? { multi: true, includeAll: true, allValue: '.+' } : {}),
});

/** Returns a dashboard for Grafana over the metrics of the service, as its import takes it. */
export const grafanaDashboard = (): string =>
  `${JSON.stringify(
    {
      uid: 'inlay',
      title: 'Inlay',
      tags: ['inlay'],
      schemaVersion: 39,
      editable: true,
      refresh: '30s',
      time: { from: 'now-3h', to: 'now' },
      templating: {
        list: [
          { type: 'datasource', name: 'datasource', label: 'Data source', query: 'prometheus' },
          variable('job', 'Job', 'label_values(inlay_requests_in_flight, job)'),
          variable('instance', 'Instance', 'label_values(inlay_requests_in_flight{job="$job"}, instance)'),
        ],
      },
      panels: panels.map(({ title, description, unit, targets }, index) => ({
        id: index + 1,
        type: 'timeseries',
        title,
        description,
        datasource: { type: 'prometheus', uid: '${datasource}' },
        gridPos: { x: (index % 2) * 12, y: Math.floor(index / 2) * 8, w: 12, h: 8 },
        fieldConfig: { defaults: { unit, min: 0, custom: { lineWidth: 1, fillOpacity: 10 } }, overrides: [] },
        options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
        targets: targets.map(({ expr, legend }, at) => ({
          refId: String.fromCodePoint(65 + at),
          expr,
          legendFormat: legend,
        })),
      })),
    },
    null,
    2,
  )}\n`;
