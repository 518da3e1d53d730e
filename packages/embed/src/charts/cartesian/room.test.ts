import { itemQuery, memberRows, readItem, type Json, type JsonObject } from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { contrast, over, parseColor, type Rgba, resolveTheme } from '@inlay/contract/theme';
import { describe, expect, it } from 'vitest';
import { createFormats } from '../../locale/format.ts';
import { wordsFor } from '../../locale/words.ts';
import { widthOf } from '../drawing/text-width.ts';
import type { SizedContext } from '../frame/chart.ts';
import { createFrame } from '../frame/frame.ts';
import { createMemberColors } from '../frame/member-colors.ts';
import { loadChart } from '../index.ts';

const contextFor = (more: Partial<SizedContext> = {}): SizedContext => ({
  theme: resolveTheme([]),
  formats: createFormats('en', 'UTC'),
  words: wordsFor('en'),
  colors: createMemberColors(8),
  nowMs: 0,
  widthPx: 288,
  heightPx: 158,
  patterns: false,
  reducedMotion: true,
  rightToLeft: false,
  ...more,
});
const entry = (columnId: string, type: string, more: JsonObject = {}): JsonObject => ({
  columnId,
  datasetId: 'd',
  label: columnId,
  type,
  ...more,
});
const country = entry('Country', 'hierarchy');
const month = entry('Month', 'datetime', { level: 3 });
const revenue = entry('Revenue', 'numeric', { currency: 'EUR', format: ',.0f' });
const names = ['Germany', 'France', 'Italy', 'Spain', 'Austria'];
const months = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2024, index)).toISOString());
const values = [1_234_567, 987_654, 650_000, 421_000, 98_000];
const rowsOf = (members: readonly string[]): readonly (readonly Json[])[] =>
  members.map((member, index) => [member, values[index % values.length] ?? 0]);
const five = rowsOf(names);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce((current, name) => (isRecord(current) ? current[name] : undefined), value);
const written = (label: unknown, ...args: readonly unknown[]): unknown => {
  const formatter = at(label, 'formatter');
  return typeof formatter === 'function' ? Reflect.apply(formatter, null, args) : null;
};

/** Returns the ECharts option for rows of a category and measures. */
async function drawn(
  type: string,
  rows: readonly (readonly Json[])[],
  options: JsonObject = {},
  context: SizedContext = contextFor(),
  axis: JsonObject = country,
): Promise<Record<string, unknown>> {
  const measure = (rows[0] ?? []).slice(1).map((_, index) => ({ ...revenue, columnId: `Revenue ${index}` }));
  const slots = [
    { name: type === 'bar-chart' ? 'y-axis' : 'x-axis', content: [axis] },
    { name: 'measure', content: measure },
  ];
  const item = readItem({ id: 'i', type, options, slots });
  const query = item === null ? null : itemQuery(item);
  const chart = await loadChart(type);
  if (item === null || query === null || chart?.kind !== 'drawn') throw new Error('no chart');
  const frame = createFrame(item, query, memberRows(query, rows), context);
  return (await (chart.ready?.(frame, context) ?? chart)).option(frame, context);
}

/** Returns the value labels of a chart; null if it has none. */
async function labelsOf(
  rows: typeof five,
  options: JsonObject,
  context: SizedContext,
): Promise<readonly unknown[] | null> {
  const label = at(await drawn('column-chart', rows, options, context), 'series', 0, 'label');
  return label === undefined ? null : rows.map((_, dataIndex) => written(label, { dataIndex }));
}

describe('values of columns', () => {
  it('are written with fewer digits where columns are narrow, and not at all where that is too long', async () => {
    expect(await labelsOf(five, {}, contextFor({ widthPx: 600 }))).toEqual([
      '€1.23M',
      '€988K',
      '€650K',
      '€421K',
      '€98K',
    ]);
    expect(await labelsOf(five, {}, contextFor())).toEqual(['€1.2M', '€988K', '€650K', '€421K', '€98K']);
    expect(await labelsOf(five, {}, contextFor({ widthPx: 250 }))).toBeNull();
    expect(await labelsOf(five, { labels: 'all' }, contextFor({ widthPx: 250 }))).toContain('€1.23M');
  });

  it('leave the room of references', async () => {
    expect(await labelsOf(five, { references: [{ type: 'mean' }] }, contextFor())).toBeNull();
  });

  it('have room above the names below them where they are negative', async () => {
    const gapOf = async (value: number, context: SizedContext): Promise<unknown> =>
      at(await drawn('column-chart', [...five, ['Norway', value]], {}, context), 'yAxis', 'boundaryGap');
    expect(await gapOf(-900_000, contextFor({ widthPx: 600, heightPx: 240 }))).toEqual(['15%', 0]);
    expect(await gapOf(900_000, contextFor({ widthPx: 600 }))).toEqual([0, 0]);
    expect(await gapOf(-900_000, contextFor({ widthPx: 250 }))).toBeUndefined();
  });
});

describe('bars over an axis that runs the other way', () => {
  const sides = async (type: string, inverted: boolean): Promise<readonly unknown[]> => {
    const rows = [
      ['Germany', 60],
      ['France', -20],
    ];
    const bars = at(await drawn(type, rows, { labels: 'all', axis: { value: { inverted } } }), 'series', 0);
    return [
      at(bars, 'label', 'position'),
      at(bars, 'data', 0, 'itemStyle', 'borderRadius'),
      at(bars, 'data', 1, 'label', 'position'),
    ];
  };

  it.each([
    [
      'column-chart',
      [
        ['top', [2, 2, 0, 0], 'bottom'],
        ['bottom', [0, 0, 2, 2], 'top'],
      ],
    ],
    [
      'bar-chart',
      [
        ['right', [0, 2, 2, 0], 'left'],
        ['left', [2, 0, 0, 2], 'right'],
      ],
    ],
  ] as const)('are rounded and labelled where they end: %s', async (type, expected) => {
    expect([await sides(type, false), await sides(type, true)]).toEqual(expected);
  });
});

describe('texts of references', () => {
  const references = [{ value: 900_000, label: 'Target' }, { type: 'mean' }];

  it('stand behind the plot of columns, in lines where the chart is narrow', async () => {
    const option = await drawn('column-chart', five, { references });
    const line = at(option, 'series', 0, 'markLine');
    expect(at(line, 'label', 'position')).toBe('end');
    expect([0, 1].map((place) => written(at(line, 'data', place, 'label')))).toEqual([
      'Target',
      'Average\nof\u00a05:\n€678K',
    ]);
    expect(at(option, 'grid', 'right')).toBeGreaterThan(widthOf('Average', 12, contextFor()));
    const wide = await drawn('column-chart', five, { references }, contextFor({ widthPx: 600 }));
    expect(written(at(wide, 'series', 0, 'markLine', 'data', 1, 'label'))).toBe('Average of\u00a05: €678K');
  });

  it('stand above the plot of bars, away from each other', async () => {
    const option = await drawn('bar-chart', five, { references });
    const labels = [0, 1].map((place) => at(option, 'series', 0, 'markLine', 'data', place, 'label'));
    expect(labels).toMatchObject([
      { position: 'start', align: 'left' },
      { position: 'start', align: 'right' },
    ]);
    const plain = await drawn('bar-chart', five);
    expect(Number(at(option, 'grid', 'top')) - Number(at(plain, 'grid', 'top'))).toBeGreaterThanOrEqual(12);
    const inverted = { references: references.slice(1), axis: { category: { inverted: true } } };
    const upward = await drawn('bar-chart', five, inverted);
    expect(at(upward, 'series', 0, 'markLine', 'data', 0, 'label')).toMatchObject({ position: 'end', align: 'center' });
  });

  it('of bands stand behind the plot too, where they meet none of lines', async () => {
    const band = { value: 300_000, to: 600_000, label: 'Normal' };
    const option = await drawn('column-chart', five, { references: [band] });
    expect(at(option, 'series', 0, 'markArea', 'data', 0, 0, 'label')).toMatchObject({ position: 'right' });
    expect(at(option, 'grid', 'right')).toBeGreaterThan(widthOf('Normal', 12, contextFor()));
    const both = await drawn('column-chart', five, { references: [band, ...references] });
    expect(at(both, 'series', 0, 'markArea', 'data', 0, 0, 'label')).toMatchObject({ position: 'insideTopLeft' });
  });
});

describe('a band without a colour', () => {
  const read = (color: unknown): Rgba => parseColor(String(color)) ?? { r: 0, g: 0, b: 0, a: 0 };

  it.each(Object.entries(builtInThemes))('is seen in %s, and lies under its marks', async (_, properties) => {
    const theme = resolveTheme([properties]);
    const band = { value: 300_000, to: 600_000 };
    const option = await drawn('column-chart', five, { references: [band] }, contextFor({ theme }));
    const area = at(option, 'series', 0, 'markArea');
    const style = at(area, 'data', 0, 0, 'itemStyle');
    const [back, color] = [read(theme.itemsBackground), read(at(style, 'color'))];
    const seen = over({ ...color, a: Number(at(style, 'opacity')) }, back);
    expect(contrast(seen, back)).toBeGreaterThan(1.25);
    for (const mark of theme.colors) expect(contrast(seen, read(mark)), mark).toBeGreaterThan(1.8);
    // By default ECharts draws areas at z-index 1 and marks at 2.
    expect(at(area, 'z')).toBeUndefined();
  });
});

describe('a logarithmic axis', () => {
  const log = { axis: { value: { scale: 'log' } } };
  const axisOf = async (type: string, rows: typeof five, options: JsonObject): Promise<unknown> =>
    at(await drawn(type, rows, options), type === 'bar-chart' ? 'xAxis' : 'yAxis');

  it('starts a power of ten below the smallest value, and ends at the power above the largest', async () => {
    expect(await axisOf('column-chart', five, log)).toMatchObject({ min: 10_000, max: 10_000_000 });
    expect(await axisOf('bar-chart', five, log)).toMatchObject({ min: 10_000, max: 10_000_000 });
    expect(await axisOf('column-chart', [['Germany', 1000]], log)).toMatchObject({
      min: 100,
      max: 1000,
      startValue: 100,
    });
    const stacked = { ...log, stacked: true };
    expect(await axisOf('column-chart', [['Germany', 60, 70]], stacked)).toMatchObject({ min: 10, max: 1000 });
  });

  it('keeps the ends that the item gives it, and has none of its own without values above 0', async () => {
    const options = { axis: { value: { scale: 'log', min: 50_000 } } };
    expect(await axisOf('column-chart', five, options)).toMatchObject({ min: 50_000, max: 10_000_000 });
    const none = await axisOf('column-chart', [['Germany', 0]], log);
    expect([at(none, 'min'), at(none, 'max')]).toEqual([undefined, undefined]);
  });
});

describe('names below columns', () => {
  const labelOf = async (members: readonly string[], widthPx = 288): Promise<unknown> =>
    at(await drawn('column-chart', rowsOf(members), { labels: 'none' }, contextFor({ widthPx })), 'xAxis', 'axisLabel');
  const shown = (label: unknown, members: readonly string[]): readonly unknown[] =>
    members.map((name, index) => written(label, name, index));

  it('are shortened before they are turned, where enough of them is left', async () => {
    const label = await labelOf(names);
    expect(at(label, 'rotate')).toBeUndefined();
    expect(shown(label, names)).toEqual(['Germ…', 'France', 'Italy', 'Spain', 'Austria']);
    expect(at(await labelOf(names, 220), 'rotate')).toBe(45);
  });

  it('are turned where they could not be told from each other when shortened', async () => {
    const alike = ['Customer 1A', 'Customer 1B', 'Customer 2'].map((name) => name.replace(' ', '\u00A0'));
    expect(at(await labelOf(alike, 230), 'rotate')).toBe(45);
  });
});

it.each([['line-chart'], ['area-chart'], ['combination-chart']])('no axis of time of a %s has gaps', async (type) => {
  const rows = months.map((month, index) => [month, index, index]);
  const option = await drawn(type, rows, { shapes: ['area', 'column'] }, contextFor(), month);
  expect(at(option, 'xAxis', 'type')).toBe('time');
  expect(at(option, 'xAxis', 'boundaryGap')).toBeUndefined();
});
