import type { Control, SizedContext } from '../charts/frame/chart.ts';
import { wrapped } from '../charts/drawing/text-width.ts';
import { chosenText } from '../chosen-text.ts';
import type { FilterSelection } from '@inlay/contract';
import { rectangle, textAt } from './write.ts';

/** Maximum number of members that are named. If more are selected, their number is drawn. */
const maxNames = 40;

/**
 * Renders a filter as SVG. Its selection is in a field, as on a page. If `name` is not empty, there is no title above:
 * the name precedes the selection, and there is no field.
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
