import type { Figure, Look } from '../charts/drawing/chart.ts';
import { fitted, round, textAt, widthOf } from './write.ts';

/** A figure as SVG: the number, its change, and the line of what was before. */
export function figureSvg(figure: Figure, look: Look): string {
  const { theme, widthPx, heightPx } = look;
  const middle = widthPx / 2;
  const wanted = Math.min(heightPx * 0.34, 64);
  const size = Math.max(14, Math.min(wanted, (wanted * (widthPx * 0.92)) / Math.max(1, widthOf(figure.text, wanted))));
  const family = theme.font.family;
  const parts = [
    textAt(middle, heightPx * 0.42, figure.text, {
      sizePx: round(size),
      color: theme.mainColor,
      family,
      anchor: 'middle',
      weight: 'bold',
    }),
    textAt(middle, heightPx * 0.42 + 22, fitted(figure.label, 13, widthPx), {
      sizePx: 13,
      color: theme.mutedText,
      family,
      anchor: 'middle',
    }),
  ];
  if (figure.change !== null) {
    const sign = figure.change.flat ? '■' : figure.change.rising ? '▲' : '▼';
    const words = `${sign} ${figure.change.text} (${figure.change.against})`;
    parts.push(
      textAt(middle, heightPx * 0.42 + 44, fitted(words, 13, widthPx), {
        sizePx: 13,
        color: theme.text,
        family,
        anchor: 'middle',
      }),
    );
  }
  return parts.join('') + sparkline(figure, look);
}

function sparkline({ line }: Figure, { theme, widthPx, heightPx }: Look): string {
  const values = line.flatMap(({ value }) => value ?? []);
  if (values.length < 3 || heightPx < 140) return '';
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [top, height] = [heightPx * 0.42 + 60, heightPx * 0.58 - 68];
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * (widthPx - 16) + 8;
    const y = top + height - ((value - least) / Math.max(most - least, Number.EPSILON)) * height;
    return `${round(x)},${round(y)}`;
  });
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${theme.mainColor}" stroke-width="2" stroke-linejoin="round"/>`;
}
