import { execFileSync } from 'node:child_process';

/** True if a program is on this machine and runs: what only some machines have is left out on the others. */
export function runs(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** True if the system calls of a process can be seen here. */
export const canTrace = (): boolean => runs('strace', ['-o', '/dev/null', 'true']);
