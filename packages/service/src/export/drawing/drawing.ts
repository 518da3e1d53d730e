import { resolveTheme } from '@inlay/contract/theme';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { type JsonObject, inLanguage, rowsOf } from '@inlay/contract';
import {
  addMembers,
  conditionTexts,
  createFormats,
  createMemberColors,
  prepare,
  createFrame,
  headingSvg,
  isRightToLeft,
  itemSvg,
  loadChart,
  svgDocument,
  withComparison,
  wordsFor,
  type SizedContext,
  type Chart,
  type ItemPicture,
} from '@inlay/embed/picture';
import type { RenderJob, FilledItem } from '../render-job.ts';
import { bundledFonts, facesSvg, fontsOfFamily } from './fonts.ts';
import { pagesOf } from './pages.ts';
import { pdfOf, pngOf, pointsInPx } from './picture.ts';
import { createFontMeasure } from './font-measure.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function boxOf(
  { item }: FilledItem,
  { view, widthPx }: RenderJob,
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

/** Returns the chart of an item, or the reason why it has none. */
async function pictureOf(
  chart: Chart | null,
  { item, query, rows, comparison, selection, truncated, failure }: FilledItem,
  context: SizedContext,
  contents: JsonObject,
): Promise<ItemPicture> {
  const { words } = context;
  const itemFrame =
    query === null || failure !== null ? null : createFrame(item, query, rows, { ...context, truncated });
  const frame = itemFrame === null || comparison === null ? itemFrame : withComparison(itemFrame, comparison);
  if (chart?.kind === 'content') return { content: chart.content(item, frame, context) };
  if (chart?.kind === 'filter' && chart.parameter !== undefined) {
    const setting = chart.parameter(item, contents, context);
    return setting === null ? { message: words.noItem } : { setting };
  }
  if (chart === null || query === null) return { message: failure ?? words.noItem };
  if (frame === null) return { message: `${words.failed}: ${failure ?? ''}` };
  const preparedChart = await prepare(chart, frame, context);
  return selection === null ? { chart: preparedChart, frame } : { chart: preparedChart, frame, chosen: selection };
}

/** Draws a job as a file. Fetches nothing; texts are never interpreted as markup. */
export async function draw(job: RenderJob, items: readonly FilledItem[]): Promise<Uint8Array> {
  const theme = resolveTheme([...job.themes], builtInThemes);
  const formats = createFormats(job.locale, job.timeZone, job.currency);
  const words = wordsFor(job.locale);
  const rightToLeft = isRightToLeft(job.locale);
  const title = inLanguage(job.title, job.locale);
  const { widthPx } = job;
  const fonts = bundledFonts();
  const themeFonts = fontsOfFamily(theme.font.family, job.fonts);
  const measure = createFontMeasure(themeFonts, fonts);
  const colors = createMemberColors(theme.colors.length);
  for (const { item, query, rows } of items) if (query !== null) addMembers(colors, item, query, rows);
  const drawnItems = await Promise.all(
    items.map(async (filledItem) => {
      const box = boxOf(filledItem, job, theme.marginsPx, rightToLeft);
      const context: SizedContext = {
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
      const chart = await loadChart(filledItem.item.type);
      const picture = await pictureOf(chart, filledItem, context, job.contents);
      const conditions = conditionTexts(filledItem.item, formats);
      return {
        box,
        context,
        shown: picture,
        title: filledItem.item.title,
        conditions,
        svg: itemSvg(filledItem.item.title, picture, context, conditions),
      };
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
      selections: job.selections,
    };
    return pdfOf(pagesOf(drawnItems, job.paper, sheet), { title, locale: job.locale }, fonts, themeFonts);
  }
  const heading = headingSvg(job.showsTitle ? title : '', { theme, measure, widthPx, rightToLeft });
  const placedSvgs = drawnItems.map(
    ({ box, svg }) => `<g transform="translate(${box.x},${box.y + heading.heightPx})">${svg}</g>`,
  );
  const heightPx = Math.max(itemsPx + heading.heightPx, 40);
  const svg = svgDocument(widthPx, heightPx, heading.svg + placedSvgs.join(''), theme.background, rightToLeft);
  if (job.type === 'svg') return new TextEncoder().encode(svg.replace('>', `>${facesSvg(themeFonts)}`));
  if (job.type === 'png') return pngOf(svg, fonts, themeFonts, job.scale);
  return pdfOf(
    [{ svg, widthPx, heightPx, widthPt: widthPx * pointsInPx }],
    { title, locale: job.locale },
    fonts,
    themeFonts,
  );
}
