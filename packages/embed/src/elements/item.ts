import { isList, readItem, type Item, type Json, type JsonObject } from '@inlay/contract';
import { css, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { readCondition } from '../filters.ts';
import { themesOf, type Themes } from '../theme/order.ts';
import { loadAppearance } from './appearance.ts';
import { InlayBoard } from './board.ts';
import { tell } from './dashboard-events.ts';

/** `<inlay-item>`: one chart or filter from its type, slots and options. */
export class InlayItem extends InlayBoard {
  static override properties: PropertyDeclarations = {
    ...InlayBoard.properties,
    type: {},
    slots: { type: Array },
    options: { type: Object },
    itemTitle: { attribute: 'item-title' },
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
  `;

  /** One of the 17 types, such as `bar-chart`. */
  declare type: string;
  /** Slots as in the contents of a dashboard. Nothing is taken from the columns: each entry says its type, label, format and aggregation. */
  declare slots: Json;
  /** Options as in the contents of a dashboard. */
  declare options: JsonObject;
  /** A text or a language map. */
  declare itemTitle: Json;
  /** Filters as in the contents of a dashboard. */
  declare filters: readonly Json[];

  #item: Item | null = null;

  constructor() {
    super();
    this.type = '';
    this.slots = [];
    this.options = {};
    this.itemTitle = null;
    this.filters = [];
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    const { type, slots, options, itemTitle: title } = this;
    if (['type', 'slots', 'options', 'itemTitle'].some((name) => changed.has(name)))
      this.#item = readItem({ id: 'item', type, title, options, slots });
  }

  override updated(changed: ReadonlyMap<PropertyKey, unknown>): void {
    const has = (...names: readonly string[]): boolean => names.some((name) => changed.has(name));
    const service = has('apiHost', 'authKey', 'authToken', 'getToken');
    if (service) void this.#dressed();
    if (has('type', 'slots', 'options')) {
      this.startMs = performance.now();
      this.startAnew();
      if (this.#item !== null) tell(this, 'loaded', { items: 1 });
    }
    const conditions = isList(this.filters) ? this.filters.map(readCondition).filter((one) => one !== null) : [];
    if (has('filters')) this.sets = [{ origin: 'global', conditions }, ...this.sets.filter(isOfPage)];
    if (service || has('type', 'slots', 'options', 'filters', 'locale', 'timezone')) this.ask(null);
  }

  async #dressed(): Promise<void> {
    try {
      this.dress(await loadAppearance(this.transport(), ''));
    } catch {
      // What is asked for the rows says what is wrong; without a theme they can still be shown.
    }
  }

  protected override defined(): readonly Item[] {
    return this.#item === null ? [] : [this.#item];
  }

  protected override zone(): string {
    return 'UTC';
  }

  protected override storedIn(): null {
    return null;
  }

  protected override themes(themes: Themes): readonly Json[] {
    return themesOf({ options: {} }, themes);
  }

  override render(): TemplateResult | typeof nothing {
    const [item] = this.items();
    return item === undefined ? nothing : this.card(item, this.look());
  }
}

const isOfPage = ({ origin }: { readonly origin: string }): boolean => origin === 'page';
