import { Concerns, type ConcernIds } from './concerns.ts';

/** Timed phases of a request. */
export const spanNames = {
  request: 'A request, until its answer is written.',
  queue: 'Waiting for the event loop, or for a place in the columnar engine.',
  plan: 'Deciding about a query: row filters, statement, and where it runs.',
  source: 'A statement or call at a database or plugin, until its last row.',
  engine: 'A statement in the columnar engine, until its last row.',
  draw: 'Drawing a file.',
} as const;
export type SpanName = keyof typeof spanNames;

/** Attributes of a span. They are fixed words, numbers and ids; never a value, a token or a statement. */
export interface SpanFacts extends ConcernIds {
  readonly method?: string;
  readonly status?: number;
  readonly resource?: string;
  readonly operation?: string;
  readonly requestId?: string;
  /** The provider of an account, or the word `plugin`. */
  readonly provider?: string;
  readonly rows?: number;
  /** The type of a rendered file. */
  readonly file?: string;
  /** The problem code of a failed phase. */
  readonly problem?: string;
}

/** A phase of a request. Times are in milliseconds of `performance.now()`. */
export interface Span {
  /**
   * The header `traceparent` for calls within this span, and the trace id. Both are null if the span is not recorded.
   */
  readonly traceparent: string | null;
  readonly traceId: string | null;
  /** Starts a child span. */
  begin(name: SpanName, facts?: SpanFacts, atMs?: number): Span;
  /** Ends the span. Further calls have no effect. */
  end(facts?: SpanFacts, atMs?: number): void;
}

export interface Tracer {
  /** Starts the span of a request. `traceparent` is the header of the request. */
  request(traceparent: string | undefined, atMs: number): Span;
  /** Sends recorded spans to the collector, within two seconds. */
  close(): Promise<void>;
}

/** A span that records nothing. */
export const noSpan: Span = {
  traceparent: null,
  traceId: null,
  begin: () => noSpan,
  end: () => undefined,
};

/** A tracer that records nothing. */
export const noTracer: Tracer = { request: () => noSpan, close: async () => undefined };

/** What the operator learns about a request: the ids it concerns, and the timing of its phases. */
export interface RequestTrace {
  readonly requestId: string;
  readonly concerns: Concerns;
  readonly span: Span;
}

/** Returns a trace for work that belongs to no request. */
export const untraced = (): RequestTrace => ({ requestId: '', concerns: new Concerns(), span: noSpan });

/** Returns a trace for a single query of the request. */
export const traceOfQuery = (trace: RequestTrace): RequestTrace => ({ ...trace, concerns: trace.concerns.part() });

/** Returns the trace of the request with `span` as the current span. */
export const traceWithin = (trace: RequestTrace, span: Span): RequestTrace => ({ ...trace, span });

/** Runs work in a span, and ends the span with the work. `problemOf` returns the problem code of an error. */
export async function within<Given>(
  span: Span,
  work: (span: Span) => Promise<Given>,
  problemOf: (error: unknown) => string,
): Promise<Given> {
  try {
    const result = await work(span);
    span.end();
    return result;
  } catch (error) {
    span.end({ problem: problemOf(error) });
    throw error;
  }
}
