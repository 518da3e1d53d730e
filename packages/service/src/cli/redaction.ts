import { isUuid } from '@inlay/contract';

/** Names of members that never reach a log. A second safeguard, since bodies are not logged at all. */
const redactedNames = ['token', 'password', 'secret', 'key', 'authorization', 'client_secret', 'cookie'];

/** Redaction options of pino. A `*` in a path also matches symbol keys. */
export const redaction = {
  paths: redactedNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  /**
   * Keeps the id of an authorization in request lines, since it is not secret. A header or token in its place is
   * redacted.
   */
  censor: (value: unknown, path: readonly PropertyKey[]): unknown =>
    path.length === 1 && path[0] === 'authorization' && typeof value === 'string' && isUuid(value)
      ? value
      : '[redacted]',
};
