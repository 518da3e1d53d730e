import type { JsonObject } from '@inlay/contract';
import { category, countries, days, euros, months, number, sample, share, time, wave, type Sample } from './samples.ts';

/** Returns daily business numbers, summed by periods of `count` months. Only days that `isIn` accepts count. */
function byMonths(base: number, count: number, isIn: (day: string) => boolean = () => true): Sample['rows'] {
  const sums = new Map<string, number>();
  for (const [index, day] of days(420, 1, '2024-01-01').entries()) {
    if (!isIn(day.slice(0, 10))) continue;
    const month = Number(day.slice(5, 7)) - 1;
    const start = new Date(Date.UTC(Number(day.slice(0, 4)), month - (month % count))).toISOString();
    sums.set(start, (sums.get(start) ?? 0) + wave(index, base));
  }
  return [...sums];
}
const isBetween =
  (...spans: readonly (readonly [string, string])[]): ((day: string) => boolean) =>
  (day) =>
    spans.some(([from, to]) => day >= from && day <= to);

const bands: readonly JsonObject[] = [
  { max: 60, color: '#b3261e' },
  { min: 60, max: 80, color: '#b7791f' },
  { min: 80, color: '#15803d' },
];

export const numberSamples: readonly Sample[] = [
  {
    ...sample(
      'Revenue',
      'evolution-number',
      { measure: euros('Revenue'), evolution: time('Month', 3) },
      byMonths(9000, 1),
    ),
    soFar: byMonths(9000, 1, isBetween(['2025-01-01', '2025-01-24'], ['2025-02-01', '2025-02-24'])),
  },
  {
    ...sample(
      'Returns',
      'evolution-number',
      { measure: number('Returns'), evolution: time('Quarter', 2) },
      byMonths(12, 3),
      { comparison: { with: 'year', lowerIsBetter: true } },
    ),
    soFar: byMonths(12, 3, isBetween(['2024-01-01', '2024-02-24'], ['2025-01-01', '2025-02-24'])),
  },
  sample('Customers', 'evolution-number', { measure: number('Customers') }, [[12_345_678]]),
  sample('Net promoter score', 'conditional-number', { measure: number('Score'), target: number('Goal') }, [[62, 70]]),
  sample('On time', 'circular-gauge', { measure: share('On time'), target: share('Goal') }, [[0.873, 0.95]]),
  sample('Satisfaction', 'speedometer-chart', { measure: number('Score'), target: number('Goal') }, [[74, 85]], {
    range: { max: 100 },
    rules: bands,
  }),
  sample(
    'Revenue and target',
    'bullet-chart',
    { category: category('Country'), measure: euros('Revenue'), target: euros('Target') },
    countries.slice(0, 5).map((country, index) => [country, 90_000 - index * 15_000, 80_000 - index * 9000]),
  ),
  sample(
    'Revenue and margin',
    'combination-chart',
    { 'x-axis': time('Month', 3), measure: [euros('Revenue'), share('Margin')] },
    months(12).map((month, index) => [month, wave(index, 48_000), 0.3 + 0.05 * Math.sin(index)]),
  ),
];
