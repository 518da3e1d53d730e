import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';

/**
 * No core files, few descriptors, a bound of the system to its data, and the first to go when memory is short; then Node takes the
 * shell's place. The first argument is the bound in KB.
 */
const limited =
  'ulimit -c 0; ulimit -n 512; ulimit -d "$1" 2>/dev/null; shift; echo 900 2>/dev/null >/proc/self/oom_score_adj; exec "$@"';

/** A program of ours to run in a process of its own. */
export interface LimitedProgram {
  readonly path: string;
  /** What Node is told before the program. */
  readonly flags: readonly string[];
  /** Memory for data that the system refuses to give more than; it counts what is reserved as well. */
  readonly dataMb: number;
  /** All that it knows of its surroundings. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
  readonly folder?: string;
}

/** Starts a program with the limits of the system. It does not outlive its connection to us, nor keep us alive. */
export function startLimited({ path, flags, dataMb, env, stdio, folder }: LimitedProgram): ChildProcess {
  const child = spawn('/bin/sh', ['-c', limited, 'sh', String(dataMb * 1024), process.execPath, ...flags, path], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env,
    stdio,
    detached: false,
    serialization: 'advanced',
  });
  child.unref();
  return child;
}
