import { describe, expect, it } from 'vitest';
import { inVisualOrder } from './visual-order.ts';

/** Returns the pieces of a text in a drawing, in the order in which they are placed. */
const piecesOf = (text: string): readonly string[] =>
  [...inVisualOrder(`<svg><text x="1">${text}</text></svg>`).matchAll(/<tspan[^>]*>([^<]*)<\/tspan>/gu)].map(
    ([, piece = '']) => piece,
  );
/** Embeds a text from right to left. */
const embedded = (text: string): string => `\u202b${text}\u202c`;

describe('texts in visual order', () => {
  it('have their words from left to right, and leave the letters of right-to-left words to fontkit', () => {
    expect(piecesOf('שלום עולם')).toEqual(['עולם', ' ', 'שלום']);
    expect(piecesOf('Sales שלום עולם up').join('|')).toBe('Sales| |עולם| |שלום| |up');
    expect(piecesOf(embedded('Sales שלום 2024')).join('|')).toBe('2024| |שלום| |Sales');
    expect(piecesOf(embedded('مبيعات السنة')).join('|')).toBe('السنة| |مبيعات');
  });

  it('have numbers from left to right, even if fontkit reverses their digits', () => {
    expect(piecesOf(embedded('שלום 1,234.50')).join('|')).toBe('1,234.50| |שלום');
    expect(piecesOf('۱۴۰۳')).toEqual(['۳۰۴۱']);
    expect(piecesOf(embedded('۱۴۰۳ ایران')).join('|')).toBe('ایران| |۳۰۴۱');
  });

  it('have brackets mirrored and XML entities kept', () => {
    expect(piecesOf(embedded('שלום (עולם)')).join('|')).toBe(')עולם(| |שלום');
    expect(piecesOf(embedded('א &lt;&amp;')).join('|')).toBe('&amp;&gt;| |א');
  });

  it('keep the style of each part', () => {
    const svg = '<text><tspan fill="#c00">שלום </tspan><tspan font-weight="bold">עולם</tspan></text>';
    expect(inVisualOrder(svg)).toBe(
      '<text><tspan font-weight="bold">עולם</tspan><tspan fill="#c00"> </tspan><tspan fill="#c00">שלום</tspan></text>',
    );
  });

  it('are unchanged without right-to-left letters', () => {
    const svg = '<svg><title>שלום עולם</title><text x="1">Sales (EUR) 2024</text></svg>';
    expect(inVisualOrder(svg)).toBe(svg);
  });
});
