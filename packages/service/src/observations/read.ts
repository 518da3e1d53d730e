import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, member, type Json } from '@inlay/contract';
import type { ObservationKind, Tally } from './kinds.ts';

const numberAt = (tally: Json, name: string): number => {
  const value = isObject(tally) ? member(tally, name) : undefined;
  return typeof value === 'number' ? value : 0;
};

function parsed(path: string): Json {
  try {
    const content: Json = JSON.parse(readFileSync(path, 'utf8'));
    return content;
  } catch {
    // The file is unreadable because another instance is replacing it right now, or because the disk was full.
    return null;
  }
}

/** Reads the observations of one kind from all instances that share a folder, summed by key. */
export function readObservations(folder: string, kind: ObservationKind): ReadonlyMap<string, Tally> {
  const sums = new Map<string, Tally>();
  if (!existsSync(folder)) return sums;
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.json'))) {
    const file = parsed(join(folder, name));
    const tallies = isObject(file) ? (member(file, kind) ?? null) : null;
    for (const [key, tally] of Object.entries(isObject(tallies) ? tallies : {})) {
      const { count, totalMs } = sums.get(key) ?? { count: 0, totalMs: 0 };
      sums.set(key, { count: count + numberAt(tally, 'count'), totalMs: totalMs + numberAt(tally, 'totalMs') });
    }
  }
  return sums;
}
