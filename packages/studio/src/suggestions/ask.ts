import type { Transport } from '@inlay/client/transport';
import { filledText, inLanguage, listOr, objectOr, type JsonObject } from '@inlay/contract';

/** A chart that the service suggests. */
export interface SuggestedChart {
  /** The item: `type`, `title`, `options`, `slots` and `filters`. */
  readonly item: JsonObject;
  /** What was assumed or left out, in the language of the question; empty if nothing was. */
  readonly message: string;
}

const members = ['type', 'title', 'options', 'slots', 'filters'] as const;

/** Returns an item without what belongs to the answer alone, such as its size. */
const itemOf = (chart: JsonObject): JsonObject =>
  Object.fromEntries(members.flatMap((name) => (chart[name] === undefined ? [] : [[name, chart[name]]])));

/**
 * Asks for a chart of a dataset, which the service makes without a provider too. `earlier` are the questions before,
 * oldest first. Returns the chart that fits best, then the alternatives. Raises Failure.
 */
export async function askForChart(
  transport: Transport,
  datasetId: string,
  question: string,
  earlier: readonly string[],
): Promise<readonly SuggestedChart[]> {
  const properties = { dataset_id: datasetId, type: 'generate-chart', question, message_history: earlier };
  const { generatedChart, message, alternatives } = objectOr(
    await transport.call('aichart', { action: 'create', properties }),
  );
  return [
    { item: itemOf(objectOr(generatedChart)), message: filledText(message) ?? '' },
    ...listOr(alternatives).map((one) => ({ item: itemOf(objectOr(objectOr(one)['generatedChart'])), message: '' })),
  ];
}

/** Returns questions that the columns of a dataset answer, in a language. Raises Failure. */
export async function exampleQuestions(
  transport: Transport,
  datasetId: string,
  locale: string,
): Promise<readonly string[]> {
  const properties = { dataset_id: datasetId, type: 'generate-example-questions' };
  const answer = objectOr(await transport.call('aichart', { action: 'create', properties }));
  return listOr(answer['examples'])
    .map((example) => inLanguage(objectOr(example)['title'], locale))
    .filter((title) => title !== '');
}
