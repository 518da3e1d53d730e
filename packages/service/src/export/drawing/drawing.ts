import { type Item, type ItemQuery, type Json, type JsonObject, inLanguage, rowsOf, type View } from '@inlay/contract';
import {
  addMembers,
  createFormats,
  createMemberColors,
  prepare,
  createFrame,
  headingSvg,
  isRightToLeft,
  itemSvg,
  loadChart,
  svgDocument,
  withSecond,
  wordsFor,
  type Frame,
  type Look,
  type Row,
  type Chart,
  type ItemPicture,
} from '@inlay/embed/picture';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { resolveTheme } from '@inlay/contract/theme';
import type { ExportItem } from '../fill.ts';
import { bundledFonts, facesSvg, fontsOfFamily, type OwnFont } from './fonts.ts';
import { pagesOf, type Paper, type PickedMarks } from './pages.ts';
import { pdfOf, pngOf, pointsInPx } from './picture.ts';
import { createFontMeasure } from './font-measure.ts';
import type { FileColumn } from '../rows.ts';

/** Files a dashboard or an item can be drawn as. */
export type DrawnType = 'svg' | 'png' | 'pdf';

/** An item with what was answered to its query. */
export interface FilledItem {
  readonly item: Item;
  readonly asked: ItemQuery | null;
  /** What a number is compared with; null where it is compared with nothing. */
  readonly second: NonNullable<Frame['lines']> | null;
  /** What a viewer chose in it, where it is a filter; null where nothing is. */
  readonly chosen: ExportItem['chosen'];
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
  /** Contents with the parameters that controls set, and nothing else. */
  readonly contents: JsonObject;
  readonly items: readonly ExportItem[];
  readonly themes: readonly Json[];
  readonly locale: string;
  readonly timeZone: string;
  /** ISO 4217 code of the viewer's currency; null where none is known. */
  readonly currency: string | null;
  /** When it was asked for, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly widthPx: number;
  /** How many pixels of a PNG stand for one of the drawing. */
  readonly scale: number;
  readonly patterns: boolean;
  /** Fonts of the organization that themes name. */
  readonly fonts: readonly OwnFont[];
  /** What the pages of a PDF are; null where it is one page as large as the drawing. */
  readonly paper: Paper | null;
  /** Marks that a viewer chose in charts. */
  readonly picked: readonly PickedMarks[];
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

/** What an item shows: its chart, or why there is none. */
async function pictureOf(
  chart: Chart | null,
  { item, asked, rows, second, chosen, truncated, failure }: FilledItem,
  look: Look,
  contents: JsonObject,
): Promise<ItemPicture> {
  const { words } = look;
  const own = asked === null || failure !== null ? null : createFrame(item, asked, rows, { ...look, truncated });
  const frame = own === null || second === null ? own : withSecond(own, second);
  if (chart?.kind === 'content') return { content: chart.content(item, frame, look) };
  if (chart?.kind === 'filter' && chart.parameter !== undefined) {
    const setting = chart.parameter(item, contents, look);
    return setting === null ? { message: words.noItem } : { setting };
  }
  if (chart === null || asked === null) return { message: failure ?? words.noItem };
  if (frame === null) return { message: `${words.failed}: ${failure ?? ''}` };
  const ready = await prepare(chart, frame, look);
  return chosen === null ? { chart: ready, frame } : { chart: ready, frame, chosen };
}

/** Draws a job as a file. Nothing is fetched; texts are only ever texts. */
export async function draw(job: DrawingJob, items: readonly FilledItem[]): Promise<Uint8Array> {
  const theme = resolveTheme([...job.themes], builtInThemes);
  const formats = createFormats(job.locale, job.timeZone, job.currency);
  const words = wordsFor(job.locale);
  const rightToLeft = isRightToLeft(job.locale);
  const title = inLanguage(job.title, job.locale);
  const { widthPx } = job;
  const fonts = bundledFonts();
  const own = fontsOfFamily(theme.font.family, job.fonts);
  const measure = createFontMeasure(own, fonts);
  const colors = createMemberColors(theme.colors.length);
  for (const { item, asked, rows } of items) if (asked !== null) addMembers(colors, item, asked, rows);
  const drawn = await Promise.all(
    items.map(async (filled) => {
      const box = boxOf(filled, job, theme.marginsPx, rightToLeft);
      const look: Look = {
        theme,
        formats,
        words,
        colors,
        rightToLeft,
        measure,
        patterns: job.patterns,
        reducedMotion: true,
        nowMs: job.nowMs,
        widthPx: box.width,
        heightPx: box.height,
      };
      const chart = await loadChart(filled.item.type);
      const shown = await pictureOf(chart, filled, look, job.contents);
      return { box, look, shown, title: filled.item.title, svg: itemSvg(filled.item.title, shown, look) };
    }),
  );
  const itemsPx = rowsOf(job.view) * job.view.rowPx + theme.marginsPx[0];
  if (job.type === 'pdf' && job.paper !== null) {
    const sheet = {
      theme,
      formats,
      measure,
      widthPx,
      rightToLeft,
      title,
      itemsPx,
      nowMs: job.nowMs,
      picked: job.picked,
    };
    return pdfOf(pagesOf(drawn, job.paper, sheet), { title, locale: job.locale }, fonts, own);
  }
  const heading = headingSvg(job.showsTitle ? title : '', { theme, measure, widthPx, rightToLeft });
  const placed = drawn.map(
    ({ box, svg }) => `<g transform="translate(${box.x},${box.y + heading.heightPx})">${svg}</g>`,
  );
  const heightPx = Math.max(itemsPx + heading.heightPx, 40);
  const svg = svgDocument(widthPx, heightPx, heading.svg + placed.join(''), theme.background, rightToLeft);
  if (job.type === 'svg') return new TextEncoder().encode(svg.replace('>', `>${facesSvg(own)}`));
  if (job.type === 'png') return pngOf(svg, fonts, own, job.scale);
  return pdfOf([{ svg, widthPx, heightPx, widthPt: widthPx * pointsInPx }], { title, locale: job.locale }, fonts, own);
}
