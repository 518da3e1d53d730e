import { stringify } from 'yaml';
import type { MetricName } from '../packages/service/src/metrics/table.ts';

interface Alert {
  readonly name: string;
  readonly expr: string;
  /** How long it must hold. */
  readonly lasts: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  /** What to do. */
  readonly action: string;
}

type ProcessMetric = `process_${string}` | `nodejs_${string}`;

const of = (name: MetricName | ProcessMetric, labels = ''): string =>
  `${name}{job="inlay"${labels === '' ? '' : `,${labels}`}}`;
const suffixed = (name: MetricName, suffix: 'bucket' | 'count', labels = ''): string =>
  of(name, labels).replace('{', `_${suffix}{`);
const rate = (series: string, by = 'instance'): string => `sum by (${by}) (rate(${series}[5m]))`;
const p95 = (name: MetricName, labels = ''): string =>
  `histogram_quantile(0.95, ${rate(suffixed(name, 'bucket', labels), 'instance, le')})`;
const answered = (labels = ''): string => rate(suffixed('inlay_request_duration_seconds', 'count', labels));

const alerts: readonly Alert[] = [
  {
    name: 'InlayDown',
    expr: 'up{job="inlay"} == 0',
    lasts: '2m',
    severity: 'critical',
    summary: 'Prometheus cannot read the metrics of an instance.',
    action: 'See whether it runs, what its log says last, and whether INLAY_METRICS_TOKEN is the token of the scrape.',
  },
  {
    name: 'InlayFailing',
    expr: `${answered('status=~"5..",status!="503"')} / ${answered()} > 0.02`,
    lasts: '5m',
    severity: 'critical',
    summary: 'More than 2 % of the requests are answered with an error of the service.',
    action: 'Look for lines of the levels error and warn in the log; each names the request and the code of the error.',
  },
  {
    name: 'InlayRefusing',
    expr: `${answered('status=~"429|503"')} / ${answered()} > 0.05`,
    lasts: '10m',
    severity: 'warning',
    summary: 'More than 5 % of the requests are refused because of load or because something is out of reach.',
    action: 'The codes in the log say why: overloaded, store_unavailable, source_busy. See the guide on scaling.',
  },
  {
    name: 'InlaySlow',
    expr: `${p95('inlay_request_duration_seconds', 'resource="data",operation="get"')} > 5`,
    lasts: '10m',
    severity: 'warning',
    summary: 'One of twenty requests for rows takes more than five seconds.',
    action: 'Lines of slow queries in the log name whose they are; "inlay doctor" suggests what to change.',
  },
  {
    name: 'InlayJobsFailed',
    expr: `max(${of('inlay_jobs_dead')}) > 0`,
    lasts: '5m',
    severity: 'warning',
    summary: 'A background job failed at every attempt.',
    action: 'Run "inlay jobs" for the reason; once it is fixed, "inlay jobs repeat ID".',
  },
  {
    name: 'InlayJobsLate',
    expr: `min(${of('inlay_jobs_oldest_due_seconds')}) > 600`,
    lasts: '10m',
    severity: 'warning',
    summary: 'Background jobs wait for more than ten minutes.',
    action: 'See in "inlay jobs" which type waits; add an instance, or look for slow sources in the log.',
  },
  {
    name: 'InlayEngineSaturated',
    expr: `min_over_time(${of('inlay_engine_waiting')}[10m]) > 0`,
    lasts: '5m',
    severity: 'warning',
    summary: 'Statements have been waiting for the columnar engine for ten minutes.',
    action: 'Set cache on datasets, or use more processor cores or instances.',
  },
  {
    name: 'InlayEngineCrashing',
    expr: `increase(${of('inlay_engine_children_retired_total', 'reason="crashed"')}[15m]) > 3`,
    lasts: '0m',
    severity: 'warning',
    summary: 'Child processes of the columnar engine crash.',
    action: 'Look in the log of the system for processes that were killed; memory may be short.',
  },
  {
    name: 'InlaySourceFailing',
    expr: `sum by (instance, provider) (rate(${of('inlay_source_requests_total', 'outcome=~"refused|unknown_host|tls|timeout|credentials|unavailable|failed"')}[5m])) / sum by (instance, provider) (rate(${of('inlay_source_requests_total')}[5m])) > 0.2`,
    lasts: '10m',
    severity: 'warning',
    summary: 'More than a fifth of the statements and calls to sources of one provider fail.',
    action: 'The outcomes of inlay_source_requests_total say why; the dataset and organization are in the log.',
  },
  {
    name: 'InlayStoreFailing',
    expr: `increase(${of('inlay_store_failures_total')}[5m]) > 0`,
    lasts: '2m',
    severity: 'critical',
    summary: 'The store does not answer.',
    action: 'See whether the database runs, whether its disk is full, and what "inlay doctor" says.',
  },
  {
    name: 'InlayStoreSlow',
    expr: `${p95('inlay_store_duration_seconds')} > 0.5`,
    lasts: '10m',
    severity: 'warning',
    summary: 'One of twenty statements of the store takes more than half a second.',
    action: 'The store is saturated or far away; see the guide on scaling.',
  },
  {
    name: 'InlayWrongPasswords',
    expr: `sum by (instance) (rate(${of('inlay_sign_ins_total', 'outcome="password_wrong"')}[5m])) > 0.5`,
    lasts: '10m',
    severity: 'warning',
    summary: 'Wrong passwords come in faster than people type.',
    action: 'It may be an attack: lower INLAY_LOGIN_RATE_LIMIT, or block the addresses at the proxy.',
  },
  {
    name: 'InlayEventLoopSlow',
    expr: `${of('nodejs_eventloop_lag_p99_seconds')} > 0.5`,
    lasts: '5m',
    severity: 'warning',
    summary: 'Requests wait for the event loop for half a second.',
    action: 'Use more instances, or a faster processor core.',
  },
  {
    name: 'InlayDescriptors',
    expr: `${of('process_open_fds')} / ${of('process_max_fds')} > 0.8`,
    lasts: '5m',
    severity: 'critical',
    summary: 'An instance has used four fifths of its file descriptors.',
    action: 'Raise the limit (LimitNOFILE in the unit, ulimit -n); beyond it new connections are answered 503.',
  },
  {
    name: 'InlaySecretsUnreadable',
    expr: `${of('inlay_secrets_unreadable')} > 0`,
    lasts: '1m',
    severity: 'critical',
    summary: 'An instance does not have the key of stored secrets, so it cannot use some sources, plugins or sign-ins.',
    action: 'Add the key to INLAY_SECRET_KEY_PREVIOUS; "inlay doctor" names it.',
  },
  {
    name: 'InlayTracesNotSent',
    expr: `increase(${of('inlay_trace_exports_total', 'outcome="failed"')}[15m]) > 0`,
    lasts: '15m',
    severity: 'warning',
    summary: 'Traces do not reach their collector.',
    action: 'See whether the collector of INLAY_TRACES_URL runs. Requests are answered all the same.',
  },
];

/** Rules of alerts for Prometheus, over the metrics of the table. */
export const alertRules = (): string =>
  stringify(
    {
      groups: [
        {
          name: 'inlay',
          rules: alerts.map(({ name, expr, lasts, severity, summary, action }) => ({
            alert: name,
            expr,
            for: lasts,
            labels: { severity },
            annotations: { summary, description: action },
          })),
        },
      ],
    },
    { lineWidth: 0 },
  );
