import { Socket } from 'node:net';
import { isObject } from '@inlay/contract';
import { kinds, parsed, readFrames, sendFrame, sendJson, type Frame } from '../frames.ts';
import type { Assignment, ChildRequest } from '../messages.ts';
import { openDatabase } from './database.ts';
import { faultOf } from './faults.ts';
import { assign, type Perform } from './perform.ts';
import { createRunning, type RunningRequest } from './running.ts';

/**
 * Service and child have the same release, and no other process uses the socket. Therefore checking one property is
 * enough to tell the messages apart.
 */
const isAssignment = (value: unknown): value is Assignment => isObject(value) && 'duty' in value;
const isRequest = (value: unknown): value is ChildRequest => isObject(value) && 'op' in value;

/**
 * Handles the requests that arrive at a file descriptor, until the descriptor closes. `end` exits the process
 * immediately.
 */
export function serve(descriptor: number, end: () => void): void {
  const socket = new Socket({ fd: descriptor });
  const runningRequests = new Map<number, RunningRequest>();
  let perform: Promise<Perform> | null = null;

  const run = async (job: number, request: ChildRequest): Promise<void> => {
    const entry = createRunning((table) => sendJson(socket, kinds.want, job, table));
    runningRequests.set(job, entry);
    try {
      if (perform === null) throw new Error('a request came before the assignment');
      const childEnd = await (
        await perform
      )(request, entry, {
        send: async (spans, bytes) => {
          sendFrame(socket, kinds.chunk, job, spans, bytes);
          await entry.spend(bytes);
        },
        progress: (rows, bytes) => sendJson(socket, kinds.progress, job, { rows, bytes }),
      });
      sendJson(socket, kinds.end, job, childEnd);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null) end();
      else sendJson(socket, kinds.fault, job, fault);
    } finally {
      runningRequests.delete(job);
    }
  };

  const take = ({ kind, job, payload }: Frame): void => {
    if (kind === kinds.credit) runningRequests.get(job)?.credit(payload.readUInt32LE(0));
    else if (kind === kinds.batch) runningRequests.get(job)?.batch(payload.toString());
    else if (kind === kinds.cancel) runningRequests.get(job)?.interrupt();
    else {
      const value = parsed(payload);
      if (kind === kinds.assign && isAssignment(value)) {
        perform = openDatabase(value.limits).then((spareDatabase) => assign(value, spareDatabase));
        perform.catch(end);
      } else if (kind === kinds.run && isRequest(value)) void run(job, value);
    }
  };

  socket.on('close', end);
  socket.on('error', end);
  readFrames(socket, take);
  sendJson(socket, kinds.ready, 0, undefined);
}
