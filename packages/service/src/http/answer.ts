import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemBody } from '@inlay/contract';
import { PasswordsBusy } from '../passwords.ts';
import { storeProblem } from '../pipeline/execute.ts';
import { catalogue, type ProblemCode } from '../problems/catalogue.ts';
import { Problem } from '../problems/problem.ts';

const descriptions: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Faults of HTTP itself, by Fastify's code. */
const transport: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_EMPTY_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'json_invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'json_invalid',
  FST_UNDER_PRESSURE: 'overloaded',
  FST_ERR_BAD_URL: 'route_unknown',
  FST_ERR_MAX_PARAM_LENGTH: 'route_unknown',
  ECONNRESET: 'request_timeout',
};

/** What Fastify itself refuses is the sender's fault, whatever else it comes to refuse. */
const ofSender = (error: unknown): ProblemCode | undefined =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500
    ? 'http_invalid'
    : undefined;

/** Any raised error as the Problem a caller is told; an unknown one is a defect of ours. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof PasswordsBusy) return new Problem('overloaded', { retryAfterS: 5 });
  const ofStore = storeProblem(error);
  if (ofStore !== undefined) return ofStore;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const named = Object.hasOwn(transport, code) ? transport[code] : ofSender(error);
  return new Problem(named ?? 'internal', named === 'overloaded' ? { retryAfterS: 2 } : {});
}

/** The body of a problem (decision A2). */
export function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { code, message, validation } = problem.data;
  const { status } = catalogue[code];
  return {
    type: { code: status, description: descriptions[status] ?? 'Error' },
    message,
    code,
    ...(validation === undefined ? {} : { validation }),
    request_id: requestId,
  };
}

/** Answers a problem; a defect is logged with its stack, which the caller never sees. */
export function answerProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error);
  const { status } = catalogue[problem.data.code];
  if (status === 500) request.log.error({ request_id: request.id, err: error }, 'a defect of ours');
  else if (status === 503)
    request.log.warn({ request_id: request.id, code: problem.data.code, reason: error.message }, 'cannot answer now');
  // The rest of a body may come for a moment longer, so that its sender can read the answer; Fastify would cut it off.
  if (!request.raw.complete) void reply.removeHeader('connection');
  const { retryAfterS } = problem.data;
  if (retryAfterS !== undefined) void reply.header('retry-after', String(retryAfterS));
  else if (status === 503) void reply.header('retry-after', '1');
  if (status === 401) void reply.header('www-authenticate', 'Bearer realm="inlay"');
  void reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(problemBody(problem, request.id)));
}
