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

/** What a reply of the model says, or its faults. A fault contains nothing that was found out about rows. */
export type CheckedReply<Answer> = { readonly answer: Answer } | { readonly faults: readonly string[] };

/** What a conversation with the model led to. */
export interface ModelConversation<Answer> {
  /** Id of the last request that was sent. */
  readonly id: string;
  /** Null if the model gave no valid answer in time. */
  readonly answer: Answer | null;
}

export interface ModelQuestion {
  readonly subject: ModelSubject;
  readonly messages: readonly JsonObject[];
  readonly schema: ReplySchema;
  /** Deadline of the request of the service in ms, by the clock of the client. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** A question that is sent until a time in ms, by the clock of the client. */
interface TimedQuestion extends Omit<ModelQuestion, 'deadlineMs'> {
  readonly untilMs: number;
}

/** A reply with text; `close` records in the ledger how it was used. */
interface ModelTurn {
  readonly text: string;
  readonly close: (outcome: RequestOutcome) => void;
}

/** One question and what came of it: `id` is that of the last request that was sent, `turn` the reply; null without one. */
interface TurnResult {
  readonly id: string | null;
  readonly turn: ModelTurn | null;
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

/** How many times a wrong answer is sent back to the model, together with its faults. */
const maxRepairs = 1;
const maxFaults = 10;

/** The answer of a service must be written after that of the model, in ms. */
const answerMs = 200;

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
   * Asks the model a question, and sends a wrong answer back once with its faults. Returns null if nothing was sent: the
   * circuit breaker is open because earlier conversations have failed, or the budget of the organization is exhausted.
   * Raises Problem `ai_disabled`.
   */
  async converse<Answer>(
    question: ModelQuestion,
    check: (text: string) => CheckedReply<Answer>,
  ): Promise<ModelConversation<Answer> | null> {
    const { breaker, health } = this.#options;
    if (!breaker.admits()) return null;
    let conversation: ModelConversation<Answer> | null = null;
    try {
      conversation = await this.#answered(question, check);
      return conversation;
    } finally {
      const ended = conversation === null ? 'released' : conversation.answer === null ? 'failed' : 'succeeded';
      breaker[ended]();
      if (ended !== 'released') health[ended]();
    }
  }

  async #answered<Answer>(
    { deadlineMs, ...question }: ModelQuestion,
    check: (text: string) => CheckedReply<Answer>,
  ): Promise<ModelConversation<Answer> | null> {
    const { clock, timeoutMs } = this.#options;
    const untilMs = Math.min(clock() + timeoutMs, deadlineMs - answerMs);
    let { messages } = question;
    let id: string | null = null;
    for (let repairs = 0; repairs <= maxRepairs && clock() < untilMs; repairs += 1) {
      const { turn, id: sentId } = await this.#ask({ ...question, messages, untilMs });
      id = sentId ?? id;
      if (turn === null) break;
      const reply = check(turn.text);
      turn.close('answer' in reply ? 'used' : 'unusable');
      if ('answer' in reply) return id === null ? null : { id, answer: reply.answer };
      const faults = reply.faults.slice(0, maxFaults).join('; ');
      const content = `Your last answer was wrong: ${faults}. Answer again with one JSON object.`;
      messages = [...messages, { role: 'user', content }];
    }
    return id === null ? null : { id, answer: null };
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

  /** Sends a question. If the endpoint refuses strict JSON, requests any JSON, and then text. Raises Problem `ai_disabled`. */
  async #ask(question: TimedQuestion): Promise<TurnResult> {
    const { clock } = this.#options;
    let id: string | null = null;
    for (let format: Format | undefined = this.#firstFormat(); format !== undefined && clock() < question.untilMs;) {
      const sentRequest: SentRequest | null = await this.#send(question, format);
      if (sentRequest === null) break;
      const { reply, close } = sentRequest;
      id = sentRequest.id;
      if (reply.kind === 'text') {
        this.#answeredIn(format);
        return { id, turn: { text: reply.text, close } };
      }
      close(outcomeOf(reply));
      format = isUnsupported(reply) ? formats[formats.indexOf(format) + 1] : undefined;
    }
    return { id, turn: null };
  }

  /** Sends one request; null if the budget is exhausted. */
  async #send(
    { subject, messages, schema, untilMs, signal }: TimedQuestion,
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
