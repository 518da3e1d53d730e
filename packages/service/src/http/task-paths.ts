import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '@inlay/contract';
import { taskFilePath, taskPath } from '../tasks/paths.ts';

/** Answers a request with parameters from its address in place of a body. */
type AnswerTask = (request: FastifyRequest, reply: FastifyReply, body: JsonObject) => Promise<unknown>;

/** The routes of a task that clients follow without a body: its record and its file. */
export function addTaskPaths(server: FastifyInstance, record: AnswerTask, file: AnswerTask): void {
  const add = (url: string, answer: AnswerTask): void => {
    server.get<{ Params: { readonly id: string } }>(url, { config: { resource: 'task' } }, (request, reply) =>
      answer(request, reply, { action: 'get', id: request.params.id }),
    );
  };
  add(taskPath(':id'), record);
  add(taskFilePath(':id'), file);
}
