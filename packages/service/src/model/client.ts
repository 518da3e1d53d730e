import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { Breaker } from '../outbound/breaker.ts';
import type { Outbound } from '../outbound/index.ts';
import type { ModelHealth, RequestOutcome } from './health.ts';
import type { Ledger } from './ledger.ts';
import { bodyOf, formats, send, type Endpoint, type Format, type ModelReply, type ReplySchema } from './send.ts';

export interface ModelClientOptions {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly endpoint: Endpoint;
  readonly ledger: Ledger;
  readonly breaker: Breaker;
  readonly health: ModelHealth;
  /** Time limit of a whole conversation, in ms. */
  readonly timeoutMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
}

/** The organization and dataset for which a request is made. */
export interface ModelSubject {
  readonly caller: Pick<Caller, 'organizationId' | 'suborganization' | 'userId'>;
  readonly datasetId: Json;
}

/** The result of one question in a conversation. */
export type ModelTurn =
  /** A useful reply of the model. `close` records in the ledger how the reply was used. */
  | {
      readonly kind: 'text';
      readonly id: string;
      readonly text: string;
      readonly close: (outcome: RequestOutcome) => void;
    }
  /**
   * No reply. `id` is that of the last request that was sent; null if the budget is exhausted or the deadline has
   * passed.
   */
  | { readonly kind: 'none'; readonly id: string | null };

export interface ModelQuestion {
  readonly subject: ModelSubject;
  readonly messages: readonly JsonObject[];
  readonly schema: ReplySchema;
  /** Deadline in ms, by the clock of the client. */
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

interface SentRequest {
  readonly reply: ModelReply;
  readonly id: string;
  readonly close: (outcome: RequestOutcome) => void;
}

const isUnsupported = (reply: ModelReply): boolean =>
  reply.kind === 'refused' && [400, 404, 415, 422, 501].includes(reply.status);

const outcomeOf = (reply: Exclude<ModelReply, { kind: 'text' }>): RequestOutcome =>
  reply.kind === 'refused' ? 'refused' : reply.cause === 'timeout' ? 'timeout' : 'failed';

const causeOf = (reply: ModelReply, outcome: RequestOutcome): string =>
  reply.kind === 'refused' ? `status ${reply.status}` : reply.kind === 'failed' ? reply.cause : outcome;

/** How long a less strict format is used before the strictest one is tried again, in ms. */
const formatMs = 3_600_000;

/** A client of an external model. Records every request in the ledger before sending it. */
export class ModelClient {
  readonly #options: ModelClientOptions;
  /** The strictest response format that the endpoint has not refused lately. */
  #format: Format = formats[0];
  /** When the endpoint refused a stricter format, by the clock of the client. */
  #refusedAt = 0;

  constructor(options: ModelClientOptions) {
    this.#options = options;
  }

  /**
   * Returns the deadline of a conversation that starts now. `deadlineMs` is the deadline of the request of the service.
   */
  untilMs(deadlineMs: number): number {
    const { clock, timeoutMs } = this.#options;
    return Math.min(clock() + timeoutMs, deadlineMs - 200);
  }

  isLate(untilMs: number): boolean {
    return this.#options.clock() >= untilMs;
  }

  /**
   * Runs a conversation. Returns null without running it if the circuit breaker is open because earlier conversations
   * have failed. `isUseful` decides whether this conversation succeeded; null means that it sent nothing.
   */
  async converse<Result>(
    conversation: () => Promise<Result | null>,
    isUseful: (result: Result) => boolean,
  ): Promise<Result | null> {
    const { breaker, health } = this.#options;
    if (!breaker.admits()) return null;
    let result: Result | null = null;
    try {
      result = await conversation();
      return result;
    } finally {
      // Without a result nothing was sent.
      const ended = result === null ? 'released' : isUseful(result) ? 'succeeded' : 'failed';
      breaker[ended]();
      if (ended !== 'released') health[ended]();
    }
  }

  /** Returns the format to ask for first. */
  #firstFormat(): Format {
    if (this.#format !== formats[0] && this.#options.clock() - this.#refusedAt > formatMs) this.#format = formats[0];
    return this.#format;
  }

  /** Remembers the format of a reply where stricter ones were refused. */
  #answeredIn(format: Format): void {
    if (format === this.#format) return;
    this.#format = format;
    this.#refusedAt = this.#options.clock();
  }

  /**
   * Sends a question. If the endpoint refuses strict JSON, requests any JSON, and then text. Raises Problem
   * `ai_disabled`.
   */
  async ask(question: ModelQuestion): Promise<ModelTurn> {
    let id: string | null = null;
    for (
      let format: Format | undefined = this.#firstFormat();
      format !== undefined && !this.isLate(question.untilMs);
    ) {
      const sentRequest: SentRequest | null = await this.#send(question, format);
      if (sentRequest === null) return { kind: 'none', id };
      const { reply, close } = sentRequest;
      id = sentRequest.id;
      if (reply.kind === 'text') {
        this.#answeredIn(format);
        return { kind: 'text', id, text: reply.text, close };
      }
      close(outcomeOf(reply));
      format = isUnsupported(reply) ? formats[formats.indexOf(format) + 1] : undefined;
    }
    return { kind: 'none', id };
  }

  /** Sends one request; null if the budget is exhausted. */
  async #send(
    { subject, messages, schema, untilMs, signal }: ModelQuestion,
    format: Format,
  ): Promise<SentRequest | null> {
    const { outbound, endpoint, ledger, health, clock } = this.#options;
    const { caller, datasetId } = subject;
    const body = bodyOf(endpoint.model, messages, format, schema);
    const startedMs = clock();
    const id = await ledger.note(caller.organizationId, {
      suborganization: caller.suborganization,
      user_id: caller.userId,
      dataset_id: datasetId,
      address: endpoint.baseUrl,
      model: endpoint.model,
      body,
      bytes: Buffer.byteLength(body),
      hash: createHash('sha256').update(body).digest('hex'),
    });
    if (id === null) return null;
    const reply = await send(outbound, endpoint, body, Math.max(1, Math.ceil(untilMs - clock())), signal);
    const durationMs = Math.round(clock() - startedMs);
    const close = (outcome: RequestOutcome): void => {
      health.requestEnded(outcome, causeOf(reply, outcome));
      ledger.close(id, { outcome, duration: durationMs });
    };
    return { reply, id, close };
  }
}
