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

/**
 * Time between two looks; the shorter one while a process holds most of what it may. A statement takes up to 2 MB in a millisecond:
 * with 100 ms between all looks, a child was seen at 747 MB of 400.
 */
const everyMs = { calm: 100, near: 5 } as const;
const nearShare = 0.6;

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
    clearTimeout(timer);
    timer = undefined;
  };
  const look = (): void => {
    let isNear = false;
    for (const watched of all) {
      const share = residentMb(watched.pid) / watched.mostMb;
      isNear ||= share > nearShare;
      if (share <= 1) continue;
      drop(watched);
      watched.overrun();
    }
    if (all.size > 0) timer = setTimeout(look, isNear ? everyMs.near : everyMs.calm).unref();
  };
  return {
    add: (pid, mostMb, overrun) => {
      if (pid === undefined) return () => undefined;
      const watched = { pid, mostMb, overrun };
      all.add(watched);
      timer ??= setTimeout(look, everyMs.calm).unref();
      return () => drop(watched);
    },
  };
}
