import { isList, isObject, itemQuery, readItem, type Json, type JsonObject } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { describe, expect, it } from 'vitest';
import { createFormats } from '../../locale/format.ts';
import { languages, wordsFor } from '../../locale/words.ts';
import { loadChart } from '../index.ts';
import type { DrawnChart, SizedContext } from '../frame/chart.ts';
import { createFrame, type Frame } from '../frame/frame.ts';
import { createMemberColors } from '../frame/member-colors.ts';
import { pointIn } from './coordinates.ts';
import { loadLevel } from './level.ts';
import { titleOf } from './places.ts';
import { boxOf } from './shapes.ts';
import { startWorkClock } from '../../../../../test/support/work-clock.ts';

const entry = (columnId: string, type: string, more: JsonObject = {}): JsonObject => ({
  columnId,
  datasetId: 'd',
  label: columnId,
  type,
  ...more,
});
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

interface Datum {
  readonly value: number;
  readonly element: JsonObject | null;
}
interface MapDrawing {
  readonly frame: Frame;
  readonly land: readonly Datum[];
  readonly data: readonly Datum[];
  readonly scale: readonly Datum[];
  readonly note: string | null;
}

function dataOf(series: unknown): readonly Datum[] {
  if (typeof series !== 'object' || series === null || !('data' in series) || !('renderItem' in series)) return [];
  const { data, renderItem } = series;
  if (!Array.isArray(data) || typeof renderItem !== 'function') return [];
  return data.map((datum: { value?: number }, dataIndex) => ({
    value: datum.value ?? 0,
    element: JSON.parse(JSON.stringify(renderItem({ dataIndex }))),
  }));
}

async function drawn(
  type: string,
  rows: readonly (readonly Json[])[],
  context: SizedContext = contextFor(),
  options: JsonObject = {},
): Promise<MapDrawing> {
  const slots = [
    { name: 'geo', content: [entry('Country', 'hierarchy')] },
    { name: 'measure', content: [entry('Revenue', 'numeric', { format: ',.0f' })] },
  ];
  const item = readItem({ id: 'i', type, options, slots });
  const query = item === null ? null : itemQuery(item);
  const chart = await loadChart(type);
  if (item === null || query === null || chart?.kind !== 'drawn') throw new Error('no chart');
  const frame = createFrame(item, query, rows, context);
  const ready: DrawnChart = await (chart.ready?.(frame, context) ?? chart);
  const option: unknown = ready.option(frame, context);
  const series: unknown = typeof option === 'object' && option !== null && 'series' in option ? option.series : null;
  const [land = [], data = [], scale = []] = (Array.isArray(series) ? series : []).map(dataOf);
  return { frame, note: ready.note?.(frame, context) ?? null, land, data, scale };
}
const styleOf = (datum: Datum | undefined, name: string): Json => {
  const style = datum?.element?.['style'];
  return (style !== undefined && isObject(style) ? style[name] : null) ?? null;
};
const textsIn = (datum: Datum | undefined): readonly Json[] => {
  const children = datum?.element?.['children'];
  return (children !== undefined && isList(children) ? children : []).flatMap((child) =>
    isObject(child) && isObject(child['style'] ?? null) && child['type'] === 'text'
      ? [isObject(child['style'] ?? null) ? (Object(child['style'])['text'] ?? null) : null]
      : [],
  );
};

describe('a choropleth map', () => {
  const rows = [
    ['Germany', 300],
    ['France', 200],
    ['ESP', 100],
  ];

  it('colours areas stronger the more they have, and leaves others alone', async () => {
    const { land, data } = await drawn('choropleth-map', rows);
    const strength = (datum: Datum | undefined): number =>
      Number(/(\d+)/u.exec(JSON.stringify(styleOf(datum, 'fill')))?.[1]);
    expect(data.map(({ value }) => value)).toEqual([300, 200, 100]);
    expect(strength(data[0])).toBeLessThan(strength(data[1]));
    expect(strength(data[1])).toBeLessThan(strength(data[2]));
    expect(land[0]?.element?.['silent']).toBe(true);
  });

  it('has a scale with its ends as the measure is written, which the item may leave out', async () => {
    const { scale } = await drawn('choropleth-map', rows);
    expect(textsIn(scale[0])).toEqual(['100', '300']);
    const without = await drawn('choropleth-map', rows, contextFor(), { legend: 'none' });
    expect(without.scale).toEqual([]);
    expect(textsIn((await drawn('choropleth-map', rows.slice(0, 1))).scale[0])).toEqual(['300']);
  });

  it('dims all but what is chosen', async () => {
    const { frame } = await drawn('choropleth-map', rows);
    const [field] = frame.dimensions;
    if (field === undefined) throw new Error('no field');
    const { data } = await drawn(
      'choropleth-map',
      rows,
      contextFor({ chosen: { cells: [{ field, cell: 'France' }] } }),
    );
    expect([0, 1, 2].map((place) => styleOf(data[place], 'opacity'))).toEqual([0.35, null, 0.35]);
  });

  it('adds what several names of one country have', async () => {
    const { data } = await drawn('choropleth-map', [
      ['USA', 5],
      ['United States', 7],
    ]);
    expect(data.map(({ value }) => value)).toEqual([12]);
  });

  it('says in the language of the viewer which names it did not find', async () => {
    const withUnknown = [...rows, ['Foo', 1], ['Bar', 2], [null, 3]];
    const say = async (locale: string): Promise<string | null> =>
      (
        await drawn(
          'choropleth-map',
          withUnknown,
          contextFor({ formats: createFormats(locale, 'UTC'), words: wordsFor(locale) }),
        )
      ).note;
    expect(await say('en')).toBe('3 names not found: Foo, Bar, (empty)');
    expect(await say('fr')).toBe('3 noms introuvables : Foo, Bar, (vide)');
    expect(new Set(await Promise.all(languages.map(say))).size).toBe(languages.length);
    expect((await drawn('choropleth-map', rows)).note).toBeNull();
    const many = Array.from({ length: 5 }, (_, index) => [`Nowhere ${index}`, index]);
    expect((await drawn('choropleth-map', many)).note).toBe('5 names not found: Nowhere 0, Nowhere 1, Nowhere 2, …');
  });

  it('draws ten thousand rows, of which none has a place, in a moment', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => [`Nowhere ${index}`, index]);
    const clock = startWorkClock();
    const { data } = await drawn('choropleth-map', many);
    expect(data).toEqual([]);
    expect(clock.passedMs()).toBeLessThan(3000);
  });
});

describe('a symbol map', () => {
  it('calls a point by what its row says, or by its latitude and longitude where that is GeoJSON', async () => {
    const { frame } = await drawn('symbol-map', []);
    const [geo] = frame.slot('geo');
    if (geo === undefined) throw new Error('no geo');
    const title = (cell: Json): string => {
      const at = pointIn(cell);
      return at === null ? '' : titleOf({ row: [cell], shape: null, at, box: boxOf([at]) }, geo, contextFor());
    };
    expect(title('52.52, 13.40')).toBe('52.52, 13.40');
    expect(title('{"type":"Point","coordinates":[2.35,48.86]}')).toBe('48.86, 2.35');
    expect(title({ type: 'Point', coordinates: [-175, 52] })).toBe('52, -175');
  });

  it('draws circles whose areas are as their numbers, the largest below the others', async () => {
    const { data } = await drawn('symbol-map', [
      ['52.52, 13.40', 25],
      ['48.86, 2.35', 100],
      ['Spain', 50],
    ]);
    const radius = ({ element }: Datum): number => {
      const shape = element?.['shape'];
      return shape !== undefined && isObject(shape) ? Number(shape['r']) : 0;
    };
    const circles = data;
    expect(circles.map(({ value }) => value)).toEqual([100, 50, 25]);
    const [largest = 1, , smallest = 0] = circles.map(radius);
    expect((smallest / largest) ** 2).toBeCloseTo(0.25);
  });
});

describe('the areas of a map', () => {
  const drawnFrom = async (...names: readonly string[]): Promise<readonly (string | undefined)[]> => {
    const { frame } = await drawn(
      'choropleth-map',
      names.map((name) => [name, 1]),
    );
    const level = await loadLevel(frame, 'en');
    return names.map((name) => level.find([name], 'en')?.codes[0]);
  };

  it('are regions where more members name those than countries', async () => {
    expect(await drawnFrom('California', 'texas', 'New York', 'US-FL')).toEqual(['US-CA', 'US-TX', 'US-NY', 'US-FL']);
    expect(await drawnFrom('Bavaria', 'Bayern', 'Baden-Wuerttemberg', 'NRW')).toEqual([
      'DE-BY',
      'DE-BY',
      'DE-BW',
      'DE-NW',
    ]);
    expect(await drawnFrom('England', 'Scotland', 'Wales')).toEqual(['GB-ENG', 'GB-SCT', 'GB-WLS']);
  });

  it('are countries where members name both', async () => {
    expect(await drawnFrom('Germany', 'France', 'Luxembourg', 'Georgia', 'Bavaria')).toEqual([
      'DE',
      'FR',
      'LU',
      'GE',
      undefined,
    ]);
  });

  it('are states by their short codes where those are no countries for the most part', async () => {
    expect(await drawnFrom('CA', 'NY', 'TX', 'FL', 'WA', 'IL')).toEqual([
      'US-CA',
      'US-NY',
      'US-TX',
      'US-FL',
      'US-WA',
      'US-IL',
    ]);
    expect(await drawnFrom('CA', 'DE', 'IN', 'CO')).toEqual(['CA', 'DE', 'IN', 'CO']);
  });

  it('are no states by one short code alone, such as an x', async () => {
    expect(await drawnFrom('x', '52.5, 13.4', '48.9, 2.4')).toEqual([undefined, undefined, undefined]);
  });

  it('may be regions of several countries, and those of the main one win', async () => {
    expect(await drawnFrom('Utrecht', 'Gelderland', 'Limburg', 'Hainaut')).toEqual([
      'NL-UT',
      'NL-GE',
      'NL-LI',
      'BE-WHT',
    ]);
  });
});
