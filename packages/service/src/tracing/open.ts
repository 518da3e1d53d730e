import type { Config } from '../config/config.ts';
import type { Recorder } from '../metrics/metrics.ts';
import { noTracer, type Tracer } from './trace.ts';

interface TracerParts {
  /** Version of this program. */
  readonly version: string;
  readonly recorder: Recorder;
  readonly failed: (what: string, error: unknown) => void;
}

/** Minimum interval between two logs about a failing collector, in ms. */
const logEveryMs = 60_000;

/** Opens the tracer. Its libraries are loaded only if a collector is configured. */
export async function openTracer(
  { tracesUrl, tracesHeaders, tracesPercent }: Config,
  { version, recorder, failed }: TracerParts,
): Promise<Tracer> {
  if (tracesUrl === undefined) return noTracer;
  const { createOtlpTracer } = await import('./otlp.ts');
  let loggedMs = -logEveryMs;
  const exported = (error: Error | null): void => {
    recorder.count('inlay_trace_exports_total', { outcome: error === null ? 'ok' : 'failed' });
    if (error === null || performance.now() - loggedMs < logEveryMs) return;
    loggedMs = performance.now();
    failed('traces were not sent', error);
  };
  return createOtlpTracer({
    url: tracesUrl,
    headers: Object.fromEntries(tracesHeaders),
    percent: tracesPercent,
    version,
    exported,
  });
}
