import { metricTable } from '../metrics/table.ts';

const row = (name: string, { type, help, ...otherMembers }: (typeof metricTable)[keyof typeof metricTable]): string => {
  const labels = 'labels' in otherMembers ? otherMembers.labels.map((label) => `\`${label}\``).join(', ') : '–';
  return `| \`${name}\` | ${type} | ${labels} | ${help} |`;
};

export const metricsReference = (): string => `# Metrics

\`/metrics\` has these in the text format of Prometheus, beside those of the Node process (\`process_…\`, \`nodejs_…\`). Each instance counts for itself.
Labels never hold a value of a request, a name of a record or a tenant. [A dashboard for Grafana](grafana.json) shows them, and [rules for Prometheus](alerts.yml) raise alerts, for scrapes of the job \`inlay\`; [what to watch](../guides/scaling.md#what-to-watch).

| Metric | Type | Labels | Meaning |
| --- | --- | --- | --- |
${Object.entries(metricTable)
  .map(([name, entry]) => row(name, entry))
  .join('\n')}
`;
