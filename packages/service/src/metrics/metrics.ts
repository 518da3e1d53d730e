import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { metricTable, type CounterName, type GaugeName, type HistogramName, type LabelsOf } from './table.ts';

/** Takes what happens, for the metrics. */
export interface Recorder {
  /** Counts one more. */
  readonly count: <Name extends CounterName>(name: Name, labels: LabelsOf<Name>) => void;
  /** Notes how long something took, in seconds. */
  readonly observe: <Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number) => void;
}

/** What gauges show when they are read. */
export type Gauges<Name extends GaugeName = GaugeName> = Readonly<Record<Name, () => number>>;

/** What the service tells Prometheus. */
export interface Metrics extends Recorder {
  /** Shows gauges from now on. */
  readonly show: (gauges: Partial<Gauges>) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

/** Metrics of one instance. */
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
        const help = entries.find(([known]) => known === name)?.[1].help ?? name;
        const collect = function collect(this: Gauge): void {
          this.set(value());
        };
        // Registers itself.
        void new Gauge({ name, help, registers, collect });
      }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
