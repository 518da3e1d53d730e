import type { ModelClient } from '../../model/client.ts';
import type { Consult } from '../serve.ts';
import { profileOf } from '../understand.ts';
import type { FoundValues, ValueSearch } from '../values/found-values.ts';
import { checkAnswer } from './check.ts';
import { complete } from './complete.ts';
import { sentConversation } from './conversation.ts';
import { descriptionOf, messagesFor } from './prompt.ts';
import { answerSchema } from './schema.ts';

/**
 * Creates a function that asks a model for a chart. Sends only metadata and the conversation without the values that were
 * found in it. Resolves before the deadline; the suggestion is null if the model did not give a valid answer.
 */
export const createConsult =
  (model: ModelClient, search: ValueSearch): Consult =>
  async (request, dataset, query, found) => {
    const profile = profileOf(dataset);
    const sent = sentConversation(profile, query, found);
    const description = descriptionOf(dataset);
    const schema = answerSchema(description, query);
    const { caller, signal, deadlineMs } = request;
    const question = {
      subject: { caller, datasetId: request.input['dataset_id'] ?? null },
      messages: messagesFor(description, query, sent, schema),
      schema: { name: 'chart', schema },
      deadlineMs,
      signal,
    };
    const conversation = await model.converse(question, (text) => checkAnswer(text, profile, query));
    if (conversation === null) return null;
    const { id, answer } = conversation;
    if (answer === null) return { aichartId: id, suggestion: null };
    const lookUp = (texts: readonly string[]): Promise<FoundValues> => search(request, dataset, texts);
    const suggestion = await complete({ dataset, profile, query, found, sent, lookUp }, answer);
    return { aichartId: id, suggestion };
  };
