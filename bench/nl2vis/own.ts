import { checkItem } from '@inlay/contract';
import { assemble } from '../../packages/service/src/aichart/write/assemble.ts';
import { ask, requestedKindOf } from '../../packages/service/src/aichart/engine.ts';
import { idOf, readDatasets, readQuestions, type OwnQuestion } from './own-questions.ts';
import { judge, shownBy } from './own-score.ts';

// Answers the own question set with the engine and prints how much of it is right, tuning and checking half apart.
// node bench/nl2vis/own.ts [--wide|--last] [--wrong] [tuning|checking]
const set = process.argv.includes('--wide') ? 'wide' : process.argv.includes('--last') ? 'last' : 'own';
const half = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? 'all';
const showWrong = process.argv.includes('--wrong');
const datasets = readDatasets(set);

interface Result {
  readonly type: boolean;
  readonly inThree: boolean;
  readonly slots: boolean;
  readonly order: boolean;
  /** What was left out is told. */
  readonly told: boolean;
  readonly valid: boolean;
}

const right = ({ type, slots, order, told, valid }: Result): boolean => type && slots && order && told && valid;

function answer(question: OwnQuestion): Result {
  const dataset = datasets.get(question.dataset);
  if (dataset === undefined) throw new Error(`no dataset ${question.dataset}`);
  const { profile, plans, message } = ask(dataset, {
    requested: requestedKindOf(question.asked),
    question: question.question,
    history: question.history,
    today: '2024-03-01',
  });
  const items = plans.map((plan) => assemble(profile, plan, idOf(0, question.id)).item);
  const [first] = items;
  if (first === undefined)
    return { type: false, inThree: false, slots: false, order: false, told: false, valid: false };
  const faults: string[] = [];
  checkItem(
    first,
    (_, id) => dataset.columns.find((column) => column.id === id)?.type,
    'item',
    (at, says) => faults.push(`${at} ${says}`),
  );
  const judged = judge(question.expected, first, dataset);
  const inThree = items.some((item) => judge(question.expected, item, dataset).type);
  const told = question.expected.told.every((word) => message?.toLowerCase().includes(word.toLowerCase()) === true);
  const result = { ...judged, inThree, told, valid: faults.length === 0 };
  if (showWrong && !right(result)) {
    console.log(
      `${question.id} ${question.line}\n     ${JSON.stringify(shownBy(first, dataset))} ${JSON.stringify(first['options'])} ${faults.join('; ')} ${message ?? ''}`,
    );
  }
  return result;
}

for (const name of ['tuning', 'checking'] as const) {
  if (half !== 'all' && half !== name) continue;
  const results = readQuestions(set)
    .filter(({ tuning }) => tuning === (name === 'tuning'))
    .map(answer);
  if (results.length === 0) continue;
  const percent = (is: (result: Result) => boolean): string =>
    ((100 * results.filter(is).length) / results.length).toFixed(1);
  const share = (part: keyof Result): string => percent((result) => result[part]);
  console.log(
    `${name} ${results.length}: type ${share('type')}, in three ${share('inThree')}, slots ${share('slots')}, order ${share('order')}, told ${share('told')}, valid ${share('valid')}, all of it ${percent(right)}`,
  );
}
