import type { Item, Json, JsonObject } from '@inlay/contract';
import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Mark } from '../charts/drawing/chart.ts';
import { emptySelection } from '../filter-selection.ts';
import { drilled, stepInto, writeSteps, type Step } from '../drill.ts';
import { filtersOf, onlyOf, readCondition, withFilters, type Condition, type FilterSet } from '../filters.ts';
import { conditionOfMark, sameMark } from '../marks.ts';
import { queryFor } from '../queries.ts';
import type { Start } from '../starting-filters.ts';
import type { Themes } from '../theme/order.ts';
import type { Failure } from '../transport.ts';
import { plainAppearance, type Appearance } from './appearance.ts';
import { InlayElement } from './base.ts';
import { isCardEvent, type Answer, type CardEvents } from './card/card-events.ts';
import { tell } from './dashboard-events.ts';
import type { Scene } from './look.ts';
import { Rounds } from './round.ts';
import { dataOf, type ShownData } from './shown.ts';

const loading: Answer = { kind: 'loading' };
const pageOrigin = 'page';
/** One list for every item that nothing was drilled into, so that a card is not shown anew for another empty one. */
const noSteps: readonly Step[] = [];

/** Items that filter each other: what both elements are. It asks once for all items and shows each as its rows come. */
export abstract class InlayBoard extends InlayElement {
  static override properties: PropertyDeclarations = {
    ...InlayElement.properties,
    answers: { state: true },
    appearance: { state: true },
    problem: { state: true },
  };

  declare protected answers: ReadonlyMap<string, Answer>;
  declare protected appearance: Appearance;
  /** Why nothing can be shown; null where something can. */
  declare protected problem: Failure | null;
  protected startMs = 0;
  protected sets: readonly FilterSet[] = [];

  readonly #rounds = new Rounds();
  #chosen: ReadonlyMap<string, Mark> = new Map();
  #steps: ReadonlyMap<string, readonly Step[]> = new Map();
  #starts: ReadonlyMap<string, Start> = new Map();
  #drawn: ReadonlySet<string> = new Set();
  #isRendered = false;
  readonly #hints = new Set<string>();

  constructor() {
    super();
    this.answers = new Map();
    this.appearance = plainAppearance;
    this.problem = null;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#rounds.leave();
  }

  /** Items as they are defined. */
  protected abstract defined(): readonly Item[];
  protected abstract themes(themes: Themes): readonly Json[];
  protected abstract zone(): string;
  /** The dashboard in which the items are stored; null where a page gave them. */
  protected abstract storedIn(): string | null;

  /** Sets filters of the page, in the form of a dashboard's; they narrow each item over their dataset, beside all others. An empty list takes them away. */
  setFilters(filters: readonly Json[]): void {
    this.narrow(
      pageOrigin,
      filters.map(readCondition).filter((one) => one !== null),
    );
  }

  /** Asks for the rows of every item, or of one, anew. */
  refresh(itemId?: string): void {
    this.ask(itemId === undefined ? null : [itemId]);
  }

  /** What an item shows: names of the columns, the rows as texts, and their values; null where it has no rows. */
  getData(itemId?: string): ShownData | null {
    const item = this.items().find(({ id }) => itemId === undefined || id === itemId);
    const answer = item === undefined ? undefined : this.answers.get(item.id);
    return item === undefined || answer?.kind !== 'rows' ? null : dataOf(item, answer, this.look());
  }

  protected viewerLocale(): string {
    const page = document.documentElement.lang || navigator.language;
    return this.locale || this.appearance.locale || page || 'en';
  }

  protected timeZone(): string {
    return this.timezone || this.appearance.timeZone || this.zone();
  }

  protected look(): Scene {
    return this.scene(this.themes(this.appearance.themes), this.viewerLocale(), this.timeZone());
  }

  protected items(): readonly Item[] {
    return this.defined().map((item) => drilled(item, this.#steps.get(item.id) ?? []));
  }

  /** What was drilled into, as an export takes it. */
  protected steps(): readonly JsonObject[] {
    return writeSteps(this.#steps);
  }

  /** Takes the sheets of the appearance in its own root; cards take them in theirs. */
  protected dress(appearance: Appearance): void {
    this.appearance = appearance;
    const root = this.shadowRoot;
    if (root !== null) root.adoptedStyleSheets = [...root.adoptedStyleSheets.slice(0, 1), ...appearance.sheets];
  }

  /** Sets filter items to the values with which they start, but for those that were there before. */
  protected start(before: readonly Item[]): void {
    const known = new Set(before.map(({ id }) => id));
    for (const item of this.defined()) {
      const start = known.has(item.id) ? null : this.appearance.start(item);
      if (start === null) continue;
      this.#starts = new Map([...this.#starts, [item.id, start]]);
      this.sets = withFilters(this.sets, item.id, start.conditions);
    }
  }

  /** Forgets what was chosen, drilled into and answered. */
  protected startAnew(): void {
    this.#rounds.leave();
    this.#chosen = new Map();
    this.#steps = new Map();
    this.#starts = new Map();
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

  protected failure(failure: Failure): void {
    this.#tellFailure(null, failure);
  }

  /** Tells the page, and whoever builds it in the console, each hint once. */
  #tellFailure(id: string | null, { code, message, hint }: Pick<Failure, 'code' | 'message' | 'hint'>): void {
    tell(this, 'failed', { id, code, message, hint });
    if (hint === '' || this.#hints.has(hint)) return;
    this.#hints.add(hint);
    // oxlint-disable-next-line no-console -- for whoever builds the page; its readers are told that nothing can be shown
    console.warn(`${id === null ? message : `Item "${id}": ${message}`}\n${hint}`);
  }

  protected ask(only: readonly string[] | null): void {
    const asked = { localeId: this.viewerLocale(), timezoneId: this.timeZone(), dashboardId: this.storedIn() };
    const wanted = this.items()
      .filter(({ id }) => only === null || only.includes(id))
      .toSorted((a, b) => a.position.row - b.position.row || a.position.col - b.position.col)
      .map((item) => {
        const steps = this.#steps.get(item.id) ?? [];
        const own = [{ origin: onlyOf(item.id), conditions: steps.map(({ filter }) => filter) }];
        return { id: item.id, query: queryFor({ item, own: steps.length === 0 ? [] : own }, this.sets, asked) };
      });
    this.#put(wanted.flatMap(({ id, query }) => (query === null ? [[id, { kind: 'nothing' }] as const] : [])));
    const sent = wanted.flatMap(({ id, query }) => (query === null ? [] : [{ id, query }]));
    void this.#rounds.ask(this.transport(), sent, {
      answered: (id, answer) => {
        this.#put([[id, answer]]);
        if (answer.kind === 'failed') this.#tellFailure(id, answer);
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
    this.answers = new Map([...this.answers, ...answers]);
    this.#settle();
  }

  protected narrow(origin: string, conditions: readonly Condition[]): void {
    this.sets = withFilters(this.sets, origin, conditions);
    tell(this, 'filterschanged', { filters: this.sets.flatMap(({ conditions: held }) => held).flatMap(filtersOf) });
    const others = this.items().map(({ id }) => id);
    this.ask(origin === pageOrigin ? null : others.filter((id) => id !== origin));
  }

  #marked({ id, mark, open }: CardEvents['card-mark']): void {
    const step = open ? stepInto(mark) : null;
    const without = [...this.#chosen].filter(([of]) => of !== id);
    if (step !== null) {
      this.#steps = new Map([...this.#steps, [id, [...(this.#steps.get(id) ?? []), step]]]);
      this.#chosen = new Map(without);
      this.requestUpdate();
      this.ask([id]);
      this.narrow(id, []);
      return;
    }
    if (open) return;
    tell(this, 'clicked', {
      id,
      values: mark.cells.map(({ field, cell }) => ({
        label: field.label,
        text: field.text(cell),
        value: field.literal(cell),
      })),
    });
    const again = sameMark(this.#chosen.get(id) ?? null, mark);
    const condition = again ? null : conditionOfMark(mark);
    if (condition === null && !this.#chosen.has(id)) return;
    this.#chosen = new Map([...without, ...(condition === null ? [] : [[id, mark] as const])]);
    this.requestUpdate();
    this.narrow(id, condition === null ? [] : [condition]);
  }

  #up(id: string): void {
    this.#steps = new Map([...this.#steps, [id, (this.#steps.get(id) ?? []).slice(0, -1)]]);
    this.#chosen = new Map([...this.#chosen].filter(([of]) => of !== id));
    this.requestUpdate();
    this.ask([id]);
    this.narrow(id, []);
  }

  #settle(): void {
    if (this.#isRendered) return;
    const items = this.defined();
    const isSettled = ({ id }: Item): boolean => {
      const kind = this.answers.get(id)?.kind;
      return this.#drawn.has(id) || kind === 'nothing' || kind === 'failed';
    };
    if (items.length === 0 || !items.every(isSettled)) return;
    this.#isRendered = true;
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
      case 'mark':
        return this.#marked(detail);
      case 'filter':
        return this.narrow(detail.id, detail.condition === null ? [] : [detail.condition]);
      case 'up':
        return this.#up(detail.id);
      case 'retry':
        return this.refresh(detail.id);
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
      .answer=${this.answers.get(item.id) ?? loading}
      .scene=${scene}
      .sheets=${this.appearance.sheets}
      .chosen=${this.#chosen.get(item.id) ?? null}
      .path=${this.#steps.get(item.id) ?? noSteps}
      .start=${this.#starts.get(item.id)?.chosen ?? emptySelection}
      @inlay-card=${this.#listen}
    ></inlay-card>`;
  }
}
