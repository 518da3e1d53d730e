import { itemQuery, readItem } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { expect, it } from 'vitest';
import { createFormats } from '../locale/format.ts';
import { wordsFor } from '../locale/words.ts';
import { createFrame } from './frame/frame.ts';
import { createMemberColors } from './frame/member-colors.ts';
import { chart } from './image.ts';

const context = {
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

/** An image has no query, so any frame will do. */
function anyFrame() {
  const item = readItem({
    id: 'n',
    type: 'bar-chart',
    options: {},
    slots: [{ name: 'measure', content: [{ columnId: 'a', datasetId: 'd', type: 'numeric' }] }],
  });
  const query = item === null ? null : itemQuery(item);
  if (item === null || query === null) throw new Error('no item');
  return createFrame(item, query, [], context);
}

function kindOf(src: string): string {
  const item = readItem({ id: 'i', type: 'image', options: { src }, slots: [] });
  if (item === null) throw new Error('no item');
  return chart.content(item, anyFrame(), context).kind;
}

it.each(['https://cdn.example/a.png', '/logo.svg', 'data:image/png;base64,iVBORw0KGgo='])(
  'an image is shown from %s',
  (src) => expect(kindOf(src)).toBe('image'),
);

it.each([
  'http://cdn.example/a.png',
  '//host.example/x',
  '/\\host.example/x',
  '/\t/host.example/x',
  '\\\\host.example/x',
  'data:text/html,x',
  'javascript:alert(1)',
])('no image is loaded from %j', (src) => expect(kindOf(src)).toBe('none'));
