import { isFilterType, type ItemType } from '@inlay/contract';
import { candidates } from './candidates.ts';
import { orderOf } from './order.ts';
import type { Plan, Quantity, Weighed } from './hypothesis.ts';
import type { Profile } from './profile.ts';
import type { Reading } from './reading.ts';
import { weigh, type Scale } from './score.ts';

const planes = new Set<ItemType>(['scatter-plot', 'bubble-chart']);

/** Weighs every chart the words could mean, the best first. */
export function weighAll(profile: Profile, reading: Reading, wanted: ItemType | null): readonly Weighed[] {
  const { kind } = reading.chart;
  const type = wanted ?? (kind?.kind === 'type' ? kind.type : null);
  const relation = kind?.kind === 'idea' && kind.idea === 'relation' && relates(profile, reading);
  const scale: Scale = {
    profile,
    reading,
    plane: type === null ? relation : planes.has(type),
    stacked: kind?.kind === 'type' && kind.stacked,
    overTime: (kind?.kind === 'idea' && kind.idea === 'trend') || type === 'line-chart' || type === 'area-chart',
    grouped: type !== null && type !== 'evolution-number' && type !== 'regular-table' && !isFilterType(type),
  };
  return candidates(scale)
    .map((hypothesis) => weigh(scale, hypothesis))
    .sort((left, right) => right.score - left.score);
}

/** Whether a question speaks of two numbers, which can be set against each other. */
const relates = (profile: Profile, reading: Reading): boolean => {
  const numbers = reading.said.flatMap(({ options: [first], filtered, ordering }) =>
    first !== undefined &&
    !filtered &&
    !ordering &&
    ['amount', 'identifier', 'period'].includes(profile.columns[first.column]?.role ?? '')
      ? [first.column]
      : [],
  );
  return new Set(numbers).size + (reading.counts ? 1 : 0) >= 2;
};

const isTime = (profile: Profile, column: number | undefined): boolean =>
  column !== undefined && ['time', 'period'].includes(profile.columns[column]?.role ?? '');

/** The type of chart for what is drawn, where the question does not name one. */
function typeFor(profile: Profile, reading: Reading, best: Weighed, quantities: readonly Quantity[]): ItemType {
  const { kind } = reading.chart;
  if (kind?.kind === 'type') return kind.type;
  const idea = kind?.kind === 'idea' ? kind.idea : null;
  if (best.across !== null || (idea === 'relation' && relates(profile, reading))) return 'scatter-plot';
  if (best.x === null) return 'evolution-number';
  if (idea === 'share' && best.legend === null && quantities.length < 2) return 'donut-chart';
  const time = profile.columns[best.x.column]?.type === 'datetime';
  if (idea === 'trend' && isTime(profile, best.x.column)) return 'line-chart';
  if (time && best.x.grain !== 'weekday') return 'line-chart';
  if (isTime(profile, best.x.column)) return 'column-chart';
  return 'bar-chart';
}

/** Chooses the best chart a question can mean; null where it speaks of nothing the dataset has. */
export function choose(profile: Profile, reading: Reading, wanted: ItemType | null): Plan | null {
  const [best] = weighAll(profile, reading, wanted);
  if (best === undefined) return null;
  const quantities = [best.y];
  const type = wanted ?? typeFor(profile, reading, best, quantities);
  return {
    type,
    groups: best.x === null ? [] : [best.x],
    legend: best.legend,
    quantities,
    across: best.across,
    sort: orderOf(profile, reading, best),
    limit: reading.limit?.count ?? null,
    assumed: [],
    reasons: best.reasons,
  };
}
