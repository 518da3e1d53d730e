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

const plain = (name: string): string => name.replaceAll('-', '');
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

  /** Id of the dashboard, of `<inlay-item>` that in which the item is stored; its columns, filters and theme hold, and reading it is enough. */
  declare dashboardId: string;
  /** Slug of the dashboard, instead of its id. */
  declare dashboardSlug: string;
  /** Elements of a page with the same text filter each other, as items of one dashboard do. */
  declare contextId: string;
  /** Address of the service; the page's own where it is left out. */
  declare apiHost: string;
  /** The key of a credential, best of an embed token. */
  declare authKey: string;
  /** The token that belongs to the key. */
  declare authToken: string;
  /** Gives a `{key, token}` when there is none yet or the old one has ended; nothing is mounted again. */
  declare getToken: (() => Promise<Credential>) | null;
  /** The viewer's language, such as `fr` or `pt-BR`; that of the token, then that of the page where it is left out. */
  declare locale: string;
  /** Another name of `locale`, which wins. */
  declare language: string;
  /** IANA zone; that of the token, then that of the dashboard where it is left out. */
  declare timezone: string;
  /** Another name of `timezone`, which wins. */
  declare timezoneId: string;
  /** A theme object, or the id of a built-in one; stronger than every other theme. */
  declare theme: Json;
  /** Marks carry patterns beside colours. */
  declare patterns: boolean;
  /** Why the element has nothing to show; null where it has. */
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
    const both = [...this.elementProperties.keys()].map((name) => hyphened(String(name)));
    return [...names, ...both.filter((name) => names.includes(plain(name)))];
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    super.attributeChangedCallback(plain(name), before, value);
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (['apiHost', 'authKey', 'authToken', 'getToken'].some((name) => changed.has(name)))
      this.board.viewer.reconnect();
    if (changed.has('contextId')) this.board.join();
  }

  /** Sets filters of the page, in the form of a dashboard's; they narrow each item over their dataset, beside all others. An empty list takes them away. */
  setFilters(filters: readonly Json[]): void {
    this.board.applyFilters(pageOrigin, this.#read(filters));
  }

  /** Adds filters to those that the page set before; what is shown only becomes narrower. */
  addFilters(filters: readonly Json[]): void {
    const before = this.board.sets.find(({ origin }) => origin === pageOrigin)?.conditions ?? [];
    this.board.applyFilters(pageOrigin, [...before, ...this.#read(filters)]);
  }

  /** Filters that viewers and the page set, those of the context too, in the form that `setFilters` takes; `properties.itemId` names the item with which one was set, of another element behind `context:`. */
  getFilters(): readonly JsonObject[] {
    return writeFilterSets(this.board.allSets());
  }

  /** Parameter values set by viewers, in any element of the context, keyed by name with `metadata.`; null where cleared. */
  getParameters(): JsonObject {
    return parametersOf(this.board.allSets());
  }

  /** Selects values in an item (by default the first): for a mark, the `values` of its `clicked` event (`{label or columnId, value}`); for a filter item, its values. An empty list clears the selection. A `parameter-control` ignores values that it does not offer. Resolves to whether anything is selected. */
  async setSelectedData(data: readonly Json[], itemId?: string): Promise<boolean> {
    const { selectIn } = await import('../board/page/selection.ts');
    return selectIn(this.board, data, itemId);
  }

  /** Asks for the rows of every item, or of one, again. */
  refresh(itemId?: string): void {
    this.board.ask(itemId === undefined ? null : [itemId]);
  }

  /** Loads the definition, the theme and the rows again; what viewers chose and the page set is gone. */
  reload(): Promise<void> {
    return this.load();
  }

  /** What an item shows: names of the columns, the rows as texts, and their values; null where it has no rows. */
  getData(itemId?: string): ShownData | null {
    const { board } = this;
    const item = board.item(itemId);
    const answer = item === undefined ? undefined : board.answer(item.id);
    return item === undefined || answer?.kind !== 'rows' ? null : board.cardFile.dataOf(item, answer, board.scene);
  }

  /** What is shown, or one item of it, as it is seen, with the filters that are set and the levels that were opened: `svg`, `png`, `pdf`; of an item also `csv` or `xlsx`. Only what is stored in a dashboard. Raises Failure. */
  async exportData(type: string, itemId?: string): Promise<Blob> {
    const { exportedFile } = await import('../board/page/exported-file.ts');
    return exportedFile(this.board, this, type, itemId ?? this.exportedItem());
  }

  /** The dashboards that the token may see: `id`, `slug`, and `name` as a text per language. Raises Failure. */
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
  /** The item to export if none is named; null for all items. */
  protected abstract exportedItem(): string | null;

  /** Whether the page names a stored dashboard. */
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
    const read: Json = JSON.parse(value);
    return read;
  } catch {
    return null;
  }
}
