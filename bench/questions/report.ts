import { languages, questionKinds, type Question } from './domain.ts';
import { verdicts, type Outcome, type Verdict } from './verdict.ts';

/** A question, its answer and what the answer is worth. */
export interface Result {
  readonly question: Question;
  readonly outcome: Outcome;
  readonly verdict: Verdict;
  readonly tookMs: number;
  /** True for the first question about a dataset, whose columns and values are read for it. */
  readonly isFirst: boolean;
}

const titles = { right: 'right', partly: 'partly', said: 'wrong, said', silent: 'silent' } as const satisfies Record<
  Verdict,
  string
>;

function line(name: string, cells: readonly string[]): string {
  return name.padEnd(12) + cells.map((cell) => cell.padStart(15)).join('');
}

function counts(name: string, results: readonly Result[]): readonly string[] {
  if (results.length === 0) return [];
  const cells = verdicts.map((verdict) => {
    const count = results.filter((result) => result.verdict === verdict).length;
    return `${count} ${`(${((100 * count) / results.length).toFixed(0)} %)`.padStart(7)}`;
  });
  return [line(name, [String(results.length), ...cells])];
}

function percentile(results: readonly Result[], share: number): string {
  const times = results.map(({ tookMs }) => tookMs).toSorted((left, right) => left - right);
  return `${(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)} ms`;
}

const timesLine = (name: string, results: readonly Result[]): string =>
  `${name} takes ${percentile(results, 0.5)} (p50), ${percentile(results, 0.95)} (p95)`;

/** The verdicts by kind and language, their totals, and the times of the answers. */
export function reportLines(results: readonly Result[]): readonly string[] {
  const heading = (name: string): string => line(name, ['questions', ...verdicts.map((verdict) => titles[verdict])]);
  return [
    heading('kind'),
    ...questionKinds.flatMap((kind) =>
      counts(
        kind,
        results.filter(({ question }) => question.kind === kind),
      ),
    ),
    '',
    heading('language'),
    ...languages.flatMap((language) =>
      counts(
        language,
        results.filter(({ question }) => question.language === language),
      ),
    ),
    '',
    ...counts('all', results),
    timesLine(
      'the first answer of a dataset',
      results.filter(({ isFirst }) => isFirst),
    ),
    timesLine(
      'every further answer',
      results.filter(({ isFirst }) => !isFirst),
    ),
  ];
}

/** Each question that is not answered right, with what was drawn. */
export function resultLines(results: readonly Result[]): readonly string[] {
  return results
    .filter(({ verdict }) => verdict !== 'right')
    .flatMap(({ question, outcome, verdict }) => [
      `${question.id} [${question.kind}, ${question.language}] ${titles[verdict]}: ${question.text}`,
      `    drawn: ${drawnText(outcome)}`,
      ...(outcome.message === null ? [] : [`    message: ${outcome.message}`]),
    ]);
}

function drawnText({ drawn, hasItem }: Outcome): string {
  if (!hasItem) return 'nothing';
  return drawn === null ? 'an item without rows' : `${drawn.type}: ${drawn.description}`;
}
