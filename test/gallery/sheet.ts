import { memberRows, readItem, type JsonObject } from '@inlay/contract';
import {
  addMembers,
  createFormats,
  createFrame,
  createMemberColors,
  isRightToLeft,
  itemSvg,
  loadChart,
  prepare,
  svgDocument,
  withComparison,
  wordsFor,
} from '@inlay/embed/picture';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { resolveTheme } from '@inlay/contract/theme';
import { bundledFonts } from '../../packages/service/src/export/drawing/fonts.ts';
import { createFontMeasure } from '../../packages/service/src/export/drawing/font-measure.ts';
import { pngOf } from '../../packages/service/src/export/drawing/picture.ts';
import { galleryNowMs } from '../../packages/service/src/gallery/gallery.ts';
import { sampleQueries } from '../../packages/service/src/gallery/job.ts';
import type { Sample } from '../../packages/service/src/gallery/samples.ts';

/** How a sheet is drawn: sizes in px. */
export interface SheetLook {
  readonly theme: JsonObject;
  readonly locale: string;
  readonly columns: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly patterns?: boolean;
  /** How many pixels of the PNG stand for one of the sheet; 1 unless said. */
  readonly scale?: number;
}

/** Samples side by side on one picture, as SVG. */
export async function sheetSvg(samples: readonly Sample[], look: SheetLook): Promise<string> {
  const theme = resolveTheme([look.theme], builtInThemes);
  const [formats, words] = [createFormats(look.locale, 'UTC', 'EUR'), wordsFor(look.locale)];
  const colors = createMemberColors(theme.colors.length);
  const measure = createFontMeasure([], bundledFonts());
  const asked = samples.map((sample) => {
    const item = readItem(sample.item);
    if (item === null) throw new Error(`${sample.name} is no item`);
    const { query, compared } = sampleQueries(item);
    const second = compared === null ? null : { query: compared, rows: sample.soFar ?? [] };
    const rows = query === null ? [] : memberRows(query, sample.rows);
    if (query !== null) addMembers(colors, item, query, rows);
    return { item, query, rows, second, contents: sample.contents ?? {} };
  });
  const drawn = await Promise.all(
    asked.map(async ({ item, query, rows, second, contents }, index) => {
      const chart = await loadChart(item.type);
      if (chart === null) throw new Error(`there is no ${item.type}`);
      const seen = {
        theme,
        formats,
        words,
        colors,
        measure,
        nowMs: galleryNowMs,
        patterns: look.patterns === true,
        reducedMotion: true,
        rightToLeft: isRightToLeft(look.locale),
        widthPx: look.widthPx,
        heightPx: look.heightPx,
      };
      const own = query === null ? null : createFrame(item, query, rows, { formats, words });
      const frame = own === null || second === null ? own : withComparison(own, second);
      const setting = chart.kind === 'filter' ? (chart.parameter?.(item, contents, seen) ?? null) : null;
      const shown =
        chart.kind === 'content'
          ? { content: chart.content(item, frame, seen) }
          : setting !== null
            ? { setting }
            : frame === null || (chart.kind === 'filter' && chart.parameter !== undefined)
              ? { message: words.noItem }
              : { chart: await prepare(chart, frame, seen), frame };
      const svg = itemSvg(item.title, shown, seen);
      const [x, y] = [index % look.columns, Math.floor(index / look.columns)];
      return `<g transform="translate(${12 + x * (look.widthPx + 12)},${12 + y * (look.heightPx + 12)})">${svg}</g>`;
    }),
  );
  const lines = Math.ceil(samples.length / look.columns);
  const [widthPx, heightPx] = [12 + look.columns * (look.widthPx + 12), 12 + lines * (look.heightPx + 12)];
  return svgDocument(widthPx, heightPx, drawn.join(''), theme.background, isRightToLeft(look.locale));
}

/** Returns the same as PNG. */
export const sheetPng = async (samples: readonly Sample[], look: SheetLook): Promise<Uint8Array> =>
  pngOf(await sheetSvg(samples, look), bundledFonts(), [], look.scale ?? 1);
