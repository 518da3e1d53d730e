import type { ModelClient } from '../../model/client.ts';
import type { ServedRequest } from '../../resource/served.ts';
import type { ChartDataset } from '../dataset.ts';
import type { Ask } from '../engine.ts';
import type { Consult, Consultation } from '../serve.ts';
import { profileOf } from '../understand.ts';
import type { FoundValues, ValueSearch } from '../values/found-values.ts';
import { checkAnswer } from './check.ts';
import { complete } from './complete.ts';
import { sentConversation } from './conversation.ts';
import { messagesFor, toldOf } from './prompt.ts';
import { answerSchema } from './schema.ts';

/** How many times a wrong answer is sent back to the model, together with its faults. */
const maxRepairs = 1;

/** A question to a model: who asks it, over which dataset, and the values that were found in it. */
interface ModelQuestion {
  readonly request: ServedRequest;
  readonly dataset: ChartDataset;
  readonly query: Ask;
  readonly found: FoundValues;
}

async function converse(
  model: ModelClient,
  search: ValueSearch,
  { request, dataset, query, found }: ModelQuestion,
): Promise<Consultation | null> {
  const profile = profileOf(dataset);
  const sent = sentConversation(profile, query, found);
  const description = toldOf(dataset);
  const schema = { name: 'chart', schema: answerSchema(description, query) };
  const { caller, signal } = request;
  const subject = { caller, datasetId: request.input['dataset_id'] ?? null };
  const untilMs = model.untilMs(request.deadlineMs);
  let messages = messagesFor(description, query, sent, schema.schema);
  let aichartId: string | null = null;
  for (let repairs = 0; !model.isLate(untilMs); repairs += 1) {
    const turn = await model.ask({ subject, messages, schema, untilMs, signal });
    aichartId = turn.id ?? aichartId;
    if (turn.kind === 'none') break;
    const check = checkAnswer(turn.text, profile, query);
    if ('answer' in check) {
      turn.close('used');
      const lookUp = (texts: readonly string[]): Promise<FoundValues> => search(request, dataset, texts);
      const suggestion = await complete({ dataset, profile, query, found, sent, lookUp }, check.answer);
      return { aichartId: turn.id, suggestion };
    }
    turn.close('unusable');
    if (repairs >= maxRepairs) break;
    const faults = check.faults.slice(0, 10).join('; ');
    messages = [
      ...messages,
      { role: 'user', content: `Your last answer was wrong: ${faults}. Answer again with one JSON object.` },
    ];
  }
  return aichartId === null ? null : { aichartId, suggestion: null };
}

/**
 * Creates a function that asks a model for a chart. Sends only metadata and the conversation without the values that were
 * found in it. Sends a wrong answer back once, together with its faults. Resolves before the deadline; the suggestion is
 * null if the model did not give a valid answer.
 */
export const createConsult =
  (model: ModelClient, search: ValueSearch): Consult =>
  (request, dataset, query, found) =>
    model.converse(
      () => converse(model, search, { request, dataset, query, found }),
      (consultation) => consultation.suggestion !== null,
    );
