import { describe, expect, it } from 'vitest';
import { builtInThemes } from './built-in.ts';
import { contrast, over, parseColor } from './color.ts';
import { resolveTheme } from './theme.ts';

const rgb = (text: string) => {
  const read = parseColor(text);
  if (read === null) throw new Error(`not a colour: ${text}`);
  return read;
};

describe('a theme', () => {
  it.each(Object.keys(builtInThemes))('%s can be read: text 7:1, muted text 4.5:1, every mark 3:1', (id) => {
    const theme = resolveTheme([{ id }]);
    const behind = rgb(theme.itemsBackground);
    expect(contrast(rgb(theme.text), behind)).toBeGreaterThanOrEqual(7);
    expect(contrast(rgb(theme.mutedText), behind)).toBeGreaterThanOrEqual(4.5);
    for (const color of theme.colors) expect(contrast(rgb(color), behind)).toBeGreaterThanOrEqual(3);
    expect(contrast(rgb(theme.tooltip.text), rgb(theme.tooltip.background))).toBeGreaterThanOrEqual(7);
  });

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
