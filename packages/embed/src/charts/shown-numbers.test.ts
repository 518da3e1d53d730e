import { isList, isObject, itemQuery, memberRows, readItem, type Json, type JsonObject } from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { donutChart, funnelChart, treemapChart } from '@inlay/contract/dashboard';
import { resolveTheme } from '@inlay/contract/theme';
import { describe, expect, it } from 'vitest';
import { createFormats } from '../locale/format.ts';
import { wordsFor } from '../locale/words.ts';
import type { Legend, SizedContext } from './frame/chart.ts';
import { createFrame } from './frame/frame.ts';
import { createMemberColors } from './frame/member-colors.ts';
import { loadChart } from './index.ts';

const context: SizedContext = {
  theme: resolveTheme(['default'], builtInThemes),
  formats: createFormats('en', 'UTC'),
  words: wordsFor('en'),
  colors: createMemberColors(8),
  nowMs: 0,
  widthPx: 600,
  heightPx: 300,
  patterns: false,
  reducedMotion: true,
  rightToLeft: false,
};
const text = (columnId: string): JsonObject => ({ columnId, datasetId: 'd', label: columnId, type: 'hierarchy' });
const number = (columnId: string, more: JsonObject = {}): JsonObject => ({
  columnId,
  datasetId: 'd',
  label: columnId,
  type: 'numeric',
  aggregationFunc: 'sum',
  ...more,
});

interface Shown {
  readonly option: Json;
  readonly note: string | null;
  readonly legend: Legend | null;
}

async function shown(
  type: string,
  slots: Readonly<Record<string, readonly JsonObject[]>>,
  rows: readonly (readonly Json[])[],
  options: JsonObject = {},
): Promise<Shown> {
  const slotList = Object.entries(slots).map(([name, content]) => ({ name, content }));
  const item = readItem({ id: 'i', type, options, slots: slotList });
  const query = item === null ? null : itemQuery(item);
  const chart = await loadChart(type);
  if (item === null || query === null || chart?.kind !== 'drawn') throw new Error('no chart');
  const frame = createFrame(item, query, memberRows(query, rows), context);
  const ready = await (chart.ready?.(frame, context) ?? chart);
  const option: Json = JSON.parse(
    JSON.stringify(ready.option(frame, context), (_name, value: unknown) =>
      typeof value === 'function' && value.length === 0 ? String(value()) : value,
    ),
  );
  return { option, note: ready.note?.(frame, context) ?? null, legend: ready.legend?.(frame, context) ?? null };
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

describe('numbers below zero', () => {
  const rows = [
    ['A', 'N', 100],
    ['A', 'S', -60],
    ['B', 'N', 40],
    ['B', 'S', -90],
    ['C', 'S', -5],
  ];

  it('are drawn below the axis of shares', async () => {
    const slots = { 'x-axis': [text('cat')], legend: [text('reg')], measure: [number('v')] };
    const { option } = await shown('column-chart', slots, rows, { percent: true, sort: { by: 'x-axis' } });
    expect(at(option, 'yAxis')).toMatchObject({ min: -1, max: 0.75 });
    const values = [0, 1].map((series) =>
      [0, 1, 2].map((place) => at(option, 'series', series, 'data', place, 'value')),
    );
    expect(values).toEqual([
      [100 / 160, 40 / 130, null],
      [-60 / 160, -90 / 130, -1],
    ]);
  });

  const two = [
    ['Up', 140],
    ['Down', -155],
  ];

  it.each([donutChart, funnelChart, treemapChart].map(({ declaration }) => declaration.type))(
    'are named below a chart that cannot draw them: %s',
    async (type) => {
      const slots = { category: [text('cat')], measure: [number('v')] };
      expect((await shown(type, slots, two)).note).toBe('Not drawn, below zero: Down (-155)');
      expect((await shown(type, slots, two.slice(0, 1))).note).toBeNull();
    },
  );

  it.each(['sunburst-chart', 'circle-pack-chart'])(
    'are named below a chart of levels that cannot draw them: %s',
    async (type) => {
      expect((await shown(type, { levels: [text('cat')], measure: [number('v')] }, two)).note).toContain('Down (-155)');
    },
  );

  it('leave a donut without shares and a total, and so do averages', async () => {
    const slots = (aggregationFunc: string) => ({
      category: [text('cat')],
      measure: [number('v', { aggregationFunc })],
    });
    const wordsOf = async (aggregationFunc: string, rows: readonly (readonly Json[])[]): Promise<string> => {
      const { option, legend } = await shown('donut-chart', slots(aggregationFunc), rows);
      return JSON.stringify([option, legend]);
    };
    const positive = [
      ['Up', 140],
      ['Down', 60],
    ];
    expect(await wordsOf('sum', positive)).toMatch(/70%.*/u);
    expect(await wordsOf('sum', positive)).toContain('Total');
    for (const words of [await wordsOf('sum', two), await wordsOf('average', positive)]) {
      expect(words.replaceAll('"50%"', '')).not.toContain('%"');
      expect(words).not.toContain('Total');
    }
  });
});

describe('two axes of values', () => {
  const slots = { 'x-axis': [text('cat')], measure: [number('v'), number('share', { format: '.0%' })] };
  const axesOf = async (rows: readonly (readonly Json[])[]): Promise<readonly (readonly number[])[]> => {
    const { option } = await shown('combination-chart', slots, rows);
    return [0, 1].map((place) => ['min', 'max'].map((end) => Number(at(option, 'yAxis', place, end))));
  };

  it('have their zeros at one height where a number is below it', async () => {
    const axes = await axesOf([
      ['A', 12_000, 0.4],
      ['B', -3000, 0.7],
    ]);
    const heights = axes.map(([min = 0, max = 0]) => -min / (max - min));
    expect(heights[0]).toBeCloseTo(heights[1] ?? 0);
    expect(axes[0]?.[0]).toBeLessThanOrEqual(-3000);
    expect(axes[0]?.[1]).toBeGreaterThanOrEqual(12_000);
    expect(axes[1]?.[1]).toBeGreaterThanOrEqual(0.7);
  });

  it('both begin at zero where none is', async () => {
    expect(await axesOf([['A', 12_000, 0.4]])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});

it('a line at the average says how many values it is the average of, and leaves out members shown as one', async () => {
  const slots = { 'y-axis': [text('cat')], measure: [number('v')] };
  const rows = [
    ['A', 30],
    ['B', 10],
    ['C', 5],
    ['D', 5],
  ];
  const options = { references: [{ type: 'mean' }], limit: 2, others: true };
  const { option } = await shown('bar-chart', slots, rows, options);
  const line = at(option, 'series', 0, 'markLine', 'data', 0);
  expect(at(line, 'xAxis')).toBe(20);
  expect(at(line, 'label', 'formatter')).toBe('Average of\u00a02: 20');
});
