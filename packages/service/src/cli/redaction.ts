import { isUuid } from '@inlay/contract';

/** Members that never reach a log, whatever logs them: a second lock behind not logging bodies at all. */
const redacted = ['token', 'password', 'secret', 'key', 'authorization', 'client_secret', 'cookie'];

/** Options of pino for redaction. A `*` in a path also matches keys that are symbols. */
export const redaction = {
  paths: redacted.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  /** Lines of requests name their authorization by its id, which is no secret; a header or token in its place is. */
  censor: (value: unknown, path: readonly PropertyKey[]): unknown =>
    path.length === 1 && path[0] === 'authorization' && typeof value === 'string' && isUuid(value)
      ? value
      : '[redacted]',
};
