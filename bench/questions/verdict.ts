import { cellOf, type Cell } from './cells.ts';
import type { Question } from './domain.ts';
import { isSameComparison, isSameRows } from './equal.ts';
import { namesUnused, saysCannot } from './said.ts';
import type { Shown } from './shown.ts';

export const verdicts = ['right', 'partly', 'said', 'silent'] as const;
/**
 * `right`; `partly`: measure and groups are right and the message says which word was left out; `said`: the rows are
 * wrong and the message says so; `silent`: the rows are wrong and nothing says so.
 */
export type Verdict = (typeof verdicts)[number];

type Rows = readonly (readonly Cell[])[];

/** What the service answered to a question. */
export interface Outcome {
  /** Null if no item was answered, or if its query was refused. */
  readonly drawn: Shown | null;
  readonly hasItem: boolean;
  readonly alternatives: readonly Shown[];
  readonly message: string | null;
  /** The names of the columns in the slots of the item. */
  readonly drawnNames: readonly string[];
}

/** The expected answer to a question. */
export interface Key {
  /** The rows of each right reading. */
  readonly accepted: readonly Rows[];
  /** Rows of the right measure and groups without all of the conditions. */
  readonly relaxed: readonly Rows[];
  /** The values in the SQL of the question. */
  readonly literals: readonly string[];
  /** Ids of the columns whose values a chart of single values shows. */
  readonly valueColumnIds: readonly string[];
}

const chartTypes = {
  // A column for each bin is a histogram, whatever its type.
  histogram: ['histogram', 'column-chart', 'bar-chart'],
  map: ['choropleth-map', 'symbol-map'],
  funnel: ['funnel-chart'],
  scatter: ['scatter-plot', 'bubble-chart'],
  target: [
    'bullet-chart',
    'circular-gauge',
    'speedometer-chart',
    'conditional-number',
    'combination-chart',
    'column-chart',
    'bar-chart',
  ],
  heat: ['heat-table', 'pivot-table'],
} as const satisfies Record<NonNullable<Question['chart']>, readonly string[]>;

/** Judges an answer by its rows, and by its message where the rows are wrong. */
export function judge(question: Question, key: Key, outcome: Outcome): Verdict {
  const { drawn, hasItem, alternatives, drawnNames } = outcome;
  const message = outcome.message ?? '';
  const conditions = drawn?.conditions ?? '';
  const names = namesUnused(question.text, key.literals, { message, drawnNames, conditions });
  if (question.cannot === true) return !hasItem || names || saysCannot(message) ? 'right' : 'silent';
  const shows = (shown: Shown, readings: readonly Rows[]) =>
    readings.some((rows) => isRightRows(question, key, rows, shown));
  if (drawn !== null && isRightType(question, drawn) && shows(drawn, key.accepted)) return 'right';
  if (question.ambiguous === true && alternatives.some((shown) => shows(shown, key.accepted))) return 'right';
  if (!hasItem) return 'said';
  if (!names && !saysCannot(message)) return 'silent';
  return drawn !== null && shows(drawn, [...key.relaxed, ...key.accepted]) ? 'partly' : 'said';
}

function isRightType({ chart }: Question, { type }: Shown): boolean {
  return chart === undefined || chartTypes[chart].some((right) => right === type);
}

function isRightRows({ rows: form, accepts = [] }: Question, key: Key, expected: Rows, shown: Shown): boolean {
  const rules = { percent: accepts.includes('percent'), measures: accepts.includes('measures') };
  if (form === 'values') return isRightValues(key, expected, shown);
  const isComparison = form === 'comparison' || form === 'growth';
  if (isComparison && isSameComparison(expected, shown, form === 'growth')) return true;
  const isCircle = accepts.includes('parts') && shown.type === 'donut-chart';
  return isSameRows(expected, isCircle ? asShares(shown) : shown, rules);
}

/** The parts of a circle as shares of the whole. */
function asShares(shown: Shown): Shown {
  const whole = shown.rows.reduce((sum, row) => sum + Number(row.at(-1) ?? 0), 0);
  const rows = shown.rows.map((row) => [...row.slice(0, -1), cellOf(Number(row.at(-1) ?? 0) / whole)]);
  return { ...shown, rows };
}

/** Single values are right as they are, or as numbers of rows in bins of the same columns. */
function isRightValues({ valueColumnIds }: Key, expected: Rows, shown: Shown): boolean {
  if (!valueColumnIds.every((id) => shown.columnIds.includes(id))) return false;
  if (!shown.isBinned) return isSameRows(expected, shown, { percent: false, measures: false });
  const counted = shown.rows.filter((row) => row.slice(0, shown.groups).every((cell) => cell !== null));
  const total = counted.reduce((sum, row) => sum + Number(row.at(-1) ?? 0), 0);
  return total === expected.length;
}
