/** Causes of a failed outbound call. */
const outboundCauses = [
  'url',
  'forbidden_address',
  'unknown_host',
  'refused',
  'tls',
  'timeout',
  'aborted',
  'redirect',
  'size',
  'type',
  'failed',
] as const;

export type OutboundCause = (typeof outboundCauses)[number];

/** A failed outbound call. The message is a sentence for people and never contains a part of the answer. */
export class OutboundProblem extends Error {
  override readonly cause: OutboundCause;

  constructor(cause: OutboundCause, message: string) {
    super(message);
    this.name = 'OutboundProblem';
    this.cause = cause;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const tlsCode =
  /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/u;

const byCode: Readonly<Record<string, readonly [OutboundCause, string]>> = {
  ENOTFOUND: ['unknown_host', 'The host name is not known.'],
  EAI_AGAIN: ['unknown_host', 'The host name could not be looked up.'],
  ENODATA: ['unknown_host', 'The host name has no address.'],
  ESERVFAIL: ['unknown_host', 'The host name could not be looked up.'],
  ECONNREFUSED: ['refused', 'Nothing answers at this host and port.'],
  EHOSTUNREACH: ['refused', 'There is no way to this host.'],
  ENETUNREACH: ['refused', 'There is no way to this host.'],
  ETIMEDOUT: ['timeout', 'The other side did not answer in time.'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'The other side did not answer in time.'],
  ECONNRESET: ['failed', 'The other side closed the connection.'],
  UND_ERR_SOCKET: ['failed', 'The other side closed the connection.'],
};

/**
 * Converts any error of a socket, a lookup, TLS or an HTTP client to an OutboundProblem. An OutboundProblem is returned
 * unchanged.
 */
export function outboundProblem(error: unknown): OutboundProblem {
  if (error instanceof OutboundProblem) return error;
  if (error instanceof AggregateError && error.errors.length > 0) return outboundProblem(error.errors[0]);
  const code = codeOf(error);
  const knownProblem = byCode[code];
  if (knownProblem !== undefined) return new OutboundProblem(...knownProblem);
  if (tlsCode.test(code)) return new OutboundProblem('tls', `No trusted TLS connection could be made (${code}).`);
  if (error instanceof Error && error.cause instanceof Error) return outboundProblem(error.cause);
  if (error instanceof Error && error.name === 'TimeoutError')
    return new OutboundProblem('timeout', 'The other side did not answer in time.');
  if (error instanceof Error && error.name === 'AbortError')
    return new OutboundProblem('aborted', 'The call was given up.');
  return new OutboundProblem('failed', `The call failed${code === '' ? '' : ` (${code})`}.`);
}
