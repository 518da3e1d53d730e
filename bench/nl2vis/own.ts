import { checkItem } from '@inlay/contract';
import { assemble } from '../../packages/service/src/aichart/assemble.ts';
import { ask, wantedOf } from '../../packages/service/src/aichart/engine.ts';
import { idOf, readDatasets, readQuestions, type OwnQuestion } from './own-questions.ts';
import { judge, shownBy } from './own-score.ts';

// Answers the own question set with the engine and prints how much of it is right, tuning and checking half apart.
const datasets = readDatasets();
const half = process.argv[2] ?? 'all';
const showWrong = process.argv.includes('--wrong');

interface Result {
  readonly type: boolean;
  readonly inThree: boolean;
  readonly slots: boolean;
  readonly order: boolean;
  readonly valid: boolean;
}

function answer(question: OwnQuestion): Result {
  const dataset = datasets.get(question.dataset);
  if (dataset === undefined) throw new Error(`no dataset ${question.dataset}`);
  const { profile, plans, message } = ask(dataset, {
    wanted: wantedOf(question.asked),
    question: question.question,
    history: question.history,
  });
  const items = plans.map((plan) => assemble(profile, plan, idOf(0, question.id)).item);
  const [first] = items;
  if (first === undefined) return { type: false, inThree: false, slots: false, order: false, valid: false };
  const faults: string[] = [];
  checkItem(
    first,
    (_, id) => dataset.columns.find((column) => column.id === id)?.type,
    'item',
    (at, says) => faults.push(`${at} ${says}`),
  );
  const judged = judge(question.expected, first, dataset);
  const inThree = items.some((item) => judge(question.expected, item, dataset).type);
  const result = { ...judged, inThree, valid: faults.length === 0 };
  if (showWrong && !(result.type && result.slots && result.order && result.valid)) {
    console.log(
      `${question.id} ${question.line}\n     ${JSON.stringify(shownBy(first, dataset))} ${JSON.stringify(first['options'])} ${faults.join('; ')} ${message ?? ''}`,
    );
  }
  return result;
}

for (const [name, wanted] of [
  ['tuning', 1],
  ['checking', 0],
] as const) {
  if (half !== 'all' && half !== name) continue;
  const results = readQuestions()
    .filter(({ id }) => id % 2 === wanted)
    .map(answer);
  const share = (part: keyof Result): string =>
    ((100 * results.filter((result) => result[part]).length) / results.length).toFixed(1);
  console.log(
    `${name} ${results.length}: type ${share('type')}, in three ${share('inThree')}, slots ${share('slots')}, order ${share('order')}, valid ${share('valid')}`,
  );
}
