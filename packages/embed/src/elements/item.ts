import {
  isList,
  readItem,
  type Item,
  type Json,
  type JsonObject,
  readCondition,
  readFilterGroups,
  viewFor,
  type View,
} from '@inlay/contract';
import { themesOf, type Themes } from '@inlay/contract/theme';
import { css, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { noOptions, pageOrigin } from './board.ts';
import { InlayEmbed } from './embed.ts';
import { Failure } from '../transport.ts';
import { failureOf } from './round.ts';
import { tell } from './dashboard-events.ts';
import { problemView, stateStyles } from './problem-view.ts';

/** `<inlay-item>`: one item of a stored dashboard, or one from its type, slots and options. */
export class InlayItem extends InlayEmbed {
  static override properties: PropertyDeclarations = {
    ...InlayEmbed.properties,
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
  /** A type of item, such as `bar-chart`, where it is not stored. */
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
  /** The view of the dashboard in which the item is stored. */
  #view: View | null = null;
  #loads = 0;

  constructor() {
    super();
    this.itemId = '';
    this.type = '';
    this.slots = [];
    this.options = {};
    this.itemTitle = null;
    this.filters = [];
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    const { type, slots, options, itemTitle: title } = this;
    if (!this.isNamed() && ['type', 'slots', 'options', 'itemTitle'].some((name) => changed.has(name)))
      this.#item = readItem({ id: 'item', type, title, options, slots });
  }

  override updated(changed: ReadonlyMap<PropertyKey, unknown>): void {
    const has = (...names: readonly string[]): boolean => names.some((name) => changed.has(name));
    const language = has('locale', 'language', 'timezone', 'timezoneId');
    const service = has('apiHost', 'authKey', 'authToken', 'getToken');
    if (this.isNamed()) {
      if (service || has('dashboardId', 'dashboardSlug', 'itemId')) void this.load();
      else if (language) this.ask(null);
      return;
    }
    if (service) void this.#dressed();
    if (has('type', 'slots', 'options')) {
      this.startMs = performance.now();
      this.startAnew();
      if (this.#item !== null) tell(this, 'loaded', { items: 1 });
    }
    const conditions = isList(this.filters) ? this.filters.map(readCondition).filter((one) => one !== null) : [];
    if (has('filters')) this.sets = [{ origin: 'global', conditions }, ...this.sets.filter(isOfPage)];
    if (service || language || has('type', 'slots', 'options', 'filters')) this.ask(null);
  }

  /** Loads the stored item with what its dashboard says of it. */
  protected override async load(): Promise<void> {
    if (!this.isNamed()) return this.refresh();
    const load = (this.#loads += 1);
    this.startMs = performance.now();
    this.problem = null;
    try {
      const appearance = await this.loadAppearance(true);
      if (load !== this.#loads) return;
      const view = viewFor(appearance.contents, 'desktop');
      this.#item = view.items.find(({ id }) => id === this.itemId) ?? null;
      this.#view = view;
      this.definition = appearance.contents;
      this.dress(appearance);
      if (this.#item === null) {
        const message = `The dashboard has no item "${this.itemId}".`;
        throw new Failure('not_found', 404, message, 'Set item-id to an item of it.');
      }
      this.sets = [...readFilterGroups(view.filterGroups)];
      this.startAnew();
      this.start([]);
      tell(this, 'loaded', { items: 1 });
      this.ask(null);
    } catch (error) {
      if (load !== this.#loads) return;
      this.#item = null;
      this.problem = failureOf(error);
      this.failure(this.problem);
    }
  }

  async #dressed(): Promise<void> {
    try {
      this.dress(await this.loadAppearance(false));
    } catch {
      // What is asked for the rows says what is wrong; without a theme they can still be shown.
    }
  }

  protected override defined(): readonly Item[] {
    return this.#item === null ? [] : [this.#item];
  }

  protected override zone(): string {
    return this.#view === null ? 'UTC' : super.zone();
  }

  protected override storedIn(): string | null {
    return this.isNamed() ? this.appearance.id : null;
  }

  protected override exportedItem(): string {
    return this.itemId;
  }

  protected override screen(): string {
    return 'desktop';
  }

  protected override viewOptions(): JsonObject {
    return this.#view?.options ?? noOptions;
  }

  protected override themes(themes: Themes): readonly Json[] {
    return themesOf({ options: this.viewOptions() }, themes);
  }

  override render(): TemplateResult | typeof nothing {
    const [item] = this.items();
    const scene = this.look();
    const { problem } = this;
    this.toggleAttribute('data-plain', problem !== null && this.theme === null);
    if (problem !== null) return problemView(scene.words, problem, () => void this.load());
    return item === undefined ? nothing : this.card(item, scene);
  }
}

const isOfPage = ({ origin }: { readonly origin: string }): boolean => origin === pageOrigin;
