import { createHash } from 'node:crypto';
import { isObject, listOr, textOr, type Json, type JsonObject } from '@inlay/contract';
import { Problem } from '../problems/problem.ts';
import type { ServedHandler, ServedRequest } from '../resource/served.ts';
import type { Reader } from '../store/store.ts';
import { assemble, type WrittenCondition } from './write/assemble.ts';
import type { ChartDataset } from './dataset.ts';
import { ask, requestedKindOf, type Ask, type Suggestion } from './engine.ts';
import { profileOf, textsToLookUp } from './understand.ts';
import { textsToSign } from './provider/conversation.ts';
import { noValues, type FoundValues, type ValueSearch } from './values/found-values.ts';
import { examples } from './write/examples.ts';
import { createLoadChartDataset, isSwitchedOn } from './load.ts';
import { impossible } from './decide/possible-charts.ts';
import type { AnswerOnce } from '../idempotency/answer-once.ts';

/** The suggestion of a model, and the id under which the request to the model is recorded. */
export interface Consultation {
  readonly aichartId: string;
  /** Null if the request failed or the answer was invalid. The engine then suggests the chart. */
  readonly suggestion: Suggestion | null;
}

/**
 * Asks an external model. Resolves to null if no request was made. Raises Problem only if the organization has switched
 * AI off in the meantime.
 */
export type Consult = (
  request: ServedRequest,
  dataset: ChartDataset,
  query: Ask,
  found: FoundValues,
) => Promise<Consultation | null>;

export interface ChartContext {
  readonly reader: Reader;
  /** Asks the configured model; null if no model is configured. */
  readonly consult: Consult | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Searches values that a question names; null if there are no rows. */
  readonly search: ValueSearch | null;
  /** Answers repeated requests with the same Idempotency-Key only once. */
  readonly once: AnswerOnce;
}

/** Returns the id of a request. Equal requests have equal ids, because requests are not stored. */
function idOf(request: Json): string {
  const hex = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

/** Writes the conditions of a chart; nothing if it has none. */
const written = (conditions: readonly WrittenCondition[]): JsonObject =>
  conditions.length === 0
    ? {}
    : { conditions: conditions.map(({ title, filters }) => ({ title: { ...title }, filters: [...filters] })) };

function write(suggestion: Suggestion, query: Ask, aichartId: string, explain: boolean): JsonObject | null {
  const { profile, plans, language, message, alternatives } = suggestion;
  const [plan] = plans;
  if (plan === undefined) return null;
  const { item, functionCall, functionResponse, conditions } = assemble(profile, plan, aichartId, language);
  const rules = plan.reasons.map(({ rule, weight }) => ({ rule, weight }));
  return {
    generatedChart: item,
    ...written(conditions),
    question: query.question,
    functionCall,
    functionResponse,
    ...(message === null ? {} : { message }),
    ...(alternatives.length === 0
      ? {}
      : {
          alternatives: alternatives.map((other) => {
            const chart = assemble(profile, other, aichartId, language);
            return { generatedChart: chart.item, ...written(chart.conditions) };
          }),
        }),
    ...(explain ? { explanation: rules } : {}),
  };
}

/**
 * Creates the handler of `aichart` requests. It checks that AI is switched on, and loads the metadata that the caller
 * may see. Then it asks the external model if one is configured, otherwise the engine. Raises Problem `ai_disabled`,
 * `aichart_impossible`. specification/ai-charts#modes
 */
export function createAichartHandler({ reader, consult, search, now, once }: ChartContext): ServedHandler {
  const load = createLoadChartDataset();
  /** Searches the values that a question names, and those that a model must not be sent. */
  const valuesFor = async (request: ServedRequest, dataset: ChartDataset, query: Ask): Promise<FoundValues> => {
    if (search === null) return noValues;
    if (consult === null || query.question === null) return search(request, dataset, textsToLookUp(dataset, query));
    const { texts, equalTexts } = textsToSign(profileOf(dataset), query);
    return search(request, dataset, texts, equalTexts);
  };
  const answerText = async (request: ServedRequest): Promise<string> => {
    const { caller, input: properties } = request;
    const datasetId = textOr(properties['dataset_id'], null)?.toLowerCase() ?? '';
    const dataset = await load(reader, caller, datasetId);
    if (dataset === null)
      throw new Problem('reference_unknown', {
        validation: { 'properties.dataset_id': ['there is no such dataset, or you may not see it'] },
      });
    const type = textOr(properties['type'], null) ?? '';
    if (type === 'generate-example-questions') return JSON.stringify({ examples: examples(dataset) });
    const history = properties['message_history'];
    const query: Ask = {
      requested: requestedKindOf(type),
      question: textOr(properties['question'], null),
      history: listOr(history).filter((entry) => typeof entry === 'string'),
      today: new Date(now()).toISOString().slice(0, 10),
    };
    const found = await valuesFor(request, dataset, query);
    // Where the search failed, the conversation may have values that were found before: nothing is sent.
    const isWorthAsking = query.question !== null && dataset.columns.length > 0 && !found.hasFailed;
    const consultation = consult === null || !isWorthAsking ? null : await consult(request, dataset, query, found);
    const aichartId =
      consultation?.aichartId ??
      idOf([datasetId, type, query.question, [...query.history], dataset.columns.map(({ id }) => id)]);
    const answer = write(
      consultation?.suggestion ?? ask(dataset, query, found),
      query,
      aichartId,
      properties['explain'] === true,
    );
    if (answer === null || !isObject(answer)) throw impossible(dataset);
    return JSON.stringify(answer);
  };
  return async (request) => {
    if (!(await isSwitchedOn(reader, request.caller.organizationId))) throw new Problem('ai_disabled');
    return { body: await once(request, () => answerText(request)) };
  };
}
