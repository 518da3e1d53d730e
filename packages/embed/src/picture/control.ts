import type { Control, SizedContext } from '../charts/frame/chart.ts';
import { wrapped } from '../charts/drawing/text-width.ts';
import { chosenText } from '../chosen-text.ts';
import type { FilterSelection } from '@inlay/contract';
import { rectangle, textAt } from './write.ts';

/** More members are counted instead of named. */
const maxNames = 40;

/**
 * Renders a filter as SVG: its selection in a field, as on a page. Without a title above, the filter's name precedes
 * the selection on a plain line.
 */
export function controlSvg(control: Control, selection: FilterSelection, name: string, context: SizedContext): string {
  const { theme, widthPx, heightPx, rightToLeft } = context;
  const sizePx = theme.axisPx + 1;
  const linePx = sizePx * 1.4;
  const value = chosenText(control, selection, context, maxNames);
  const [text, padPx] = name === '' ? [value, theme.sizes.spacePx * 2] : [`${name}: ${value}`, 0];
  const maxLines = Math.max(1, Math.floor((heightPx - 2 * padPx) / linePx));
  const lines = wrapped(text, sizePx, widthPx - 2 * padPx, maxLines, context);
  const [fieldPx, radiusPx] = [lines.length * linePx + 2 * padPx, Math.min(theme.border.radiusPx, 6)];
  const field =
    padPx === 0
      ? ''
      : rectangle(0.5, 0.5, widthPx - 1, fieldPx - 1, `rx="${radiusPx}" fill="none" stroke="${theme.mutedText}"`);
  const lineTexts = lines.map((line, index) =>
    textAt(rightToLeft ? widthPx - padPx : padPx, padPx + sizePx + index * linePx, line, {
      sizePx,
      color: theme.text,
      family: theme.font.family,
      anchor: rightToLeft ? 'end' : 'start',
    }),
  );
  return field + lineTexts.join('');
}
