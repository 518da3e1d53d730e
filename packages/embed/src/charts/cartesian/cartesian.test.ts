import { isList, isObject, itemQuery, memberRows, readItem, textOr, type Json, type JsonObject } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { describe, expect, it } from 'vitest';
import { createFormats } from '../../locale/format.ts';
import { wordsFor } from '../../locale/words.ts';
import { addMembers } from '../colors/add-members.ts';
import { loadChart } from '../index.ts';
import type { SizedContext, TooltipText } from '../frame/chart.ts';
import { createFrame, type Frame } from '../frame/frame.ts';
import { createMemberColors } from '../frame/member-colors.ts';

const contextFor = (more: Partial<SizedContext> = {}): SizedContext => ({
  theme: resolveTheme([]),
  formats: createFormats('en', 'UTC'),
  words: wordsFor('en'),
  colors: createMemberColors(8),
  nowMs: 0,
  widthPx: 600,
  heightPx: 300,
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
const channel = entry('Channel', 'hierarchy');
const month = entry('Month', 'datetime', { level: 3 });
const revenue = entry('Revenue', 'numeric', { currency: 'EUR', format: ',.0f' });

interface Drawn {
  readonly option: Json;
  readonly frame: Frame;
}

async function drawn(
  type: string,
  slots: Readonly<Record<string, JsonObject | readonly JsonObject[]>>,
  rows: readonly (readonly Json[])[],
  options: JsonObject = {},
  context: SizedContext = contextFor(),
): Promise<Drawn> {
  const slotList = Object.entries(slots).map(([name, content]) => ({ name, content: [content].flat() }));
  const item = readItem({ id: 'i', type, options, slots: slotList });
  const query = item === null ? null : itemQuery(item);
  const chart = await loadChart(type);
  if (item === null || query === null || chart?.kind !== 'drawn') throw new Error('no chart');
  const shown = memberRows(query, rows);
  addMembers(context.colors, item, query, shown);
  const frame = createFrame(item, query, shown, context);
  const ready = await (chart.ready?.(frame, context) ?? chart);
  const option: Json = JSON.parse(
    JSON.stringify(ready.option(frame, context), (name: string, value: unknown) =>
      typeof value === 'function' && name !== 'formatter' ? undefined : value,
    ),
  );
  return { option, frame };
}
const at = (value: Json | undefined, ...path: readonly (string | number)[]): Json =>
  path.reduce<Json>(
    (current, name) =>
      (typeof name === 'number'
        ? isList(current)
          ? current[name]
          : null
        : isObject(current)
          ? current[name]
          : null) ?? null,
    value ?? null,
  );
const seriesOf = ({ option }: Drawn): readonly Json[] => {
  const series = at(option, 'series');
  return isList(series) ? series : [];
};

const byChannel = [
  ['Germany', 'Web', 60],
  ['Germany', 'Shop', 30],
  ['Germany', 'App', 10],
  ['France', 'Web', 20],
];
const stack = { 'x-axis': country, legend: channel, measure: revenue };

describe('more series than the item shows', () => {
  it('are the largest, and all others as one that is called so', async () => {
    const chart = await drawn('column-chart', stack, byChannel, { seriesLimit: 2 });
    expect(seriesOf(chart).map((series) => [at(series, 'name'), at(series, 'data', 0, 'value')])).toEqual([
      ['Web', 60],
      ['Others (2)', 40],
    ]);
  });
});

describe('bars that stand on each other', () => {
  it('are rounded at the outer end alone', async () => {
    const columns = await drawn('column-chart', stack, byChannel, { stacked: true });
    const corners = seriesOf(columns).map((series) => at(series, 'data', 0, 'itemStyle', 'borderRadius'));
    expect(corners.filter((corner) => corner !== null)).toHaveLength(1);
    expect(corners.at(-1)).toEqual([2, 2, 0, 0]);
    // The outermost visible series of France is the first.
    expect(at(seriesOf(columns)[0], 'data', 1, 'itemStyle', 'borderRadius')).toEqual([2, 2, 0, 0]);
  });

  it('fill the axis as shares of 100 % where that is asked for', async () => {
    const columns = await drawn('column-chart', stack, byChannel, { percent: true });
    expect(seriesOf(columns).map((series) => at(series, 'data', 0, 'value'))).toEqual([0.6, 0.3, 0.1]);
    expect(at(columns.option, 'yAxis')).toMatchObject({ min: 0, max: 1 });
  });
});

describe('the colour of a mark', () => {
  it('is that of its member, whichever members a filter leaves, and that of the item where it names one', async () => {
    const context = contextFor();
    const colorsOf = (chart: Drawn): Readonly<Record<string, Json>> =>
      Object.fromEntries(
        seriesOf(chart).map((series) => [textOr(at(series, 'name'), ''), at(series, 'itemStyle', 'color')]),
      );
    const all = colorsOf(await drawn('column-chart', stack, byChannel, {}, context));
    context.colors.settle();
    const some = colorsOf(await drawn('column-chart', stack, byChannel.slice(1), {}, context));
    expect(some['App']).toBe(all['App']);
    expect(some['Shop']).toBe(all['Shop']);
    expect(new Set(Object.values(all)).size).toBe(3);
    const own = await drawn('column-chart', stack, byChannel, { colors: { App: '#ff0000' } }, context);
    expect(colorsOf(own)['App']).toBe('rgb(255,0,0)');
  });

  it('follows rules by the value, the first that fits', async () => {
    const rules = [
      { max: 0, color: '#aa0000' },
      { min: 0, max: 50, color: '#888800' },
    ];
    const rows = [
      ['Germany', 60],
      ['France', 50],
      ['Spain', 0],
      ['Italy', -5],
    ];
    const bars = await drawn('bar-chart', { 'y-axis': country, measure: revenue }, rows, { rules });
    expect([0, 1, 2, 3].map((place) => at(seriesOf(bars)[0], 'data', place, 'itemStyle', 'color'))).toEqual([
      null,
      null,
      'rgb(136,136,0)',
      'rgb(170,0,0)',
    ]);
  });

  it('is strong for what is chosen and pale for the rest', async () => {
    const rows = byChannel.slice(2);
    const plain = await drawn('column-chart', stack, rows);
    const [field] = plain.frame.dimensions;
    if (field === undefined) throw new Error('no dimension');
    const chosen = { cells: [{ field, cell: 'France' }] };
    const dimmed = await drawn('column-chart', stack, rows, {}, contextFor({ chosen }));
    expect(
      seriesOf(dimmed).map((series) => [0, 1].map((place) => at(series, 'data', place, 'itemStyle', 'opacity'))),
    ).toEqual([
      [null, 0.3],
      [0.3, 0.3],
    ]);
  });
});

describe('axes', () => {
  it('write values as their measure is written, and their titles and ends as the item says', async () => {
    const axis = {
      value: { title: { en: 'Net revenue' }, min: 10, max: 90, scale: 'log' },
      category: { title: 'Where' },
    };
    const columns = await drawn('column-chart', { 'x-axis': country, measure: revenue }, [['Germany', 60]], { axis });
    expect(at(columns.option, 'yAxis')).toMatchObject({ name: 'Net revenue', min: 10, max: 90, type: 'log' });
    expect(at(columns.option, 'xAxis')).toMatchObject({ name: 'Where' });
  });

  it('have room for the title of values once: ECharts adds it, but right to left', async () => {
    const topOf = async (title: string, rightToLeft: boolean): Promise<number> => {
      const [axis, context] = [{ value: { title } }, contextFor({ rightToLeft })];
      const slots = { 'x-axis': country, measure: revenue };
      return Number(
        at((await drawn('column-chart', slots, [['Germany', 60]], { axis }, context)).option, 'grid', 'top'),
      );
    };
    expect((await topOf('Revenue', false)) - (await topOf('', false))).toBe(0);
    expect((await topOf('Revenue', true)) - (await topOf('', true))).toBe(20);
  });

  it('keep every label while there is room for a line of text, and leave out evenly then', async () => {
    const intervalOf = async (count: number): Promise<Json> => {
      const rows = Array.from({ length: count }, (_, index) => [`A rather long name ${index}`, count - index]);
      return at(
        (await drawn('column-chart', { 'x-axis': country, measure: revenue }, rows)).option,
        'xAxis',
        'axisLabel',
      );
    };
    expect(await intervalOf(4)).toMatchObject({ interval: 0 });
    expect(at(await intervalOf(4), 'rotate')).toBeNull();
    expect(await intervalOf(20)).toMatchObject({ interval: 0, rotate: 45 });
    expect(await intervalOf(200)).toMatchObject({ interval: 5, rotate: 90 });
  });

  it('label weeks at their days', async () => {
    const weeks = ['2024-04-28', '2024-05-05', '2024-05-12', '2024-05-19'].map((day) => `${day}T00:00:00.000Z`);
    const line = await drawn(
      'line-chart',
      { 'x-axis': { ...month, level: 4 }, measure: revenue },
      weeks.map((week, index) => [week, index]),
    );
    expect(at(line.option, 'xAxis', 'axisLabel', 'customValues')).toEqual(weeks.map((week) => Date.parse(week)));
  });
});

describe('beside the values', () => {
  const months = ['2024-01', '2024-02', '2024-03'].map((month) => `${month}-01T00:00:00.000Z`);
  const rows = months.map((month, index) => [month, 10 * (index + 1)]);
  const line = { 'x-axis': month, measure: revenue };

  it('parts the texts of two lines: over the upper one, under the lower one', async () => {
    const rows = months.slice(0, 4).map((name, index) => [name, 10 + index]);
    const references = [
      { value: 12, label: 'Target' },
      { value: 12.2, label: 'Limit' },
    ];
    const texts = async (widthPx: number): Promise<readonly Json[]> => {
      const { option } = await drawn('line-chart', line, rows, { references }, contextFor({ widthPx }));
      return [0, 1].map((place) => at(option, 'series', 0, 'markLine', 'data', place, 'label'));
    };
    expect(await texts(600)).toMatchObject([{ verticalAlign: 'top' }, { verticalAlign: 'bottom' }]);
    expect((await texts(150))[0]).toMatchObject({ position: 'insideEndBottom' });
  });

  it('stand targets, averages, bands and today', async () => {
    const references = [{ type: 'median' }, { value: 25, label: 'Target' }, { value: 5, to: 8 }, { type: 'today' }];
    const nowMs = Date.parse('2024-02-10T00:00:00.000Z');
    const context = contextFor({ nowMs });
    const { option } = await drawn('line-chart', line, rows, { references }, context);
    const marks = at(option, 'series', 0, 'markLine', 'data');
    expect(marks).toMatchObject([{ yAxis: 20 }, { yAxis: 25 }, { xAxis: nowMs }]);
    expect(at(option, 'series', 0, 'markArea', 'data')).toMatchObject([[{ yAxis: 5 }, { yAxis: 8 }]]);
  });

  it('stands the line that fits them best', async () => {
    const { option } = await drawn('line-chart', line, rows, { trend: true });
    const trend = at(option, 'series', 1, 'data');
    expect(trend).toMatchObject([
      [Date.parse(months[0] ?? ''), 10],
      [Date.parse(months[2] ?? ''), 30],
    ]);
  });

  it('is shown that the last period has not ended', async () => {
    const context = contextFor({ nowMs: Date.parse('2024-03-10T00:00:00.000Z') });
    const columns = await drawn('column-chart', line, rows, {}, context);
    const opacities = [0, 1, 2].map((place) => at(seriesOf(columns)[0], 'data', place, 'itemStyle', 'opacity'));
    expect(opacities).toEqual([null, null, 0.55]);
  });
});

describe('columns with a line', () => {
  it('leaves room for the labels of the second axis where the axis of members runs from the right', async () => {
    const item = { 'x-axis': country, measure: [revenue, entry('Margin', 'numeric', { format: '.1%' })] };
    const context = contextFor({ rightToLeft: true });
    const { option } = await drawn('combination-chart', item, [['DE', 50_000, 0.3]], {}, context);
    expect(Number(at(option, 'grid', 'left'))).toBeGreaterThan(40);
  });
  const axesOf = async (second: JsonObject, values: readonly [number, number]): Promise<readonly Json[]> => {
    const rows = [['Germany', ...values]];
    const item = { 'x-axis': country, measure: [revenue, second] };
    return seriesOf(await drawn('combination-chart', item, rows)).map((series) => at(series, 'yAxisIndex') ?? 0);
  };
  it('have two axes where their measures are written in other ways, or are of another magnitude', async () => {
    const margin = entry('Margin', 'numeric', { format: '.1%' });
    const costs = entry('Costs', 'numeric', { currency: 'EUR', format: ',.0f' });
    expect(await axesOf(margin, [60, 0.3])).toEqual([0, 1]);
    expect(await axesOf(costs, [60, 40])).toEqual([0, 0]);
    expect(await axesOf(costs, [60, 4])).toEqual([0, 1]);
  });
});

describe('a tooltip', () => {
  it('has the values of a member with their colours, shares and total', async () => {
    const seen: TooltipText[] = [];
    const context = contextFor({ tooltipView: (text) => seen.push(text) });
    const chart = await loadChart('column-chart');
    const { frame } = await drawn('column-chart', stack, byChannel, { stacked: true }, context);
    const tooltip: unknown = chart?.kind === 'drawn' ? chart.option(frame, context)['tooltip'] : null;
    if (
      typeof tooltip === 'object' &&
      tooltip !== null &&
      'formatter' in tooltip &&
      typeof tooltip.formatter === 'function'
    )
      tooltip.formatter([{ dataIndex: 0 }]);
    expect(seen).toMatchObject([
      {
        title: 'Germany',
        rows: [
          { label: 'Web', value: '€60', note: '60%' },
          { label: 'Shop', value: '€30', note: '30%' },
          { label: 'App', value: '€10', note: '10%' },
          { color: null, label: 'Total', value: '€100', isTotal: true },
        ],
      },
    ]);
  });
});

it('a second axis has room for its labels where texts run from right to left', async () => {
  const margin = entry('Margin', 'numeric', { format: '.0%', aggregationFunc: 'average' });
  const rows = ['2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.000Z'].map((day): readonly Json[] => [
    day,
    120_000,
    0.38,
  ]);
  const right = contextFor({ formats: createFormats('ar', 'UTC'), words: wordsFor('ar'), rightToLeft: true });
  const { option } = await drawn('combination-chart', { 'x-axis': month, measure: [revenue, margin] }, rows, {}, right);
  expect(Number(at(option, 'grid', 'left'))).toBeGreaterThan(30);
  const single = await drawn('combination-chart', { 'x-axis': month, measure: [revenue] }, rows, {}, right);
  expect(Number(at(single.option, 'grid', 'left'))).toBeLessThan(20);
});
