import { readdirSync, readFileSync } from 'node:fs';

function statusOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the child processes of a process, with the memory that they held at most and hold now, MB. */
export const childrenOf = (pid: number): readonly { id: string; maxMb: number; nowMb: number }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((id) => {
      const status = statusOf(id);
      if (!status.includes(`\nPPid:\t${pid}\n`)) return [];
      const of = (word: string): number =>
        Math.round(Number(new RegExp(`${word}:\\s+(\\d+)`, 'u').exec(status)?.[1] ?? 0) / 1024);
      return [{ id, maxMb: of('VmHWM'), nowMb: of('VmRSS') }];
    });
