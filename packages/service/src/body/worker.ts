import { parentPort } from 'node:worker_threads';
import { Problem } from '../problems/problem.ts';
import type { BodyReply, BodyRequest } from './messages.ts';
import { workOn } from './work.ts';

const isRequest = (value: unknown): value is BodyRequest =>
  typeof value === 'object' && value !== null && 'id' in value && 'work' in value;

const sendReply = (reply: BodyReply): void => parentPort?.postMessage(reply);

/** Entry point of the worker thread that processes files of large bodies. */
parentPort?.on('message', (message: unknown) => {
  if (!isRequest(message)) return;
  const { id, work } = message;
  workOn(work).then(
    (result) => sendReply({ id, result }),
    (error: unknown) => {
      if (error instanceof Problem) sendReply({ id, problem: error.data });
      else sendReply({ id, error: error instanceof Error ? error.message : String(error) });
    },
  );
});
