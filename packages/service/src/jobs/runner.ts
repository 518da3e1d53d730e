import { timestamp } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import type { ClaimedJob, JobOutcome, JobSlots, TaskResult } from '../commands/job.ts';
import type { Recorder } from '../metrics/metrics.ts';
import type { Store } from '../store/store.ts';
import { Attempt } from './attempt.ts';
import type { JobRequest, JobType } from './job.ts';
import { outcomeOf } from './outcome.ts';
import { readQueue, type QueueState } from './queue.ts';

export interface JobRunnerContext {
  readonly store: Store<Command, WriteResult>;
  readonly types: readonly JobType[];
  /** Types of jobs that this instance leaves to other instances. */
  readonly leaves?: readonly string[];
  readonly now: () => number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Returns a new UUID. */
  readonly id: () => string;
  readonly recorder: Recorder;
  /** Called if an attempt fails, and if the queue cannot be read or written. */
  readonly failed: (what: string, error: unknown) => void;
  /** How long a job stays assigned to an instance that no longer renews its lease, in ms. */
  readonly leaseMs?: number;
  /** Maximum time between two polls of the queue, in ms. */
  readonly pollMs?: number;
}

const emptyQueue: QueueState = { due: 0, oldestDueMs: null, nextDueMs: null, dead: 0 };
const scheduleId = ({ name }: JobType): string => `every ${name}`;

/** Runs jobs of the queue on this instance. Several instances share one queue. */
export class JobRunner {
  readonly #context: JobRunnerContext;
  /** Types that this instance runs automatically. */
  readonly #own: readonly JobType[];
  readonly #leaseMs: number;
  readonly #pollMs: number;
  readonly #running = new Map<string, Attempt>();
  readonly #ended = new Set<Promise<void>>();
  #state = emptyQueue;
  #timer: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #looksAgain = false;
  #isScheduled = false;
  #isClosing = false;

  constructor(context: JobRunnerContext) {
    this.#context = context;
    this.#own = context.types.filter(({ name }) => context.leaves?.includes(name) !== true);
    this.#leaseMs = context.leaseMs ?? 30_000;
    this.#pollMs = context.pollMs ?? 5000;
  }

  /** Starts polling the queue. */
  start(): void {
    this.#sleep(this.#pollMs);
    this.#heartbeat = setInterval(() => void this.renew(), this.#leaseMs / 3).unref();
  }

  /** Polls the queue now, because a job was added or cancelled. */
  wake(): void {
    if (this.#isClosing) return;
    if (this.#running.size > 0) void this.renew();
    void this.#look();
  }

  /** Adds a job. Raises what the store raises. */
  async add({ id, type, organizationId, subject, payload }: JobRequest): Promise<void> {
    const dueAt = timestamp(this.#context.now());
    const job = { id, type, organizationId, subject, payload, priority: 0, dueAt };
    await this.#context.store.write({ kind: 'job', step: 'add', jobs: [job] });
    this.wake();
  }

  /** Runs due jobs of a type until none is left. Returns the number of jobs it ran. Raises what the store raises. */
  async runDue(name: string): Promise<number> {
    let count = 0;
    for (;;) {
      const claimedAttempts = await this.#claim(this.#context.types.filter((type) => type.name === name));
      count += claimedAttempts.length;
      await Promise.all(claimedAttempts.map((attempt) => attempt.ended));
      if (claimedAttempts.length === 0 || this.#isClosing) return count;
    }
  }

  /** State of the queue at the last poll. */
  get state(): QueueState {
    return this.#state;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Stops the timers, aborts running jobs and returns them to the queue. */
  async stop(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    for (const attempt of this.#running.values()) attempt.release();
    await this.#looking;
    await Promise.all(this.#ended);
  }

  #sleep(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosing) return;
    this.#timer = setTimeout(() => void this.#look(), ms).unref();
  }

  /** Polls the queue. Polls are serialized: a wake during a poll causes another poll afterwards. */
  async #look(): Promise<void> {
    if (this.#looking !== null) {
      this.#looksAgain = true;
      return this.#looking;
    }
    this.#looking = this.#lookOnce();
    await this.#looking;
    this.#looking = null;
    if (!this.#looksAgain || this.#isClosing) return;
    this.#looksAgain = false;
    await this.#look();
  }

  async #lookOnce(): Promise<void> {
    const { store, now, failed } = this.#context;
    try {
      await this.#schedule();
      this.#state = await readQueue(store, timestamp(now()));
      if (this.#state.due > 0) await this.#claim(this.#own);
    } catch (error) {
      failed('the job queue could not be read; it is tried again', error);
    }
    this.#sleep(this.#untilNextLook());
  }

  /**
   * Returns the time until the next poll, in ms. Jitter prevents instances that wait for the same job from polling
   * simultaneously.
   */
  #untilNextLook(): number {
    const { now, random } = this.#context;
    const { nextDueMs } = this.#state;
    const pollMs = this.#pollMs * (1 - random() / 4);
    return nextDueMs === null ? pollMs : Math.max(50, Math.min(pollMs, nextDueMs - now()));
  }

  /** Adds the first run of every scheduled type. */
  async #schedule(): Promise<void> {
    if (this.#isScheduled) return;
    const { store, types, now } = this.#context;
    const jobs = types.flatMap((type) =>
      type.everyMs === undefined
        ? []
        : [
            {
              id: scheduleId(type),
              type: type.name,
              organizationId: null,
              subject: null,
              payload: {},
              priority: 0,
              dueAt: timestamp(now() + type.everyMs),
            },
          ],
    );
    if (jobs.length > 0) await store.write({ kind: 'job', step: 'add', jobs });
    this.#isScheduled = true;
  }

  #slots(types: readonly JobType[]): readonly JobSlots[] {
    const attempts = [...this.#running.values()];
    return types
      .map(({ name, slots, maxAttempts }) => ({
        type: name,
        slots: slots - attempts.filter(({ job }) => job.type === name).length,
        maxAttempts,
      }))
      .filter(({ slots }) => slots > 0);
  }

  async #claim(types: readonly JobType[]): Promise<readonly Attempt[]> {
    const { store, now, id, failed } = this.#context;
    const freeSlots = this.#slots(types);
    if (freeSlots.length === 0) return [];
    const result = await store.write({
      kind: 'job',
      step: 'claim',
      now: timestamp(now()),
      lease: id(),
      leaseMs: this.#leaseMs,
      types: freeSlots,
    });
    if (result.kind !== 'jobs') return [];
    if (result.buried > 0) failed('jobs were interrupted too often; they are dead letters now', result.buried);
    return result.jobs.flatMap((job) => this.#start(job) ?? []);
  }

  #start(job: ClaimedJob): Attempt | null {
    const type = this.#context.types.find(({ name }) => name === job.type);
    if (type === undefined) return null;
    // Abandons an earlier attempt of the job on this instance, whose lease has expired. Its outcome no longer counts.
    this.#running.get(job.id)?.abandon();
    const attempt = new Attempt(job, type, (result) => this.#end(attempt, result));
    this.#running.set(job.id, attempt);
    const { ended } = attempt;
    this.#ended.add(ended);
    void ended.then(() => {
      this.#ended.delete(ended);
      if (this.#running.get(job.id) === attempt) this.#running.delete(job.id);
      if (this.#state.due > 0) this.wake();
    });
    if (this.#isClosing) attempt.release();
    return attempt;
  }

  /** Renews the leases of running jobs. Aborts jobs that were cancelled or taken over by another instance. */
  async renew(): Promise<void> {
    const attempts = [...this.#running.values()];
    if (attempts.length === 0) return;
    const renewals = attempts.map(({ job: { id, lease }, progress }) => ({ id, lease, progress }));
    try {
      const result = await this.#context.store.write({
        kind: 'job',
        step: 'renew',
        leaseMs: this.#leaseMs,
        held: renewals,
      });
      if (result.kind !== 'held') return;
      for (const attempt of attempts) if (!result.ids.includes(attempt.job.id)) attempt.abandon();
    } catch (error) {
      this.#context.failed('the leases of jobs were not renewed; it is tried again', error);
    }
  }

  async #end({ job, type, startedMs }: Attempt, result: PromiseSettledResult<TaskResult | null> | null): Promise<void> {
    const { store, now, random, recorder, failed } = this.#context;
    const outcome: JobOutcome = outcomeOf(type, job, result, now(), random);
    const seconds = (performance.now() - startedMs) / 1000;
    recorder.observe('inlay_job_duration_seconds', { type: job.type, outcome: outcome.kind }, seconds);
    if (result?.status === 'rejected' && outcome.kind !== 'postponed')
      failed(`a job of type ${job.type} failed (${outcome.kind})`, result.reason);
    const { id, lease } = job;
    try {
      await store.write({ kind: 'job', step: 'end', held: { id, lease }, outcome });
    } catch (error) {
      // The lease now expires, and then the job is repeated.
      failed(`the end of a job of type ${job.type} was not noted; it is repeated`, error);
    }
  }
}
