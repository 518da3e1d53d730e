import type { Bodies } from './body/open.ts';
import type { Command, WriteResult } from './commands/command.ts';
import type { Budget } from './concurrency/byte-budget.ts';
import type { Counter } from './concurrency/release.ts';
import type { SlowReaders } from './http/limits/slow-readers.ts';
import type { Gauges } from './http/metrics.ts';
import type { Traffic } from './http/parts.ts';
import type { Passwords } from './login/passwords.ts';
import type { Sources } from './open-sources.ts';
import type { Store } from './store/store.ts';

/** The parts of a service that hold something for a request. */
export interface GaugedParts {
  readonly store: Store<Command, WriteResult>;
  readonly traffic: Traffic;
  readonly unknownSenders: Counter;
  readonly bodies: Bodies;
  readonly answers: Budget;
  readonly slowReaders: SlowReaders;
  readonly sources: Sources;
  readonly exportsUnderWay: Counter;
  readonly pendingQueries: () => number;
  readonly passwords: Passwords;
}

/** What requests hold at the moment, as metrics. After the last request each is 0. */
export const gaugesOf = ({
  store,
  traffic,
  unknownSenders,
  bodies,
  answers,
  slowReaders,
  sources,
  exportsUnderWay,
  pendingQueries,
  passwords,
}: GaugedParts): Gauges => ({
  inlay_store_writes_pending: { help: 'Writes waiting or running.', value: () => store.pending() },
  inlay_requests_in_flight: { help: 'Requests being answered.', value: () => traffic.inFlight },
  inlay_requests_unknown_sender: {
    help: 'Requests in flight without verified credentials.',
    value: () => unknownSenders.total(),
  },
  inlay_bodies_reading: { help: 'Bodies being read.', value: () => bodies.pace.count() },
  inlay_bodies_reserved_bytes: {
    help: 'Bytes reserved for bodies.',
    value: () => bodies.room.known.reserved() + bodies.room.unknown.reserved(),
  },
  inlay_answers_reserved_bytes: { help: 'Bytes reserved for large answers.', value: () => answers.reserved() },
  inlay_answers_waiting: { help: 'Large answers that wait for their budget.', value: () => answers.waiting() },
  inlay_answers_sending: {
    help: 'Answers that are being written or read by their client.',
    value: () => slowReaders.count(),
  },
  inlay_bodies_waiting: {
    help: 'Bodies that wait for their budget.',
    value: () => bodies.room.known.waiting() + bodies.room.unknown.waiting(),
  },
  inlay_bodies_on_disk: { help: 'Bodies spooled to a file.', value: () => bodies.spool.count() },
  inlay_bodies_work: { help: 'Work on large bodies, waiting or running.', value: () => bodies.thread.count() },
  inlay_engine_running: {
    help: 'Statements running in the engine.',
    value: () => sources.engine.held().running,
  },
  inlay_engine_waiting: {
    help: 'Statements that wait for the engine.',
    value: () => sources.engine.held().waiting,
  },
  inlay_queries_pending: { help: 'Admitted data queries without an answer yet.', value: pendingQueries },
  inlay_exports: { help: 'Exports of rows in progress.', value: () => exportsUnderWay.total() },
  inlay_source_connections_held: {
    help: 'Connections to sources in use or waited for.',
    value: () => sources.databases.held(),
  },
  inlay_plugin_calls: { help: 'Calls of plugins, running or waiting.', value: () => sources.plugins.held() },
  inlay_passwords_pending: { help: 'Passwords being hashed, or waiting.', value: () => passwords.pending() },
});

/** What is kept between requests, as metrics. */
export const processGaugesOf = ({ engine }: Sources): Gauges => ({
  inlay_engine_children: { help: 'Child processes of the engine.', value: () => engine.held().children },
  inlay_engine_children_slow: {
    help: 'Child processes of the engine with low priority, which run long statements.',
    value: () => engine.held().slowChildren,
  },
});
