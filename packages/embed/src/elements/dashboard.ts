import {
  inLanguage,
  isOfOneItem,
  readFilterGroups,
  rowsOf,
  screenModeOf,
  stackForPhone,
  viewFor,
  type Item,
  type JsonObject,
  type View,
} from '@inlay/contract';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { emptyModel } from '../board/board-controller.ts';
import { failureOf } from '../board/request-controller.ts';
import { tell } from '../events.ts';
import { InlayElement } from './element.ts';
import { problemView, stateStyles } from './problem-view.ts';

/** `<inlay-dashboard>`: a dashboard of the service in any page, without an iframe or a cookie. */
export class InlayDashboard extends InlayElement {
  static override properties: PropertyDeclarations = {
    ...InlayElement.properties,
    contents: { attribute: false },
    screenMode: {},
    view: { state: true },
  };
  static override styles = css`
    :host {
      display: block;
      position: relative;
      contain: layout paint style;
      overflow-clip-margin: 24px;
      background: var(--inlay-background);
      font-family: var(--inlay-font-family);
      color: var(--inlay-page-text);
    }
    :host([hidden]) {
      display: none;
    }
    .grid {
      display: grid;
      position: relative;
    }
    .item {
      min-width: 0;
    }
    h2 {
      margin: 0;
      padding-block: 4px 12px;
      font: var(--inlay-title-style) var(--inlay-title-weight) calc(var(--inlay-title-size) * 1.4) / 1.3
        var(--inlay-font-family);
      text-decoration: var(--inlay-title-decoration);
      text-align: var(--inlay-title-align);
    }
    ${stateStyles}
  `;

  /**
   * Contents to show instead of a stored dashboard. Columns provide no defaults: each entry sets its type, label,
   * format and aggregation.
   */
  declare contents: JsonObject | null;
  /** `desktop`, `tablet` or `mobile`; by default determined by the width. */
  declare screenMode: string;
  declare protected view: View | null;
  /** The contents that are shown; null while there are none. */
  protected definition: JsonObject | null = null;

  #storedIn: string | null = null;
  #observer: ResizeObserver | null = null;
  #loads = 0;

  constructor() {
    super();
    this.contents = null;
    this.screenMode = '';
    this.view = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver(() => this.fit());
    this.#observer.observe(this);
    // Moving the element within the page aborted its requests.
    if (this.hasUpdated && this.definition !== null) this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  override updated(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    const has = (...names: readonly string[]): boolean => names.some((name) => changedProperties.has(name));
    const credential = has('authKey', 'authToken', 'getToken');
    if (has('dashboardId', 'dashboardSlug', 'contents', 'apiHost') || (credential && this.definition === null))
      void this.load();
    else if (this.definition !== null && has('authKey', 'authToken', 'locale', 'language', 'timezone', 'timezoneId'))
      this.refresh();
    if (has('screenMode')) this.fit();
  }

  protected override exportedItem(): null {
    return null;
  }

  protected override async load(): Promise<void> {
    const { contents, board } = this;
    const { viewer } = board;
    if (contents === null && !this.isNamed()) return;
    const load = (this.#loads += 1);
    board.startMs = performance.now();
    this.problem = null;
    try {
      const loading = contents === null ? this.loadAppearance() : viewer.load('', '');
      if (contents !== null) this.#show(contents, null);
      const appearance = await loading;
      if (load !== this.#loads) return;
      viewer.appearance = appearance;
      if (contents === null) this.#show(appearance.contents, appearance.id);
    } catch (error) {
      if (load !== this.#loads) return;
      const failure = failureOf(error);
      viewer.fail(null, failure);
      if (contents !== null) return;
      this.definition = null;
      this.view = null;
      board.model = emptyModel;
      board.reset();
      this.problem = failure;
    }
  }

  #show(contents: JsonObject, storedIn: string | null): void {
    const { board } = this;
    this.definition = contents;
    this.#storedIn = storedIn;
    this.view = null;
    [board.model, board.sets] = [emptyModel, []];
    board.reset();
    this.fit();
  }

  /** Shows the view for the current width. */
  protected fit(): void {
    const { board } = this;
    const contents = this.definition;
    const storedIn = this.#storedIn;
    if (contents === null) return;
    const modes = ['desktop', 'tablet', 'mobile'] as const;
    const screen = modes.find((mode) => mode === this.screenMode) ?? screenModeOf(this.clientWidth || 1200);
    if (this.view !== null && screen === board.model.screen) return;
    const isFirst = this.view === null;
    const previousItems = board.model.items;
    this.view = viewFor(contents, screen);
    const { options } = this.view;
    const items = board.viewer.appearance.permitted(this.view.items, options);
    board.model = { items, options, contents, storedIn, screen };
    // The views of a dashboard may have items of the same id with filters of their own.
    board.sets = [
      ...board.sets.filter((set) => isFirst || !isOfOneItem(set)),
      ...readFilterGroups(this.view.filterGroups).filter((set) => isFirst || isOfOneItem(set)),
    ];
    if (storedIn !== null) board.start(previousItems);
    board.invalidate();
    tell(this, 'loaded', { items: items.length });
    board.ask(null);
  }

  /** Returns the card of an item with what an editor puts around it. */
  protected framed(_item: Item, card: TemplateResult): TemplateResult {
    return card;
  }

  override render(): TemplateResult {
    const { view, problem, board } = this;
    const { renderContext, viewer } = board;
    const { words } = renderContext;
    this.toggleAttribute('data-plain', problem !== null && this.theme === null);
    if (problem !== null) return problemView(words, problem, () => void this.load());
    if (view === null) return html`<div class="state" role="status">${words.loading}</div>`;
    const [vertical, horizontal] = renderContext.theme.marginsPx;
    const room = `padding:${vertical / 2}px ${horizontal / 2}px`;
    const { tabs } = board.tabs();
    const shownItems = board.shown();
    const items = view.isStacked ? stackForPhone(shownItems, view.columns) : shownItems;
    const grid = `grid-template-columns:repeat(${view.columns},minmax(0,1fr));grid-template-rows:repeat(${rowsOf({ items })},${view.rowPx}px)`;
    const heading = view.options['showTitle'] === true ? inLanguage(viewer.appearance.name, viewer.locale) : '';
    return html`${heading === '' ? nothing : html`<h2 part="title">${heading}</h2>`}
      <div class="grid" part="grid" .style=${`${grid};margin:${-vertical / 2}px ${-horizontal / 2}px`}>
        ${repeat(
          items,
          ({ id }) => id,
          (item) => {
            const { col, row, sizeX, sizeY } = item.position;
            const place = `grid-column:${col + 1}/span ${sizeX};grid-row:${row + 1}/span ${sizeY}`;
            const tab = tabs.get(item.id);
            return html`<div
              class="item"
              part="item"
              role=${tab === undefined ? nothing : 'tabpanel'}
              aria-label=${tab === undefined ? nothing : inLanguage(tab.title, viewer.locale)}
              .style=${`${place};${room}`}
            >
              ${this.framed(item, board.card(item, heading === '' ? 2 : 3, renderContext))}
            </div>`;
          },
        )}
        ${view.items.length === 0 ? html`<div class="state" role="status">${words.noItem}</div>` : nothing}
      </div>`;
  }
}
