import { init, use, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import type { Mark } from '../../charts/frame/mark.ts';
import type { AxisMarks, DrawnChart, SizedContext } from '../../charts/frame/chart.ts';
import type { Frame } from '../../charts/frame/frame.ts';
import { keepOwnKeys } from '../../charts/drawing/own-keys.ts';

export interface Drawing {
  /** Draws a chart. Resolves when it is on screen, even if animations still run. */
  show(chart: DrawnChart, frame: Frame, context: SizedContext): Promise<void>;
  resize(widthPx: number, heightPx: number): void;
  end(): void;
}

const hasMark = (value: unknown): value is { readonly mark: () => Mark } =>
  typeof value === 'object' && value !== null && 'mark' in value && typeof value.mark === 'function';

/**
 * Allows the chart library to clear an element by `innerHTML = ''`, which Trusted Types forbid. Any other value of
 * `innerHTML` clears the element too.
 */
function clearOnly(element: Element): void {
  Object.defineProperty(element, 'innerHTML', {
    configurable: true,
    get: () => element.textContent,
    set() {
      element.replaceChildren();
    },
  });
}

/**
 * Applies `clearOnly` to the element of a chart, and to every element that the library appends to it, such as the
 * tooltip.
 */
function clearOnlyWithin(place: HTMLElement): void {
  clearOnly(place);
  place.appendChild = <Child extends Node>(child: Child): Child => {
    if (child instanceof Element) clearOnly(child);
    Node.prototype.appendChild.call(place, child);
    return child;
  };
}

/**
 * Starts drawing in `place`. Calls `onChoose` when a viewer selects a mark by a click or opens it by a double click.
 */
export function startDrawing(place: HTMLElement, onChoose: (mark: Mark, opened: boolean) => void): Drawing {
  keepOwnKeys();
  use([CanvasRenderer]);
  clearOnlyWithin(place);
  let instance: EChartsType | null = null;
  let axisMarks: AxisMarks | null = null;
  const onMark = (opened: boolean) => (event: { data?: unknown }) => {
    if (hasMark(event.data)) onChoose(event.data.mark(), opened);
  };
  /** Handles clicks that hit no drawn mark. */
  const onPlot = (opened: boolean) => (event: { offsetX: number; offsetY: number; target?: unknown }) => {
    if (instance === null || axisMarks === null || event.target !== undefined) return;
    const at = [event.offsetX, event.offsetY];
    if (!instance.containPixel('grid', at)) return;
    const point: unknown = instance.convertFromPixel('grid', at);
    const value: unknown = Array.isArray(point) ? point[axisMarks.axis === 'xAxis' ? 0 : 1] : null;
    const mark = typeof value === 'number' ? axisMarks.at(value) : null;
    if (mark !== null) onChoose(mark, opened);
  };
  return {
    show: async (chart, frame, context) => {
      use(chart.parts);
      axisMarks = chart.markAt?.(frame, context) ?? null;
      if (instance === null) {
        instance = init(place, null, { renderer: 'canvas', width: context.widthPx, height: context.heightPx });
        instance.on('click', onMark(false));
        instance.on('dblclick', onMark(true));
        instance.getZr().on('click', onPlot(false));
        instance.getZr().on('dblclick', onPlot(true));
      }
      const chartOnPage = instance;
      return new Promise((resolve) => {
        // The listener is added before `setOption`, because a chart may finish synchronously within that call.
        const onRendered = (): void => {
          chartOnPage.off('rendered', onRendered);
          resolve();
        };
        chartOnPage.on('rendered', onRendered);
        chartOnPage.setOption(chart.option(frame, context), { notMerge: true });
      });
    },
    resize: (width, height) => instance?.resize({ width, height }),
    end: () => {
      instance?.dispose();
      instance = null;
    },
  };
}
