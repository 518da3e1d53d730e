import { parentPort } from 'node:worker_threads';
import { Problem } from '../problems/problem.ts';
import type { BodyReply, BodyRequest } from './messages.ts';
import { workOn } from './work.ts';

const isRequest = (value: unknown): value is BodyRequest =>
  typeof value === 'object' && value !== null && 'id' in value && 'work' in value;

const say = (reply: BodyReply): void => parentPort?.postMessage(reply);

/** Entry point of the worker thread that processes files of large bodies. */
parentPort?.on('message', (message: unknown) => {
  if (!isRequest(message)) return;
  const { id, work } = message;
  workOn(work).then(
    (result) => say({ id, result }),
    (error: unknown) => {
      if (error instanceof Problem) say({ id, problem: error.data });
      else say({ id, error: error instanceof Error ? error.message : String(error) });
    },
  );
});
