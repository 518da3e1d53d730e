import {
  parametersOf,
  readCondition,
  writeFilterSets,
  type Condition,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { LitElement, type PropertyDeclarations } from 'lit';
import type { Appearance } from '../board/appearance.ts';
import { BoardController, pageOrigin, type BoardHost } from '../board/board-controller.ts';
import type { AccessibleDashboard } from '../board/page/accessible-dashboards.ts';
import { failureOf } from '../board/request-controller.ts';
import type { CardEvents } from '../card/card-events.ts';
import type { ShownData } from '../card/shown.ts';
import type { Credential, Failure } from '@inlay/client/transport';

const withoutHyphens = (name: string): string => name.replaceAll('-', '');
const hyphened = (name: string): string => name.replaceAll(/[A-Z]/gu, '-$&').toLowerCase();

/** Properties and methods of both elements. Rarely used code is loaded with the first call. */
export abstract class InlayElement extends LitElement implements BoardHost {
  static override properties: PropertyDeclarations = {
    dashboardId: {},
    dashboardSlug: {},
    contextId: {},
    apiHost: {},
    authKey: {},
    authToken: {},
    getToken: { attribute: false },
    locale: {},
    language: {},
    timezone: {},
    timezoneId: {},
    theme: { converter: { fromAttribute: themeAttribute } },
    patterns: { type: Boolean },
    problem: { state: true },
  };

  /**
   * Id of the dashboard. For `<inlay-item>`, the dashboard that contains the item: its columns, filters and theme
   * apply, and *read* on it is sufficient.
   */
  declare dashboardId: string;
  /** Slug of the dashboard, instead of its id. */
  declare dashboardSlug: string;
  /** Elements of a page with the same context id filter each other, like the items of one dashboard. */
  declare contextId: string;
  /** Base URL of the service; defaults to the origin of the page. */
  declare apiHost: string;
  /** Key of a credential, preferably of an embed token. */
  declare authKey: string;
  /** Token that belongs to the key. */
  declare authToken: string;
  /** Called for a new `{key, token}` if there is none yet or the old one has expired. The element keeps its state. */
  declare getToken: (() => Promise<Credential>) | null;
  /** Language of the viewer, such as `fr` or `pt-BR`; defaults to that of the token, then of the page. */
  declare locale: string;
  /** Alias of `locale`, which takes precedence. */
  declare language: string;
  /** IANA time zone; defaults to that of the token, then of the dashboard. */
  declare timezone: string;
  /** Alias of `timezone`, which takes precedence. */
  declare timezoneId: string;
  /** A theme object, or the id of a built-in theme; overrides all other themes. */
  declare theme: Json;
  /** Adds patterns to the colours of marks. */
  declare patterns: boolean;
  /** Why the element cannot show anything; null if it can. */
  declare protected problem: Failure | null;

  protected readonly board = new BoardController(this, (request) => void this.#save(request));

  constructor() {
    super();
    this.dashboardId = '';
    this.dashboardSlug = '';
    this.contextId = '';
    this.apiHost = '';
    this.authKey = '';
    this.authToken = '';
    this.getToken = null;
    this.locale = '';
    this.language = '';
    this.timezone = '';
    this.timezoneId = '';
    this.theme = null;
    this.patterns = false;
    this.problem = null;
  }

  /** Attributes may be written with or without hyphens: `auth-key`, `authkey`. */
  static override get observedAttributes(): string[] {
    const names = super.observedAttributes;
    const hyphenedNames = [...this.elementProperties.keys()].map((name) => hyphened(String(name)));
    return [...names, ...hyphenedNames.filter((name) => names.includes(withoutHyphens(name)))];
  }

  override attributeChangedCallback(name: string, previousValue: string | null, value: string | null): void {
    super.attributeChangedCallback(withoutHyphens(name), previousValue, value);
  }

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    if (['apiHost', 'authKey', 'authToken', 'getToken'].some((name) => changedProperties.has(name)))
      this.board.viewer.reconnect();
    if (changedProperties.has('contextId')) this.board.join();
  }

  /**
   * Sets the filters of the page, in the format of a dashboard's filters. They apply to each item with the same
   * dataset, in addition to all others. An empty list removes them.
   */
  setFilters(filters: readonly Json[]): void {
    this.board.applyFilters(pageOrigin, this.#read(filters));
  }

  /** Adds filters to those already set by the page. All must match, so they can only reduce the rows. */
  addFilters(filters: readonly Json[]): void {
    const previousConditions = this.board.sets.find(({ origin }) => origin === pageOrigin)?.conditions ?? [];
    this.board.applyFilters(pageOrigin, [...previousConditions, ...this.#read(filters)]);
  }

  /**
   * Returns the filters set by viewers and the page, including those of the context, in the format of `setFilters`.
   * `properties.itemId` is the item that set the filter, prefixed by `context:` if it belongs to another element.
   */
  getFilters(): readonly JsonObject[] {
    return writeFilterSets(this.board.allSets());
  }

  /**
   * Returns parameter values set by viewers in any element of the context, by name with the prefix `metadata.`; null
   * for cleared ones.
   */
  getParameters(): JsonObject {
    return parametersOf(this.board.allSets());
  }

  /**
   * Selects values in an item (by default the first): for a mark, the `values` of its `clicked` event (`{label or
   * columnId, value}`); for a filter item, its values. An empty list clears the selection. A `parameter-control`
   * ignores values that it does not offer. Resolves to true if anything is selected.
   */
  async setSelectedData(data: readonly Json[], itemId?: string): Promise<boolean> {
    const { selectIn } = await import('../board/page/selection.ts');
    return selectIn(this.board, data, itemId);
  }

  /** Requests the rows of one item again, by default of all items. */
  refresh(itemId?: string): void {
    this.board.ask(itemId === undefined ? null : [itemId]);
  }

  /** Loads the definition, the theme and the rows again; discards selections of viewers and filters of the page. */
  reload(): Promise<void> {
    return this.load();
  }

  /** Returns the data of an item: column names, rows as formatted texts, and raw values. Null if it has no rows. */
  getData(itemId?: string): ShownData | null {
    const { board } = this;
    const item = board.item(itemId);
    const answer = item === undefined ? undefined : board.answer(item.id);
    return item === undefined || answer?.kind !== 'rows'
      ? null
      : board.cardFile.dataOf(item, answer, board.renderContext);
  }

  /**
   * Exports the board, or one of its items, in its current state with all filters and drill levels: `svg`, `png` or
   * `pdf`; an item also as `csv` or `xlsx`. Only for items of a stored dashboard. Raises Failure.
   */
  async exportData(type: string, itemId?: string): Promise<Blob> {
    const { exportedFile } = await import('../board/page/exported-file.ts');
    return exportedFile(this.board, this, type, itemId ?? this.exportedItem());
  }

  /** Returns the dashboards that the token can read: `id`, `slug`, and `name` by language. Raises Failure. */
  async accessibleDashboards(): Promise<readonly AccessibleDashboard[]> {
    const { dashboardsFor } = await import('../board/page/accessible-dashboards.ts');
    return dashboardsFor(this.board.viewer.transport);
  }

  async #save({ id, format, failed }: CardEvents['card-export']): Promise<void> {
    const { board } = this;
    try {
      const file = await this.exportData(format, id);
      const { saveFile } = await import('../board/page/exported-file.ts');
      saveFile(board, id, file, format);
    } catch (error) {
      failed();
      board.viewer.fail(id, failureOf(error));
    }
  }

  protected abstract load(): Promise<void>;
  /** Returns the item to export if none is specified; null for all items. */
  protected abstract exportedItem(): string | null;

  /** True if the page refers to a stored dashboard. */
  protected isNamed(): boolean {
    return this.dashboardId !== '' || this.dashboardSlug !== '';
  }

  protected loadAppearance(): Promise<Appearance> {
    return this.board.viewer.load(this.dashboardId, this.dashboardSlug);
  }

  /** Reads filters of the page. Reports unreadable ones, since ignoring them shows more rows than the page intends. */
  #read(filters: readonly Json[]): readonly Condition[] {
    const conditions = filters.map(readCondition);
    if (conditions.includes(null))
      void import('../board/page/unreadable-filters.ts').then(({ unreadableFilters }) =>
        this.board.viewer.fail(null, unreadableFilters(conditions)),
      );
    return conditions.filter((condition) => condition !== null);
  }
}

function themeAttribute(value: string | null): Json {
  if (value === null || value === '') return null;
  if (!value.trim().startsWith('{')) return { id: value };
  try {
    const parsedValue: Json = JSON.parse(value);
    return parsedValue;
  } catch {
    return null;
  }
}
