import type { Chart, Look } from '../charts/drawing/chart.ts';
import type { Frame } from '../charts/drawing/frame.ts';
import { inLanguage } from '../locale/language.ts';
import { controlSvg } from './control.ts';
import { drawnSvg } from './drawn.ts';
import { figureSvg } from './figure.ts';
import { tableSvg } from './table.ts';
import { fitted, rectangle, textAt } from './write.ts';

function bodySvg(chart: Chart, frame: Frame, look: Look): string {
  switch (chart.kind) {
    case 'drawn':
      return drawnSvg(chart, frame, look);
    case 'table':
      return tableSvg(chart.table(frame, look), look);
    case 'figure':
      return figureSvg(chart.figure(frame, look), look);
    case 'filter':
      return controlSvg(chart.control(frame, look), look);
  }
}

/** What an item shows in place of a chart. */
export type ItemPicture = { readonly chart: Chart; readonly frame: Frame } | { readonly message: string };

const anchors = { left: 'start', center: 'middle', right: 'end' } as const;

/** How much wider than `widthOf` says the font of servers draws: DejaVu Sans. */
const wider = { plain: 1.12, bold: 1.28 } as const;

/** A title as one line of text that starts at the origin, cut where it is wider than its item; `sizePx` is the size of its letters. */
function titleSvg(
  words: string,
  sizePx: number,
  padPx: number,
  look: Pick<Look, 'theme' | 'widthPx' | 'rightToLeft'>,
): string {
  const { theme, widthPx, rightToLeft } = look;
  const align = rightToLeft && theme.title.align === 'left' ? 'right' : theme.title.align;
  const x = { left: padPx, center: widthPx / 2, right: widthPx - padPx }[align];
  const most = (widthPx - 2 * padPx) / (theme.title.bold ? wider.bold : wider.plain);
  const text = textAt(x, padPx + sizePx, fitted(words, sizePx, most), {
    sizePx,
    color: theme.text,
    family: theme.font.family,
    anchor: anchors[align],
    ...(theme.title.bold ? { weight: 'bold' } : {}),
    ...(theme.title.italic ? { style: 'italic' } : {}),
    ...(theme.title.underline ? { decoration: 'underline' } : {}),
  });
  return `<svg width="${widthPx}" height="${padPx + 2 * sizePx}">${text}</svg>`;
}

/** The heading of a dashboard, and the height that it takes. */
export function headingSvg(
  words: string,
  look: Pick<Look, 'theme' | 'widthPx' | 'rightToLeft'>,
): { readonly svg: string; readonly heightPx: number } {
  const sizePx = Math.round(look.theme.title.sizePx * 1.4);
  return words === '' ? { svg: '', heightPx: 0 } : { svg: titleSvg(words, sizePx, 12, look), heightPx: sizePx + 16 };
}

/**
 * One item with its frame and title as a group of SVG, at the origin. `look` gives the whole size of the item; sizes in px.
 */
export function itemSvg(title: Frame['item']['title'], shown: ItemPicture, look: Look): string {
  const { theme, widthPx, heightPx } = look;
  const words = inLanguage(title, look.formats.locale);
  const pad = theme.paddingPx;
  const headPx = words === '' ? 0 : theme.title.linePx + 6;
  const inner = {
    ...look,
    widthPx: Math.max(20, widthPx - 2 * pad),
    heightPx: Math.max(20, heightPx - 2 * pad - headPx),
  };
  const head = words === '' ? '' : titleSvg(words, theme.title.sizePx, pad, look);
  const message = 'message' in shown ? shown.message : shown.frame.rows.length === 0 ? look.words.noData : null;
  const body =
    'chart' in shown && message === null
      ? bodySvg(shown.chart, shown.frame, inner)
      : textAt(inner.widthPx / 2, inner.heightPx / 2, fitted(message ?? '', 14, inner.widthPx), {
          sizePx: 14,
          color: theme.mutedText,
          family: theme.font.family,
          anchor: 'middle',
        });
  const border = theme.border.style === 'none' ? '' : ` stroke="${theme.border.color}"`;
  return [
    rectangle(
      0.5,
      0.5,
      widthPx - 1,
      heightPx - 1,
      `rx="${theme.border.radiusPx}" fill="${theme.itemsBackground}"${border}`,
    ),
    head,
    `<svg x="${pad}" y="${pad + headPx}" width="${inner.widthPx}" height="${inner.heightPx}" viewBox="0 0 ${inner.widthPx} ${inner.heightPx}">${body}</svg>`,
  ].join('');
}

/** A whole SVG document around what was drawn. */
export const svgDocument = (widthPx: number, heightPx: number, inside: string, background: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}">` +
  `${rectangle(0, 0, widthPx, heightPx, `fill="${background}"`)}${inside}</svg>`;
