import { parentPort } from 'node:worker_threads';
import { draw, isJob } from './drawing.ts';

/** Draws what it is sent, one job after another, so that no picture holds up a request. */
parentPort?.on('message', (message: unknown) => {
  if (!isJob(message)) return;
  draw(message.job).then(
    (bytes) => parentPort?.postMessage({ id: message.id, bytes }),
    (error: unknown) =>
      parentPort?.postMessage({ id: message.id, error: error instanceof Error ? error.message : String(error) }),
  );
});
