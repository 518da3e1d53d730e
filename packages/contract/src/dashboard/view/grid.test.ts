import { expect, it } from 'vitest';
import { viewFor } from './grid.ts';

it('leaves hidden items out of every view, unless the whole view is wanted', () => {
  const item = (id: string, more = {}) => ({ id, type: 'bar-chart', ...more });
  const hidden = item('b', { hidden: true });
  const items = [item('a'), hidden, item('c', { hidden: 'yes' }), 7, item('d', { hidden: false })];
  const contents = { views: [{ screenModus: 'desktop', items }] };
  for (const mode of ['desktop', 'mobile'] as const) {
    expect(viewFor(contents, mode).items.map(({ id }) => id)).toEqual(['a', 'c', 'd']);
    expect(viewFor(contents, mode, true).items.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  }
  const empty = {
    views: [
      { screenModus: 'desktop', items: [item('a')] },
      { screenModus: 'mobile', items: [hidden] },
    ],
  };
  expect(viewFor(empty, 'mobile').items).toEqual([]);
});
