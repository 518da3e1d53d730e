import {
  changedItems,
  comparesPeriods,
  drilled,
  filtersOf,
  inOrder,
  isNumberType,
  queriesFor,
  stepSets,
  tabState,
  withFilters,
  type Condition,
  type FilterSet,
  type Item,
  type JsonObject,
  type RequestedItem,
  type ScreenMode,
  type Step,
  type TabState,
} from '@inlay/contract';
import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { CardFile } from '../card/card-file.ts';
import { isCardEvent, type Answer, type CardEvents } from '../card/card-events.ts';
import type { CardModel } from '../card/card-model.ts';
import type { RenderContext } from '../card/render-context.ts';
import type { Mark } from '../charts/frame/mark.ts';
import { tell } from '../events.ts';
import { conditionOfMark, sameMark, stepInto, valuesOf } from '../marks.ts';
import { Failure } from '@inlay/client/transport';
import { addAnswers, areSettled, type ItemRequest } from './answers.ts';
import { ContextMembership } from './context-membership.ts';
import { ItemStates } from './item-states.ts';
import { comparisonKey, RequestController, type RequestListener } from './request-controller.ts';
import { ViewerController, type PageSettings } from './viewer-controller.ts';

const loadingAnswer: Answer = { kind: 'loading' };
export const pageOrigin = 'page';

/** The items of a board and where they come from. */
export interface BoardModel {
  readonly items: readonly Item[];
  /** Options of the view. */
  readonly options: JsonObject;
  /** Contents of the dashboard; null for a stand-alone item. */
  readonly contents: JsonObject | null;
  /** Id of the dashboard that stores the items; null if the page supplied them. */
  readonly storedIn: string | null;
  readonly screen: ScreenMode;
}

export const emptyModel: BoardModel = { items: [], options: {}, contents: null, storedIn: null, screen: 'desktop' };

export interface BoardHost extends PageSettings {
  readonly contextId: string;
}

/** A set of items that filter each other. Requests their rows together and draws each card as its rows arrive. */
export class BoardController implements ReactiveController {
  readonly viewer: ViewerController;
  readonly states = new ItemStates();
  readonly cardFile = new CardFile();
  model = emptyModel;
  sets: readonly FilterSet[] = [];
  startMs = 0;

  readonly #host: LitElement & BoardHost;
  readonly #save: (request: CardEvents['card-export']) => void;
  readonly #requests = new RequestController();
  readonly #context: ContextMembership;
  #answers: ReadonlyMap<string, Answer> = new Map();
  #drawn: ReadonlySet<string> = new Set();
  #isRendered = false;

  /** `save` is called when a viewer exports an item. */
  constructor(host: LitElement & BoardHost, save: (request: CardEvents['card-export']) => void) {
    this.#host = host;
    this.#save = save;
    this.viewer = new ViewerController(host);
    this.#context = new ContextMembership({
      element: host,
      own: () => this.sets.filter(({ origin }) => this.model.items.some(({ id }) => id === origin)),
      changed: () => this.#changed(null),
    });
    host.addController(this);
  }

  hostConnected(): void {
    if (this.#host.hasUpdated) this.join();
    const failure = new Failure('failed', 0, 'A file could not be loaded.');
    void this.cardFile.load(() => this.viewer.fail(null, failure));
  }

  hostDisconnected(): void {
    this.#context.leave();
    this.#requests.abandon();
  }

  join(): void {
    void this.#context.join(this.#host.contextId);
  }

  get renderContext(): RenderContext {
    return this.viewer.renderContext(this.model);
  }

  get timeZone(): string {
    return this.viewer.timeZone(this.model.contents);
  }

  /** Returns all active filters, including those of other elements in the context. */
  allSets(): readonly FilterSet[] {
    return [...this.sets, ...this.#context.sets()];
  }

  #changed(only: readonly string[] | null): void {
    const filters = this.allSets().flatMap(({ conditions }) => conditions.flatMap(filtersOf));
    tell(this.#host, 'filterschanged', { filters });
    this.ask(only);
  }

  /** Returns the items at their current drill levels. */
  items(): readonly Item[] {
    return this.model.items.map((item) => drilled(item, this.states.steps(item.id)));
  }

  /** Returns an item by id, or the first item if no id is given. */
  item(itemId: string | undefined): Item | undefined {
    return this.items().find(({ id }) => itemId === undefined || id === itemId);
  }

  answer(itemId: string): Answer | undefined {
    return this.#answers.get(itemId);
  }

  tabs(): TabState {
    return tabState(this.model.items, (id) => this.states.start(id).keys[0]);
  }

  /** Returns the items that are not in a closed tab. */
  shown(): readonly Item[] {
    const { hidden } = this.tabs();
    return this.items().filter(({ id }) => !hidden.has(id));
  }

  /** Requests the missing rows of a newly opened tab. */
  #openTab(): void {
    const unansweredIds = this.shown().flatMap(({ id }) => (this.#answers.has(id) ? [] : [id]));
    if (unansweredIds.length > 0) this.ask(unansweredIds);
    this.#host.requestUpdate();
  }

  /** Sets the starting values of filter items. Items in `previousItems` keep their values. */
  start(previousItems: readonly Item[] = []): void {
    const previousIds = new Set(previousItems.map(({ id }) => id));
    for (const item of this.model.items) {
      const start = previousIds.has(item.id) ? null : this.viewer.appearance.start(item, this.timeZone);
      if (start === null) continue;
      this.states.begin(item.id, start.chosen);
      this.sets = withFilters(this.sets, item.id, start.conditions);
    }
  }

  reset(): void {
    this.#requests.abandon();
    this.states.clear();
    this.#answers = new Map();
    this.invalidate();
  }

  /** Redraws all items and drops the filters of items that no longer exist. */
  invalidate(): void {
    this.#drawn = new Set();
    this.#isRendered = false;
    const knownOrigins = new Set([pageOrigin, 'global', ...this.model.items.map(({ id }) => id)]);
    this.sets = this.sets.filter(({ origin }) => knownOrigins.has(origin) || origin.startsWith('only:'));
    this.#host.requestUpdate();
  }

  /** Requests rows for the items in `only`, or for all items if it is null. */
  ask(only: readonly string[] | null): void {
    this.#context.publish();
    const sets = this.allSets();
    const context = { localeId: this.viewer.locale, timezoneId: this.timeZone, dashboardId: this.model.storedIn };
    // Rows in closed tabs are now stale.
    const hiddenIds = [...this.tabs().hidden].filter((id) => only === null || only.includes(id));
    const staleKeys = hiddenIds.flatMap((id) => [id, comparisonKey(id)]);
    this.#requests.abandon(staleKeys);
    if (staleKeys.length > 0) this.#answers = new Map([...this.#answers].filter(([id]) => !staleKeys.includes(id)));
    const items = inOrder(this.shown())
      .filter(({ id }) => only === null || only.includes(id))
      .map((item) => ({ item, own: stepSets(item.id, this.states.steps(item.id)) }));
    const isCompared = comparesPeriods(sets);
    const isNumber = ({ item }: RequestedItem): boolean => isNumberType(item.type);
    const primaryItems = items.filter((requestedItem) => !isCompared || !isNumber(requestedItem));
    this.#send(queriesFor(primaryItems, sets, context));
    // Few items compare periods or have sparklines, so the code for those queries is loaded on demand.
    const secondaryItems = items.filter(
      (requestedItem) => isNumber(requestedItem) || requestedItem.item.options['sparkline'] !== undefined,
    );
    if (secondaryItems.length > 0)
      void import('./page/secondary-queries.ts').then(({ secondaryQueries }) =>
        this.#send(secondaryQueries(secondaryItems, sets, context)),
      );
  }

  #send(queries: ReturnType<typeof queriesFor>): void {
    this.#put(queries.flatMap(({ id, query }) => (query === null ? [[id, { kind: 'nothing' }] as const] : [])));
    const requests = queries.flatMap(({ id, query }): readonly ItemRequest[] =>
      query === null ? [] : [{ id, query }],
    );
    this.#host.requestUpdate();
    void this.#requests.ask(this.viewer.transport, requests, this.#listener);
  }

  readonly #listener: RequestListener = {
    answered: (id, answer) => {
      this.#put([[id, answer]]);
      if (answer.kind === 'failed') this.viewer.fail(id.split('\u0000')[0] ?? id, answer);
    },
    waits: (ids) => {
      const unansweredIds = ids.filter((id) => (this.#answers.get(id) ?? loadingAnswer).kind === 'loading');
      this.#put(unansweredIds.map((id) => [id, { kind: 'loading', isBusy: true }] as const));
    },
    failed: (failure, ids) => {
      const { code, message, hint, status } = failure;
      // Rows must not stay visible after the viewer has lost the right to see them.
      const failed = status === 401 || status === 403 ? [...this.#answers.keys(), ...ids] : ids;
      this.#put(failed.map((id) => [id, { kind: 'failed', code, message, hint }] as const));
      this.viewer.fail(null, failure);
    },
  };

  #put(answers: readonly (readonly [string, Answer])[]): void {
    if (answers.length === 0) return;
    const items = new Map(this.model.items.map((item) => [item.id, item]));
    if (addAnswers(this.renderContext.colors, items, answers)) this.viewer.redraw();
    this.#answers = new Map([...this.#answers, ...answers]);
    this.#host.requestUpdate();
    this.#settle();
  }

  /**
   * Sets the filters or parameters of one origin and requests the rows of the other items. If parameters are set, only
   * items whose filters use one of them are requested.
   */
  applyFilters(origin: string, conditions: readonly Condition[], parameters?: JsonObject): void {
    this.sets = withFilters(this.sets, origin, conditions, parameters);
    this.#changed(origin === pageOrigin ? null : changedItems(this.items(), this.sets, origin, parameters));
  }

  #marked({ id, mark, open }: CardEvents['card-mark']): void {
    const step = open ? stepInto(mark) : null;
    if (step !== null) return this.#drill(id, [...this.states.steps(id), step]);
    if (open) return;
    tell(this.#host, 'clicked', { id, values: valuesOf(mark) });
    if (!this.viewer.appearance.may('edit_filters')) return;
    const chosenMark = this.states.chosen(id);
    const isAgain = sameMark(chosenMark, mark);
    if (chosenMark !== null || (!isAgain && conditionOfMark(mark) !== null)) this.choose(id, isAgain ? null : mark);
  }

  /**
   * Selects a mark of an item. Null, or a mark without a condition, clears the selection. Returns true if a mark is
   * selected afterwards.
   */
  choose(id: string, mark: Mark | null): boolean {
    const condition = mark === null ? null : conditionOfMark(mark);
    this.states.choose(id, condition === null ? null : mark);
    this.applyFilters(id, condition === null ? [] : [condition]);
    return condition !== null;
  }

  #drill(id: string, steps: readonly Step[]): void {
    this.states.drill(id, steps);
    this.ask([id]);
    this.choose(id, null);
  }

  #settle(): void {
    if (this.#isRendered || !areSettled(this.shown(), this.#answers, this.#drawn)) return;
    this.#isRendered = true;
    this.renderContext.colors.settle();
    tell(this.#host, 'rendered', { ms: performance.now() - this.startMs });
  }

  readonly #listen = (event: Event): void => {
    if (!isCardEvent(event)) return;
    event.stopPropagation();
    const { detail } = event;
    switch (detail.kind) {
      case 'rendered':
        tell(this.#host, 'itemrendered', { id: detail.id });
        this.#drawn = new Set([...this.#drawn, detail.id]);
        return this.#settle();
      case 'failed':
        return this.viewer.fail(detail.id, detail);
      case 'mark':
        return this.#marked(detail);
      case 'filter':
        this.states.begin(detail.id, detail.chosen);
        if (this.model.items.some(({ id, type }) => id === detail.id && type === 'tabs')) return this.#openTab();
        return this.applyFilters(detail.id, detail.condition === null ? [] : [detail.condition], detail.parameters);
      case 'up':
        return this.#drill(detail.id, this.states.steps(detail.id).slice(0, -1));
      case 'retry':
        return this.ask([detail.id]);
      case 'export':
        return this.#save(detail);
      case 'action':
        return void tell(this.#host, 'actionchosen', detail.told);
      case 'link':
        if (!tell(this.#host, 'linkfollowed', detail.told)) event.preventDefault();
    }
  };

  /** Renders an item in a card; `level` is the heading level of the card. */
  card(item: Item, level: 2 | 3, renderContext: RenderContext): TemplateResult {
    const { options, contents, storedIn } = this.model;
    const { id } = item;
    const model: CardModel = {
      item,
      level,
      options,
      contents,
      renderContext,
      isStored: storedIn !== null,
      answer: this.#answers.get(id) ?? loadingAnswer,
      comparison: this.#answers.get(comparisonKey(id)) ?? null,
      sheets: this.viewer.appearance.sheets,
      chosen: this.states.chosen(id),
      path: this.states.steps(id),
      start: this.states.start(id),
    };
    return html`<inlay-card
      .model=${model}
      ?waiting=${this.#requests.waitsFor(id)}
      @inlay-card=${this.#listen}
    ></inlay-card>`;
  }
}
