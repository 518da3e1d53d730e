import type {
  Chart,
  Content,
  ContentChart,
  DrawnChart,
  SizedContext,
  ParameterChart,
  ParameterSetting,
} from '../charts/frame/chart.ts';
import type { Frame } from '../charts/frame/frame.ts';
import type { Table } from '../charts/frame/table.ts';
import { emptySelection, type FilterSelection, inLanguage } from '@inlay/contract';
import { contentSvg } from './content.ts';
import { controlSvg } from './control.ts';
import { drawnSvg } from './drawn.ts';
import { figureSvg } from './figure.ts';
import { legendSvg } from './legend.ts';
import { isCut, tableSvg } from './table.ts';
import { fitted } from '../charts/drawing/text-width.ts';
import { rectangle, textAt } from './write.ts';

/** An item to draw. If it is a filter, its selection is included. */
interface ItemDrawing {
  readonly chart: Exclude<Chart, ContentChart | ParameterChart>;
  readonly frame: Frame;
  readonly chosen?: FilterSelection;
}

/** The input for drawing an item, or the reason why it cannot be drawn. */
export type ItemPicture =
  | ItemDrawing
  | { readonly content: Content }
  | { readonly setting: ParameterSetting }
  | { readonly message: string };

/** If an item is lower than this, a filter has its name on the same line. */
const compactPx = 92;

function withLegend(chart: DrawnChart, frame: Frame, context: SizedContext): string {
  const legend = chart.legend?.(frame, context) ?? null;
  if (legend === null) return drawnSvg(chart, frame, context);
  const { svg, x, y, widthPx, heightPx } = legendSvg(legend, context);
  const chartContext = { ...context, widthPx, heightPx };
  return `${svg}<svg x="${x}" y="${y}" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}">${drawnSvg(chart, frame, chartContext)}</svg>`;
}

const notePx = 18;

function withNote(chart: DrawnChart, frame: Frame, context: SizedContext): string {
  const note = chart.note?.(frame, context) ?? null;
  if (note === null) return withLegend(chart, frame, context);
  const { theme, widthPx, rightToLeft } = context;
  const heightPx = Math.max(20, context.heightPx - notePx);
  const text = textAt(rightToLeft ? widthPx : 0, heightPx + notePx - 4, fitted(note, theme.axisPx, widthPx, context), {
    sizePx: theme.axisPx,
    color: theme.mutedText,
    family: theme.font.family,
    anchor: rightToLeft ? 'end' : 'start',
  });
  return `${withLegend(chart, frame, { ...context, heightPx })}${text}`;
}

function bodySvg({ chart, frame, chosen }: ItemDrawing, name: string, context: SizedContext): string {
  switch (chart.kind) {
    case 'drawn':
      return withNote(chart, frame, context);
    case 'table':
      return tableSvg(chart.table(frame, context), context);
    case 'figure':
      return figureSvg(chart.figure(frame, context), context);
    case 'filter':
      return controlSvg(chart.control(frame, context), chosen ?? emptySelection, name, context);
  }
}

type TitleLook = Pick<SizedContext, 'theme' | 'widthPx' | 'rightToLeft' | 'measure'>;

const anchors = { left: 'start', center: 'middle', right: 'end' } as const;

/** Renders a title as one line of text at the origin, truncated to the width of the item. `sizePx` is the font size. */
function titleSvg(words: string, sizePx: number, padPx: number, color: string, context: TitleLook): string {
  const { theme, widthPx, rightToLeft } = context;
  const align = rightToLeft && theme.title.align === 'left' ? 'right' : theme.title.align;
  const x = { left: padPx, center: widthPx / 2, right: widthPx - padPx }[align];
  const face = { isBold: theme.title.bold, isItalic: theme.title.italic };
  const text = textAt(x, padPx + sizePx, fitted(words, sizePx, widthPx - 2 * padPx, context, face), {
    sizePx,
    color,
    family: theme.font.family,
    anchor: anchors[align],
    ...(theme.title.bold ? { weight: 'bold' } : {}),
    ...(theme.title.italic ? { style: 'italic' } : {}),
    ...(theme.title.underline ? { decoration: 'underline' } : {}),
  });
  return `<svg width="${widthPx}" height="${padPx + 2 * sizePx}">${text}</svg>`;
}

/** Renders the heading of a dashboard. Returns it with its height. */
export function headingSvg(words: string, context: TitleLook): { readonly svg: string; readonly heightPx: number } {
  const sizePx = Math.round(context.theme.title.sizePx * 1.4);
  return words === ''
    ? { svg: '', heightPx: 0 }
    : { svg: titleSvg(words, sizePx, 12, context.theme.page.text, context), heightPx: sizePx + 16 };
}

/** Renders the title of an item. It is underlined if the theme has title lines. */
function headSvg(words: string, color: string, context: SizedContext): string {
  const { title, sizes, line } = context.theme;
  const pad = sizes.paddingPx;
  const underline = rectangle(pad, pad + title.linePx, context.widthPx - 2 * pad, 1, `fill="${line}"`);
  return titleSvg(words, title.sizePx, pad, color, context) + (title.border ? underline : '');
}

/** True if an item has nothing to draw. Filters show their selection even without rows. */
const isEmpty = ({ chart, frame }: ItemDrawing): boolean => chart.kind !== 'filter' && frame.rows.length === 0;

/** Renders the conditions of an item as one line of texts below its title, truncated to the width of the item. */
function conditionsSvg(conditions: readonly string[], topPx: number, context: SizedContext): string {
  const { theme, widthPx, rightToLeft } = context;
  const padPx = theme.sizes.paddingPx;
  const text = fitted(conditions.join(' · '), theme.axisPx, widthPx - 2 * padPx, context);
  return textAt(rightToLeft ? widthPx - padPx : padPx, topPx + theme.axisPx, text, {
    sizePx: theme.axisPx,
    color: theme.mutedText,
    family: theme.font.family,
    anchor: rightToLeft ? 'end' : 'start',
  });
}

/** Returns the space of the chart: inside the frame, below the title and the conditions. */
function insideOf(words: string, picture: ItemPicture, context: SizedContext, conditions: readonly string[]) {
  const { theme, widthPx, heightPx } = context;
  const isControl = 'setting' in picture || ('chart' in picture && picture.chart.kind === 'filter');
  const isLine = isControl && heightPx < compactPx;
  const padPx = isLine ? Math.max(0, (heightPx - theme.axisPx * 1.4) / 2 - 2) : theme.sizes.paddingPx;
  const titlePx = words === '' || isLine ? 0 : theme.title.linePx + 6;
  const hasConditions = conditions.length > 0 && !isLine && !('content' in picture);
  const headPx = titlePx + (hasConditions ? theme.axisPx + 8 : 0);
  const innerContext: SizedContext = {
    ...context,
    widthPx: Math.max(20, widthPx - 2 * theme.sizes.paddingPx),
    heightPx: Math.max(20, heightPx - 2 * padPx - headPx),
  };
  const line = hasConditions ? conditionsSvg(conditions, padPx + titlePx, context) : '';
  return { isLine, padPx, headPx, line, inner: innerContext };
}

/** Returns the table of an item if some of its rows or columns do not fit; otherwise null. */
export function cutTable(
  title: Frame['item']['title'],
  picture: ItemPicture,
  context: SizedContext,
  conditions: readonly string[] = [],
): Table | null {
  if (!('chart' in picture) || picture.chart.kind !== 'table' || picture.frame.rows.length === 0) return null;
  const { inner } = insideOf(inLanguage(title, context.formats.locale), picture, context, conditions);
  const table = picture.chart.table(picture.frame, inner);
  return isCut(table, inner) ? table : null;
}

/**
 * Renders an item with its frame, title and conditions as an SVG group at the origin. `context` has the size of the
 * item, frame included, in px.
 */
export function itemSvg(
  title: Frame['item']['title'],
  picture: ItemPicture,
  context: SizedContext,
  conditions: readonly string[] = [],
): string {
  const { theme, widthPx, heightPx } = context;
  const words = inLanguage(title, context.formats.locale);
  const pad = theme.sizes.paddingPx;
  const { isLine, padPx, headPx, line, inner } = insideOf(words, picture, context, conditions);
  const head =
    words === '' || isLine ? '' : headSvg(words, 'content' in picture ? theme.page.text : theme.text, context);
  if ('content' in picture)
    return `${head}<svg x="${pad}" y="${headPx}" width="${inner.widthPx}" height="${heightPx - headPx}" viewBox="0 0 ${inner.widthPx} ${heightPx - headPx}">${contentSvg(picture.content, { ...inner, heightPx: heightPx - headPx })}</svg>`;
  const message =
    'message' in picture ? picture.message : 'chart' in picture && isEmpty(picture) ? context.words.noData : null;
  const inlineName = isLine ? words : '';
  const body =
    'setting' in picture
      ? controlSvg(picture.setting.control, picture.setting.chosen, inlineName, inner)
      : 'chart' in picture && message === null
        ? bodySvg(picture, inlineName, inner)
        : textAt(
            inner.widthPx / 2,
            inner.heightPx / 2,
            fitted(message ?? '', theme.font.sizePx, inner.widthPx, context),
            {
              sizePx: theme.font.sizePx,
              color: theme.mutedText,
              family: theme.font.family,
              anchor: 'middle',
            },
          );
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
    line,
    `<svg x="${pad}" y="${padPx + headPx}" width="${inner.widthPx}" height="${inner.heightPx}" viewBox="0 0 ${inner.widthPx} ${inner.heightPx}">${body}</svg>`,
  ].join('');
}

const rightToLeftLetter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/** True if a text has characters of a right-to-left script, or is a number in a right-to-left language. */
const runsLeft = (text: string): boolean =>
  rightToLeftLetter.test(text) || (text.includes('\u200f') && !/\p{L}/u.test(text));

/** Returns the text content of an SVG fragment. */
const lettersOf = (svg: string): string =>
  svg
    .split('<')
    .map((piece, index) => (index === 0 ? piece : piece.slice(piece.indexOf('>') + 1)))
    .join('');

/** Marks the right-to-left texts of a drawing, because SVG text is left-to-right by default. */
const turnedTexts = (svg: string): string =>
  svg
    .split('<text')
    .map((piece, index) => {
      const [start, end] = [piece.indexOf('>') + 1, piece.indexOf('</text>')];
      const words = piece.slice(start, end);
      if (index === 0 || end < start || !runsLeft(lettersOf(words))) return piece;
      return `${piece.slice(0, start)}\u202b${words}\u202c${piece.slice(end)}`;
    })
    .join('<text');

/** Wraps a drawing in an SVG document. `rightToLeft` sets the base direction of its text. */
export const svgDocument = (
  widthPx: number,
  heightPx: number,
  contents: string,
  background: string,
  rightToLeft = false,
): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}">` +
  `${rectangle(0, 0, widthPx, heightPx, `fill="${background}"`)}${rightToLeft ? turnedTexts(contents) : contents}</svg>`;
