import {
  type Item,
  type Json,
  type JsonObject,
  readFilterGroups,
  rowsOf,
  screenModeOf,
  stackForPhone,
  viewFor,
  type ScreenMode,
  type View,
  inLanguage,
} from '@inlay/contract';
import { themesOf, type Themes } from '@inlay/contract/theme';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { noOptions } from './board.ts';
import { InlayEmbed } from './embed.ts';
import { tell } from './dashboard-events.ts';
import { problemView, stateStyles } from './problem-view.ts';
import { failureOf } from './round.ts';

/** `<inlay-dashboard>`: a dashboard of the service in any page, without an iframe or a cookie. */
export class InlayDashboard extends InlayEmbed {
  static override properties: PropertyDeclarations = {
    ...InlayEmbed.properties,
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

  /** Contents to show instead of those of a stored dashboard. Nothing is taken from the columns: entries say their type, label, format and aggregation. */
  declare contents: JsonObject | null;
  /** `desktop`, `tablet` or `mobile`; by the width where it is left out. */
  declare screenMode: string;
  declare protected view: View | null;

  #storedIn: string | null = null;
  #mode: ScreenMode = 'desktop';
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
    this.#observer = new ResizeObserver(() => this.#fit());
    this.#observer.observe(this);
    // Moved to another place of the page: what was under way had ended.
    if (this.hasUpdated && this.definition !== null) this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  override updated(changed: ReadonlyMap<PropertyKey, unknown>): void {
    const has = (...names: readonly string[]): boolean => names.some((name) => changed.has(name));
    const credential = has('authKey', 'authToken', 'getToken');
    if (has('dashboardId', 'dashboardSlug', 'contents', 'apiHost') || (credential && this.definition === null))
      void this.load();
    else if (this.definition !== null && has('authKey', 'authToken', 'locale', 'language', 'timezone', 'timezoneId'))
      this.refresh();
    if (has('screenMode')) this.#fit();
  }

  protected override exportedItem(): null {
    return null;
  }

  protected override screen(): ScreenMode {
    return this.#mode;
  }

  protected override async load(): Promise<void> {
    const { contents } = this;
    if (contents === null && !this.isNamed()) return;
    const load = (this.#loads += 1);
    this.startMs = performance.now();
    this.problem = null;
    try {
      const loading = this.loadAppearance(contents === null);
      if (contents === null) {
        const appearance = await loading;
        if (load !== this.#loads) return;
        this.dress(appearance);
        this.#show(appearance.contents, appearance.id);
      } else {
        this.#show(contents, null);
        const appearance = await loading;
        if (load === this.#loads) this.dress(appearance);
      }
    } catch (error) {
      if (load !== this.#loads) return;
      const failure = failureOf(error);
      this.failure(failure);
      if (contents !== null) return;
      this.definition = null;
      this.view = null;
      this.startAnew();
      this.problem = failure;
    }
  }

  #show(contents: JsonObject, storedIn: string | null): void {
    this.definition = contents;
    this.#storedIn = storedIn;
    this.view = null;
    this.sets = [];
    this.startAnew();
    this.#fit();
  }

  protected override storedIn(): string | null {
    return this.#storedIn;
  }

  protected override defined(): readonly Item[] {
    return this.view?.items ?? [];
  }

  protected override themes(themes: Themes): readonly Json[] {
    return themesOf({ options: this.viewOptions() }, themes);
  }

  protected override viewOptions(): JsonObject {
    return this.view?.options ?? noOptions;
  }

  protected override heading(): string {
    const { appearance } = this;
    return this.viewOptions()['showTitle'] === true ? inLanguage(appearance.name, this.viewerLocale()) : '';
  }

  #fit(): void {
    if (this.definition === null) return;
    const modes = ['desktop', 'tablet', 'mobile'] as const;
    const mode = modes.find((one) => one === this.screenMode) ?? screenModeOf(this.clientWidth || 1200);
    if (this.view !== null && mode === this.#mode) return;
    this.#mode = mode;
    const isFirst = this.view === null;
    const before = this.defined();
    this.view = viewFor(this.definition, mode);
    if (isFirst) this.sets = [...this.sets, ...readFilterGroups(this.view.filterGroups)];
    if (this.#storedIn !== null) this.start(before);
    this.drawAnew();
    tell(this, 'loaded', { items: this.view.items.length });
    this.ask(null);
  }

  override render(): TemplateResult {
    const scene = this.look();
    const { view, problem } = this;
    const { words } = scene;
    this.toggleAttribute('data-plain', problem !== null && this.theme === null);
    if (problem !== null) return problemView(words, problem, () => void this.load());
    if (view === null) return html`<div class="state" role="status">${words.loading}</div>`;
    const [vertical, horizontal] = scene.theme.marginsPx;
    const room = `padding:${vertical / 2}px ${horizontal / 2}px`;
    const { tabs } = this.tabs();
    const shown = this.shown();
    const items = view.isStacked ? stackForPhone(shown, view.columns) : shown;
    const grid = `grid-template-columns:repeat(${view.columns},minmax(0,1fr));grid-template-rows:repeat(${rowsOf({ items })},${view.rowPx}px)`;
    const heading = this.heading();
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
              aria-label=${tab === undefined ? nothing : inLanguage(tab.title, this.viewerLocale())}
              .style=${`${place};${room}`}
            >
              ${this.card(item, scene)}
            </div>`;
          },
        )}
        ${view.items.length === 0 ? html`<div class="state" role="status">${words.noItem}</div>` : nothing}
      </div>`;
  }
}
