import type { Change, Figure, SizedContext } from '../charts/frame/chart.ts';
import { fitted, widthOf } from '../charts/drawing/text-width.ts';
import { rectangle, round, textAt } from './write.ts';

const arrows = { up: '▲', down: '▼', flat: '■' } as const satisfies Record<Change['direction'], string>;

/** Returns the alignment of a figure's texts, which is that of titles. */
function placeOf({ theme, widthPx, rightToLeft }: SizedContext): {
  readonly x: number;
  readonly anchor: 'start' | 'middle' | 'end';
} {
  if (theme.title.align === 'center') return { x: widthPx / 2, anchor: 'middle' };
  return (theme.title.align === 'right') !== rightToLeft ? { x: widthPx, anchor: 'end' } : { x: 0, anchor: 'start' };
}

/** Renders a figure as SVG: the number, and as much of its change, target and history as fits. */
export function figureSvg(figure: Figure, context: SizedContext): string {
  const { theme, widthPx, heightPx } = context;
  const { family } = theme.font;
  const { x, anchor } = placeOf(context);
  const preferredPx = Math.min(heightPx * 0.44, theme.sizes.figurePx);
  const sizePx = Math.max(
    14,
    Math.min(
      preferredPx,
      (preferredPx * widthPx) / Math.max(1, widthOf(figure.text, preferredPx, context, { isBold: true })),
    ),
  );
  const smallPx = theme.sizes.smallPx + 1;
  const smallStyle = { sizePx: smallPx, family, anchor };
  const hasLine = heightPx >= 108 && figure.line.length >= 3;
  const { change, target } = figure;
  const tones = { good: theme.positive, bad: theme.negative, neutral: theme.text } as const;
  const lines = [
    ...(figure.label === '' || heightPx < 74 ? [] : [{ text: figure.label, color: theme.mutedText }]),
    ...(change === null || heightPx < 46
      ? []
      : [{ text: `${arrows[change.direction]} ${change.text}  ${change.against}`, color: tones[change.tone] }]),
    ...(target === null || heightPx < 46 ? [] : [{ text: target.text, color: theme.mutedText }]),
  ];
  const linePx = hasLine ? Math.min(64, heightPx - sizePx * 1.15 - lines.length * 20 - 8) : 0;
  const barPx = target === null ? 0 : 12;
  const allPx = sizePx * 1.15 + lines.length * 20 + linePx + barPx;
  const top = Math.max(0, (heightPx - allPx) / 2);
  const lineTexts = lines.map(({ text, color }, index) =>
    textAt(x, top + sizePx * 1.15 + index * 20 + 14, fitted(text, smallPx, widthPx, context), { ...smallStyle, color }),
  );
  const barTop = top + sizePx * 1.15 + lines.length * 20 + 4;
  const bar =
    target === null || heightPx < 46
      ? ''
      : rectangle(0, barTop, widthPx, 6, `rx="3" fill="${theme.line}"`) +
        rectangle(
          0,
          barTop,
          widthPx * Math.min(1, target.share),
          6,
          `rx="3" fill="${figure.color ?? theme.mainColor}"`,
        );
  return [
    textAt(x, top + sizePx, figure.text, {
      sizePx: round(sizePx),
      color: figure.color ?? theme.text,
      family,
      anchor,
      weight: 'bold',
    }),
    ...lineTexts,
    bar,
    linePx < 20 ? '' : sparkline(figure, context, top + allPx - linePx + 6, linePx - 6),
  ].join('');
}

function sparkline({ line }: Figure, { theme, widthPx }: SizedContext, top: number, height: number): string {
  const values = line.flatMap(({ value }) => value ?? []);
  if (values.length < 3) return '';
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * (widthPx - 4) + 2;
    const y = top + height - ((value - min) / Math.max(max - min, Number.EPSILON)) * (height - 4) - 2;
    return `${round(x)},${round(y)}`;
  });
  const bottom = round(top + height);
  return (
    `<polygon points="2,${bottom} ${points.join(' ')} ${round(widthPx - 2)},${bottom}" fill="${theme.mainColor}" opacity="0.12"/>` +
    `<polyline points="${points.join(' ')}" fill="none" stroke="${theme.mainColor}" stroke-width="2" stroke-linejoin="round"/>`
  );
}
