import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { CallerCache } from '../callers/caller-cache.ts';
import type { ExplainedParty } from '../declare/explanation.ts';
import type { CallContext } from '../tracing/call-context.ts';
import type { Registry } from '../resource/registry.ts';
import type { Resource } from '../resource/define.ts';
import type { ServedAnswer, ServedHandlers, ServedRequest } from '../resource/served.ts';
import type { Tools } from '../resource/rules.ts';
import type { Reader, Store } from '../store/store.ts';
import type { AnswerLimits } from '../search/answer-budget.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import type { IdentifiedRequest } from './identify.ts';

/** A request whose answer occupies memory until it is sent. */
export interface AnswerHolder extends Pick<IdentifiedRequest, 'incoming'> {
  readonly caller: Caller | null;
}

/** A request of a served resource, after its caller, role and references were checked. */
export interface TaskRequest extends Pick<ServedRequest, 'caller' | 'operation' | 'input' | 'lines' | 'idempotency'> {
  readonly resource: Resource;
}

/**
 * Stores a task that answers a request later. Raises Problem `too_many_tasks`, `task_quota_exceeded`,
 * `idempotency_conflict`.
 */
export type CreateTask = (request: TaskRequest) => Promise<ServedAnswer>;

/** A request to explain a record, after the right to ask for it was checked. */
export interface ExplainRequest extends CallContext {
  readonly caller: Caller;
  readonly resource: Resource;
  readonly id: string;
  readonly record: JsonObject;
  readonly party: ExplainedParty;
}

/** Explains who sees what of a record, and why. Raises Problem `reference_unknown`. */
export type Explain = (request: ExplainRequest) => Promise<JsonObject>;

/** Context of the steps of a request. */
export interface Service {
  readonly registry: Registry;
  readonly store: Store<Command, WriteResult>;
  /** Reader for requests: the store, or a reader that confirms a presumed caller. */
  readonly reader: Reader;
  readonly callers: CallerCache;
  /** Confirms a presumed caller before an effect outside the transaction. Raises StaleCaller, StoreUnavailable. */
  readonly confirmCaller: () => Promise<void>;
  readonly passwords: Tools['passwords'];
  readonly attempts: Tools['attempts'];
  readonly authorizeAccount: Tools['authorizeAccount'];
  readonly readMetadata: Tools['readMetadata'];
  /** Handlers of served resources. */
  readonly served: ServedHandlers;
  readonly createTask: CreateTask;
  readonly explain: Explain;
  /** Time limit of a handler, in milliseconds. */
  readonly deadlineMs: number;
  /** Time limit of an upload, in milliseconds. */
  readonly uploadMs: number;
  /** Time limit of an export of rows, in milliseconds. */
  readonly exportMs: number;
  readonly signup: boolean;
  readonly mayBeReached: (address: string) => boolean;
  readonly tokenHours: number;
  /** Limits of the answer to a search. */
  readonly answerLimits: AnswerLimits;
  /** Reserves memory for a large answer until it is sent or its connection is closed. Raises Problem `overloaded`. */
  readonly reserveAnswer: (request: AnswerHolder, bytes: number) => Promise<void>;
  /** Reserves the memory without waiting; returns false if not enough is available. */
  readonly reserveAnswerNow: (request: AnswerHolder, bytes: number) => boolean;
  /** How long answers to an Idempotency-Key are stored, in hours. */
  readonly idempotencyHours: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Logs an audit event, such as a change of ownership. */
  readonly audit: (what: string, about: JsonObject) => void;
  /** Notes that an authorization was used; flushed to the store in intervals. */
  readonly used: (authorizationId: string, lastUsedMs: number | null) => void;
  /** The caller of requests without credentials; null unless INLAY_DEV_ANONYMOUS_OWNER is on. */
  readonly anonymous: () => Promise<Caller | null>;
}
