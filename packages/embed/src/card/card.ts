import { emptySelection, inLanguage, isSet, type FilterSelection } from '@inlay/contract';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { loadChart, type Chart, type DrawnChart, type Frame, type Mark } from '../charts/index.ts';
import type { Link } from '../charts/frame/link.ts';
import type { CardEvent } from './card-events.ts';
import { differ, type CardModel } from './card-model.ts';
import { bodyView } from './views/body-view.ts';
import { headView } from './card-head.ts';
import { followed } from './links/followed.ts';
import { CardMenu } from './menu/card-menu.ts';
import { Plot } from './views/plot.ts';
import type { LegendState } from './views/legend-view.ts';
import { layoutOf, loadViews, tablePlaces, unsized, type Views } from './card-views.ts';
import { dataOf, frameOf } from './shown.ts';
import type { TableSheet } from './table/table-sheet.ts';
import { cardStyles } from './styles/card.ts';

/** If a card is lower than this, a filter has its title on the same line. */
const compactPx = 92;

/** An item with a frame: its title, and its chart, its table or a message. */
export class InlayCard extends LitElement {
  static override styles = cardStyles;
  static override properties = {
    model: { attribute: false, hasChanged: differ },
    chart: { state: true },
    drawn: { state: true },
    missing: { state: true },
    asTable: { state: true },
    control: { state: true },
    legend: { state: true },
    conditions: { state: true },
  };

  declare model: CardModel;
  declare chart: Chart | null;
  /** The chart; null until its additional data is loaded. */
  declare drawn: DrawnChart | null;
  /** `type` if the chart type is unknown, `file` if the code of the chart failed to load; otherwise null. */
  declare missing: 'type' | 'file' | null;
  declare asTable: boolean;
  declare control: FilterSelection;
  declare legend: LegendState;
  /** The line with the filters of the item itself. */
  declare conditions: TemplateResult | typeof nothing;

  #views: Views = {};
  readonly #plot = new Plot((mark, opened) => this.#choose(mark, opened));
  #sheet: TableSheet | null = null;
  #frame: Frame | null = null;
  #told: Frame | null = null;
  #observer: ResizeObserver | null = null;
  readonly #menu = new CardMenu(this, {
    turn: () => void this.#turn(),
    tell: (event) => void this.#tell(event),
    failed: () => (this.missing = 'file'),
  });

  constructor() {
    super();
    this.chart = null;
    this.drawn = null;
    this.missing = null;
    this.asTable = false;
    this.control = emptySelection;
    this.legend = { hidden: new Set(), search: '' };
    this.conditions = nothing;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#plot.end();
    this.#sheet?.end();
    this.#observer?.disconnect();
    this.#observer = null;
  }

  override willUpdate(changedProperties: PropertyValues<this>): void {
    if (!changedProperties.has('model')) return;
    const { model, shadowRoot } = this;
    const previousModel = changedProperties.get('model');
    const { item, answer, comparison, renderContext, sheets, start } = model;
    if (previousModel?.start !== start) this.control = start;
    if (previousModel?.item.type !== item.type) {
      this.chart = null;
      this.drawn = null;
      void this.#loading(() => this.#load());
    }
    if (
      (['answer', 'comparison', 'item', 'renderContext'] as const).some((name) => previousModel?.[name] !== model[name])
    ) {
      this.#frame = frameOf(item, answer, comparison, renderContext);
      if (this.chart !== null) void this.#loading(() => this.#prepare());
    }
    if (previousModel?.item !== item || previousModel.renderContext !== renderContext)
      void this.#loading(() => this.#writeConditions());
    if (previousModel?.sheets !== sheets && shadowRoot !== null)
      shadowRoot.adoptedStyleSheets = [...shadowRoot.adoptedStyleSheets.slice(0, 1), ...sheets];
  }

  /** Runs `load`. If it fails, the card shows a message. */
  #loading(load: () => Promise<void>): Promise<void> {
    return load().catch(() => void (this.missing = 'file'));
  }

  async #load(): Promise<void> {
    const { type } = this.model.item;
    const chart = await loadChart(type);
    const views = chart === null ? {} : await loadViews[chart.kind]();
    if (this.model.item.type !== type) return;
    this.#views = views;
    this.chart = chart;
    this.missing = chart === null ? 'type' : null;
    await this.#prepare();
  }

  /** Writes the filters of the item. Their words are loaded only for items that have filters of their own. */
  async #writeConditions(): Promise<void> {
    const { item, renderContext } = this.model;
    if (item.filters.length === 0) {
      this.conditions = nothing;
      return;
    }
    const { conditionsView } = await import('./views/conditions-view.ts');
    if (this.model.item === item && this.model.renderContext === renderContext)
      this.conditions = conditionsView(item, renderContext.formats);
  }

  async #prepare(): Promise<void> {
    const [frame, chart] = [this.#frame, this.chart];
    if (chart?.kind !== 'drawn' || frame === null) return;
    const readyChart = chart.ready === undefined ? chart : await chart.ready(frame, this.model.renderContext);
    if (this.chart === chart) this.drawn = readyChart;
  }

  override updated(): void {
    const place = this.renderRoot.querySelector<HTMLElement>('.canvas');
    this.#showTable();
    if (place === null) this.#plot.end();
    else void this.#draw(place);
    if (this.chart?.kind === 'filter') this.#observe();
    const isShown = this.chart?.kind === 'drawn' ? this.drawn !== null : this.chart !== null;
    if (place === null && this.#frame !== null && (isShown || this.missing !== null)) this.#tellDrawn(this.#frame);
  }

  #tellDrawn(frame: Frame): void {
    if (this.#told === frame) return;
    this.#told = frame;
    this.#tell({ kind: 'rendered', id: this.model.item.id });
  }

  async #draw(place: HTMLElement): Promise<void> {
    const { drawn: chart } = this;
    const { renderContext, chosen } = this.model;
    const [frame, drawing] = [this.#frame, this.#views.drawing];
    if (!place.isConnected || chart === null || frame === null || drawing === undefined) return;
    this.#observe();
    const plotState = { chart, frame, renderContext, chosen, hidden: this.legend.hidden };
    try {
      if (await this.#plot.show(place, drawing, plotState)) this.#tellDrawn(frame);
    } catch (error) {
      this.#tell({ kind: 'failed', id: this.model.item.id, code: 'failed', message: String(error), hint: '' });
      void this.#loading(() => this.#turn());
    }
  }

  #observe(): void {
    this.#observer ??= new ResizeObserver(() => this.#resized());
    this.#observer.observe(this);
  }

  #resized(): void {
    this.toggleAttribute('compact', this.chart?.kind === 'filter' && this.clientHeight < compactPx);
    const place = this.renderRoot.querySelector<HTMLElement>('.canvas');
    if (place !== null && this.#plot.resize(place)) void this.#draw(place);
  }

  /** Dispatches an event to the board. Returns false if the event was cancelled. */
  #tell(detail: CardEvent): boolean {
    return this.dispatchEvent(new CustomEvent('inlay-card', { detail, bubbles: true, cancelable: true }));
  }

  #choose(mark: Mark, opened: boolean): void {
    const { id, options } = this.model.item;
    if (mark.cells.length === 0) return;
    const choose = (): void => void this.#tell({ kind: 'mark', id, mark, open: opened });
    if (opened || options['link'] === undefined) return choose();
    // If the mark has no link, it is selected.
    void import('./links/follow.ts').then(
      ({ followMark }) => followMark(options['link'], mark, this.#follow) || choose(),
    );
  }

  /** Returns false if the page handles the link itself. */
  readonly #follow = (link: Link): boolean => this.#tell({ kind: 'link', told: followed(this.model.item.id, link) });

  /** Draws the table if the card has a place for it. */
  #showTable(): void {
    const [frame, chart, views] = [this.#frame, this.chart, this.#views.table];
    const places = tablePlaces(this.renderRoot);
    if (places === null || views === undefined || frame === null || chart === null) {
      this.#sheet?.end();
      return;
    }
    const caption =
      chart.kind === 'table' ? '' : inLanguage(this.model.item.title, this.model.renderContext.formats.locale);
    this.#sheet ??= new views.TableSheet(
      (mark) => this.#choose(mark, false),
      (link, event) => this.#follow(link) || event.preventDefault(),
    );
    this.#sheet.show(places, {
      chart,
      frame,
      renderContext: this.model.renderContext,
      chosen: this.model.chosen,
      caption,
    });
  }

  /** Switches between chart and table. */
  async #turn(): Promise<void> {
    if (this.#views.table === undefined) this.#views = { ...this.#views, ...(await loadViews.table()) };
    this.asTable = !this.asTable;
  }

  #body(name: string): TemplateResult | typeof nothing {
    const { id } = this.model.item;
    return bodyView(
      { card: this, name, views: this.#views, frame: this.#frame },
      {
        retry: () => void this.#tell({ kind: 'retry', id }),
        load: () => void this.#loading(() => this.#load()),
        hide: (legend) => (this.legend = legend),
        filter: (selection, condition, parameters) => {
          this.control = selection;
          if (condition !== undefined) this.#tell({ kind: 'filter', id, chosen: selection, condition, parameters });
        },
      },
    );
  }

  #head(name: string): TemplateResult {
    const { id } = this.model.item;
    return headView(
      {
        name,
        description: this.#frame?.settings.description ?? '',
        level: this.model.level,
        words: this.model.renderContext.words,
        chosen: this.model.chosen,
        path: this.model.path,
        isSet: this.chart?.kind === 'filter' && isSet(this.control),
        isDrawn: this.chart?.kind === 'drawn' && this.model.answer.kind === 'rows',
        asTable: this.asTable,
        hasMenu: this.#menu.isThere(),
      },
      {
        choose: (mark, opened) => this.#choose(mark, opened),
        up: () => void this.#tell({ kind: 'up', id }),
        menu: (event) => void this.#menu.open(event),
        clear: () => {
          this.control = emptySelection;
          this.#tell({ kind: 'filter', id, chosen: emptySelection, condition: null });
        },
        turn: () => void this.#loading(() => this.#turn()),
      },
    );
  }

  override render(): TemplateResult {
    const name = inLanguage(this.model.item.title, this.model.renderContext.formats.locale);
    const { isBare, isTable, scrolls, kinds } = layoutOf(this.model.item, this.chart, this.#frame, this.asTable);
    const truncated = this.model.answer.kind === 'rows' && this.model.answer.truncated;
    const note =
      this.#frame === null ? null : (this.drawn?.note?.(this.#frame, unsized(this.model.renderContext)) ?? null);
    return html`<article
      class=${isBare ? 'bare' : this.chart?.kind === 'figure' ? 'figured' : nothing}
      aria-label=${name || this.model.item.type}
      aria-busy=${String(this.model.answer.kind === 'loading')}
    >
      ${isBare && name === '' ? nothing : this.#head(name)} ${isBare ? nothing : this.conditions}
      <div
        class="body ${kinds}"
        tabindex=${scrolls ? '0' : nothing}
        role=${scrolls ? 'group' : nothing}
        aria-label=${scrolls ? name || this.model.item.type : nothing}
      >
        ${this.#body(name)}
      </div>
      ${isTable ? html`<span class="note rows" hidden></span>` : nothing}
      ${note === null ? nothing : html`<span class="note line" title=${note}>${note}</span>`}
      ${truncated && !isTable ? html`<span class="note">${this.model.renderContext.words.truncated}</span>` : nothing}
    </article>`;
  }
}

/** Registers the card element. Idempotent. */
export function defineCard(registry: CustomElementRegistry = globalThis.customElements): void {
  if (registry.get('inlay-card') === undefined) registry.define('inlay-card', InlayCard);
}

export { dataOf };
