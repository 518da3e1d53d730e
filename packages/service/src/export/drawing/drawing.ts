import type { Item, ItemQuery, Json } from '@inlay/contract';
import {
  createFormats,
  createFrame,
  headingSvg,
  inLanguage,
  isRightToLeft,
  itemSvg,
  loadChart,
  resolveTheme,
  rowsOf,
  svgDocument,
  wordsFor,
  type Look,
  type Row,
  type ItemPicture,
  type View,
} from '@inlay/embed/picture';
import type { ExportItem } from '../fill.ts';
import { bundledFonts } from './fonts.ts';
import { pdfOf, pngOf } from './picture.ts';
import type { FileColumn } from '../rows.ts';

/** Files a dashboard or an item can be drawn as. */
export type DrawnType = 'svg' | 'png' | 'pdf';

/** An item with what was answered to its query. */
export interface FilledItem {
  readonly item: Item;
  readonly asked: ItemQuery | null;
  readonly rows: readonly Row[];
  readonly truncated: boolean;
  /** Why there are no rows. */
  readonly failure: string | null;
}

/** Everything that a file needs beside the answers, as plain data. */
export interface DrawingJob {
  readonly type: DrawnType | 'csv' | 'xlsx';
  /** Names of the columns of a table, as its dashboard labels them in a language. */
  readonly columns: readonly FileColumn[];
  readonly title: Json;
  /** Whether the title stands above the items. */
  readonly showsTitle: boolean;
  readonly view: View;
  readonly items: readonly ExportItem[];
  readonly themes: readonly Json[];
  readonly locale: string;
  readonly timeZone: string;
  readonly widthPx: number;
  /** How many pixels of a PNG stand for one of the drawing. */
  readonly scale: number;
  readonly patterns: boolean;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function boxOf(
  { item }: FilledItem,
  { view, widthPx }: DrawingJob,
  [vertical, horizontal]: readonly [number, number],
  rightToLeft: boolean,
): Box {
  const { position } = item;
  const unit = (widthPx - horizontal) / view.columns;
  const width = Math.max(20, Math.min(position.sizeX, view.columns) * unit - horizontal);
  const left = horizontal + position.col * unit;
  return {
    x: rightToLeft ? widthPx - left - width : left,
    y: vertical + position.row * view.rowPx,
    width,
    height: Math.max(20, position.sizeY * view.rowPx - vertical),
  };
}

/** Draws a job as a file. Nothing is fetched; texts are only ever texts. */
export async function draw(job: DrawingJob, items: readonly FilledItem[]): Promise<Uint8Array> {
  const theme = resolveTheme([...job.themes]);
  const formats = createFormats(job.locale, job.timeZone);
  const words = wordsFor(job.locale);
  const rightToLeft = isRightToLeft(job.locale);
  const title = inLanguage(job.title, job.locale);
  const { widthPx } = job;
  const heading = headingSvg(job.showsTitle ? title : '', { theme, widthPx, rightToLeft });
  const drawn = await Promise.all(
    items.map(async (filled) => {
      const box = boxOf(filled, job, theme.marginsPx, rightToLeft);
      const look: Look = {
        ...{ theme, formats, words, rightToLeft, patterns: job.patterns, reducedMotion: true },
        widthPx: box.width,
        heightPx: box.height,
      };
      const chart = await loadChart(filled.item.type);
      const shown: ItemPicture =
        chart === null || filled.asked === null
          ? { message: filled.failure ?? words.noItem }
          : filled.failure !== null
            ? { message: `${words.failed}: ${filled.failure}` }
            : {
                chart,
                frame: createFrame(filled.item, filled.asked, filled.rows, {
                  formats,
                  words,
                  truncated: filled.truncated,
                }),
              };
      return `<g transform="translate(${box.x},${box.y + heading.heightPx})">${itemSvg(filled.item.title, shown, look)}</g>`;
    }),
  );
  const itemsPx = rowsOf(job.view) * job.view.rowPx + theme.marginsPx[0];
  const heightPx = Math.max(itemsPx + heading.heightPx, 40);
  const svg = svgDocument(widthPx, heightPx, heading.svg + drawn.join(''), theme.background);
  const fonts = bundledFonts();
  if (job.type === 'svg') return new TextEncoder().encode(svg);
  if (job.type === 'png') return pngOf(svg, fonts, job.scale);
  return pdfOf([{ svg, widthPx, heightPx }], title, fonts);
}
