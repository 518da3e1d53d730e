import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { Breaker } from '../outbound/breaker.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Ledger } from './ledger.ts';
import { bodyOf, formats, send, type Endpoint, type Format, type ModelReply, type ReplySchema } from './send.ts';

export interface ModelClientOptions {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly endpoint: Endpoint;
  readonly ledger: Ledger;
  readonly breaker: Breaker;
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
  | { readonly kind: 'text'; readonly id: string; readonly text: string; readonly close: (outcome: string) => void }
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
  readonly close: (outcome: string) => void;
}

const isUnsupported = (reply: ModelReply): boolean =>
  reply.kind === 'refused' && [400, 404, 415, 422, 501].includes(reply.status);

const outcomeOf = (reply: Exclude<ModelReply, { kind: 'text' }>): string =>
  reply.kind === 'refused' ? 'refused' : reply.cause === 'timeout' ? 'timeout' : 'failed';

/** A client of an external model. Records every request in the ledger before sending it. */
export class ModelClient {
  readonly #options: ModelClientOptions;
  /** The strictest response format that the endpoint has not refused. */
  #format: Format = formats[0];

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
   * have failed. `isUseful` decides whether this conversation succeeded.
   */
  async converse<Result>(
    conversation: () => Promise<Result>,
    isUseful: (result: Result) => boolean,
  ): Promise<Result | null> {
    const { breaker } = this.#options;
    if (!breaker.admits()) return null;
    let wasUseful = false;
    try {
      const result = await conversation();
      wasUseful = isUseful(result);
      return result;
    } finally {
      if (wasUseful) breaker.succeeded();
      else breaker.failed();
    }
  }

  /**
   * Sends a question. If the endpoint refuses strict JSON, requests any JSON, and then text. Raises Problem
   * `ai_disabled`.
   */
  async ask(question: ModelQuestion): Promise<ModelTurn> {
    let id: string | null = null;
    for (let format: Format | undefined = this.#format; format !== undefined && !this.isLate(question.untilMs);) {
      const sentRequest: SentRequest | null = await this.#send(question, format);
      if (sentRequest === null) return { kind: 'none', id };
      const { reply, close } = sentRequest;
      id = sentRequest.id;
      if (reply.kind === 'text') return { kind: 'text', id, text: reply.text, close };
      close(outcomeOf(reply));
      format = isUnsupported(reply) ? formats[formats.indexOf(format) + 1] : undefined;
      if (format !== undefined) this.#format = format;
    }
    return { kind: 'none', id };
  }

  /** Sends one request; null if the budget is exhausted. */
  async #send(
    { subject, messages, schema, untilMs, signal }: ModelQuestion,
    format: Format,
  ): Promise<SentRequest | null> {
    const { outbound, endpoint, ledger, clock } = this.#options;
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
    const close = (outcome: string): void => ledger.close(id, { outcome, duration: Math.round(clock() - startedMs) });
    return { reply, id, close };
  }
}
