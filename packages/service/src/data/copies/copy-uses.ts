import type { Recorder } from '../../metrics/metrics.ts';
import type { Observations } from '../../observations/observations.ts';
import type { CopyChoice } from './copy-choice.ts';

/** Counts the queries that copies answer, and collects copies that must be made anew. */
export class CopyUses {
  readonly #recorder: Recorder;
  readonly #observations: Observations;
  #hits = new Map<string, { count: number; rollups: number }>();
  #outdated = new Set<string>();

  constructor(recorder: Recorder, observations: Observations) {
    this.#recorder = recorder;
    this.#observations = observations;
  }

  /** `isRolledUp`: the query reads rollups of the copies. */
  note({ isHit, miss, accelerationIds }: CopyChoice, isRolledUp: boolean): void {
    if (!isHit && miss === null) return;
    const outcome = miss ?? 'hit';
    this.#recorder.count('inlay_acceleration_queries_total', { outcome });
    if (isHit) this.#recorder.count('inlay_rollup_queries_total', { outcome: isRolledUp ? 'hit' : 'copy' });
    for (const id of accelerationIds) {
      this.#observations.note('accelerated', `${id} ${outcome}`);
      const { count, rollups } = this.#hits.get(id) ?? { count: 0, rollups: 0 };
      if (isHit) this.#hits.set(id, { count: count + 1, rollups: rollups + (isRolledUp ? 1 : 0) });
      else if (miss === 'changed' || miss === 'lost') this.#outdated.add(id);
    }
  }

  /** Returns what was collected since the last call. */
  take(): {
    readonly hits: readonly { readonly id: string; readonly count: number; readonly rollups: number }[];
    readonly outdated: readonly string[];
  } {
    const taken = { hits: [...this.#hits].map(([id, counts]) => ({ id, ...counts })), outdated: [...this.#outdated] };
    this.#hits = new Map();
    this.#outdated = new Set();
    return taken;
  }
}
