import type { JsonObject } from '../../json.ts';
import { describe, expect, it } from 'vitest';
import { viewFor } from './grid.ts';
import { tabState } from './tab-state.ts';
import { unfolded } from './unfold-tabs.ts';

const item = (
  id: string,
  [col, row, sizeX, sizeY]: readonly [number, number, number, number],
  more: JsonObject = {},
) => ({
  id,
  type: 'bar-chart',
  position: { col, row, sizeX, sizeY },
  slots: [],
  ...more,
});
const tab = (id: string, ...items: readonly string[]): JsonObject => ({ id, title: { en: id }, items });
const contents = {
  views: [
    {
      screenModus: 'desktop',
      items: [
        item('head', [0, 0, 48, 4]),
        item('tabs', [0, 4, 48, 3], { type: 'tabs', options: { tabs: [tab('one', 'a', 'b'), tab('two', 'c')] } }),
        item('a', [0, 7, 24, 10]),
        item('b', [24, 7, 24, 12]),
        item('c', [0, 7, 48, 8]),
        item('foot', [0, 19, 48, 5]),
      ],
    },
  ],
};
const rows = (mode: 'desktop' | 'mobile'): Readonly<Record<string, number>> =>
  Object.fromEntries(unfolded(viewFor(contents, mode)).items.map(({ id, position }) => [id, position.row]));

describe('tabs', () => {
  it('show the items of one of them, the first at the start', () => {
    const { items } = viewFor(contents, 'desktop');
    expect([...tabState(items, () => undefined).hidden]).toEqual(['c']);
    expect([...tabState(items, () => 'two').hidden]).toEqual(['a', 'b']);
    expect([...tabState(items, () => 'none').hidden]).toEqual(['c']);
  });

  it('hide what tabs within them show', () => {
    const nested = {
      views: [
        {
          screenModus: 'desktop',
          items: [
            item('outer', [0, 0, 48, 3], { type: 'tabs', options: { tabs: [tab('x', 'a'), tab('y', 'inner')] } }),
            item('inner', [0, 3, 48, 3], { type: 'tabs', options: { tabs: [tab('p', 'b'), tab('q', 'c')] } }),
            ...['a', 'b', 'c'].map((id) => item(id, [0, 6, 48, 8])),
          ],
        },
      ],
    };
    const { items } = viewFor(nested, 'desktop');
    expect([...tabState(items, () => undefined).hidden].toSorted()).toEqual(['b', 'c', 'inner']);
  });

  it('stand one below another on paper, each under its title', () => {
    expect(rows('desktop')).toEqual({ head: 0, tabs: 4, a: 7, b: 7, 'tabs/1': 19, c: 22, foot: 30 });
    const titles = unfolded(viewFor(contents, 'desktop')).items.filter(({ type }) => type === 'tabs');
    expect(titles.map(({ options }) => options['tabs'])).toEqual([[tab('one')], [tab('two')]]);
  });

  it('have their items beneath them on a phone', () => {
    expect(rows('mobile')).toEqual({ head: 0, tabs: 12, a: 15, b: 27, 'tabs/1': 39, c: 42, foot: 54 });
  });
});
