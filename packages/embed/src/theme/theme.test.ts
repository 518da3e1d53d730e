import type { JsonObject } from '@inlay/contract';
import { sequentialStops, contrast, over, parseColor, resolveTheme } from '@inlay/contract/theme';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { describe, expect, it } from 'vitest';
import { cardStyles } from '../card/styles/card.ts';
import { themeVariables } from './variables.ts';

const rgb = (text: string) => {
  const read = parseColor(text);
  if (read === null) throw new Error(`not a colour: ${text}`);
  return read;
};

describe('a theme', () => {
  it.each(Object.keys(builtInThemes))(
    '%s can be read: text 7:1, muted text 4.5:1, every mark 3:1, tooltips 10:1',
    (id) => {
      const theme = resolveTheme([{ id }], builtInThemes);
      const behind = rgb(theme.itemsBackground);
      expect(contrast(rgb(theme.text), behind)).toBeGreaterThanOrEqual(7);
      expect(contrast(rgb(theme.mutedText), behind)).toBeGreaterThanOrEqual(4.5);
      for (const color of theme.colors) expect(contrast(rgb(color), behind)).toBeGreaterThanOrEqual(3);
      expect(contrast(rgb(theme.tooltip.text), rgb(theme.tooltip.background))).toBeGreaterThanOrEqual(10);
    },
  );

  it('is taken from the organization, the dashboard, the token and the element, the last one strongest', () => {
    const theme = resolveTheme([
      { mainColor: '#111111', title: { bold: true, align: 'right' } },
      null,
      { mainColor: '#222222', title: { bold: false } },
      { title: { align: 'center' } },
    ]);
    expect(theme.mainColor).toBe('rgb(34,34,34)');
    expect(theme.title).toMatchObject({ bold: false, align: 'center' });
  });

  it('can be named alone', () => {
    expect(resolveTheme(['default_dark'])).toEqual(resolveTheme([{ id: 'default_dark' }]));
    expect(resolveTheme(['no such theme'])).toEqual(resolveTheme([]));
  });

  it('keeps texts readable on any background', () => {
    for (const itemsBackground of ['#000', '#777', '#fff', 'hsl(60 100% 50%)', 'rgba(0,0,0,0.5)']) {
      const theme = resolveTheme([{ background: '#ffffff', itemsBackground }]);
      const behind = over(rgb(theme.itemsBackground), rgb('#ffffff'));
      expect(contrast(rgb(theme.text), behind), itemsBackground).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('lets no text through to CSS', () => {
    const hostile = 'red;} body{background:url(//evil.example)}';
    const theme = resolveTheme([
      {
        background: hostile,
        mainColor: hostile,
        colors: [hostile],
        font: { fontFamily: 'a;}b{c:url(x)', 'font-weight': hostile },
        borders: { 'border-style': hostile, 'border-color': hostile },
        boxShadow: { size: hostile, color: hostile },
      },
    ]);
    expect(JSON.stringify(theme)).not.toMatch(/url\(|;|evil/u);
  });
});

describe('sizes of a theme', () => {
  const variables = (theme: JsonObject): Readonly<Record<string, string>> => themeVariables(resolveTheme([theme]));

  it('are those that tables, filters and cards had, where a theme says nothing', () => {
    expect(variables({})).toMatchObject({
      '--inlay-space': '4px',
      '--inlay-padding': '12px',
      '--inlay-small': '12px',
      '--inlay-figure': '44px',
      '--inlay-h1': '1.7em',
      '--inlay-h2': '1.35em',
      '--inlay-h3': '1.1em',
      '--inlay-radius-small': '4px',
      '--inlay-radius-medium': '6px',
      '--inlay-radius-large': '8px',
      '--inlay-row': '30px',
      '--inlay-row-line': '20px',
      '--inlay-control': '34px',
    });
  });

  it('follow its density: rows, fields and what is left between', () => {
    const heights = (density: string): readonly (string | undefined)[] => {
      const properties = variables({ density });
      return ['row', 'control', 'space', 'padding'].map((name) => properties[`--inlay-${name}`]);
    };
    expect(heights('compact')).toEqual(['24px', '28px', '3px', '9px']);
    expect(heights('comfortable')).toEqual(['38px', '40px', '5px', '15px']);
    expect(heights('no such density')).toEqual(heights('normal'));
  });

  it('make rows as high as its text needs', () => {
    expect(variables({ font: { fontSize: 20 } })).toMatchObject({ '--inlay-row': '38px', '--inlay-row-line': '28px' });
  });

  it('are the only ones in styles of cards: no corner, shadow or size of text is fixed', () => {
    const { cssText } = cardStyles;
    const fixed = /(?:border-radius|font-size|box-shadow): (?!50%|none|inherit|inset|var|calc|clamp)[^;]+/gu;
    expect(cssText.match(fixed)).toBeNull();
    expect(cssText.match(/\bgap: (?:0 )?(?!2px)\d+px;/gu)).toBeNull();
  });
});

describe('ramps of a theme', () => {
  const strongest = (themes: readonly JsonObject[]): string | undefined => sequentialStops(resolveTheme(themes)).at(-1);

  it('follow its main colour, unless it names them', () => {
    expect(strongest([{ mainColor: '#8c3e24' }])).toBe('rgb(140,62,36)');
    expect(strongest([{ sequential: ['#ffffff', '#112233'] }])).toBe('rgb(17,34,51)');
  });

  it('are not taken from a theme below that has other colours', () => {
    const below: JsonObject = { mainColor: '#8c3e24', sequential: ['#ffffff', '#8c3e24'] };
    expect(strongest([below, { mainColor: '#00629b' }])).toBe('rgb(0,98,155)');
    expect(strongest([below, { density: 'compact' }])).toBe('rgb(140,62,36)');
  });
});

describe('built-in themes', () => {
  it('leave nothing of those below them', () => {
    const below: JsonObject = { density: 'compact', title: { border: true }, spacing: 20, axis: { fontSize: 30 } };
    for (const id of Object.keys(builtInThemes))
      expect(resolveTheme([below, { id }], builtInThemes).sizes).toEqual(resolveTheme([{ id }], builtInThemes).sizes);
  });

  it('come with the first that a page names, but for the default one, which says as much as all others', () => {
    expect(resolveTheme([{ id: 'paper' }])).toEqual(resolveTheme([]));
    expect(resolveTheme([{ id: 'default' }], builtInThemes)).toEqual(resolveTheme([]));
    const members = Object.values(builtInThemes).map((theme) =>
      Object.keys(theme).filter((name) => !/^(?:sequential|diverging)$/u.test(name)),
    );
    for (const names of members) expect(names.toSorted()).toEqual(members[0]?.toSorted());
  });

  it('take colours by name', () => {
    const main = (mainColor: string): string => resolveTheme([{ mainColor }]).mainColor;
    expect([main('Navy '), main('teal'), main('000080'), main('nav')]).toEqual([
      'rgb(0,0,128)',
      'rgb(0,128,128)',
      'rgb(0,98,155)',
      'rgb(0,98,155)',
    ]);
  });
});

it('texts stand on the page, on items and on the main colour as it can be read there', () => {
  const theme = resolveTheme([{ background: '#101418', itemsBackground: '#ffffff', mainColor: '#e6b800' }]);
  expect(contrast(rgb(theme.page.text), rgb(theme.background))).toBeGreaterThanOrEqual(7);
  expect(contrast(rgb(theme.text), rgb(theme.itemsBackground))).toBeGreaterThanOrEqual(7);
  expect(contrast(rgb(theme.onMain), rgb(theme.mainColor))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(rgb(theme.link), rgb(theme.itemsBackground))).toBeGreaterThanOrEqual(4.5);
});
