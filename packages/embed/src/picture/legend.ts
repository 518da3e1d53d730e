import type { Legend, LegendEntry, SizedContext } from '../charts/frame/chart.ts';
import { fitted, widthOf } from '../charts/drawing/text-width.ts';
import { round, textAt } from './write.ts';

const [swatchPx, gapPx, betweenPx] = [10, 6, 14];

/** A legend as SVG, and the space that it leaves for the chart, in px. */
export interface LegendPicture {
  readonly svg: string;
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Patterns of marks, as paths in a small square. */
const patterns = ['M0 4L4 0', 'M1 2h2', 'M0 0L4 4', 'M0 1h2M2 3h2', 'M0 4L4 0M0 0L4 4', 'M0 3L2 1L4 3'] as const;

const textOf = ({ text, note }: LegendEntry): string => (note === '' ? text : `${text}  ${note}`);

function entrySvg(entry: LegendEntry, x: number, y: number, maxPx: number, context: SizedContext): string {
  const { theme, rightToLeft, widthPx } = context;
  const { sizePx, type } = theme.legend;
  const at = rightToLeft ? widthPx - x - swatchPx : x;
  const heightPx = type === 'line' ? 3 : swatchPx;
  const rounding = type === 'circle' ? swatchPx / 2 : 2;
  const ink = theme.dark ? 'rgba(0,0,0,0.45)' : 'rgba(255,255,255,0.6)';
  const id = `legend-pattern-${entry.pattern}-${Math.round(x)}-${Math.round(y)}`;
  const pattern =
    entry.pattern === null
      ? ''
      : `<pattern id="${id}" width="4" height="4" patternUnits="userSpaceOnUse"><path d="${patterns[entry.pattern % patterns.length] ?? ''}" stroke="${ink}" fill="none"/></pattern>`;
  const patternSwatch =
    pattern === ''
      ? ''
      : `${pattern}<rect x="${round(at)}" y="${round(y - sizePx * 0.36 - 5)}" width="${swatchPx}" height="10" fill="url(#${id})"/>`;
  const swatch = `<rect x="${round(at)}" y="${round(y - sizePx * 0.36 - heightPx / 2)}" width="${swatchPx}" height="${heightPx}" rx="${rounding}" fill="${entry.color}"/>${patternSwatch}`;
  const start = x + swatchPx + gapPx;
  const text = fitted(textOf(entry), sizePx, maxPx, context);
  return (
    swatch +
    textAt(rightToLeft ? widthPx - start : start, y, text, {
      sizePx,
      color: theme.text,
      family: theme.font.family,
      anchor: rightToLeft ? 'end' : 'start',
    })
  );
}

/** Returns a legend as a column at the side of a chart, with as many entries as fit. */
function legendColumn(entries: readonly LegendEntry[], context: SizedContext): LegendPicture {
  const { theme, widthPx, heightPx, rightToLeft } = context;
  const { sizePx, linePx } = theme.legend;
  const longestPx = Math.max(...entries.map((entry) => widthOf(textOf(entry), sizePx, context)));
  const textPx = Math.min(longestPx, widthPx * 0.5 - swatchPx - gapPx);
  const legendPx = textPx + swatchPx + gapPx;
  const maxLines = Math.max(1, Math.floor(heightPx / linePx));
  const shownEntries = entries.slice(0, maxLines);
  const top = (heightPx - shownEntries.length * linePx) / 2 + sizePx;
  const x = widthPx - legendPx;
  return {
    svg: shownEntries.map((entry, index) => entrySvg(entry, x, top + index * linePx, textPx, context)).join(''),
    x: rightToLeft ? legendPx + betweenPx : 0,
    y: 0,
    widthPx: widthPx - legendPx - betweenPx,
    heightPx,
  };
}

/** Returns a legend as a row above or below a chart, with at most three lines. */
function legendRow(entries: readonly LegendEntry[], isBelow: boolean, context: SizedContext): LegendPicture {
  const { theme, widthPx, heightPx } = context;
  const { sizePx, linePx } = theme.legend;
  const positions: { readonly entry: LegendEntry; readonly x: number; readonly line: number }[] = [];
  let [x, line] = [0, 0];
  for (const entry of entries) {
    const px = Math.min(widthPx, swatchPx + gapPx + widthOf(textOf(entry), sizePx, context));
    if (x > 0 && x + px > widthPx) [x, line] = [0, line + 1];
    positions.push({ entry, x, line });
    x += px + betweenPx;
  }
  const shownPositions = positions.filter((position) => position.line < 3);
  const legendPx = (Math.min(2, line) + 1) * linePx + 4;
  const top = isBelow ? heightPx - legendPx + 4 : 0;
  return {
    svg: shownPositions
      .map(({ entry, x, line }) => entrySvg(entry, x, top + line * linePx + sizePx, widthPx - x - 16, context))
      .join(''),
    x: 0,
    y: isBelow ? 0 : legendPx,
    widthPx,
    heightPx: Math.max(20, heightPx - legendPx),
  };
}

export const legendSvg = ({ entries, place }: Legend, context: SizedContext): LegendPicture =>
  place === 'side' && context.widthPx > context.heightPx * 1.3
    ? legendColumn(entries, context)
    : legendRow(entries, place === 'bottom', context);
