import type { ModelClient } from '../../model/client.ts';
import type { ServedRequest } from '../../resource/served.ts';
import type { ChartDataset } from '../dataset.ts';
import { languageOfQuestion, type Ask } from '../engine.ts';
import { profile } from '../profile.ts';
import type { Consult, Consultation } from '../serve.ts';
import { checkAnswer } from './check.ts';
import { answerSchema, messagesFor, toldOf } from './prompt.ts';

/** How many times a wrong answer is sent back to the model, together with its faults. */
const maxRepairs = 1;

async function converse(
  model: ModelClient,
  request: ServedRequest,
  dataset: ChartDataset,
  query: Ask,
): Promise<Consultation | null> {
  const datasetProfile = profile(dataset);
  const description = toldOf(dataset);
  const schema = { name: 'chart', schema: answerSchema(description, query) };
  const { caller, signal } = request;
  const subject = { caller, datasetId: request.input['dataset_id'] ?? null };
  const untilMs = model.untilMs(request.deadlineMs);
  let messages = messagesFor(description, query, schema.schema);
  let aichartId: string | null = null;
  for (let repairs = 0; !model.isLate(untilMs); repairs += 1) {
    const turn = await model.ask({ subject, messages, schema, untilMs, signal });
    aichartId = turn.id ?? aichartId;
    if (turn.kind === 'none') break;
    const checkedAnswer = checkAnswer(turn.text, datasetProfile, query);
    if ('plan' in checkedAnswer) {
      turn.close('used');
      const language = languageOfQuestion(datasetProfile, query.question ?? '');
      const plans = [checkedAnswer.plan];
      return {
        aichartId: turn.id,
        suggestion: { profile: datasetProfile, plans, language, message: null, alternatives: [] },
      };
    }
    turn.close('unusable');
    if (repairs >= maxRepairs) break;
    const faults = checkedAnswer.faults.slice(0, 10).join('; ');
    messages = [
      ...messages,
      { role: 'user', content: `Your last answer was wrong: ${faults}. Answer again with one JSON object.` },
    ];
  }
  return aichartId === null ? null : { aichartId, suggestion: null };
}

/**
 * Creates a function that asks a model for a chart. Sends only metadata. Sends a wrong answer back once, together with
 * its faults. Resolves before the deadline; the suggestion is null if the model did not give a valid answer.
 */
export const createConsult =
  (model: ModelClient): Consult =>
  (request, dataset, query) =>
    model.converse(
      () => converse(model, request, dataset, query),
      (consultation) => consultation === null || consultation.suggestion !== null,
    );
