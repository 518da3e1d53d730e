import type { Item } from '@inlay/contract';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { createFrame, loadChart, plainTable, type Chart, type Frame, type Mark } from '../../charts/index.ts';
import { emptySelection, type FilterSelection } from '../../filter-selection.ts';
import type { Step } from '../../drill.ts';
import { inLanguage } from '../../locale/language.ts';
import { keyOfMark } from '../../marks.ts';
import { refusal } from '../../locale/words.ts';
import type { Answer, CardEvent } from './card-events.ts';
import { headView } from './card-head.ts';
import { loadViews, unsized, type Views } from './card-views.ts';
import type { Drawing } from './drawing.ts';
import type { Scene } from '../look.ts';
import { summary } from '../shown.ts';
import { cardStyles } from './styles.ts';
import { inSight, rowPx, tableView, windowAt, type Window } from './table-view.ts';

/** One item in its frame: title, chart, the table behind it, and what to say where there is none. */
export class InlayCard extends LitElement {
  static override styles = cardStyles;
  static override properties = {
    item: { attribute: false },
    level: { attribute: false },
    answer: { attribute: false },
    scene: { attribute: false },
    sheets: { attribute: false },
    chosen: { attribute: false },
    path: { attribute: false },
    start: { attribute: false },
    chart: { state: true },
    missing: { state: true },
    asTable: { state: true },
    inSight: { state: true },
    control: { state: true },
  };

  declare item: Item;
  /** Level of its heading. */
  declare level: 2 | 3;
  declare answer: Answer;
  declare scene: Scene;
  /** Custom CSS, already made safe. */
  declare sheets: readonly CSSStyleSheet[];
  /** The mark of this item that narrows the others. */
  declare chosen: Mark | null;
  /** What was drilled into, from the top. */
  declare path: readonly Step[];
  /** What is set in a filter until the viewer sets something else. */
  declare start: FilterSelection;
  declare chart: Chart | null;
  /** Whether there is no chart of this type, or it could not be loaded. */
  declare missing: 'type' | 'file' | null;
  declare asTable: boolean;
  declare inSight: Window;
  declare control: FilterSelection;

  #views: Views = {};
  #drawing: Drawing | null = null;
  #frame: Frame | null = null;
  #told: Frame | null = null;
  #observer: ResizeObserver | null = null;
  #size: readonly [number, number] = [0, 0];
  #drawn: { readonly frame: Frame; readonly scene: Scene } | null = null;

  constructor() {
    super();
    this.level = 2;
    this.answer = { kind: 'loading' };
    this.sheets = [];
    this.chosen = null;
    this.path = [];
    this.start = emptySelection;
    this.chart = null;
    this.missing = null;
    this.asTable = false;
    this.inSight = inSight;
    this.control = emptySelection;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#endDrawing();
    this.#observer?.disconnect();
    this.#observer = null;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('start')) this.control = this.start;
    if (changed.has('item') && changed.get('item')?.type !== this.item.type) {
      this.chart = null;
      void this.#load();
    }
    if (changed.has('answer') || changed.has('item') || changed.has('scene')) {
      const { answer, scene } = this;
      this.#frame =
        answer.kind === 'rows'
          ? createFrame(this.item, answer.asked, answer.rows, { ...scene, truncated: answer.truncated })
          : null;
    }
    if (changed.has('sheets') && this.shadowRoot !== null)
      this.shadowRoot.adoptedStyleSheets = [...this.shadowRoot.adoptedStyleSheets.slice(0, 1), ...this.sheets];
  }

  async #load(): Promise<void> {
    const { type } = this.item;
    try {
      const chart = await loadChart(type);
      const views = chart === null ? {} : await loadViews[chart.kind]();
      if (this.item.type !== type) return;
      this.#views = views;
      this.chart = chart;
      this.missing = chart === null ? 'type' : null;
    } catch {
      this.missing = 'file';
    }
  }

  override updated(): void {
    const place = this.renderRoot.querySelector<HTMLElement>('.canvas');
    if (place === null) this.#endDrawing();
    else void this.#draw(place);
    if (place === null && this.#frame !== null && (this.chart !== null || this.missing !== null))
      this.#tellDrawn(this.#frame);
  }

  #tellDrawn(frame: Frame): void {
    if (this.#told === frame) return;
    this.#told = frame;
    this.#tell({ kind: 'rendered', id: this.item.id });
  }

  async #draw(place: HTMLElement): Promise<void> {
    const { chart } = this;
    const { drawing } = this.#views;
    const frame = this.#frame;
    if (!place.isConnected || chart?.kind !== 'drawn' || frame === null || drawing === undefined) return;
    this.#observer ??= new ResizeObserver(() => this.#resized());
    this.#observer.observe(this);
    const [widthPx, heightPx] = [place.clientWidth, place.clientHeight];
    if (widthPx < 8 || heightPx < 8) return;
    const sameSize = this.#size[0] === widthPx && this.#size[1] === heightPx;
    if (this.#drawn?.frame === frame && this.#drawn.scene === this.scene && sameSize) return;
    this.#drawing ??= drawing.startDrawing(place, (mark, open) => this.#choose(mark, open));
    this.#size = [widthPx, heightPx];
    this.#drawn = { frame, scene: this.scene };
    await this.#drawing.show(chart, frame, { ...this.scene, widthPx, heightPx });
    this.#tellDrawn(frame);
  }

  #resized(): void {
    const place = this.renderRoot.querySelector<HTMLElement>('.canvas');
    if (place === null) return;
    const [width, height] = [place.clientWidth, place.clientHeight];
    if (width === this.#size[0] && height === this.#size[1]) return;
    this.#drawing?.resize(width, height);
    void this.#draw(place);
  }

  #endDrawing(): void {
    this.#drawing?.end();
    this.#drawing = null;
    this.#drawn = null;
  }

  #tell(detail: CardEvent): void {
    this.dispatchEvent(new CustomEvent('inlay-card', { detail, bubbles: true, composed: false }));
  }

  #choose(mark: Mark, open: boolean): void {
    if (mark.cells.length > 0) this.#tell({ kind: 'mark', id: this.item.id, mark, open });
  }

  #state(text: string, more: TemplateResult | typeof nothing = nothing): TemplateResult {
    return html`<div class="state" role="status">${text}${more}</div>`;
  }

  #scrolled(event: Event): void {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    const next = windowAt(target.scrollTop, target.clientHeight, Number.MAX_SAFE_INTEGER);
    if (Math.abs(next.first - this.inSight.first) >= 5) this.inSight = next;
  }

  #table(frame: Frame, chart: Chart, name: string): TemplateResult {
    const table = chart.kind === 'table' ? chart.table(frame, unsized(this.scene)) : plainTable(frame);
    const part =
      table.body.length * rowPx > 6000
        ? { first: this.inSight.first, last: Math.min(this.inSight.last, table.body.length) }
        : null;
    return tableView(
      table,
      chart.kind === 'table' ? '' : name,
      part,
      (mark) => this.#choose(mark, false),
      keyOfMark(this.chosen),
    );
  }

  #body(name: string): TemplateResult | typeof nothing {
    const { answer, chart, scene } = this;
    const frame = this.#frame;
    const { words } = scene;
    const { id } = this.item;
    if (answer.kind === 'failed')
      return this.#state(
        refusal(words, answer),
        html`<button type="button" @click=${() => this.#tell({ kind: 'retry', id })}>${words.retry}</button>`,
      );
    if (this.missing === 'file')
      return this.#state(
        words.failed,
        html`<button type="button" @click=${() => this.#load()}>${words.retry}</button>`,
      );
    if (answer.kind === 'nothing' || this.missing === 'type') return this.#state(words.noItem);
    if (frame === null || chart === null)
      return this.#state(
        answer.kind === 'loading' && answer.isBusy === true ? words.busy : words.loading,
        html`<div class="bar"></div>`,
      );
    if (frame.rows.length === 0) return this.#state(words.noData);
    const look = unsized(scene);
    const { control: controls, figure: figures } = this.#views;
    switch (chart.kind) {
      case 'drawn':
        return this.asTable
          ? this.#table(frame, chart, name)
          : html`<div class="canvas" role="img" aria-label=${summary(frame, name)}></div>`;
      case 'table':
        return this.#table(frame, chart, name);
      case 'figure':
        return figures?.figureView(chart.figure(frame, look), words) ?? nothing;
      case 'filter':
        return (
          controls?.controlView(chart.control(frame, look), this.control, scene, name, (chosen, condition) => {
            this.control = chosen;
            if (condition !== undefined) this.#tell({ kind: 'filter', id, condition });
          }) ?? nothing
        );
    }
  }

  #head(name: string): TemplateResult {
    const { id } = this.item;
    const { keys, from, to, unshown } = this.control;
    return headView(
      {
        name,
        level: this.level,
        words: this.scene.words,
        chosen: this.chosen,
        path: this.path,
        isSet: this.chart?.kind === 'filter' && (keys.length > 0 || from !== null || to !== null || unshown),
        isDrawn: this.chart?.kind === 'drawn' && this.answer.kind === 'rows',
        asTable: this.asTable,
      },
      {
        choose: (mark, open) => this.#choose(mark, open),
        up: () => this.#tell({ kind: 'up', id }),
        clear: () => {
          this.control = emptySelection;
          this.#tell({ kind: 'filter', id, condition: null });
        },
        turn: () => {
          this.asTable = !this.asTable;
        },
      },
    );
  }

  override render(): TemplateResult {
    const name = inLanguage(this.item.title, this.scene.formats.locale);
    const isDrawn = this.chart?.kind === 'drawn' && !this.asTable && this.#frame !== null;
    const truncated = this.answer.kind === 'rows' && this.answer.truncated;
    const scrolls = this.#frame !== null && !isDrawn;
    return html`<article aria-label=${name || this.item.type} aria-busy=${String(this.answer.kind === 'loading')}>
      ${this.#head(name)}
      <div
        class="body ${isDrawn ? 'drawn' : ''}"
        tabindex=${scrolls ? '0' : nothing}
        role=${scrolls ? 'group' : nothing}
        aria-label=${scrolls ? name || this.item.type : nothing}
        @scroll=${(event: Event) => this.#scrolled(event)}
      >
        ${this.#body(name)}
      </div>
      ${truncated ? html`<span class="note">${this.scene.words.truncated}</span>` : nothing}
    </article>`;
  }
}
