import type { Mark } from '../../charts/frame/mark.ts';
import type { DrawnChart } from '../../charts/frame/chart.ts';
import type { Frame } from '../../charts/frame/frame.ts';
import type { RenderContext } from '../render-context.ts';
import type * as DrawingOnPage from './drawing.ts';
import { tooltipView } from './tooltip-view.ts';

/** A chart and everything that affects its drawing, except for its size. */
export interface PlotState {
  readonly chart: DrawnChart;
  readonly frame: Frame;
  readonly renderContext: RenderContext;
  readonly chosen: Mark | null;
  readonly hidden: ReadonlySet<string>;
}

/** The plot of a card. It draws again only when its state or size has changed. */
export class Plot {
  readonly #choose: (mark: Mark, opened: boolean) => void;
  #drawing: DrawingOnPage.Drawing | null = null;
  #size: readonly [number, number] = [0, 0];
  #drawn: PlotState | null = null;

  constructor(choose: (mark: Mark, opened: boolean) => void) {
    this.#choose = choose;
  }

  /** Draws the chart. Returns false without drawing if nothing has changed or if there is too little space. */
  async show(place: HTMLElement, { startDrawing }: typeof DrawingOnPage, state: PlotState): Promise<boolean> {
    const [widthPx, heightPx] = [place.clientWidth, place.clientHeight];
    if (widthPx < 8 || heightPx < 8) return false;
    const { chart, frame, renderContext, chosen, hidden } = state;
    const previousState = this.#drawn;
    const isSame =
      previousState?.chart === chart &&
      previousState.frame === frame &&
      previousState.renderContext === renderContext &&
      previousState.chosen === chosen;
    const isSized = this.#size[0] === widthPx && this.#size[1] === heightPx;
    if (isSame && previousState.hidden === hidden && isSized) return false;
    // The size can change without an update of the card, when a legend or note appears or disappears.
    if (!isSized) this.#drawing?.resize(widthPx, heightPx);
    this.#drawing ??= startDrawing(place, this.#choose);
    this.#size = [widthPx, heightPx];
    this.#drawn = state;
    await this.#drawing.show(chart, frame, {
      ...renderContext,
      chosen,
      hidden,
      widthPx,
      heightPx,
      tooltipView: (text) => tooltipView(text, renderContext),
    });
    return true;
  }

  /** Adapts the chart to the size of its place. Returns true if the size has changed. */
  resize(place: HTMLElement): boolean {
    const [width, height] = [place.clientWidth, place.clientHeight];
    if (width === this.#size[0] && height === this.#size[1]) return false;
    this.#drawing?.resize(width, height);
    return true;
  }

  end(): void {
    this.#drawing?.end();
    this.#drawing = null;
    this.#drawn = null;
  }
}
