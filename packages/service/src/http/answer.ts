import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { problemOf } from '../pipeline/problem-of.ts';
import { problemBody } from '../problems/body.ts';
import { catalogue } from '../problems/catalogue.ts';

/** Answers a problem; logs a defect with its stack, which the caller never sees. */
export function answerProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error);
  const { status } = catalogue[problem.data.code];
  const logFields = { request_id: request.id, code: problem.data.code, reason: error.message };
  if (problem.data.code === 'internal') request.log.error({ request_id: request.id, err: error }, 'a defect of ours');
  else if (status === 500) request.log.error(logFields, 'cannot answer before this is mended');
  else if (problem.data.code === 'store_damaged')
    request.log.error(logFields, 'the store is damaged: stop the service, run "inlay doctor" and restore a backup');
  else if (status === 503) request.log.warn(logFields, 'cannot answer now');
  // Fastify closes the connection after body errors. It stays open a moment longer, so that the client can finish its
  // body and read the answer, and need not reconnect for a prompt retry.
  if (!request.raw.complete || problem.data.code === 'overloaded') void reply.removeHeader('connection');
  const { retryAfterS, allow } = problem.data;
  if (retryAfterS !== undefined) void reply.header('retry-after', String(retryAfterS));
  else if (status === 503) void reply.header('retry-after', '1');
  if (allow !== undefined) void reply.header('allow', allow.join(', '));
  if (status === 401) void reply.header('www-authenticate', 'Bearer realm="inlay"');
  void reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(problemBody(problem, request.id)));
}
