import { createHash } from 'node:crypto';
import type { JsonObject } from '@inlay/contract';
import type { Outbound } from '../../outbound/index.ts';
import type { ServedRequest } from '../../resource/served.ts';
import type { ChartDataset } from '../dataset.ts';
import type { Ask } from '../engine.ts';
import { profile } from '../profile.ts';
import type { Consult, Consultation } from '../serve.ts';
import type { Breaker } from '../../outbound/breaker.ts';
import { checkAnswer } from './check.ts';
import { answerSchema, messagesFor, toldOf } from './prompt.ts';
import { bodyOf, formats, send, type Endpoint, type Format, type ProviderReply } from './send.ts';

/** The record of one request to an outside model, before it is sent and after it was answered. */
export interface Ledger {
  /**
   * Keeps exactly what is about to be sent, where the organization has AI switched on and requests left for today; answers
   * the id of the record, or null where the budget is used up. Raises Problem `ai_disabled`.
   */
  note(organizationId: string, fields: JsonObject): Promise<string | null>;
  /** Adds how it went; nobody waits for it. */
  close(id: string, fields: JsonObject): void;
}

export interface ConsultationContext {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly endpoint: Endpoint;
  readonly ledger: Ledger;
  readonly breaker: Breaker;
  /** For the whole consultation, repair included. */
  readonly timeoutMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
}

const stepsDown = (sent: ProviderReply): boolean =>
  sent.kind === 'refused' && [400, 404, 415, 422, 501].includes(sent.status);
const repairs = 1;

interface Turn {
  readonly sent: ProviderReply;
  /** Id of the record of what was sent; null where the budget is used up and nothing was. */
  readonly id: string | null;
  readonly outcome: (word: string) => void;
}

/**
 * Asks an outside model, telling it metadata only. Strict JSON is asked for first, then JSON, then text; a wrong answer is
 * sent back once with what is wrong. Whatever happens, the answer is right or null, and in time.
 */
export function createConsult({ outbound, endpoint, ledger, breaker, timeoutMs, clock }: ConsultationContext): Consult {
  const works: { format: Format } = { format: 'json_schema' };

  async function turn(
    request: ServedRequest,
    messages: readonly JsonObject[],
    schema: JsonObject,
    format: Format,
    untilMs: number,
  ): Promise<Turn> {
    const body = bodyOf(endpoint.model, messages, format, schema);
    const { caller, asked, signal } = request;
    const began = clock();
    const id = await ledger.note(caller.organizationId, {
      suborganization: caller.suborganization,
      user_id: caller.userId,
      dataset_id: asked['dataset_id'] ?? null,
      address: endpoint.baseUrl,
      model: endpoint.model,
      body,
      bytes: Buffer.byteLength(body),
      hash: createHash('sha256').update(body).digest('hex'),
    });
    if (id === null) return { sent: { kind: 'failed', cause: 'budget' }, id, outcome: () => undefined };
    const sent = await send(outbound, endpoint, body, Math.max(1, Math.ceil(untilMs - clock())), signal);
    const outcome = (word: string): void => ledger.close(id, { outcome: word, duration: Math.round(clock() - began) });
    return { sent, id, outcome };
  }

  async function converse(request: ServedRequest, dataset: ChartDataset, asked: Ask): Promise<Consultation | null> {
    const own = profile(dataset);
    const told = toldOf(dataset);
    const schema = answerSchema(told, asked);
    const untilMs = Math.min(clock() + timeoutMs, request.deadlineMs - 200);
    let messages = messagesFor(told, asked, schema);
    let aichartId: string | null = null;
    const without = (): Consultation | null => (aichartId === null ? null : { aichartId, suggestion: null });
    for (let repaired = 0, format = works.format; clock() < untilMs;) {
      const { sent, id, outcome } = await turn(request, messages, schema, format, untilMs);
      if (id === null) return without();
      aichartId = id;
      const next = formats[formats.indexOf(format) + 1];
      if (stepsDown(sent) && next !== undefined) {
        outcome('refused');
        format = next;
        works.format = next;
        continue;
      }
      if (sent.kind !== 'text') {
        outcome(sent.kind === 'refused' ? 'refused' : sent.cause === 'timeout' ? 'timeout' : 'failed');
        return without();
      }
      const checked = checkAnswer(sent.text, own, asked);
      if ('plan' in checked) {
        outcome('used');
        return { aichartId, suggestion: { profile: own, plans: [checked.plan], message: null } };
      }
      outcome('unusable');
      if (repaired >= repairs) return without();
      repaired += 1;
      const faults = checked.faults.slice(0, 10).join('; ');
      messages = [
        ...messages,
        { role: 'user', content: `Your last answer was wrong: ${faults}. Answer again with one JSON object.` },
      ];
    }
    return without();
  }

  return async (request, dataset, asked) => {
    if (!breaker.admits()) return null;
    let well = false;
    try {
      const consulted = await converse(request, dataset, asked);
      well = consulted === null || consulted.suggestion !== null;
      return consulted;
    } finally {
      if (well) breaker.succeeded();
      else breaker.failed();
    }
  };
}
