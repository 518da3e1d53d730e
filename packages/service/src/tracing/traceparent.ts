export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/u;

/** Parses the header `traceparent` (W3C Trace Context, level 1). Null if the header is absent or invalid. */
export function readTraceparent(header: string | undefined): TraceParent | null {
  const [, version = 'ff', traceId = '', spanId = '', flags = '', more] = form.exec(header ?? '') ?? [];
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/u.test(traceId) || /^0+$/u.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

/** Returns the header `traceparent` for calls within a recorded span. */
export const traceparentOf = (traceId: string, spanId: string): string => `00-${traceId}-${spanId}-01`;
