/** The trace and span that a caller names. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/u;

/** Reads the header `traceparent` (W3C Trace Context, level 1); null where there is none, or it is not valid. */
export function readTraceparent(header: string | undefined): TraceParent | null {
  const [, version = 'ff', traceId = '', spanId = '', flags = '', more] = form.exec(header ?? '') ?? [];
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/u.test(traceId) || /^0+$/u.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

/** The header of a call within a span that is recorded. */
export const traceparentOf = (traceId: string, spanId: string): string => `00-${traceId}-${spanId}-01`;
