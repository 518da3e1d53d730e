import { isObject } from '@inlay/contract';
import { init, setPlatformAPI, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Chart, DrawnChart, SizedContext } from '../charts/frame/chart.ts';
import type { Frame } from '../charts/frame/frame.ts';
import { widthOf } from '../charts/drawing/text-width.ts';
import { keepOwnKeys } from '../charts/drawing/own-keys.ts';
import { escaped, withoutControls } from './write.ts';

const withoutMark = (datum: unknown): unknown =>
  isObject(datum) && 'mark' in datum && Object.keys(datum).length === 2 ? datum['value'] : datum;

/**
 * Replaces each datum that has only a mark and a value by the value. Pictures are not interactive, and ECharts parses
 * plain values faster.
 */
const withoutMarks = (series: unknown): unknown =>
  Array.isArray(series)
    ? series.map((option: unknown) =>
        isObject(option) && Array.isArray(option['data'])
          ? { ...option, data: option['data'].map(withoutMark) }
          : option,
      )
    : series;

/** Loads the additional data of a chart, if it needs any. */
export async function prepare<Kind extends Chart>(
  chart: Kind,
  frame: Frame,
  context: Pick<SizedContext, 'formats'>,
): Promise<Kind | DrawnChart> {
  if (chart.kind !== 'drawn') return chart;
  return chart.ready === undefined ? chart : chart.ready(frame, context);
}

/** Returns a function that measures text for ECharts, which passes a CSS font such as `italic bold 12px Inter`. */
const measureIn =
  (context: SizedContext) =>
  (text: string, font = ''): { readonly width: number } => {
    const size = /(\d{1,5}(?:\.\d{1,9})?)px/u.exec(font);
    const style = font.slice(0, size?.index ?? 0);
    const isBold = /bold|[6-9]00/u.test(style);
    return {
      width: widthOf(text, Number(size?.[1] ?? 12), context, { isBold, isItalic: /italic|oblique/u.test(style) }),
    };
  };

/**
 * Returns a context whose font family identifies the bundled fonts. ECharts caches text widths by CSS font, and other
 * fonts may share a name.
 */
const inFonts = (context: SizedContext): SizedContext =>
  context.measure === undefined
    ? context
    : { ...context, theme: { ...context.theme, font: { ...context.theme.font, family: context.measure.fonts } } };

/** Renders a chart as the content of an SVG document. ECharts draws it without a DOM. */
export function drawnSvg(chart: DrawnChart, frame: Frame, context: SizedContext): string {
  keepOwnKeys();
  use([SVGRenderer]);
  setPlatformAPI({ measureText: measureIn(context) });
  use(chart.parts);
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width: context.widthPx, height: context.heightPx });
  try {
    const option = chart.option(frame, inFonts(context));
    const tooltip = option['tooltip'] === undefined ? {} : { tooltip: { show: false } };
    drawing.setOption({ ...option, series: withoutMarks(option['series']), ...tooltip, animation: false });
    const svg = withoutControls(drawing.renderToSVGString());
    return context.measure === undefined
      ? svg
      : svg.replaceAll(context.measure.fonts, escaped(context.theme.font.family));
  } finally {
    drawing.dispose();
  }
}
