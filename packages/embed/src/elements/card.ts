import type { Item, ItemQuery } from '@inlay/contract';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import {
  createFrame,
  loadChart,
  plainTable,
  type Chart,
  type Frame,
  type Look,
  type Mark,
  type Row,
} from '../charts/index.ts';
import type { Condition } from '../filters.ts';
import { inLanguage } from '../language.ts';
import { keyOfMark } from '../marks.ts';
import { conditionOf, controlView, nothingChosen, type Chosen } from './control-view.ts';
import type { Drawing } from './drawing.ts';
import { figureView } from './figure-view.ts';
import type { Scene } from './look.ts';
import { cardStyles } from './styles.ts';
import { rowPx, tableView, windowAt, type Window } from './table-view.ts';

/** What an item has to show. */
export type Answer =
  | { readonly kind: 'loading' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'rows'; readonly asked: ItemQuery; readonly rows: readonly Row[]; readonly truncated: boolean };

/** Told by a card to what shows it; none of them leaves the shadow root it is in. */
export interface CardEvents {
  readonly 'card-rendered': { readonly id: string };
  readonly 'card-mark': { readonly id: string; readonly mark: Mark; readonly open: boolean };
  readonly 'card-filter': { readonly id: string; readonly condition: Condition | null };
  readonly 'card-up': { readonly id: string };
  readonly 'card-retry': { readonly id: string };
}

/** One item in its frame: title, chart, the table behind it, and what to say where there is none. */
export class InlayCard extends LitElement {
  static override styles = cardStyles;
  static override properties = {
    item: { attribute: false },
    answer: { attribute: false },
    scene: { attribute: false },
    chosen: { attribute: false },
    path: { attribute: false },
    chart: { state: true },
    asTable: { state: true },
    inSight: { state: true },
    control: { state: true },
  };

  declare item: Item;
  declare answer: Answer;
  declare scene: Scene;
  /** The mark of this item that narrows the others. */
  declare chosen: Mark | null;
  /** What was drilled into, from the top. */
  declare path: readonly string[];
  declare chart: Chart | null;
  declare asTable: boolean;
  declare inSight: Window;
  declare control: Chosen;

  #drawing: Drawing | null = null;
  #frame: Frame | null = null;
  #observer: ResizeObserver | null = null;
  #size: readonly [number, number] = [0, 0];
  #drawn: { readonly frame: Frame; readonly scene: Scene } | null = null;

  constructor() {
    super();
    this.answer = { kind: 'loading' };
    this.chosen = null;
    this.path = [];
    this.chart = null;
    this.asTable = false;
    this.inSight = windowAt(0, 600, Number.MAX_SAFE_INTEGER);
    this.control = nothingChosen;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#endDrawing();
    this.#observer?.disconnect();
    this.#observer = null;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('item') && changed.get('item')?.type !== this.item.type) void this.#load();
    if (changed.has('answer') || changed.has('item') || changed.has('scene')) {
      const { answer, scene } = this;
      this.#frame =
        answer.kind === 'rows'
          ? createFrame(this.item, answer.asked, answer.rows, { ...scene, truncated: answer.truncated })
          : null;
    }
  }

  async #load(): Promise<void> {
    const { type } = this.item;
    const chart = await loadChart(type);
    if (this.item.type === type) this.chart = chart;
  }

  override updated(): void {
    const place = this.renderRoot.querySelector<HTMLElement>('.canvas');
    if (place === null) this.#endDrawing();
    else void this.#draw(place);
    if (this.#frame !== null && this.chart !== null && this.chart.kind !== 'drawn')
      this.#tell('card-rendered', { id: this.item.id });
  }

  async #draw(place: HTMLElement): Promise<void> {
    const { startDrawing } = await import('./drawing.ts');
    const { chart } = this;
    const frame = this.#frame;
    if (!place.isConnected || chart?.kind !== 'drawn' || frame === null) return;
    this.#observer ??= new ResizeObserver(() => this.#resized());
    this.#observer.observe(this);
    this.#drawing ??= startDrawing(place, (mark, open) => this.#choose(mark, open));
    const look = this.#look(place);
    if (look.widthPx < 8 || look.heightPx < 8) return;
    const size = [look.widthPx, look.heightPx] as const;
    const same =
      this.#drawn?.frame === frame && this.#drawn.scene === this.scene && String(this.#size) === String(size);
    if (same) return;
    this.#size = size;
    this.#drawn = { frame, scene: this.scene };
    await this.#drawing.show(chart, frame, look);
    this.#tell('card-rendered', { id: this.item.id });
  }

  #look(place: HTMLElement): Look {
    return { ...this.scene, widthPx: place.clientWidth, heightPx: place.clientHeight };
  }

  #resized(): void {
    const place = this.renderRoot.querySelector<HTMLElement>('.canvas');
    if (place === null || this.#drawing === null) return;
    const [width, height] = [place.clientWidth, place.clientHeight];
    if (width === this.#size[0] && height === this.#size[1]) return;
    this.#drawing.resize(width, height);
    void this.#draw(place);
  }

  #endDrawing(): void {
    this.#drawing?.end();
    this.#drawing = null;
    this.#drawn = null;
  }

  #tell<Name extends keyof CardEvents>(name: Name, detail: CardEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: false }));
  }

  #choose(mark: Mark, open: boolean): void {
    if (mark.cells.length > 0) this.#tell('card-mark', { id: this.item.id, mark, open });
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
    const look = { ...this.scene, widthPx: this.clientWidth, heightPx: this.clientHeight };
    const table = chart.kind === 'table' ? chart.table(frame, look) : plainTable(frame);
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

  #body(name: string): TemplateResult {
    const { answer, chart, scene } = this;
    const frame = this.#frame;
    const { words } = scene;
    if (answer.kind === 'failed')
      return this.#state(
        `${words.failed}: ${answer.message}`,
        html`<button type="button" @click=${() => this.#tell('card-retry', { id: this.item.id })}>
          ${words.retry}
        </button>`,
      );
    if (answer.kind === 'nothing') return this.#state(words.noItem);
    if (frame === null || chart === null) return this.#state(words.loading, html`<div class="bar"></div>`);
    if (frame.rows.length === 0) return this.#state(words.noData);
    const look = { ...scene, widthPx: this.clientWidth, heightPx: this.clientHeight };
    switch (chart.kind) {
      case 'drawn':
        return this.asTable
          ? this.#table(frame, chart, name)
          : html`<div class="canvas" role="img" aria-label=${summary(frame, name)}></div>`;
      case 'table':
        return this.#table(frame, chart, name);
      case 'figure':
        return figureView(chart.figure(frame, look), words);
      case 'filter': {
        const control = chart.control(frame, look);
        return controlView(control, this.control, scene, name, (chosen) => {
          this.control = chosen;
          this.#tell('card-filter', { id: this.item.id, condition: conditionOf(control, chosen) });
        });
      }
    }
  }

  #head(name: string): TemplateResult {
    const { words } = this.scene;
    const isDrawn = this.chart?.kind === 'drawn' && this.answer.kind === 'rows';
    const isSet =
      this.chart?.kind === 'filter' &&
      (this.control.keys.length > 0 || this.control.from !== null || this.control.to !== null);
    return html`<header>
      <h3 title=${name}>${name}</h3>
      ${
        this.path.length === 0
          ? nothing
          : html`<button
              type="button"
              aria-label=${`${words.drillUp}: ${this.path.join(' › ')}`}
              @click=${() => this.#tell('card-up', { id: this.item.id })}
            >
              ↑ ${this.path.join(' › ')}
            </button>`
      }
      ${
        isSet
          ? html`<button
              type="button"
              @click=${() => {
                this.control = nothingChosen;
                this.#tell('card-filter', { id: this.item.id, condition: null });
              }}
            >
              ${words.clear}
            </button>`
          : nothing
      }
      ${
        isDrawn
          ? html`<button
              type="button"
              aria-pressed=${String(this.asTable)}
              title=${this.asTable ? words.showChart : words.showTable}
              @click=${() => {
                this.asTable = !this.asTable;
              }}
            >
              <span class="hidden">${this.asTable ? words.showChart : words.showTable}</span
              ><span aria-hidden="true">${this.asTable ? '◔' : '▤'}</span>
            </button>`
          : nothing
      }
    </header>`;
  }

  override render(): TemplateResult {
    const name = inLanguage(this.item.title, this.scene.formats.locale);
    const isDrawn = this.chart?.kind === 'drawn' && !this.asTable;
    const truncated = this.answer.kind === 'rows' && this.answer.truncated;
    return html`<article aria-label=${name || this.item.type} aria-busy=${String(this.answer.kind === 'loading')}>
      ${this.#head(name)}
      <div
        class="body ${isDrawn ? 'drawn' : ''}"
        tabindex=${isDrawn ? nothing : '0'}
        @scroll=${(event: Event) => this.#scrolled(event)}
      >
        ${this.#body(name)}
      </div>
      ${truncated ? html`<span class="note">${this.scene.words.truncated}</span>` : nothing}
    </article>`;
  }
}

/** What a picture shows, for who cannot see it: its name, its columns, its first rows. The table has all of them. */
function summary(frame: Frame, name: string): string {
  const rows = frame.rows
    .slice(0, 5)
    .map((row) => frame.fields.map((field) => field.text(row[field.index])).join(', '));
  const more = frame.rows.length > 5 ? `; … (${frame.rows.length})` : '';
  return `${name}. ${frame.fields.map(({ label }) => label).join(', ')}: ${rows.join('; ')}${more}`;
}
