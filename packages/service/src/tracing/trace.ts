import { Concerns, type ConcernIds } from './concerns.ts';

/** The parts of a request that are timed. */
export const spanNames = {
  request: 'A request, until its answer is written.',
  queue: 'Waiting for the event loop, or for a place in the columnar engine.',
  plan: 'Deciding about a query: row filters, statement, and where it runs.',
  source: 'A statement or call at a database or plugin, until its last row.',
  engine: 'A statement in the columnar engine, until its last row.',
  draw: 'Drawing a file.',
} as const;
export type SpanName = keyof typeof spanNames;

/** What may be known of a part: words of ours, numbers and ids; never a value, a token or a statement. */
export interface SpanFacts extends ConcernIds {
  readonly method?: string;
  readonly status?: number;
  readonly resource?: string;
  readonly operation?: string;
  readonly requestId?: string;
  /** The provider of an account, or `plugin`. */
  readonly provider?: string;
  readonly rows?: number;
  /** The type of a drawn file. */
  readonly file?: string;
  /** The code of a problem, where the part failed. */
  readonly problem?: string;
}

/** A part of a request, from its begin to its end. Times are milliseconds of `performance.now()`. */
export interface Span {
  /** The header `traceparent` of calls within it, and the id of its trace; null where it is not recorded. */
  readonly traceparent: string | null;
  readonly traceId: string | null;
  /** Begins a part of this one. */
  begin(name: SpanName, facts?: SpanFacts, atMs?: number): Span;
  /** Ends it, once. */
  end(facts?: SpanFacts, atMs?: number): void;
}

/** Records traces of requests. */
export interface Tracer {
  /** Begins the span of a request; `traceparent` is the header that it came with. */
  request(traceparent: string | undefined, atMs: number): Span;
  /** Flushes recorded spans within two seconds. */
  close(): Promise<void>;
}

/** In place of spans that are not recorded. */
export const noSpan: Span = {
  traceparent: null,
  traceId: null,
  begin: () => noSpan,
  end: () => undefined,
};

/** Records nothing. */
export const noTracer: Tracer = { request: () => noSpan, close: async () => undefined };

/** What the operator of the service learns of a request: what it concerns, and how long its parts take. */
export interface RequestTrace {
  readonly requestId: string;
  readonly concerns: Concerns;
  readonly span: Span;
}

/** Of work that no request waits for. */
export const untraced = (): RequestTrace => ({ requestId: '', concerns: new Concerns(), span: noSpan });

/** The same for one query of the request. */
export const traceOfQuery = (trace: RequestTrace): RequestTrace => ({ ...trace, concerns: trace.concerns.part() });

/** The same within a part of the request. */
export const traceWithin = (trace: RequestTrace, span: Span): RequestTrace => ({ ...trace, span });

/** Does something within a part, which ends with it; `problemOf` names what it failed of. */
export async function within<Given>(
  span: Span,
  work: (span: Span) => Promise<Given>,
  problemOf: (error: unknown) => string,
): Promise<Given> {
  try {
    const given = await work(span);
    span.end();
    return given;
  } catch (error) {
    span.end({ problem: problemOf(error) });
    throw error;
  }
}
