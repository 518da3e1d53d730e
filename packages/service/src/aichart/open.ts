import { createAnswerOnce } from '../idempotency/answer-once.ts';
import { openModel, type ModelOptions } from '../model/open.ts';
import type { ServedHandler } from '../resource/served.ts';
import { createConsultDescription } from './describe/provider.ts';
import { createDescriptionHandler } from './describe/serve.ts';
import { createConsultFormula, type FormulaSyntax } from './formula/provider.ts';
import { createFormulaHandler } from './formula/serve.ts';
import { createConsult } from './provider/consult.ts';
import { createAichartHandler } from './serve.ts';
import type { ValueSearch } from './values/found-values.ts';

/** The handlers that answer from metadata, or with a model: one model for all of them. */
export type AiHandlers = Readonly<Record<'aichart' | 'generatedescriptions' | 'iqformula', ServedHandler>>;

/** Creates the handlers of `aichart`, `generatedescriptions` and `iqformula` requests. */
export function openAi(
  options: ModelOptions,
  search: ValueSearch,
  syntax: FormulaSyntax,
  now: () => number,
): AiHandlers {
  const { store } = options;
  const model = openModel(options);
  const shared = { reader: store, once: createAnswerOnce(store) };
  return {
    aichart: createAichartHandler({
      ...shared,
      consult: model === null ? null : createConsult(model, search),
      search,
      now,
    }),
    generatedescriptions: createDescriptionHandler({
      ...shared,
      consult: model === null ? null : createConsultDescription(model),
    }),
    iqformula: createFormulaHandler({
      ...shared,
      check: syntax.check,
      consult: model === null ? null : createConsultFormula(model, syntax, search),
      search,
      now,
    }),
  };
}
