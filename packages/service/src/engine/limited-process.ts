import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { mostDescriptors } from './messages.ts';

/**
 * No core files, few descriptors, a bound of the system to its data, and the first to go when memory is short; then Node takes the
 * shell's place. The first argument is the number of descriptors, the second the bound in KB.
 */
const limited =
  'ulimit -c 0; ulimit -n "$1"; ulimit -d "$2" 2>/dev/null; shift 2; echo 900 2>/dev/null >/proc/self/oom_score_adj; exec "$@"';

/** A program of ours to run in a process of its own. */
export interface LimitedProgram {
  readonly path: string;
  /** What Node is told before the program. */
  readonly flags: readonly string[];
  /** Memory for data that the system refuses to give more than; it counts what is reserved as well. */
  readonly dataMb: number;
  /** Files, sockets and pipes that it may hold open; `mostDescriptors` where nothing is said. */
  readonly descriptors?: number;
  /** All that it knows of its surroundings. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
  readonly folder?: string;
}

/** Starts a program with the limits of the system. It does not outlive its connection to us, nor keep us alive. */
export function startLimited(program: LimitedProgram): ChildProcess {
  const { path, flags, dataMb, descriptors = mostDescriptors, env, stdio, folder } = program;
  const bounds = [String(descriptors), String(dataMb * 1024)];
  const child = spawn('/bin/sh', ['-c', limited, 'sh', ...bounds, process.execPath, ...flags, path], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env,
    stdio,
    detached: false,
    serialization: 'advanced',
  });
  child.unref();
  return child;
}

/**
 * Lets a process, and what it starts, have the processors where nobody else wants them: about a ninth of what others get. Linux keeps
 * a priority for each thread. It cannot be taken back without privileges.
 */
export function lowerPriority(pid: number): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended, or the system is not Linux: it runs as before.
  }
}

/** Linux tells processor time in hundredths of a second. */
const tickMs = 10;

/** Processor time that a process has used, in milliseconds; null where the system does not say, as outside Linux. */
export function processorMs(pid: number): number | null {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1) ?? '';
    const [user, system] = afterName.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) * tickMs;
  } catch {
    return null;
  }
}
