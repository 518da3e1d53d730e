import { filledText, parseObject, type JsonObject } from '@inlay/contract';
import type { AnswerOnce } from '../../idempotency/answer-once.ts';
import { Problem } from '../../problems/problem.ts';
import type { ServedHandler, ServedRequest } from '../../resource/served.ts';
import { sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import { languageOfCaller } from '../caller-language.ts';
import type { ChartDataset } from '../dataset.ts';
import { createLoadChartDataset, isSwitchedOn, wordsByLanguage } from '../load.ts';
import { describe, type DatasetDescription, type DatasetFormula, type PartDescription } from './describe.ts';
import { listedDatasets, type ListedDataset } from './listed-datasets.ts';
import type { ConsultDescription } from './provider.ts';
import { isDescriptionLanguage, type DescriptionLanguage } from './sentences.ts';

export interface DescriptionContext {
  readonly reader: Reader;
  /** Asks the configured model; null if no model is configured. */
  readonly consult: ConsultDescription | null;
  readonly once: AnswerOnce;
}

/** Loads the formulas of a dataset, the oldest first. */
async function formulasOf(reader: Reader, datasetId: string): Promise<readonly DatasetFormula[]> {
  const rows = await reader.rows(sql`select id, record from formula where securable_id = ${datasetId} order by id`);
  return rows.map((row) => {
    const record = parseObject(String(row['record']));
    return {
      id: String(row['id']),
      name: wordsByLanguage(record['name']),
      expression: filledText(record['expression']) ?? '',
    };
  });
}

/** Returns the language of a caller, else that of the names of the dataset, as far as descriptions have it. */
function languageFor(callerLanguage: string | null, { name, columns }: ChartDataset): DescriptionLanguage {
  const candidates = [
    callerLanguage ?? '',
    ...Object.keys(name),
    ...columns.flatMap((column) => Object.keys(column.name)),
  ];
  return candidates.map((code) => code.split('-')[0] ?? '').find(isDescriptionLanguage) ?? 'en';
}

const inLanguage = (
  parts: readonly PartDescription[],
  wanted: readonly string[] | null,
  language: string,
): JsonObject[] =>
  parts
    .filter(({ id }) => wanted === null || wanted.includes(id.toLowerCase()))
    .map(({ id, description }) => ({ id, description: { [language]: description } }));

const answerOf = (
  { id, description, columns, formulas }: DatasetDescription,
  wanted: ListedDataset,
  language: string,
): JsonObject => ({
  id,
  description: { [language]: description },
  columns: inLanguage(columns, wanted.columns, language),
  formulas: inLanguage(formulas, wanted.formulas, language),
});

/**
 * Creates the handler of `generatedescriptions` requests. What a model does not describe is described without it.
 * Raises Problem `ai_disabled`, `reference_unknown`. specification/ai-charts#descriptions
 */
export function createDescriptionHandler({ reader, consult, once }: DescriptionContext): ServedHandler {
  const load = createLoadChartDataset(false);

  /** Describes a dataset. If `ask` is null, no model is asked. `isAnswered` is true if the model gave a description. */
  async function described(
    request: ServedRequest,
    wanted: ListedDataset,
    callerLanguage: string | null,
    ask: ConsultDescription | null,
  ): Promise<{ readonly answer: JsonObject; readonly isAnswered: boolean }> {
    const dataset = await load(reader, request.caller, wanted.id);
    if (dataset === null)
      throw new Problem('reference_unknown', {
        validation: { 'properties.datasets': ['there is no such dataset, or you may not see it'] },
      });
    const formulas = await formulasOf(reader, wanted.id);
    const language = languageFor(callerLanguage, dataset);
    const built = describe(dataset, formulas, language);
    const better = ask === null ? null : await ask(request, dataset, formulas, built, language);
    return { answer: answerOf(better ?? built, wanted, language), isAnswered: better !== null };
  }

  return async (request) => {
    if (!(await isSwitchedOn(reader, request.caller.organizationId))) throw new Problem('ai_disabled');
    const answerText = async (): Promise<string> => {
      const language = await languageOfCaller(reader, request.caller);
      const datasets: JsonObject[] = [];
      // A model that gives nothing for one dataset is not waited for with the others.
      let ask = consult;
      for (const wanted of listedDatasets(request.input['datasets'] ?? null)) {
        const { answer, isAnswered } = await described(request, wanted, language, ask);
        datasets.push(answer);
        if (!isAnswered) ask = null;
      }
      return JSON.stringify({ properties: { datasets } });
    };
    return { body: await once(request, answerText) };
  };
}
