import { hostname } from 'node:os';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span as OpenTelemetrySpan,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { traceparentOf, readTraceparent } from './traceparent.ts';
import { noSpan, type Span, type SpanFacts, type SpanName, type Tracer } from './trace.ts';

/** Destination and sampling of traces. */
export interface OtlpOptions {
  /** Base URL of the collector, without `/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Percentage of traces that are recorded. */
  readonly percent: number;
  readonly version: string;
  /** Called after each batch of spans with the error of the export, or null on success. */
  readonly exported: (error: Error | null) => void;
}

const attributeNames = {
  organization: 'inlay.organization',
  authorization: 'inlay.authorization',
  dashboard: 'inlay.dashboard',
  item: 'inlay.item',
  dataset: 'inlay.dataset',
  method: 'http.request.method',
  status: 'http.response.status_code',
  resource: 'inlay.resource',
  operation: 'inlay.operation',
  requestId: 'inlay.request_id',
  provider: 'inlay.provider',
  rows: 'inlay.rows',
  file: 'inlay.file',
  problem: 'error.type',
} as const satisfies Record<keyof SpanFacts, string>;

const kinds: Readonly<Record<SpanName, SpanKind>> = {
  request: SpanKind.SERVER,
  queue: SpanKind.INTERNAL,
  plan: SpanKind.INTERNAL,
  source: SpanKind.CLIENT,
  engine: SpanKind.INTERNAL,
  draw: SpanKind.INTERNAL,
};

/** Maximum number of spans in the queue. Further spans are dropped. */
const maxWaiting = 4096;
const sendEveryMs = 1000;
const sendMs = 5000;
const closeMs = 2000;

const isFactName = (name: string): name is keyof SpanFacts => Object.hasOwn(attributeNames, name);

const attributesOf = (facts: SpanFacts): Attributes =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      isFactName(name) && value !== undefined
        ? [[attributeNames[name], typeof value === 'object' ? [...value] : value]]
        : [],
    ),
  );

const isFailure = ({ problem, status = 0 }: SpanFacts): boolean => problem !== undefined || status >= 500;

const epochMs = (atMs: number): number => performance.timeOrigin + atMs;

/**
 * Samples a percentage of traces. A trace whose caller says that it is not sampled is never recorded. The opposite does
 * not force recording, since anybody can send that flag.
 */
function samplerOf(percent: number): Sampler {
  const byId = new TraceIdRatioBasedSampler(percent / 100);
  return {
    shouldSample: (context, traceId) => {
      const parent = trace.getSpanContext(context);
      const isLeftOut = parent !== undefined && (parent.traceFlags & 1) === 0;
      return isLeftOut ? { decision: SamplingDecision.NOT_RECORD } : byId.shouldSample(context, traceId);
    },
    toString: () => 'share of traces',
  };
}

/** Returns an exporter that reports the result of each batch. */
function watched(exporter: SpanExporter, exported: OtlpOptions['exported']): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        exported(result.error ?? null);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

type BeginSpan = (name: SpanName, facts: SpanFacts, atMs: number, parent: Context) => Span;

class RecordedSpan implements Span {
  readonly traceId: string;
  readonly traceparent: string;
  readonly #span: OpenTelemetrySpan;
  readonly #context: Context;
  readonly #begin: BeginSpan;

  constructor(span: OpenTelemetrySpan, context: Context, begin: BeginSpan) {
    const { traceId, spanId } = span.spanContext();
    this.traceId = traceId;
    this.traceparent = traceparentOf(traceId, spanId);
    this.#span = span;
    this.#context = context;
    this.#begin = begin;
  }

  begin(name: SpanName, facts: SpanFacts = {}, atMs: number = performance.now()): Span {
    return this.#begin(name, facts, atMs, this.#context);
  }

  end(facts: SpanFacts = {}, atMs: number = performance.now()): void {
    if (!this.#span.isRecording()) return;
    this.#span.setAttributes(attributesOf(facts));
    if (isFailure(facts)) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(epochMs(atMs));
  }
}

/** Records traces with OpenTelemetry and exports them by OTLP over HTTP. */
export function createOtlpTracer(options: OtlpOptions): Tracer {
  const attributes = {
    'service.name': 'inlay',
    'service.version': options.version,
    'host.name': hostname(),
  };
  const resource = { attributes, merge: () => resource, getRawAttributes: () => Object.entries(attributes) };
  const exporter = new OTLPTraceExporter({
    url: `${options.url}/v1/traces`,
    headers: { ...options.headers },
    timeoutMillis: sendMs,
  });
  const processor = new BatchSpanProcessor(watched(exporter, options.exported), {
    maxQueueSize: maxWaiting,
    scheduledDelayMillis: sendEveryMs,
    exportTimeoutMillis: 2 * sendMs,
  });
  const provider = new BasicTracerProvider({
    resource,
    sampler: samplerOf(options.percent),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('inlay', options.version);

  const begin = (name: SpanName, facts: SpanFacts, atMs: number, parent: Context): Span => {
    const span = tracer.startSpan(
      name,
      { kind: kinds[name], startTime: epochMs(atMs), attributes: attributesOf(facts) },
      parent,
    );
    return span.isRecording() ? new RecordedSpan(span, trace.setSpan(parent, span), begin) : noSpan;
  };
  return {
    request: (traceparent, atMs) => {
      const parent = readTraceparent(traceparent);
      const context =
        parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
      return begin('request', {}, atMs, context);
    },
    close: async () => {
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeMs);
      // Limits the wait, since an unresponsive collector must not delay the stop of the service.
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
      clearTimeout(timer);
    },
  };
}
