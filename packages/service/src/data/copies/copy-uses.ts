import type { Recorder } from '../../metrics/metrics.ts';
import type { Observations } from '../../observations/observations.ts';
import type { CopyChoice } from './copy-choice.ts';

/** Counts the queries that copies answer, and collects copies that must be made anew. */
export class CopyUses {
  readonly #recorder: Recorder;
  readonly #observations: Observations;
  #hits = new Map<string, number>();
  #outdated = new Set<string>();

  constructor(recorder: Recorder, observations: Observations) {
    this.#recorder = recorder;
    this.#observations = observations;
  }

  note({ isHit, miss, accelerationIds }: CopyChoice): void {
    if (!isHit && miss === null) return;
    const outcome = miss ?? 'hit';
    this.#recorder.count('inlay_acceleration_queries_total', { outcome });
    for (const id of accelerationIds) {
      this.#observations.note('accelerated', `${id} ${outcome}`);
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
