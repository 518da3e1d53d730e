import { isList, isObject, member, type Item, type Json, type JsonObject } from '@inlay/contract';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Mark } from '../charts/chart.ts';
import { drilled, stepInto, type Step } from '../drill.ts';
import { scopedSheet } from '../css.ts';
import { filtersOf, readFilter, readFilterGroups, withFilters, type Condition, type FilterSet } from '../filters.ts';
import { rowsOf, screenModeOf, viewFor, type ScreenMode, type View } from '../grid.ts';
import { conditionOfMark, sameMark } from '../marks.ts';
import { Failure } from '../transport.ts';
import { queryFor } from '../queries.ts';
import { askAll } from './answers.ts';
import { InlayElement, pageOrigin } from './base.ts';
import type { Answer, CardEvents } from './card.ts';
import { tell } from './dashboard-events.ts';
import { themeVariables } from './look.ts';

const loading: Answer = { kind: 'loading' };

/**
 * `<inlay-dashboard>`: a dashboard of the service in any page, without an iframe or a cookie.
 * It asks once for all items in view and shows each as its rows come.
 */
export class InlayDashboard extends InlayElement {
  static override properties: PropertyDeclarations = {
    ...InlayElement.properties,
    dashboardId: { attribute: 'dashboard-id' },
    contents: { attribute: false },
    screenMode: { attribute: 'screen-mode' },
    view: { state: true },
    answers: { state: true },
    problem: { state: true },
  };
  static override styles = css`
    :host {
      display: block;
      background: var(--inlay-background);
      container-type: inline-size;
      font-family: var(--inlay-font-family);
      color: var(--inlay-text);
    }
    :host([hidden]) {
      display: none;
    }
    .grid {
      display: grid;
      position: relative;
    }
    .state {
      display: grid;
      place-content: center;
      min-height: 160px;
      text-align: center;
    }
  `;

  /** Id of the dashboard. */
  declare dashboardId: string;
  /** Contents to show instead of those of a stored dashboard. */
  declare contents: JsonObject | null;
  /** `desktop`, `tablet` or `mobile`; by the width where it is left out. */
  declare screenMode: string;
  declare view: View | null;
  declare answers: ReadonlyMap<string, Answer>;
  declare problem: string | null;

  #definition: JsonObject | null = null;
  #themes: readonly Json[] = [];
  #zone = 'UTC';
  #mode: ScreenMode = 'desktop';
  #filters: readonly FilterSet[] = [];
  #chosen: ReadonlyMap<string, Mark> = new Map();
  #steps: ReadonlyMap<string, readonly Step[]> = new Map();
  #running: AbortController | null = null;
  #observer: ResizeObserver | null = null;
  #drawn = new Set<string>();
  #startMs = 0;

  constructor() {
    super();
    this.dashboardId = '';
    this.contents = null;
    this.screenMode = '';
    this.view = null;
    this.answers = new Map();
    this.problem = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver(() => this.#fit());
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#running?.abort();
  }

  override updated(changed: ReadonlyMap<PropertyKey, unknown>): void {
    const reload = ['dashboardId', 'contents', 'apiHost'].some((name) => changed.has(name));
    const asks = ['authKey', 'authToken', 'locale', 'timezone'].some((name) => changed.has(name));
    if (reload && (this.dashboardId !== '' || this.contents !== null)) void this.#load();
    else if (asks && this.#definition !== null) this.refresh();
    if (changed.has('screenMode')) this.#fit();
  }

  /** Sets filters of the page; they hold for every item, beside those of the dashboard. An empty list takes them away. */
  setFilters(filters: readonly Json[]): void {
    const read = filters.map(readFilter).filter((filter) => filter !== null);
    this.#setFilters(pageOrigin, read);
  }

  /** Asks for the rows of every item, or of one, anew. */
  refresh(itemId?: string): void {
    void this.#ask(itemId === undefined ? null : [itemId]);
  }

  /** The rows of an item as they are shown: names of the columns, then rows of texts; null where there are none. */
  getData(itemId: string): Answer | null {
    return this.answers.get(itemId) ?? null;
  }

  /** The dashboard, or one item, as a file: `svg`, `png`, `pdf`, `csv` or `xlsx`. Raises Failure. */
  async exportData(type: string, itemId?: string): Promise<Blob> {
    const properties: JsonObject = {
      type,
      dashboard_id: this.dashboardId,
      ...(itemId === undefined ? {} : { item_id: itemId }),
      locale_id: this.viewerLocale(),
      timezone_id: this.#timeZone(),
      filters: this.#filters
        .flatMap(({ conditions }) => conditions)
        .flatMap(filtersOf)
        .map(({ expression, datasetId, columnId, level, value }): JsonObject => ({
          expression,
          parameters: [
            { dataset_id: datasetId, column_id: columnId, ...(level === null ? {} : { level }) },
            ...(value === undefined ? [] : [value]),
          ],
        })),
    };
    const response = await this.transport().file('export', { action: 'create', properties });
    return response.blob();
  }

  async #load(): Promise<void> {
    this.#startMs = performance.now();
    this.problem = null;
    try {
      const record = this.contents === null ? await this.#fetch() : { contents: this.contents };
      const contents = member(record, 'contents');
      this.#definition = contents !== undefined && isObject(contents) ? contents : {};
      const css = member(record, 'css');
      const sheets = typeof css === 'string' && css !== '' ? [scopedSheet(css)] : [];
      const own = this.shadowRoot?.adoptedStyleSheets.slice(0, 1) ?? [];
      if (this.shadowRoot !== null) this.shadowRoot.adoptedStyleSheets = [...own, ...sheets];
      const zone = member(this.#definition, 'timezone');
      const zoneId =
        zone !== undefined && isObject(zone) && member(zone, 'type') === 'fixed' ? member(zone, 'id') : null;
      this.#zone = typeof zoneId === 'string' ? zoneId : Intl.DateTimeFormat().resolvedOptions().timeZone;
      this.#filters = [];
      this.#chosen = new Map();
      this.#steps = new Map();
      this.answers = new Map();
      this.view = null;
      this.#fit();
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure('failed', 0, String(error));
      this.problem = failure.message;
      tell(this, 'failed', { id: null, code: failure.code, message: failure.message });
    }
  }

  async #fetch(): Promise<JsonObject> {
    const record = await this.transport().call('securable', { action: 'get', id: this.dashboardId });
    if (!isObject(record)) throw new Failure('failed', 0, 'The answer is not a dashboard.');
    const themes = await this.#themesOf(record);
    this.#themes = themes;
    return record;
  }

  /** The dashboard's theme: a whole one, or one that is stored and named by its id. */
  async #themesOf(record: JsonObject): Promise<readonly Json[]> {
    const contents = member(record, 'contents');
    const views = contents !== undefined && isObject(contents) ? member(contents, 'views') : undefined;
    const view = views !== undefined && isList(views) ? views.find(isObject) : undefined;
    const options = view === undefined ? undefined : member(view, 'options');
    const theme = options !== undefined && isObject(options) ? member(options, 'theme') : undefined;
    const id = theme !== undefined && isObject(theme) ? member(theme, 'id') : undefined;
    if (typeof id !== 'string' || !/^[\da-f]{8}-/iu.test(id)) return theme === undefined ? [] : [theme];
    const stored = await this.transport()
      .call('theme', { action: 'get', id })
      .catch(() => null);
    return isObject(stored) ? [member(stored, 'theme') ?? null] : [];
  }

  #timeZone(): string {
    return this.timezone === '' ? this.#zone : this.timezone;
  }

  #fit(): void {
    if (this.#definition === null) return;
    const modes = ['desktop', 'tablet', 'mobile'] as const;
    const mode = modes.find((one) => one === this.screenMode) ?? screenModeOf(this.clientWidth || 1200);
    if (this.view !== null && mode === this.#mode) return;
    this.#mode = mode;
    const isFirst = this.view === null;
    this.view = viewFor(this.#definition, mode);
    this.#drawn = new Set();
    if (isFirst) this.#filters = [...this.#filters, ...readFilterGroups(this.view.filterGroups)];
    tell(this, 'loaded', { items: this.view.items.length });
    void this.#ask(null);
  }

  #items(): readonly Item[] {
    return (this.view?.items ?? []).map((item) => drilled(item, this.#steps.get(item.id) ?? []));
  }

  async #ask(only: readonly string[] | null): Promise<void> {
    if (only === null) this.#running?.abort();
    const running = new AbortController();
    if (only === null) this.#running = running;
    const items = this.#items().filter(({ id }) => only === null || only.includes(id));
    const asked = { localeId: this.viewerLocale(), timezoneId: this.#timeZone() };
    const wanted = items.map((item) => ({
      item,
      query: queryFor({ item, own: this.#drillSets(item.id) }, this.#filters, asked),
    }));
    this.#put(new Map(wanted.flatMap(({ item, query }) => (query === null ? [[item.id, { kind: 'nothing' }]] : []))));
    const sent = wanted.flatMap(({ item, query }) => (query === null ? [] : [{ item, query }]));
    if (sent.length === 0) return;
    try {
      await askAll(
        this.transport(),
        sent.map(({ query }) => query),
        (index, answer) => {
          const id = sent[index]?.item.id;
          if (id === undefined || running.signal.aborted) return;
          this.#put(new Map([[id, answer]]));
          if (answer.kind === 'failed') tell(this, 'failed', { id, code: 'query_failed', message: answer.message });
        },
        running.signal,
      );
    } catch (error) {
      if (running.signal.aborted) return;
      const failure = error instanceof Failure ? error : new Failure('failed', 0, String(error));
      // Nothing that was shown by rights since ended stays in the page.
      const failed = { kind: 'failed', message: failure.message } as const;
      this.#put(
        new Map(
          sent
            .filter(({ item }) => failure.status === 401 || this.answers.get(item.id)?.kind !== 'rows')
            .map(({ item }) => [item.id, failed]),
        ),
      );
      tell(this, 'failed', { id: null, code: failure.code, message: failure.message });
    }
  }

  #put(answers: ReadonlyMap<string, Answer>): void {
    if (answers.size > 0) this.answers = new Map([...this.answers, ...answers]);
  }

  #drillSets(id: string): readonly FilterSet[] {
    const steps = this.#steps.get(id) ?? [];
    return steps.length === 0 ? [] : [{ origin: `only:${id}`, conditions: steps.map(({ filter }) => filter) }];
  }

  #setFilters(origin: string, conditions: readonly Condition[]): void {
    this.#filters = withFilters(this.#filters, origin, conditions);
    tell(this, 'filterschanged', {
      filters: this.#filters.flatMap(({ conditions: held }) => held).flatMap(filtersOf),
    });
    const others = this.#items().map(({ id }) => id);
    void this.#ask(origin === pageOrigin ? null : others.filter((id) => id !== origin));
  }

  #marked({ id, mark, open }: CardEvents['card-mark']): void {
    const values = mark.cells.map(({ field, cell }) => ({
      label: field.label,
      text: field.text(cell),
      value: field.literal(cell),
    }));
    tell(this, 'clicked', { id, values });
    const step = open ? stepInto(mark) : null;
    if (step !== null) {
      this.#steps = new Map([...this.#steps, [id, [...(this.#steps.get(id) ?? []), step]]]);
      this.#chosen = new Map([...this.#chosen].filter(([of]) => of !== id));
      this.#filters = withFilters(this.#filters, id, []);
      void this.#ask(null);
      return;
    }
    const again = sameMark(this.#chosen.get(id) ?? null, mark);
    this.#chosen = new Map([...[...this.#chosen].filter(([of]) => of !== id), ...(again ? [] : [[id, mark] as const])]);
    const condition = again ? null : conditionOfMark(mark);
    this.requestUpdate();
    this.#setFilters(id, condition === null ? [] : [condition]);
  }

  #up(id: string): void {
    const steps = (this.#steps.get(id) ?? []).slice(0, -1);
    this.#steps = new Map([...this.#steps, [id, steps]]);
    this.refresh(id);
  }

  #cardDrawn({ id }: CardEvents['card-rendered']): void {
    tell(this, 'itemrendered', { id });
    if (this.#drawn.has(id)) return;
    this.#drawn.add(id);
    const all = (this.view?.items ?? []).every((item) => {
      const kind = this.answers.get(item.id)?.kind;
      return this.#drawn.has(item.id) || kind === 'nothing' || kind === 'failed';
    });
    if (all) tell(this, 'rendered', { ms: performance.now() - this.#startMs });
  }

  #listen(event: Event): void {
    if (!isCardEvent(event)) return;
    event.stopPropagation();
    const { detail, type } = event;
    if (type === 'card-rendered') this.#cardDrawn(detail);
    else if (type === 'card-mark' && detail.mark !== undefined)
      this.#marked({ id: detail.id, mark: detail.mark, open: detail.open === true });
    else if (type === 'card-filter')
      this.#setFilters(
        detail.id,
        detail.condition === undefined || detail.condition === null ? [] : [detail.condition],
      );
    else if (type === 'card-up') this.#up(detail.id);
    else if (type === 'card-retry') this.refresh(detail.id);
  }

  override render(): TemplateResult {
    const scene = this.scene(this.#themes, this.#timeZone());
    const { view } = this;
    if (this.problem !== null)
      return html`<div class="state" role="alert">${scene.words.failed}: ${this.problem}</div>`;
    if (view === null) return html`<div class="state" role="status">${scene.words.loading}</div>`;
    const [vertical, horizontal] = scene.theme.marginsPx;
    const variables = Object.entries(themeVariables(scene.theme))
      .map(([name, value]) => `${name}:${value}`)
      .join(';');
    const listen = (event: Event): void => this.#listen(event);
    return html`<div
      class="grid"
      part="grid"
      style="grid-template-columns:repeat(${view.columns},minmax(0,1fr));grid-template-rows:repeat(${rowsOf(view)},${view.rowPx}px);padding:${vertical / 2}px ${horizontal / 2}px;${variables}"
      @card-rendered=${listen}
      @card-mark=${listen}
      @card-filter=${listen}
      @card-up=${listen}
      @card-retry=${listen}
    >
      ${repeat(
        this.#items(),
        ({ id }) => id,
        (item) =>
          html`<div
            class="item"
            part="item"
            style="grid-column:${item.position.col + 1}/span ${item.position.sizeX};grid-row:${item.position.row + 1}/span ${item.position.sizeY};padding:${vertical / 2}px ${horizontal / 2}px;min-width:0"
          >
            <inlay-card
              .item=${item}
              .answer=${this.answers.get(item.id) ?? loading}
              .scene=${scene}
              .chosen=${this.#chosen.get(item.id) ?? null}
              .path=${(this.#steps.get(item.id) ?? []).map(({ text }) => text)}
            ></inlay-card>
          </div>`,
      )}
      ${view.items.length === 0 ? html`<div class="state" role="status">${scene.words.noItem}</div>` : nothing}
    </div>`;
  }
}

interface CardDetail {
  readonly id: string;
  readonly mark?: Mark;
  readonly open?: boolean;
  readonly condition?: Condition | null;
}

const isCardEvent = (event: Event): event is CustomEvent<CardDetail> =>
  event instanceof CustomEvent && event.type.startsWith('card-');
