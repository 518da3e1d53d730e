import type { Bodies } from './body/open.ts';
import type { Budget } from './concurrency/byte-budget.ts';
import type { AnswerCache } from './data/cache/cache.ts';
import type { Counter } from './concurrency/release.ts';
import type { SlowReaders } from './http/limits/slow-readers.ts';
import type { Gauges } from './metrics/metrics.ts';
import type { JobRunner } from './jobs/runner.ts';
import type { Traffic } from './http/parts.ts';
import type { Passwords } from './login/passwords.ts';
import type { Sources } from './open-sources.ts';
import type { MeasuredStore } from './measured.ts';

/** Parts of a service with resources per request. */
export interface GaugedParts {
  readonly store: MeasuredStore;
  readonly traffic: Traffic;
  readonly unknownSenders: Counter;
  readonly bodies: Bodies;
  readonly answers: Budget;
  readonly slowReaders: SlowReaders;
  readonly sources: Sources;
  readonly exportsInProgress: Counter;
  readonly pendingQueries: () => number;
  readonly passwords: Passwords;
}

/** Resources in use by requests. Each is 0 when idle. */
export const gaugesOf = ({
  store,
  traffic,
  unknownSenders,
  bodies,
  answers,
  slowReaders,
  sources: { engine, databases, plugins },
  exportsInProgress,
  pendingQueries,
  passwords,
}: GaugedParts) =>
  ({
    inlay_store_reads_pending: () => store.reads(),
    inlay_store_writes_pending: () => store.pending(),
    inlay_requests_in_flight: () => traffic.inFlight,
    inlay_requests_unknown_sender: () => unknownSenders.total(),
    inlay_bodies_reading: () => bodies.pace.count(),
    inlay_bodies_reserved_bytes: () => bodies.room.known.reserved() + bodies.room.unknown.reserved(),
    inlay_bodies_waiting: () => bodies.room.known.waiting() + bodies.room.unknown.waiting(),
    inlay_bodies_on_disk: () => bodies.spool.count(),
    inlay_bodies_work: () => bodies.thread.count(),
    inlay_answers_reserved_bytes: () => answers.reserved(),
    inlay_answers_waiting: () => answers.waiting(),
    inlay_answers_sending: () => slowReaders.count(),
    inlay_engine_running: () => engine.held().running,
    inlay_engine_waiting: () => engine.held().waiting,
    inlay_queries_pending: pendingQueries,
    inlay_exports: () => exportsInProgress.total(),
    inlay_source_connections_held: () => databases.held(),
    inlay_plugin_calls: () => plugins.held(),
    inlay_passwords_pending: () => passwords.pending(),
  }) satisfies Partial<Gauges>;

/** Gauges that outlive requests. */
export const processGaugesOf = ({ engine }: Sources, cache: AnswerCache, jobs: JobRunner, now: () => number) =>
  ({
    inlay_jobs_due: () => jobs.state.due,
    inlay_jobs_oldest_due_seconds: () => Math.max(0, (now() - (jobs.state.oldestDueMs ?? now())) / 1000),
    inlay_jobs_running: () => jobs.running,
    inlay_jobs_dead: () => jobs.state.dead,
    inlay_answer_cache_bytes: () => cache.bytes,
    inlay_engine_children: () => engine.held().children,
    inlay_engine_children_slow: () => engine.held().slowChildren,
  }) satisfies Partial<Gauges>;

export type ServiceGauges = ReturnType<typeof gaugesOf>;
