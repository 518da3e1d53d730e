import { isList, readItem, type Json, type JsonObject } from '@inlay/contract';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { readFilter, type Filter } from '../filters.ts';
import { Failure } from '../transport.ts';
import { queryFor } from '../queries.ts';
import { askAll } from './answers.ts';
import { InlayElement, pageOrigin } from './base.ts';
import type { Answer } from './card.ts';
import { tell } from './dashboard-events.ts';

/** `<inlay-item>`: one chart or filter from its type, slots and options. */
export class InlayItem extends InlayElement {
  static override properties: PropertyDeclarations = {
    ...InlayElement.properties,
    type: {},
    slots: { type: Array },
    options: { type: Object },
    itemTitle: { attribute: 'item-title' },
    filters: { type: Array },
    answer: { state: true },
  };
  static override styles = css`
    :host {
      display: block;
      height: 320px;
    }
    :host([hidden]) {
      display: none;
    }
  `;

  /** One of the 17 types, such as `bar-chart`. */
  declare type: string;
  /** Slots as in the contents of a dashboard. */
  declare slots: Json;
  declare options: JsonObject;
  /** A text or a language map. */
  declare itemTitle: Json;
  /** Filters as in the contents of a dashboard. */
  declare filters: readonly Json[];
  declare answer: Answer;

  #running: AbortController | null = null;
  #startMs = 0;

  constructor() {
    super();
    this.type = '';
    this.slots = [];
    this.options = {};
    this.itemTitle = null;
    this.filters = [];
    this.answer = { kind: 'loading' };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#running?.abort();
  }

  override updated(changed: ReadonlyMap<PropertyKey, unknown>): void {
    const asks = ['type', 'slots', 'options', 'filters', 'apiHost', 'authKey', 'authToken', 'locale', 'timezone'];
    if (asks.some((name) => changed.has(name))) void this.#ask();
  }

  /** Sets the filters of this item. */
  setFilters(filters: readonly Json[]): void {
    this.filters = filters;
    tell(this, 'filterschanged', { filters: this.#read() });
  }

  /** Asks for the rows anew. */
  refresh(): void {
    void this.#ask();
  }

  /** What is shown. */
  getData(): Answer {
    return this.answer;
  }

  #read(): readonly Filter[] {
    return (isList(this.filters) ? this.filters : []).map(readFilter).filter((filter) => filter !== null);
  }

  #item(): ReturnType<typeof readItem> {
    return readItem({ id: 'item', type: this.type, title: this.itemTitle, options: this.options, slots: this.slots });
  }

  async #ask(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.#startMs = performance.now();
    const item = this.#item();
    const asked = { localeId: this.viewerLocale(), timezoneId: this.timezone || 'UTC' };
    const query =
      item === null ? null : queryFor({ item, own: [] }, [{ origin: pageOrigin, conditions: this.#read() }], asked);
    if (query === null) {
      this.answer = { kind: 'nothing' };
      return;
    }
    try {
      await askAll(
        this.transport(),
        [query],
        (_, answer) => {
          this.answer = answer;
          tell(this, 'loaded', { items: 1 });
          if (answer.kind === 'failed')
            tell(this, 'failed', { id: null, code: 'query_failed', message: answer.message });
        },
        running.signal,
      );
    } catch (error) {
      if (running.signal.aborted) return;
      const failure = error instanceof Failure ? error : new Failure('failed', 0, String(error));
      this.answer = { kind: 'failed', message: failure.message };
      tell(this, 'failed', { id: null, code: failure.code, message: failure.message });
    }
  }

  override render(): TemplateResult | typeof nothing {
    const item = this.#item();
    if (item === null) return nothing;
    const scene = this.scene([], this.timezone || 'UTC');
    return html`<inlay-card
      .item=${item}
      .answer=${this.answer}
      .scene=${scene}
      @card-rendered=${() => tell(this, 'rendered', { ms: performance.now() - this.#startMs })}
      @card-mark=${(
        event: CustomEvent<{
          mark: {
            cells: readonly {
              field: { label: string; text(cell: Json): string; literal(cell: Json): Json };
              cell: Json;
            }[];
          };
        }>,
      ) =>
        tell(this, 'clicked', {
          id: '',
          values: event.detail.mark.cells.map(({ field, cell }) => ({
            label: field.label,
            text: field.text(cell),
            value: field.literal(cell),
          })),
        })}
      @card-retry=${() => this.refresh()}
    ></inlay-card>`;
  }
}
