import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { metricTable, type CounterName, type GaugeName, type HistogramName, type LabelsOf } from './table.ts';

/** Records events for the metrics. */
export interface Recorder {
  /** Increments a counter. */
  readonly count: <Name extends CounterName>(name: Name, labels: LabelsOf<Name>) => void;
  /** Records a duration in seconds. */
  readonly observe: <Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number) => void;
}

/** Functions that read the current gauge values. */
export type Gauges<Name extends GaugeName = GaugeName> = Readonly<Record<Name, () => number>>;

export interface Metrics extends Recorder {
  /** Adds gauges to the exposition. */
  readonly show: (gauges: Gauges) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  const entries = Object.entries(metricTable);
  for (const [name, entry] of entries) {
    const labelNames = 'labels' in entry ? [...entry.labels] : [];
    const { help } = entry;
    if (entry.type === 'counter') counters.set(name, new Counter({ name, help, labelNames, registers }));
    if (entry.type === 'histogram')
      histograms.set(name, new Histogram({ name, help, labelNames, buckets: [...entry.buckets], registers }));
  }
  return {
    count: (name, labels) => counters.get(name)?.inc(labels),
    observe: (name, labels, seconds) => histograms.get(name)?.observe(labels, seconds),
    show: (gauges) => {
      for (const [name, value] of Object.entries(gauges)) {
        const help = entries.find(([metric]) => metric === name)?.[1].help ?? name;
        const collect = function collect(this: Gauge): void {
          this.set(value());
        };
        // The constructor registers it.
        void new Gauge({ name, help, registers, collect });
      }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
