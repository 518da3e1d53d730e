import { Failure, hintOf, type Transport } from '@inlay/client/transport';
import { listOr, objectOr, textOr, type Json, type JsonObject } from '@inlay/contract';
import { faultInSentence, type FormulaFault } from '@inlay/query';

/** What is known of the value of a formula. */
export type ValueState =
  | { readonly kind: 'none' | 'computing' }
  /** The filters leave no rows if `value` is undefined. */
  | { readonly kind: 'value'; readonly value: Json | undefined }
  /** The service found a fault in the formula. */
  | { readonly kind: 'fault'; readonly fault: FormulaFault }
  | { readonly kind: 'failed'; readonly reason: string; readonly isUnreachable: boolean };

/** How long nothing is typed before the value is requested, in milliseconds. */
const pauseMs = 350;

/** Returns what the service says about a failed query: the fault in the formula, if it names one, or the reason. */
function failureState({ code, status, message, hint }: Failure): ValueState {
  const sentences = [message, ...hint.split('\n').map((line) => line.replace(/^[\w.[\]]+: /u, ''))];
  const fault = sentences.map(faultInSentence).find((one) => one !== null);
  return fault === undefined
    ? { kind: 'failed', reason: message, isUnreachable: status === 0 || code === 'unreachable' }
    : { kind: 'fault', fault };
}

function answerState(answer: Json): ValueState {
  const { error, data } = objectOr(answer);
  if (error !== undefined) {
    const { code = null, message = null, validation } = objectOr(error);
    return failureState(new Failure(textOr(code, ''), 400, textOr(message, ''), hintOf(validation)));
  }
  const [row] = listOr(data);
  return { kind: 'value', value: listOr(row)[0] };
}

/** The value of a formula. It is requested once nothing is typed for a moment; a new request replaces the earlier one. */
export class FormulaValue {
  state: ValueState = { kind: 'none' };
  readonly #changed: () => void;
  #asked = '';
  #running: AbortController | null = null;

  /** `changed` is called with each new state. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Forgets the value and cancels its request. */
  clear(): void {
    this.#running?.abort();
    this.#running = null;
    this.#asked = '';
    this.state = { kind: 'none' };
  }

  /** Requests a value, unless the same one has been requested. */
  ask(transport: Transport, query: JsonObject): void {
    const text = JSON.stringify(query);
    if (text === this.#asked) return;
    this.clear();
    this.#asked = text;
    this.state = { kind: 'computing' };
    const controller = new AbortController();
    this.#running = controller;
    void this.#answer(transport, query, controller.signal);
  }

  async #answer(transport: Transport, query: JsonObject, signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
    if (signal.aborted) return;
    const state = await transport
      .call('data', { action: 'get', find: query }, signal)
      .then(answerState)
      .catch((error: unknown): ValueState => {
        if (error instanceof Failure) return failureState(error);
        return { kind: 'failed', reason: error instanceof Error ? error.message : String(error), isUnreachable: false };
      });
    // An answer that comes late is one to an earlier text.
    if (signal.aborted) return;
    this.state = state;
    this.#changed();
  }
}
