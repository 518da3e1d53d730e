import { createAnswerOnce } from '../idempotency/answer-once.ts';
import { openModel, type ModelOptions } from '../model/open.ts';
import type { Serve } from '../resource/served.ts';
import { createConsult } from './provider/consult.ts';
import { createAichartPart } from './serve.ts';

/** Creates the handler of `aichart` from the settings and the store. */
export function openAichart(options: ModelOptions): Serve {
  const { store } = options;
  const model = openModel(options);
  const consult = model === null ? null : createConsult(model);
  return createAichartPart({ reader: store, consult, once: createAnswerOnce(store) });
}
