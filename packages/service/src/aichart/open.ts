import { createAnswerOnce } from '../idempotency/answer-once.ts';
import { openModel, type ModelOptions } from '../model/open.ts';
import type { ServedHandler } from '../resource/served.ts';
import { createConsult } from './provider/consult.ts';
import { createAichartHandler } from './serve.ts';
import type { ValueSearch } from './values/found-values.ts';

/** Creates the handler of `aichart` requests. */
export function openAichart(options: ModelOptions, search: ValueSearch, now: () => number): ServedHandler {
  const { store } = options;
  const model = openModel(options);
  const consult = model === null ? null : createConsult(model);
  return createAichartHandler({
    reader: store,
    consult,
    search,
    now,
    once: createAnswerOnce(store),
  });
}
