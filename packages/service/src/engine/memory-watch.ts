import { readFileSync } from 'node:fs';

/** Looks at how much memory processes take, all of them by one timer. */
export interface MemoryWatch {
  /** Calls `overrun` once when the process takes more than `mostMb`; what it gives ends the watch. */
  readonly add: (pid: number | undefined, mostMb: number, overrun: () => void) => () => void;
}

interface WatchedProcess {
  readonly pid: number;
  readonly mostMb: number;
  readonly overrun: () => void;
}

const everyMs = 100;

/** Resident memory of a process in MB; 0 where the system does not say, as outside Linux. */
export function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Starts no timer while there is nothing to watch, and keeps no process alive. */
export function createMemoryWatch(): MemoryWatch {
  const all = new Set<WatchedProcess>();
  let timer: NodeJS.Timeout | undefined;
  const drop = (watched: WatchedProcess): void => {
    all.delete(watched);
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    for (const watched of all) {
      if (residentMb(watched.pid) <= watched.mostMb) continue;
      drop(watched);
      watched.overrun();
    }
  };
  return {
    add: (pid, mostMb, overrun) => {
      if (pid === undefined) return () => undefined;
      const watched = { pid, mostMb, overrun };
      all.add(watched);
      timer ??= setInterval(look, everyMs).unref();
      return () => drop(watched);
    },
  };
}
