import {
  isNumberType,
  type Item,
  type JsonObject,
  drilled,
  stepSets,
  type Step,
  comparesPeriods,
  filtersOf,
  withFilters,
  type Condition,
  type FilterSet,
  changedItems,
  queriesFor,
  type RequestedItem,
  inOrder,
  tabState,
  type TabState,
} from '@inlay/contract';
import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Mark } from '../charts/frame/chart.ts';
import { conditionOfMark, sameMark, stepInto, valuesOf } from '../marks.ts';
import { Failure } from '../transport.ts';
import { AppearanceElement } from './appearance-element.ts';
import { CardFile } from './card/card-file.ts';
import { isCardEvent, type Answer, type CardEvents } from './card/card-events.ts';
import { tell } from './dashboard-events.ts';
import { ContextSeat } from './context-seat.ts';
import { addAnswers, areSettled, type ItemRequest } from './answers.ts';
import type { Scene } from './look.ts';
import { ItemStates } from './item-states.ts';
import { Rounds, secondIdOf } from './round.ts';

const loading: Answer = { kind: 'loading' };
export const pageOrigin = 'page';
export const noOptions: JsonObject = {};

/** Items that filter each other: what both elements are. It asks once for all items and shows each as its rows come. */
export abstract class InlayBoard extends AppearanceElement {
  static override properties: PropertyDeclarations = {
    ...AppearanceElement.properties,
    dashboardId: {},
    dashboardSlug: {},
    contextId: {},
    answers: { state: true },
  };

  /** Id of the dashboard, of `<inlay-item>` that in which the item is stored; its columns, filters and theme hold, and reading it is enough. */
  declare dashboardId: string;
  /** Slug of the dashboard, instead of its id. */
  declare dashboardSlug: string;
  /** Elements of a page with the same text filter each other, as items of one dashboard do. */
  declare contextId: string;
  declare protected answers: ReadonlyMap<string, Answer>;
  protected startMs = 0;
  protected sets: readonly FilterSet[] = [];

  readonly #rounds = new Rounds();
  readonly #seat = new ContextSeat({
    element: this,
    own: () => this.sets.filter(({ origin }) => this.defined().some(({ id }) => id === origin)),
    changed: () => this.#changed(null),
  });
  protected readonly cardFile = new CardFile();
  protected readonly states = new ItemStates();
  #drawn: ReadonlySet<string> = new Set();
  #isRendered = false;

  constructor() {
    super();
    [this.dashboardId, this.dashboardSlug, this.contextId] = ['', '', ''];
    this.answers = new Map();
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if (changed.has('contextId')) void this.#seat.enter(this.contextId);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) void this.#seat.enter(this.contextId);
    const message = 'A file could not be loaded.';
    void this.cardFile.load(() => this.failure(new Failure('failed', 0, message)));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#seat.leave();
    this.#rounds.leave();
  }

  /** Every filter that applies, those of the context of the page too. */
  protected allSets(): readonly FilterSet[] {
    return [...this.sets, ...this.#seat.sets()];
  }

  #changed(only: readonly string[] | null): void {
    const filters = this.allSets().flatMap(({ conditions }) => conditions.flatMap(filtersOf));
    tell(this, 'filterschanged', { filters });
    this.ask(only);
  }

  /** Items as they are defined. */
  protected abstract defined(): readonly Item[];
  /** The dashboard in which the items are stored; null where a page gave them. */
  protected abstract storedIn(): string | null;
  /** Options of the view in which the items are stored. */
  protected abstract viewOptions(): JsonObject;
  /** Gives a viewer a file of an item. */
  protected abstract save(wanted: CardEvents['card-export']): Promise<void>;

  protected items(): readonly Item[] {
    return this.defined().map((item) => drilled(item, this.states.steps(item.id)));
  }

  /** Which items the tabs that viewers chose show. */
  protected tabs(): TabState {
    return tabState(this.defined(), (id) => this.states.start(id).keys[0]);
  }

  /** The items that are shown. */
  protected shown(): readonly Item[] {
    const { hidden } = this.tabs();
    return this.items().filter(({ id }) => !hidden.has(id));
  }

  /** Asks for the items of a tab that have no rows yet. */
  #turn(): void {
    const unasked = this.shown().flatMap(({ id }) => (this.answers.has(id) ? [] : [id]));
    if (unasked.length > 0) this.ask(unasked);
    this.requestUpdate();
  }

  /** Sets filter items to the values with which they start, but for those that were there before. */
  protected start(before: readonly Item[]): void {
    const known = new Set(before.map(({ id }) => id));
    for (const item of this.defined()) {
      const start = known.has(item.id) ? null : this.appearance.start(item, this.timeZone());
      if (start === null) continue;
      this.states.begin(item.id, start.chosen);
      this.sets = withFilters(this.sets, item.id, start.conditions);
    }
  }

  /** Forgets what was chosen, drilled into and answered. */
  protected startAnew(): void {
    this.#rounds.leave();
    this.states.clear();
    this.answers = new Map();
    this.drawAnew();
  }

  protected drawAnew(): void {
    this.#drawn = new Set();
    this.#isRendered = false;
    const known = new Set(this.defined().map(({ id }) => id));
    const isShown = ({ origin }: FilterSet): boolean =>
      origin === pageOrigin || origin === 'global' || origin.startsWith('only:') || known.has(origin);
    this.sets = this.sets.filter(isShown);
  }

  protected ask(only: readonly string[] | null): void {
    this.#seat.share();
    const sets = this.allSets();
    const asked = { localeId: this.viewerLocale(), timezoneId: this.timeZone(), dashboardId: this.storedIn() };
    // What is not shown has no rows that still count.
    const hidden = [...this.tabs().hidden].filter((id) => only === null || only.includes(id));
    const old = hidden.flatMap((id) => [id, secondIdOf(id)]);
    this.#rounds.leave(old);
    if (old.length > 0) this.answers = new Map([...this.answers].filter(([id]) => !old.includes(id)));
    const items = inOrder(this.shown())
      .filter(({ id }) => only === null || only.includes(id))
      .map((item) => ({ item, own: stepSets(item.id, this.states.steps(item.id)) }));
    const isCompared = comparesPeriods(sets);
    const isNumber = ({ item }: RequestedItem): boolean => isNumberType(item.type);
    const first = items.filter((one) => !isCompared || !isNumber(one));
    this.#send(queriesFor(first, sets, asked));
    // Few items compare periods or have lines in their cells, so that what asks for them is loaded with the first.
    const further = items.filter((one) => isNumber(one) || one.item.options['sparkline'] !== undefined);
    if (further.length > 0)
      void import('./page/further-requests.ts').then(({ furtherRequests }) =>
        this.#send(furtherRequests(further, sets, asked)),
      );
  }

  #send(wanted: ReturnType<typeof queriesFor>): void {
    this.#put(wanted.flatMap(({ id, query }) => (query === null ? [[id, { kind: 'nothing' }] as const] : [])));
    const sent = wanted.flatMap(({ id, query }): readonly ItemRequest[] => (query === null ? [] : [{ id, query }]));
    this.requestUpdate();
    void this.#rounds.ask(this.transport(), sent, {
      answered: (id, answer) => {
        this.#put([[id, answer]]);
        if (answer.kind === 'failed') this.tellFailure(id.split('\u0000')[0] ?? id, answer);
      },
      waits: (ids) => {
        const empty = ids.filter((id) => (this.answers.get(id) ?? loading).kind === 'loading');
        this.#put(empty.map((id) => [id, { kind: 'loading', isBusy: true }] as const));
      },
      failed: (failure, ids) => {
        const { code, message, hint, status } = failure;
        // Nothing that was shown by rights since ended stays in the page.
        const gone = status === 401 || status === 403 ? [...this.answers.keys(), ...ids] : ids;
        this.#put(gone.map((id) => [id, { kind: 'failed', code, message, hint }] as const));
        this.failure(failure);
      },
    });
  }

  #put(answers: readonly (readonly [string, Answer])[]): void {
    if (answers.length === 0) return;
    const items = new Map(this.defined().map((item) => [item.id, item]));
    if (addAnswers(this.look().colors, items, answers)) this.drawAgain();
    this.answers = new Map([...this.answers, ...answers]);
    this.#settle();
  }

  /** Sets filters or parameters and asks for all others again, or for those alone whose filters name one of the parameters. */
  protected narrow(origin: string, conditions: readonly Condition[], parameters?: JsonObject): void {
    this.sets = withFilters(this.sets, origin, conditions, parameters);
    this.#changed(origin === pageOrigin ? null : changedItems(this.items(), this.sets, origin, parameters));
  }

  #marked({ id, mark, open }: CardEvents['card-mark']): void {
    const step = open ? stepInto(mark) : null;
    if (step !== null) return this.#drill(id, [...this.states.steps(id), step]);
    if (open) return;
    tell(this, 'clicked', { id, values: valuesOf(mark) });
    const again = sameMark(this.states.chosen(id), mark);
    const condition = again ? null : conditionOfMark(mark);
    if (condition === null && this.states.chosen(id) === null) return;
    this.choose(id, again ? null : mark);
  }

  /** Makes a mark the one that is chosen in an item; null, or one that stands for nothing to filter by, chooses none. Whether one is. */
  protected choose(id: string, mark: Mark | null): boolean {
    const condition = mark === null ? null : conditionOfMark(mark);
    this.states.choose(id, condition === null ? null : mark);
    this.narrow(id, condition === null ? [] : [condition]);
    return condition !== null;
  }

  #drill(id: string, steps: readonly Step[]): void {
    this.states.drill(id, steps);
    this.ask([id]);
    this.choose(id, null);
  }

  #settle(): void {
    if (this.#isRendered || !areSettled(this.shown(), this.answers, this.#drawn)) return;
    this.#isRendered = true;
    this.look().colors.settle();
    tell(this, 'rendered', { ms: performance.now() - this.startMs });
  }

  readonly #listen = (event: Event): void => {
    if (!isCardEvent(event)) return;
    event.stopPropagation();
    const { detail } = event;
    switch (detail.kind) {
      case 'rendered':
        tell(this, 'itemrendered', { id: detail.id });
        this.#drawn = new Set([...this.#drawn, detail.id]);
        return this.#settle();
      case 'failed':
        return this.tellFailure(detail.id, detail);
      case 'mark':
        return this.#marked(detail);
      case 'filter':
        this.states.begin(detail.id, detail.chosen);
        if (this.defined().some(({ id, type }) => id === detail.id && type === 'tabs')) return this.#turn();
        return this.narrow(detail.id, detail.condition === null ? [] : [detail.condition], detail.parameters);
      case 'up':
        return this.#drill(detail.id, this.states.steps(detail.id).slice(0, -1));
      case 'retry':
        return this.ask([detail.id]);
      case 'export':
        return void this.save(detail);
      case 'action':
        return void tell(this, 'actionchosen', detail.told);
      case 'link':
        if (!tell(this, 'linkfollowed', detail.told)) event.preventDefault();
    }
  };

  /** What stands above all items; an empty text where nothing does. */
  protected heading(): string {
    return '';
  }

  /** One item in its card. */
  protected card(item: Item, scene: Scene): TemplateResult {
    return html`<inlay-card
      .item=${item}
      .level=${this.heading() === '' ? 2 : 3}
      .options=${this.viewOptions()}
      .contents=${this.definition}
      .isStored=${this.storedIn() !== null}
      .answer=${this.answers.get(item.id) ?? loading}
      .second=${this.answers.get(secondIdOf(item.id)) ?? null}
      .scene=${scene}
      .sheets=${this.appearance.sheets}
      .chosen=${this.states.chosen(item.id)}
      .path=${this.states.steps(item.id)}
      .start=${this.states.start(item.id)}
      ?waiting=${this.#rounds.waitsFor(item.id)}
      @inlay-card=${this.#listen}
    ></inlay-card>`;
  }
}
