import { PasswordsBusy } from '../login/passwords.ts';
import type { ProblemCode } from '../problems/catalogue.ts';
import { isOutOfDescriptors } from '../problems/out-of-descriptors.ts';
import { Problem } from '../problems/problem.ts';
import { storeProblem } from './execute.ts';

/** Problem codes for errors of the HTTP layer, by Fastify's code. */
const transport: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_EMPTY_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'json_invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'json_invalid',
  FST_ERR_BAD_URL: 'route_unknown',
  FST_ERR_MAX_PARAM_LENGTH: 'route_unknown',
  ECONNRESET: 'request_timeout',
};

/** Any other 4xx error of Fastify is a fault of the request. */
const ofSender = (error: unknown): ProblemCode | undefined =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500
    ? 'http_invalid'
    : undefined;

/** Converts any error to a Problem; an unknown error is a bug of the service. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof PasswordsBusy) return new Problem('overloaded', { retryAfterS: 5 });
  if (isOutOfDescriptors(error)) return new Problem('overloaded', { retryAfterS: 5 });
  const ofStore = storeProblem(error);
  if (ofStore !== undefined) return ofStore;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const named = Object.hasOwn(transport, code) ? transport[code] : ofSender(error);
  return new Problem(named ?? 'internal', named === 'overloaded' ? { retryAfterS: 2 } : {});
}
