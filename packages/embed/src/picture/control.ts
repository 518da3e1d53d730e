import type { Control, Look } from '../charts/drawing/chart.ts';
import { fitted, rectangle, textAt } from './write.ts';

/** A filter as SVG: what there is to choose from. */
export function controlSvg(control: Control, look: Look): string {
  const { theme, widthPx, heightPx } = look;
  const style = { sizePx: theme.axisPx + 1, color: theme.text, family: theme.font.family };
  if (control.kind === 'range') {
    const y = heightPx / 2;
    return [
      rectangle(8, y - 2, widthPx - 16, 4, `rx="2" fill="${theme.mainColor}"`),
      textAt(8, y + 24, control.leastText, style),
      textAt(widthPx - 8, y + 24, control.mostText, { ...style, anchor: 'end' }),
    ].join('');
  }
  const room = Math.max(1, Math.floor(heightPx / 24));
  return control.options
    .slice(0, room)
    .map(({ text, measure, share }, index) => {
      const y = index * 24;
      return [
        share === null
          ? ''
          : rectangle(0, y + 3, widthPx * share, 18, `rx="2" fill="${theme.mainColor}" opacity="0.15"`),
        rectangle(4, y + 6, 12, 12, `rx="2" fill="none" stroke="${theme.mutedText}"`),
        textAt(24, y + 17, fitted(text, style.sizePx, widthPx - 110), style),
        measure === null ? '' : textAt(widthPx - 4, y + 17, measure, { ...style, anchor: 'end' }),
      ].join('');
    })
    .join('');
}
