import { itemQuery, readItem, type Json } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { expect, it } from 'vitest';
import { chart } from '../charts/bar-chart.ts';
import { createFrame } from '../charts/frame/frame.ts';
import type { SizedContext } from '../charts/frame/chart.ts';
import { createMemberColors } from '../charts/frame/member-colors.ts';
import { createFormats } from '../locale/format.ts';
import { wordsFor } from '../locale/words.ts';
import { drawnSvg } from './drawn.ts';

const context: SizedContext = {
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
};

it('a drawn chart has only characters that XML can hold, whatever its members are', () => {
  const entry = (columnId: string, type: string): Json => ({ columnId, datasetId: 'd', label: columnId, type });
  const slots = [
    { name: 'y-axis', content: [entry('Name', 'hierarchy')] },
    { name: 'measure', content: [entry('Orders', 'numeric')] },
  ];
  const item = readItem({ id: 'i', type: 'bar-chart', options: {}, slots });
  const query = item === null ? null : itemQuery(item);
  if (item === null || query === null) throw new Error('no item');
  const rows = ['a\u0001b', 'c\u0000d', 'e\ud800f', 'g\uffffh', 'tab\there'].map((name, at): Json[] => [name, at + 1]);
  const svg = drawnSvg(chart, createFrame(item, query, rows, context), context);
  expect(svg).toContain('ab</text>');
  expect(svg.isWellFormed()).toBe(true);
  expect(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(svg)).toBeNull();
});
