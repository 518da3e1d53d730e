import { isObject } from '@inlay/contract';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { DrawnChart, Look } from '../charts/drawing/chart.ts';
import type { Frame } from '../charts/drawing/frame.ts';
import { keepOwnKeys } from '../charts/drawing/own-keys.ts';

const bare = (datum: unknown): unknown =>
  isObject(datum) && 'mark' in datum && Object.keys(datum).length === 2 ? datum['value'] : datum;

/** Nobody points at a picture: a datum with nothing but its mark beside its value is that value, which ECharts reads faster. */
const unpointed = (series: unknown): unknown =>
  Array.isArray(series)
    ? series.map((one: unknown) =>
        isObject(one) && Array.isArray(one['data']) ? { ...one, data: one['data'].map(bare) } : one,
      )
    : series;

/** A chart as the inner part of an SVG, drawn by ECharts without a page. */
export function drawnSvg(chart: DrawnChart, frame: Frame, look: Look): string {
  keepOwnKeys();
  use([SVGRenderer]);
  use(chart.parts);
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width: look.widthPx, height: look.heightPx });
  try {
    const option = chart.option(frame, look);
    drawing.setOption({ ...option, series: unpointed(option['series']), tooltip: { show: false }, animation: false });
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}
