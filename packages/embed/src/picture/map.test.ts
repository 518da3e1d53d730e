import { itemQuery, readItem, type Json } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { describe, expect, it } from 'vitest';
import { loadChart, type SizedContext } from '../charts/index.ts';
import { createFrame } from '../charts/frame/frame.ts';
import { createMemberColors } from '../charts/frame/member-colors.ts';
import { createFormats } from '../locale/format.ts';
import { wordsFor } from '../locale/words.ts';
import { itemSvg, prepare } from './index.ts';

const usual: SizedContext = {
  theme: resolveTheme([]),
  formats: createFormats('en', 'UTC'),
  words: wordsFor('en'),
  colors: createMemberColors(8),
  nowMs: 0,
  widthPx: 600,
  heightPx: 360,
  patterns: false,
  reducedMotion: true,
  rightToLeft: false,
};

async function pictureOf(
  type: string,
  rows: readonly (readonly Json[])[],
  size: Partial<SizedContext> = {},
): Promise<string> {
  const context = { ...usual, ...size };
  const column = (columnId: string, kind: string): Json => ({ columnId, datasetId: 'd', label: columnId, type: kind });
  const item = readItem({
    id: 'i',
    type,
    title: 'Map',
    options: {},
    slots: [
      { name: 'geo', content: [column('Place', 'hierarchy')] },
      { name: 'measure', content: [column('Revenue', 'numeric')] },
    ],
  });
  const query = item === null ? null : itemQuery(item);
  const chart = await loadChart(type);
  if (item === null || query === null || chart?.kind !== 'drawn') throw new Error('no map');
  const frame = createFrame(item, query, rows, context);
  return itemSvg(item.title, { chart: await prepare(chart, frame, context), frame }, context);
}

describe('a map as a picture', () => {
  it('has its areas, the ends of its scale, and which names were not found', async () => {
    const svg = await pictureOf('choropleth-map', [
      ['Germany', 300],
      ['France', 120],
      ['<script>', 7],
    ]);
    expect(svg.match(/<path\b/gu)?.length).toBeGreaterThanOrEqual(3);
    expect(svg).toMatch(/>120<\/text>[^]*>300<\/text>/u);
    expect(svg).toContain('1 name not found: &lt;script&gt;');
    expect(svg).not.toMatch(/NaN|undefined|Infinity|<script/u);
  });

  it('has regions where rows name those, and circles at coordinates', async () => {
    const regions = await pictureOf('choropleth-map', [
      ['California', 300],
      ['Texas', 200],
      ['Nevada', 100],
    ]);
    expect(regions).not.toContain('not found');
    const points = await pictureOf('symbol-map', [
      ['52.52, 13.40', 9],
      ['{"type":"Point","coordinates":[2.35,48.86]}', 4],
    ]);
    expect(points).not.toContain('not found');
    expect(points.match(/<circle\b|a[\d.]+,? ?[\d.]+ 0 1/giu)?.length).toBeGreaterThanOrEqual(2);
  });

  it('shows the whole world where no row has a place', async () => {
    const svg = await pictureOf('symbol-map', [[null, 1]]);
    expect(svg).toContain('1 name not found: (empty)');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/u);
  });

  it.each([
    ['a narrow place', 40, 400],
    ['a low place', 700, 60],
  ])('fits %s', async (_name, widthPx, heightPx) => {
    const svg = await pictureOf('choropleth-map', [['Chile', 5]], { widthPx, heightPx });
    expect(svg).toContain('<path');
    expect(svg).not.toMatch(/NaN|Infinity|="-/u);
  });
});
