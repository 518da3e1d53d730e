import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { DrawnChart, Look } from '../charts/chart.ts';
import type { Frame } from '../charts/frame.ts';
import { keepOwnKeys } from '../charts/own-keys.ts';

/** A chart as the inner part of an SVG, drawn by ECharts without a page. */
export function drawnSvg(chart: DrawnChart, frame: Frame, look: Look): string {
  keepOwnKeys();
  use([SVGRenderer]);
  use(chart.parts);
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width: look.widthPx, height: look.heightPx });
  try {
    // Nobody points at a picture.
    drawing.setOption({ ...chart.option(frame, look), tooltip: { show: false }, animation: false });
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}
