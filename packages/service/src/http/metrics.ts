import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the service tells Prometheus. */
export interface Metrics {
  /** Notes an answered request; `seconds` it took. Labels are words of ours, never of a request. */
  answered(resource: string, operation: string, status: number, seconds: number): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Metrics of one instance. `pending` gives the writes under way now. */
export function createMetrics(pending: () => number, inFlight: () => number): Metrics {
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
  gauge('inlay_store_writes_pending', 'Writes waiting or running.', pending);
  gauge('inlay_requests_in_flight', 'Requests being answered.', inFlight);
  return {
    answered: (resource, operation, status, seconds) =>
      duration.observe({ resource, operation, status: String(status) }, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
