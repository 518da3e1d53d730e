import { readFileSync } from 'node:fs';

/** Monitors the memory of processes with a single timer. */
export interface MemoryWatch {
  /** Calls `overrun` once if the process exceeds `maxMb`. Returns a function that ends the watch. */
  readonly add: (pid: number | undefined, maxMb: number, overrun: () => void) => () => void;
}

interface WatchedProcess {
  readonly pid: number;
  readonly maxMb: number;
  readonly overrun: () => void;
}

/**
 * Polling intervals in ms: `near` applies while a process is near its limit. A statement allocates up to 2 MB per ms.
 * With a fixed interval of 100 ms, a child with a limit of 400 MB reached 747 MB.
 */
const everyMs = { calm: 100, near: 5 } as const;
const nearShare = 0.6;

/** Returns the resident memory of a process in MB; 0 if the system does not provide it, for example outside Linux. */
export function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Creates a watch whose timer runs only while processes are watched. The timer does not keep the service alive. */
export function createMemoryWatch(): MemoryWatch {
  const watchedProcesses = new Set<WatchedProcess>();
  let timer: NodeJS.Timeout | undefined;
  const drop = (watchedProcess: WatchedProcess): void => {
    watchedProcesses.delete(watchedProcess);
    if (watchedProcesses.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
  const checkMemory = (): void => {
    let isNear = false;
    for (const watchedProcess of watchedProcesses) {
      const share = residentMb(watchedProcess.pid) / watchedProcess.maxMb;
      isNear ||= share > nearShare;
      if (share <= 1) continue;
      drop(watchedProcess);
      watchedProcess.overrun();
    }
    if (watchedProcesses.size > 0) timer = setTimeout(checkMemory, isNear ? everyMs.near : everyMs.calm).unref();
  };
  return {
    add: (pid, maxMb, overrun) => {
      if (pid === undefined) return () => undefined;
      const watchedProcess = { pid, maxMb, overrun };
      watchedProcesses.add(watchedProcess);
      timer ??= setTimeout(checkMemory, everyMs.calm).unref();
      return () => drop(watchedProcess);
    },
  };
}
