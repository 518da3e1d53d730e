/** Causes of failures at a source, each with its default message. */
const sourceCauses = {
  settings: 'The connection is not set up completely.',
  unknown_host: 'The host name is not known.',
  refused: 'Nothing answers at this host and port.',
  forbidden_address: 'The host has an address that this service may not connect to.',
  tls: 'No trusted TLS connection could be made.',
  credentials: 'The source does not accept the user name or password.',
  grant: 'The user may not read this.',
  timeout: 'The source did not answer in time.',
  missing: 'The database, table or column does not exist.',
  query: 'The query is not one that may be run.',
  limit: 'The source has no connection left.',
  busy: 'Too many queries wait for this source.',
  unavailable: 'The source failed repeatedly and is not called for a moment.',
  aborted: 'The query was given up.',
  failed: 'The source failed.',
} as const;

export type SourceCause = keyof typeof sourceCauses;

/** A failure at a source. Users may read `message`: it contains no secrets and no SQL. */
export class SourceProblem extends Error {
  override readonly cause: SourceCause;

  constructor(cause: SourceCause, message: string = sourceCauses[cause]) {
    super(message);
    this.name = 'SourceProblem';
    this.cause = cause;
  }
}
