import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the service tells Prometheus. */
export interface Metrics {
  /** Notes an answered request; `seconds` it took. Labels are words of ours, never of a request. */
  answered(resource: string, operation: string, status: number, seconds: number): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** What requests hold while they are under way, each by its name in the metrics; nothing of it outlives them. */
export type Gauges = Readonly<Record<string, { readonly help: string; readonly value: () => number }>>;

/** Metrics of one instance. */
export function createMetrics(gauges: Gauges): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'inlay_request_duration_seconds',
    help: 'Time to answer a request, by resource, operation and status.',
    labelNames: ['resource', 'operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const gauge = (name: string, help: string, value: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  for (const [name, { help, value }] of Object.entries(gauges)) gauge(name, help, value);
  return {
    answered: (resource, operation, status, seconds) =>
      duration.observe({ resource, operation, status: String(status) }, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
