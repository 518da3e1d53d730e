import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '@inlay/contract';
import { part } from '../../test/support/world.ts';

/** A time for which the event loop of the service did not turn. */
export interface Pause {
  readonly at: number;
  /** How long, less what garbage collections took. */
  readonly wallMs: number;
  /** What its thread worked in that time, less the same: less than `wallMs` where others had the processor. */
  readonly processorMs: number;
  readonly gcMs: number;
}

/** What has Node watch the event loop of the service, and the file that it writes. */
export const watchedBy = (
  file: string,
): { readonly args: readonly string[]; readonly env: Record<string, string> } => ({
  args: ['--import', join(import.meta.dirname, 'pauses.ts')],
  env: { LOOP_PAUSES: file },
});

/** Pauses that began after a time, in milliseconds since 1970. */
export async function pausesSince(file: string, sinceMs: number): Promise<readonly Pause[]> {
  await sleep(600);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const read: Json = JSON.parse(line);
      const of = (name: string): number => Number(part(read, name));
      const gcMs = of('gcMs');
      const less = (name: string): number => Math.max(0, of(name) - gcMs);
      return of('at') < sinceMs
        ? []
        : [{ at: of('at'), gcMs, wallMs: less('wallMs'), processorMs: less('processorMs') }];
    });
}
