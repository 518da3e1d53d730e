import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { maxDescriptors } from './messages.ts';

/**
 * Sets limits, then replaces the shell by Node: no core files, limited file descriptors and data memory, and the first
 * process that the OOM killer ends. Arguments: number of descriptors, memory limit in KB, command.
 */
const limitScript =
  'ulimit -c 0; ulimit -n "$1"; ulimit -d "$2" 2>/dev/null; shift 2; echo 900 2>/dev/null >/proc/self/oom_score_adj; exec "$@"';

/** A program of the service to run as a separate process. */
export interface LimitedProgram {
  readonly path: string;
  /** Command-line arguments of Node, before the path of the program. */
  readonly flags: readonly string[];
  /** Limit enforced by the system (RLIMIT_DATA); reserved memory counts too. */
  readonly dataMb: number;
  /** Limit of open files, sockets and pipes; default `maxDescriptors`. */
  readonly descriptors?: number;
  /** The entire environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
  readonly folder?: string;
}

/** Starts a program with system limits. It exits when its connection closes, and does not keep the service alive. */
export function startLimited(program: LimitedProgram): ChildProcess {
  const { path, flags, dataMb, descriptors = maxDescriptors, env, stdio, folder } = program;
  const bounds = [String(descriptors), String(dataMb * 1024)];
  const child = spawn('/bin/sh', ['-c', limitScript, 'sh', ...bounds, process.execPath, ...flags, path], {
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
 * Lowers the priority of a process and its children, so that they get about a ninth of the processor time of competing
 * processes. Linux has a priority for each thread, so each thread is changed. Raising the priority again needs
 * privileges.
 */
export function lowerPriority(pid: number): void {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended, or the system is not Linux: the priority stays as it is.
  }
}

/** Linux reports processor time in units of 10 ms. */
const tickMs = 10;

/**
 * Returns the processor time used by a process, in ms; null if the system does not provide it, for example outside
 * Linux.
 */
export function processorMs(pid: number): number | null {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1) ?? '';
    const [user, system] = afterName.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) * tickMs;
  } catch {
    return null;
  }
}
