import type { Recorder } from '../../metrics/metrics.ts';
import type { CopyChoice } from './copy-choice.ts';

/** Counts the queries that copies answer, and collects copies that must be made anew. */
export class CopyUses {
  readonly #recorder: Recorder;
  #hits = new Map<string, number>();
  #outdated = new Set<string>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  note({ isHit, miss, accelerationIds }: CopyChoice): void {
    if (!isHit && miss === null) return;
    this.#recorder.count('inlay_acceleration_queries_total', { outcome: miss ?? 'hit' });
    for (const id of accelerationIds) {
      if (isHit) this.#hits.set(id, (this.#hits.get(id) ?? 0) + 1);
      else if (miss === 'changed' || miss === 'lost') this.#outdated.add(id);
    }
  }

  /** Returns what was collected since the last call. */
  take(): {
    readonly hits: readonly { readonly id: string; readonly count: number }[];
    readonly outdated: readonly string[];
  } {
    const taken = { hits: [...this.#hits].map(([id, count]) => ({ id, count })), outdated: [...this.#outdated] };
    this.#hits = new Map();
    this.#outdated = new Set();
    return taken;
  }
}
