import type { Socket } from 'node:net';
import { onEnd } from '../../concurrency/release.ts';
import { SourceProblem } from '../problem.ts';

/**
 * Maximum number of bytes that a server may send before sign-in is complete. Only a hostile or wrong server sends more.
 */
const maxBytes = 1_000_000;

/**
 * Signs in over a socket, within the deadline and the limit of bytes. Destroys the socket on failure. Raises
 * SourceProblem `timeout`, `aborted` and `failed`, and what `work` raises.
 */
export async function opening<Result>(
  socket: Socket,
  deadline: number,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  let stopped: SourceProblem | undefined;
  const stop = (problem: SourceProblem): void => {
    stopped ??= problem;
    socket.destroy();
  };
  const flood = setInterval(() => {
    if (socket.bytesRead > maxBytes) stop(new SourceProblem('failed', 'The host answers, but not as a database does.'));
  }, 10);
  const timer = setTimeout(() => stop(new SourceProblem('timeout')), Math.max(1, deadline - Date.now()));
  const unsubscribe = onEnd(signal, () => stop(new SourceProblem('aborted')));
  try {
    return await work();
  } catch (error) {
    socket.destroy();
    throw stopped ?? error;
  } finally {
    clearInterval(flood);
    clearTimeout(timer);
    unsubscribe();
  }
}
