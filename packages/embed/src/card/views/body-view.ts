import type { JsonObject, FilterSelection, Condition } from '@inlay/contract';
import { html, nothing, type TemplateResult } from 'lit';
import type { Chart, DrawnChart, Frame } from '../../charts/index.ts';
import { summary } from '../shown.ts';
import type { CardModel } from '../card-model.ts';
import { unsized, type Views } from '../card-views.ts';
import { chartView, type LegendState } from './legend-view.ts';
import { absenceView, failureView } from './state-view.ts';

interface BodyCard {
  readonly model: CardModel;
  readonly chart: Chart | null;
  /** The chart; null until its additional data is loaded. */
  readonly drawn: DrawnChart | null;
  readonly missing: 'type' | 'file' | null;
  readonly asTable: boolean;
  readonly control: FilterSelection;
  readonly legend: LegendState;
}

export interface Body {
  readonly card: BodyCard;
  readonly name: string;
  readonly frame: Frame | null;
  readonly views: Views;
}

export interface BodyActions {
  readonly retry: () => void;
  /** Tries again to load the code of the chart. */
  readonly load: () => void;
  readonly hide: (legend: LegendState) => void;
  /** Sets a filter. If `condition` is undefined, the filters of the other items do not change. */
  readonly filter: (
    selection: FilterSelection,
    condition: Condition | null | undefined,
    parameters?: JsonObject,
  ) => void;
}

const sheet = html`<div class="sheet"></div>`;

/** Renders the body of a card: its chart, or the reason why there is no chart. */
export function bodyView({ card, name, frame, views }: Body, actions: BodyActions): TemplateResult | typeof nothing {
  const { model, chart, drawn, missing } = card;
  const { item, level, answer, contents, renderContext } = model;
  const { words } = renderContext;
  const failure = failureView(answer, missing, words, { ask: actions.retry, load: actions.load });
  if (failure !== null) return failure;
  const context = unsized(renderContext);
  if (chart?.kind === 'content')
    return (
      views.content?.contentView(chart.content(item, frame, context), level, {
        name,
        chosen: card.control.keys[0],
        choose: (id) => actions.filter({ ...card.control, keys: [id] }, null),
      }) ?? nothing
    );
  if (chart?.kind === 'filter' && chart.parameter !== undefined)
    return (
      views.control?.parameterView(
        chart,
        { item, contents, control: card.control },
        renderContext,
        name,
        actions.filter,
      ) ?? nothing
    );
  const isLoaded = chart?.kind === 'drawn' ? drawn !== null : chart !== null;
  const absence = absenceView(answer, missing, words, isLoaded);
  if (absence !== null || frame === null || chart === null) return absence ?? nothing;
  switch (chart.kind) {
    case 'drawn':
      return card.asTable
        ? sheet
        : chartView(drawn?.legend?.(frame, context) ?? null, summary(frame, name), card.legend, words, actions.hide);
    case 'table':
      return sheet;
    case 'figure':
      return views.figure?.figureView(chart.figure(frame, context), words) ?? nothing;
    case 'filter':
      return chart.control === undefined
        ? nothing
        : (views.control?.controlView(
            chart.control(frame, context),
            card.control,
            renderContext,
            name,
            actions.filter,
          ) ?? nothing);
  }
}
