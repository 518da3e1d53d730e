import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Returns a number of a process; 0 if it has none, as one that has ended and is not reaped yet has no memory. */
const statusOf = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

/** Memory that a process has resident now, in MB. */
export const residentMb = (pid: number): number => statusOf(pid, 'VmRSS') / 1024;

/** Forgets the most memory a process ever had; returns how to ask for the most since then, in MB. */
export function peakSince(pid: number): () => number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return () => statusOf(pid, 'VmHWM') / 1024;
}

/** Processor time that a process has used, in clock ticks. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Returns the children of a process that live now, by id, with the processor time each has used in clock ticks. */
export function childrenOf(pid: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/u.test(name)) continue;
    try {
      const child = Number(name);
      if (statusOf(child, 'PPid') === pid) found.set(child, ticksOf(child));
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}
