// Runs in the page: the same options of ECharts, with the data already there and nothing else around.
import { itemQuery, readItem, type Json } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { createMemberColors } from '../../packages/embed/src/charts/frame/member-colors.ts';
import { createFrame, loadChart, type Row } from '../../packages/embed/src/charts/index.ts';
import { createFormats } from '../../packages/embed/src/locale/format.ts';
import { wordsFor } from '../../packages/embed/src/locale/words.ts';

interface Given {
  readonly item: Json;
  readonly rows: readonly Row[];
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Draws items in places of the page; returns the milliseconds until the last one is on the screen. */
export async function draw(all: readonly Given[], places: readonly Parameters<typeof init>[0][]): Promise<number> {
  const formats = createFormats('en', 'UTC');
  const theme = resolveTheme([]);
  const colors = createMemberColors(theme.colors.length);
  const context = { theme, formats, colors, words: wordsFor('en'), patterns: false, nowMs: Date.now() };
  use([CanvasRenderer]);
  const charts = await Promise.all(
    all.map(async ({ item: given }) => {
      const item = readItem(given);
      const asked = item === null ? null : itemQuery(item, { localeId: 'en', timezoneId: 'UTC' });
      const chart = item === null ? null : await loadChart(item.type);
      if (chart?.kind === 'drawn') use(chart.parts);
      return { item, asked, chart };
    }),
  );
  const startMs = performance.now();
  const drawn = charts.map(({ item, asked, chart }, index) => {
    const given = all[index];
    const place = places[index];
    if (item === null || asked === null || chart?.kind !== 'drawn' || given === undefined || place === undefined)
      return Promise.resolve();
    const { widthPx, heightPx, rows } = given;
    const onPage = init(place, null, { renderer: 'canvas', width: widthPx, height: heightPx });
    return new Promise<void>((resolve) => {
      onPage.on('rendered', () => resolve());
      const seen = { ...context, widthPx, heightPx, reducedMotion: false, rightToLeft: false };
      onPage.setOption(chart.option(createFrame(item, asked, rows, context), seen));
    });
  });
  await Promise.all(drawn);
  return performance.now() - startMs;
}
