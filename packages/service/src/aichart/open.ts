import { createAnswerOnce } from '../idempotency/answer-once.ts';
import { openModel, type ModelOptions } from '../model/open.ts';
import type { ServedHandler } from '../resource/served.ts';
import { createConsult } from './provider/consult.ts';
import { createAichartHandler } from './serve.ts';

/** Creates the handler of `aichart` requests. */
export function openAichart(options: ModelOptions): ServedHandler {
  const { store } = options;
  const model = openModel(options);
  const consult = model === null ? null : createConsult(model);
  return createAichartHandler({ reader: store, consult, once: createAnswerOnce(store) });
}
