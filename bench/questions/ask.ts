import { isObject, member, textOr, type Json } from '@inlay/contract';
import { cellOf } from './cells.ts';
import { acceptedSql, tableOf, type Domain, type Question } from './domain.ts';
import type { ExpectedAnswers } from './expected.ts';
import { relaxedSql } from './relaxed.ts';
import { itemsOf, show, type RunQuery, type Shown } from './shown.ts';
import type { Stage, StageColumn, StageDataset } from './stage.ts';
import type { Key, Outcome } from './verdict.ts';

/** The rows that are right for a question. */
export async function keyOf(
  domain: Domain,
  question: Question,
  expected: ExpectedAnswers,
  columns: readonly StageColumn[],
): Promise<Key> {
  const sqls = acceptedSql(question, domain.today);
  const rowsOf = async (sql: string) => (await expected.rows(sql)).map((row) => row.map(cellOf));
  const relaxed = [...new Set(sqls.flatMap(relaxedSql))].filter((sql) => !sqls.includes(sql));
  const values = question.rows === 'values' ? (/select (.*?) from/u.exec(question.sql ?? '')?.[1] ?? '') : '';
  return {
    accepted: await Promise.all(sqls.map(rowsOf)),
    relaxed: await Promise.all(relaxed.map(rowsOf)),
    literals: [...(question.sql ?? '').matchAll(/'([^']+)'/gu)].flatMap(([, literal]) => literal ?? []),
    valueColumnIds: columns.filter(({ name }) => values.split(', ').includes(name)).map(({ id }) => id),
  };
}

/** An outcome and the time that the answer took. */
export interface TimedOutcome {
  readonly outcome: Outcome;
  readonly tookMs: number;
}

/** Asks a question over HTTP, with the messages before it, and runs the queries of the answer. */
export async function ask(
  stage: Stage,
  dataset: StageDataset,
  question: Question,
  history: readonly string[],
): Promise<TimedOutcome> {
  const properties = {
    dataset_id: dataset.id,
    type: 'generate-chart',
    question: question.text,
    ...(history.length === 0 ? {} : { message_history: history }),
  };
  const startedMs = performance.now();
  const { status, body } = await stage.call('aichart', { action: 'create', properties });
  const tookMs = performance.now() - startedMs;
  if (status >= 500) throw new Error(`${question.id}: ${JSON.stringify(body)}`);
  const run: RunQuery = (query) => stage.done('data', { action: 'get', find: query });
  const { drawn, alternatives } = status < 300 ? itemsOf(body) : { drawn: null, alternatives: [] };
  const showItem = async (item: NonNullable<typeof drawn>): Promise<Shown | null> =>
    show(item, run, stage.nowMs()).catch(() => null);
  const shownAlternatives = await Promise.all(alternatives.map(showItem));
  const usedIds = new Set(drawn?.item.slots.flatMap(({ content }) => content.map(({ columnId }) => columnId)));
  const outcome = {
    drawn: drawn === null ? null : await showItem(drawn),
    hasItem: drawn !== null,
    alternatives: shownAlternatives.filter((shown) => shown !== null),
    message: status < 300 ? messageIn(body) : JSON.stringify(body),
    drawnNames: dataset.columns.filter(({ id }) => usedIds.has(id)).map(({ label }) => label),
  };
  return { outcome, tookMs };
}

function messageIn(body: Json): string | null {
  return isObject(body) ? textOr(member(body, 'message'), null) : null;
}

/** The questions before a question in its conversation, the oldest first. */
export function conversationBefore(domain: Domain, question: Question): readonly Question[] {
  const before = domain.questions.find(({ id }) => id === question.after);
  return before === undefined ? [] : [...conversationBefore(domain, before), before];
}

/** The dataset of a question. */
export function datasetFor(
  domain: Domain,
  question: Question,
  datasets: ReadonlyMap<string, StageDataset>,
): StageDataset {
  const dataset = datasets.get(tableOf(domain, question));
  if (dataset === undefined) throw new Error(`${question.id} has no dataset`);
  return dataset;
}
