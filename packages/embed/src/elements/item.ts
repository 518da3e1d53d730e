import {
  isList,
  readCondition,
  readFilterGroups,
  readItem,
  viewFor,
  type FilterSet,
  type Item,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { css, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { emptyModel, pageOrigin } from '../board/board-controller.ts';
import { failureOf } from '../board/request-controller.ts';
import { tell } from '../events.ts';
import { Failure } from '@inlay/client/transport';
import { InlayElement } from './element.ts';
import { problemView, stateStyles } from './problem-view.ts';

/** `<inlay-item>`: one item of a stored dashboard, or one from its type, slots and options. */
export class InlayItem extends InlayElement {
  static override properties: PropertyDeclarations = {
    ...InlayElement.properties,
    itemId: {},
    type: {},
    slots: { type: Array },
    options: { type: Object },
    itemTitle: {},
    filters: { type: Array },
  };
  static override styles = css`
    :host {
      display: block;
      position: relative;
      contain: layout paint style;
      height: 320px;
    }
    :host([hidden]) {
      display: none;
    }
    .state {
      height: 100%;
    }
    ${stateStyles}
  `;

  /** Id of the item in that dashboard. */
  declare itemId: string;
  /** Item type, such as `bar-chart`, for an item that is not stored. */
  declare type: string;
  /**
   * Slots in the format of a dashboard's contents. Columns provide no defaults: each entry sets its type, label, format
   * and aggregation.
   */
  declare slots: Json;
  /** Options in the format of a dashboard's contents. */
  declare options: JsonObject;
  /** Title: a text, or texts by language. */
  declare itemTitle: Json;
  /** Filters in the format of a dashboard's contents. */
  declare filters: readonly Json[];

  #loads = 0;

  constructor() {
    super();
    this.itemId = '';
    this.type = '';
    this.itemTitle = null;
    this.slots = [];
    this.options = {};
    this.filters = [];
  }

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changedProperties);
    const { type, slots, options, filters, itemTitle: title } = this;
    if (
      !this.isNamed() &&
      ['type', 'slots', 'options', 'itemTitle', 'filters'].some((name) => changedProperties.has(name))
    )
      this.#show(readItem({ id: 'item', type, title, options, slots, filters }));
  }

  /** Shows an item supplied by the page. */
  #show(item: Item | null): void {
    this.board.model = { ...emptyModel, items: item === null ? [] : [item] };
  }

  override updated(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    const has = (...names: readonly string[]): boolean => names.some((name) => changedProperties.has(name));
    const language = has('locale', 'language', 'timezone', 'timezoneId');
    const service = has('apiHost', 'authKey', 'authToken', 'getToken');
    const { board } = this;
    if (this.isNamed()) {
      if (service || has('dashboardId', 'dashboardSlug', 'itemId')) void this.load();
      else if (language) board.ask(null);
      return;
    }
    if (service) void this.#dress();
    if (has('type', 'slots', 'options')) {
      board.startMs = performance.now();
      board.reset();
      if (board.model.items.length > 0) tell(this, 'loaded', { items: 1 });
    }
    const conditions = isList(this.filters)
      ? this.filters.map(readCondition).filter((condition) => condition !== null)
      : [];
    if (has('filters')) board.sets = [{ origin: 'global', conditions }, ...board.sets.filter(isOfPage)];
    if (service || language || has('type', 'slots', 'options', 'filters')) board.ask(null);
  }

  /** Loads the stored item with the appearance of its dashboard. */
  protected override async load(): Promise<void> {
    if (!this.isNamed()) return this.refresh();
    const { board } = this;
    const load = (this.#loads += 1);
    board.startMs = performance.now();
    this.problem = null;
    try {
      const appearance = await this.loadAppearance();
      if (load !== this.#loads) return;
      const { contents, id: storedIn } = appearance;
      const { items: viewItems, options, filterGroups } = viewFor(contents, 'desktop', true);
      const items = viewItems.filter(({ id }) => id === this.itemId).slice(0, 1);
      const permitted = appearance.permitted(items, options);
      board.model = { items: permitted, options, contents, storedIn, screen: 'desktop' };
      board.viewer.appearance = appearance;
      if (items.length === 0) {
        const message = `The dashboard has no item "${this.itemId}".`;
        throw new Failure('not_found', 404, message, 'Set item-id to an item of it.');
      }
      board.sets = [...readFilterGroups(filterGroups)];
      board.reset();
      board.start();
      tell(this, 'loaded', { items: 1 });
      board.ask(null);
    } catch (error) {
      if (load !== this.#loads) return;
      board.model = { ...board.model, items: [] };
      this.problem = failureOf(error);
      board.viewer.fail(null, this.problem);
    }
  }

  async #dress(): Promise<void> {
    const { viewer } = this.board;
    try {
      viewer.appearance = await viewer.load('', '');
    } catch {
      // The row request reports the failure; rows are shown even without a theme.
    }
  }

  protected override exportedItem(): string {
    return this.itemId;
  }

  override render(): TemplateResult | typeof nothing {
    const { board, problem } = this;
    const [item] = board.items();
    const { renderContext } = board;
    this.toggleAttribute('data-plain', problem !== null && this.theme === null);
    if (problem !== null) return problemView(renderContext.words, problem, () => void this.load());
    return item === undefined ? nothing : board.card(item, 2, renderContext);
  }
}

const isOfPage = ({ origin }: FilterSet): boolean => origin === pageOrigin;
