import type { Plan } from '@inlay/query';
import { isList, type Json } from '@inlay/contract';
import type { Command, WriteResult } from '../../commands/command.ts';
import type { Recorder } from '../../metrics/metrics.ts';
import type { Store } from '../../store/store.ts';
import { untraced } from '../../tracing/trace.ts';
import { emitInEngine, type EngineChoice, type RolledUpPlan } from '../choose.ts';
import type { QueryTask } from '../run/query-task.ts';
import { run } from '../run/run.ts';
import type { Runners } from '../run/runners.ts';
import { haveSameRows } from './compare-rows.ts';

/** The first of this many answers from rollups is compared with that of the copy. */
const checkedEvery = 100;
const limits = { rowLimit: 10_000, byteLimit: 16 * 1024 ** 2, deadlineMs: 60_000 } as const;

/** Dependencies of checks. */
export interface RollupCheckContext {
  readonly store: Store<Command, WriteResult>;
  readonly recorder: Recorder;
  /** Called if answers differ, or cannot be compared. */
  readonly failed: (what: string, error: unknown) => void;
}

/** All groups of a plan: near ties of doubles may change which groups come first. */
const allGroups = (plan: Plan): Plan => ({ ...plan, body: { ...plan.body, order: [], limit: null, offset: 0 } });

/** Compares answers from rollups with those of the same copies, in the background. */
export class RollupChecks {
  readonly #context: RollupCheckContext;
  #answers = 0;
  #isRunning = false;

  constructor(context: RollupCheckContext) {
    this.#context = context;
  }

  /** Called for each query that runs. Starts a check, unless one is in progress. */
  note(runners: Runners, task: QueryTask): void {
    const { choice } = task;
    if (choice.place !== 'engine' || choice.plan === null || choice.rolledUp === null) return;
    this.#answers += 1;
    if (this.#answers % checkedEvery !== 1 || this.#isRunning) return;
    this.#isRunning = true;
    void this.#check(runners, task, choice, choice.plan, choice.rolledUp).finally(() => {
      this.#isRunning = false;
    });
  }

  async #check(
    runners: Runners,
    task: QueryTask,
    choice: EngineChoice,
    plan: Plan,
    rolledUp: RolledUpPlan,
  ): Promise<void> {
    const { recorder, failed } = this.#context;
    try {
      const rows = async (planned: Plan): Promise<readonly Json[] | null> =>
        rowsOf(runners, task, { ...choice, statement: emitInEngine(allGroups(planned), task.sources, null) });
      const [fromRollup, fromCopy] = [await rows(rolledUp.plan), await rows(plan)];
      const isCompared = fromRollup !== null && fromCopy !== null;
      const isEqual = isCompared && haveSameRows(plan, fromRollup, fromCopy);
      recorder.count('inlay_rollup_checks_total', { outcome: !isCompared ? 'failed' : isEqual ? 'equal' : 'unequal' });
      if (isCompared && !isEqual) await this.#stop(task, rolledUp);
    } catch (error) {
      recorder.count('inlay_rollup_checks_total', { outcome: 'failed' });
      failed('an answer from a rollup was not compared with its copy', error);
    }
  }

  async #stop({ sources }: QueryTask, { uses }: RolledUpPlan): Promise<void> {
    const { store, failed } = this.#context;
    for (const { datasetId, rollupId } of uses) {
      const source = sources.get(datasetId);
      if (source?.kind !== 'version') continue;
      failed(
        `rollup ${rollupId} of acceleration ${source.folder} was switched off`,
        new Error('its answer differed from that of the copy'),
      );
      await store.write({ kind: 'stop rollups', id: source.folder, rollupIds: [rollupId] });
    }
  }
}

/** Returns the rows of a statement; null if there are more than a check compares. */
async function rowsOf(runners: Runners, task: QueryTask, choice: EngineChoice): Promise<readonly Json[] | null> {
  const checkTask = { ...task, choice, lines: null, limits, trace: untraced() };
  const { chunks, summary } = await run(runners, checkTask, AbortSignal.timeout(limits.deadlineMs));
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  if ((await summary()).truncated) return null;
  const rows: Json = JSON.parse(`[${Buffer.concat(parts).toString()}]`);
  return isList(rows) ? rows : null;
}
