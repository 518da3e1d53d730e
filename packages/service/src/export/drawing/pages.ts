import { type Json, inLanguage } from '@inlay/contract';
import {
  chosenText,
  cutTable,
  filledIn,
  headingSvg,
  pageWordsFor,
  svgDocument,
  tablePages,
  textAt,
  wrapped,
  type ItemPicture,
  type SizedContext,
} from '@inlay/embed/picture';
import { pageBreaks } from './page-breaks.ts';
import type { Page } from './picture.ts';

/** Paper sizes in points, portrait. */
const papers = { a4: [595.28, 841.89], a3: [841.89, 1190.55], letter: [612, 792] } as const;

export interface Paper {
  readonly size: keyof typeof papers;
  readonly isLandscape: boolean;
}

/** Marks selected by a viewer in a chart, which filter the other items. */
export interface SelectedMarks {
  /** Name of the column of the marks, by language. */
  readonly label: Json;
  /** Level of the values if they are dates; otherwise null. */
  readonly level: number | null;
  readonly values: readonly Json[];
}

/** A drawn item, with its SVG at the origin. */
export interface DrawnItem {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly title: Json;
  /** Filters of the item itself, as texts. */
  readonly conditions: readonly string[];
  readonly shown: ItemPicture;
  readonly context: SizedContext;
  readonly svg: string;
}

/** Properties common to all pages. */
interface Sheet extends Pick<SizedContext, 'theme' | 'formats' | 'widthPx' | 'rightToLeft' | 'nowMs' | 'measure'> {
  readonly title: string;
  /** Total height of all items in px. */
  readonly itemsPx: number;
  readonly selections: readonly SelectedMarks[];
}

const [marginPx, footPx, smallPx] = [12, 40, 13];
/** Row limit of tables. Drawing this many rows takes 7 s; the file states the number of omitted rows. */
const maxTableRows = 5000;
const maxFilterLines = 4;

/** Draws a line of small print at the start or end in reading direction. */
const smallAt = ({ theme, widthPx, rightToLeft }: Sheet, y: number, text: string, isEnd: boolean): string =>
  textAt(isEnd === rightToLeft ? marginPx : widthPx - marginPx, y, text, {
    sizePx: smallPx,
    color: theme.page.mutedText,
    family: theme.font.family,
    anchor: isEnd === rightToLeft ? 'start' : 'end',
  });

const selectionText = ({ level, values }: SelectedMarks, { formats }: Sheet): string =>
  values
    .map((value) => {
      if (typeof value === 'number') return formats.number(value);
      if (typeof value !== 'string') return '';
      return level === null || Number.isNaN(Date.parse(value)) ? value : formats.date(value, level);
    })
    .filter((text) => text !== '')
    .join(', ');

/** Lists active filters and selections with their names. */
function filtersInForce(items: readonly DrawnItem[], sheet: Sheet): readonly string[] {
  const { locale } = sheet.formats;
  const controlTexts = items.flatMap(({ title, shown, context }) => {
    if (!('chart' in shown) || shown.chart.kind !== 'filter' || shown.chosen === undefined) return [];
    const control = shown.chart.control(shown.frame, context);
    const [firstContent] = shown.frame.item.slots.flatMap(({ content }) => content);
    const name = inLanguage(title, locale) || inLanguage(firstContent?.label ?? null, locale);
    return [{ name, text: chosenText(control, shown.chosen, context, 10) }];
  });
  const selections = sheet.selections.map((marks) => ({
    name: inLanguage(marks.label, locale),
    text: selectionText(marks, sheet),
  }));
  return [...controlTexts, ...selections]
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => (name === '' ? text : `${name}: ${text}`));
}

interface Head {
  readonly svg: string;
  readonly heightPx: number;
}

/** Draws the heading of the first page: title, date, and active filters. */
function headOf(items: readonly DrawnItem[], sheet: Sheet): Head {
  const { formats, widthPx, nowMs, title } = sheet;
  const heading = headingSvg(title, sheet);
  const inForce = filtersInForce(items, sheet);
  const filterText = inForce.length === 0 ? '' : `${pageWordsFor(formats.locale).filters}: ${inForce.join(' · ')}`;
  const madeText = `${formats.date(new Date(nowMs).toISOString(), minuteLevel)} (${formats.timeZone})`;
  const lines = [
    madeText,
    ...(filterText === '' ? [] : wrapped(filterText, smallPx, widthPx - 2 * marginPx, maxFilterLines, sheet)),
  ];
  const top = Math.max(heading.heightPx, marginPx / 2);
  const lineSvgs = lines.map((line, index) => smallAt(sheet, top + (index + 1) * smallPx * 1.5, line, false));
  return { svg: heading.svg + lineSvgs.join(''), heightPx: top + lines.length * smallPx * 1.5 + marginPx };
}

const minuteLevel = 7;

/** An item that is too small for all rows of its table. */
interface CutItem extends DrawnItem {
  readonly table: NonNullable<ReturnType<typeof cutTable>>;
}

/** Draws a complete table on separate pages, each with the title of the item and its own filters. */
function tableOnPages(
  { title, conditions, context, table }: CutItem,
  sheet: Sheet,
  heightPx: number,
  maxRows: number,
): readonly string[] {
  const words = pageWordsFor(sheet.formats.locale);
  const name = inLanguage(title, sheet.formats.locale);
  const parts = tablePages(
    table,
    { ...context, widthPx: sheet.widthPx - 2 * marginPx, heightPx: heightPx - tableTopPx },
    maxRows,
  );
  const [filterText] = wrapped(conditions.join(' · '), smallPx, sheet.widthPx - 2 * marginPx, 1, sheet);
  const filterLine = conditions.length === 0 ? '' : smallAt(sheet, filterLinePx, filterText ?? '', false);
  return parts.map((part, index) => {
    const heading = headingSvg(index === 0 ? name : filledIn(words.continued, name), sheet);
    return `${heading.svg}${filterLine}<g transform="translate(${marginPx},${tableTopPx})">${part}</g>`;
  });
}

/** On a page of a table: the top of the table, and the baseline of the filters between it and the title. */
const [tableTopPx, filterLinePx] = [56, 50];

const movedSvg = (x: number, y: number, svg: string): string => `<g transform="translate(${x},${y})">${svg}</g>`;

/** Breaks the items into pages of a given height, without splitting any. */
function boardPages(
  items: readonly DrawnItem[],
  { itemsPx, widthPx }: Sheet,
  head: Head,
  heightPx: number,
): readonly string[] {
  const startOf = (page: number): number => (page === 0 ? head.heightPx : marginPx / 2);
  const extents = items.map(({ box: { y, height } }) => ({ y, height }));
  return pageBreaks(extents, itemsPx, (page) => heightPx - startOf(page)).map(({ top, bottom, scale }, page) => {
    const itemSvgs = items
      .filter(({ box }) => box.y >= top && box.y + box.height <= bottom)
      .map(({ box, svg }) => movedSvg(box.x, box.y - top, svg));
    const x = ((1 - scale) * widthPx) / 2;
    const board = `<g transform="translate(${x},${startOf(page)}) scale(${scale})">${itemSvgs.join('')}</g>`;
    return page === 0 ? head.svg + board : board;
  });
}

/**
 * Lays out a file on paper: first all items, then the complete tables of items that show only some of their rows. The
 * first page has a heading, and all pages have numbers. If the file has only such a table, its complete rows come
 * first.
 */
export function pagesOf(items: readonly DrawnItem[], { size, isLandscape }: Paper, sheet: Sheet): readonly Page[] {
  const [shortPt, longPt] = papers[size];
  const [widthPt, heightPt] = isLandscape ? [longPt, shortPt] : [shortPt, longPt];
  const { widthPx, theme } = sheet;
  const heightPx = (widthPx * heightPt) / widthPt;
  const head = headOf(items, sheet);
  const roomPx = heightPx - footPx;
  const cutTables = items.flatMap((item): readonly CutItem[] => {
    const table = cutTable(item.title, item.shown, item.context, item.conditions);
    return table === null ? [] : [{ ...item, table }];
  });
  const isTable = items.length === 1 && cutTables.length === 1;
  const maxRows = Math.floor(maxTableRows / Math.max(1, cutTables.length));
  const boards = isTable ? [] : boardPages(items, sheet, head, roomPx);
  const tables = cutTables.flatMap((item) =>
    tableOnPages(item, sheet, roomPx - (isTable ? head.heightPx : 0), maxRows),
  );
  const withHead = (part: string, page: number): string =>
    isTable && page === 0 ? head.svg + movedSvg(0, head.heightPx, part) : part;
  const pageSvgs = [...boards, ...tables.map(withHead)];
  const words = pageWordsFor(sheet.formats.locale);
  const pageText = (page: number): string =>
    filledIn(filledIn(words.page, sheet.formats.number(page + 1)), sheet.formats.number(pageSvgs.length));
  return pageSvgs.map((pageSvg, page) => {
    const y = heightPx - marginPx / 2;
    const foot = smallAt(sheet, y, sheet.title, false) + smallAt(sheet, y, pageText(page), true);
    return {
      svg: svgDocument(widthPx, heightPx, pageSvg + foot, theme.background, sheet.rightToLeft),
      widthPx,
      heightPx,
      widthPt,
    };
  });
}
