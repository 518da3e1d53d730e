import { isUuid } from '@inlay/contract';

/** Members that never reach a log: a second safeguard, since bodies are not logged at all. */
const redactedNames = ['token', 'password', 'secret', 'key', 'authorization', 'client_secret', 'cookie'];

/** Redaction options of pino. A `*` in a path also matches symbol keys. */
export const redaction = {
  paths: redactedNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  /**
   * Request lines contain the id of their authorization, which is not secret, but a header or token in its place is.
   */
  censor: (value: unknown, path: readonly PropertyKey[]): unknown =>
    path.length === 1 && path[0] === 'authorization' && typeof value === 'string' && isUuid(value)
      ? value
      : '[redacted]',
};
