import { Failure } from '@inlay/client/transport';
import {
  inLanguage,
  isOfOneItem,
  listIn,
  objectOr,
  readFilterGroups,
  readItem,
  tabsOf,
  viewFor,
  type Feature,
  type Item,
  type ItemType,
  type JsonObject,
  type ScreenMode,
} from '@inlay/contract';
import { apply, filled, type Change } from '@inlay/contract/change';
import { InlayDashboard, type Appearance } from '@inlay/embed';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import {
  arrangement,
  copiesOf,
  detachment,
  flaggedIds,
  isDerivedView,
  itemMember,
  newItem,
  removal,
  sourceOf,
  type ItemFlag,
} from '../edit/changes/view-items.ts';
import { clipOf, itemsInClip, pasting } from '../edit/changes/clip.ts';
import { sizeOf } from '../edit/changes/slots.ts';
import type { EditSession } from '../edit/edit-session.ts';
import { newId } from '../edit/new-id.ts';
import { heightOf, samePosition, type Area, type Layout, type Position } from '../layout/area.ts';
import { aligned, edges, firstFree, moved, placedAt, resized, type Alignment, type Edge } from '../layout/arrange.ts';
import { compacted } from '../layout/push.ts';
import { TextsController } from '../words/texts-controller.ts';
import type { StudioWords } from '../words/languages/en.ts';
import { studioTexts } from '../words/words.ts';
import { followPointer, nearestIn, stepOf, type CellSize } from './gesture.ts';
import { rowKeysIn, ShownContents, StoredItems } from './shown-contents.ts';
import { gridStyles } from './styles.ts';
import { layoutOf } from './view-layout.ts';

/** What people may do: nothing, arrange and restyle items, or everything. */
export const editModes = ['view', 'limited', 'full'] as const;
export type EditMode = (typeof editModes)[number];

/** An item that is being moved with the keyboard: the layout before, and as it is now. */
interface Lift {
  readonly id: string;
  readonly start: Layout;
  readonly layout: Layout;
}

/**
 * `<inlay-grid>`: a view of a dashboard whose items can be moved, resized and selected by mouse, touch and keyboard.
 * Shows the contents of `session`, and carries out every edit on it. Sends `selectionchanged` and `announced`.
 */
export class InlayGrid extends InlayDashboard {
  static override properties: PropertyDeclarations = {
    ...InlayDashboard.properties,
    session: { attribute: false },
    editMode: {},
    selection: { state: true },
    lift: { state: true },
    spoken: { state: true },
  };
  static override styles = css`
    ${InlayDashboard.styles}
    ${gridStyles}
  `;

  /** The dashboard that is edited; null while it loads. */
  declare session: EditSession | null;
  /** `view`, `limited` or `full`. */
  declare editMode: string;
  /** Ids of the selected items, the first selected one first. */
  declare protected selection: ReadonlySet<string>;
  declare protected lift: Lift | null;
  /** What the live region says. */
  declare protected spoken: string;

  readonly #texts = new TextsController(this, studioTexts);
  #shown: ShownContents | null = null;
  #storedItems: StoredItems | null = null;
  #shownKeys: ReadonlyMap<string, string> = new Map();
  #rowKeys = new Map<string, string>();
  #isFilling = false;
  #originals: ReadonlyMap<string, string> = new Map();
  #followed: EditSession | null = null;

  constructor() {
    super();
    this.session = null;
    this.editMode = 'full';
    this.selection = new Set();
    this.lift = null;
    this.spoken = '';
    this.addEventListener('copy', this.#copy);
    this.addEventListener('paste', this.#paste);
  }

  get words(): StudioWords {
    return this.#texts.in(this.board.viewer.locale);
  }

  /** What the page offers, as far as the service allows it. */
  get mode(): EditMode {
    const { may } = this.board.viewer.appearance;
    const allowed = may('edit_full') ? 'full' : may('edit_limited') ? 'limited' : 'view';
    const offered = editModes.find((mode) => mode === this.editMode) ?? 'view';
    return editModes.find((mode) => mode === offered || mode === allowed) ?? 'view';
  }

  /** True if the service allows something here, or would if the organization switched it on. */
  mayEver(feature: Feature): boolean {
    const { may } = this.board.viewer.appearance;
    return may(feature) || may(`!${feature}`);
  }

  /** The screen mode that is shown. */
  get shownMode(): ScreenMode {
    return this.board.model.screen;
  }

  /** The language in which the view is shown. */
  get shownLocale(): string {
    return this.board.viewer.locale;
  }

  /** The time zone in which the view is shown. */
  get shownTimeZone(): string {
    return this.board.timeZone;
  }

  /** Ids of the selected items. */
  get selectedIds(): readonly string[] {
    return [...this.selection];
  }

  /** The items of the view, at their positions. */
  get items(): readonly Item[] {
    return this.view?.items ?? [];
  }

  /** Copies the selected items to the clipboard, as JSON. */
  readonly #copy = (event: ClipboardEvent): void => {
    const { session, selection } = this;
    if (session === null || this.mode === 'view' || selection.size === 0) return;
    event.clipboardData?.setData('text/plain', clipOf(session.model, this.shownMode, selection));
    event.preventDefault();
    this.announce(filled(this.words.copied, { name: [...selection].map((id) => this.nameOf(id)).join(', ') }));
  };

  /** Adds the items in the clipboard, of this dashboard or another one, where there is room. */
  readonly #paste = (event: ClipboardEvent): void => {
    const [{ session }, layout] = [this, this.#layout()];
    const texts = itemsInClip(event.clipboardData?.getData('text/plain') ?? '');
    if (session === null || layout === null || this.mode !== 'full' || texts === null) return;
    event.preventDefault();
    let rest = layout;
    const items = texts.map((text) => {
      const { sizeX, sizeY } = readItem(JSON.parse(text))?.position ?? sizeOf('');
      const [id, position] = [newId(), firstFree(rest, { sizeX, sizeY })];
      rest = { ...rest, areas: [...rest.areas, { ...position, id, isLocked: false }] };
      return { text, id, position };
    });
    const own = detachment(session.model, this.shownMode, layout.areas);
    this.#edit([...own, ...pasting(apply(session.model, own), this.shownMode, items)]);
    this.select(items.map(({ id }) => id));
    this.announce(filled(this.words.selected, { n: String(items.length) }));
  };

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changedProperties);
    if (changedProperties.has('session')) this.#attach();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#followed?.removeEventListener('change', this.#follow);
    this.#followed = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#attach();
  }

  #attach(): void {
    this.#followed?.removeEventListener('change', this.#follow);
    this.#followed = this.session;
    this.#followed?.addEventListener('change', this.#follow);
    this.#shown = null;
    this.#originals = new Map();
    this.#follow();
  }

  protected override async load(): Promise<void> {
    this.#shown = null;
    await super.load();
    this.#dress(this.board.viewer.appearance);
    this.#follow();
  }

  /** Shows what the service fills in for the contents that are stored now. */
  async restock(): Promise<void> {
    const { viewer } = this.board;
    const appearance = await viewer.load(this.dashboardId, this.dashboardSlug);
    this.#shown = null;
    this.#dress(appearance);
    this.#follow();
  }

  protected override fit(): void {
    const screen = this.shownMode;
    super.fit();
    if (this.shownMode !== screen) this.#follow();
  }

  /** Shows items with the ids by which the service knows their rows, also in another view. */
  #dress(appearance: Appearance): void {
    this.board.viewer.appearance = {
      ...appearance,
      permitted: (items, options) =>
        appearance.permitted(items, options).map((item) => {
          const key = this.#shownKeys.get(item.id);
          const storedId = key === undefined ? undefined : this.#storedItems?.idOf(item.id, key, this.#originals);
          return storedId === undefined ? item : { ...item, storedId };
        }),
    };
  }

  /** Shows the contents of the session. Only the rows of items that show others now are requested. */
  readonly #follow = (): void => {
    const { session, board } = this;
    if (session === null || board.viewer.appearance.id !== session.id) return;
    const { model, start } = session;
    if (this.#shown === null) {
      const { contents: shown } = board.viewer.appearance;
      [this.#shown, this.#storedItems] = [new ShownContents(start, shown, false), new StoredItems(start, shown)];
    }
    const contents = this.#shown.contents(model, this.#originals);
    this.definition = contents;
    this.view = viewFor(contents, this.shownMode, true);
    const { options } = this.view;
    const views = listIn(contents, 'views').map(objectOr);
    const shownFirst = sourceOf(model, this.shownMode)?.id ?? '';
    // Items of several views have one id; those of the view that is shown count.
    this.#shownKeys = new Map(
      views
        .toSorted(
          (left, right) => Number(left['screenModus'] === shownFirst) - Number(right['screenModus'] === shownFirst),
        )
        .flatMap((view) => [...rowKeysIn(view)]),
    );
    const items = board.viewer.appearance.permitted(this.view.items, options);
    const rowKeys = new Map(this.#shownKeys);
    const previousKeys = this.#rowKeys;
    this.#rowKeys = rowKeys;
    board.model = { ...board.model, items, options, contents };
    board.sets = [
      ...board.sets.filter((set) => set.origin !== 'global' && !isOfOneItem(set)),
      ...readFilterGroups(this.view.filterGroups),
    ];
    board.invalidate();
    const isFilled = this.#shown.covers(model, this.#originals);
    const changedIds = items.flatMap(({ id }) => (previousKeys.get(id) === rowKeys.get(id) ? [] : [id]));
    if (isFilled && changedIds.length > 0 && previousKeys.size > 0) board.ask(changedIds);
    if (!isFilled) {
      // What is not filled in yet has no rows to compare with.
      for (const id of changedIds) this.#rowKeys.set(id, '');
      void this.#fill(session);
    }
    const known = new Set(this.items.map(({ id }) => id));
    if ([...this.selection].some((id) => !known.has(id)))
      this.select([...this.selection].filter((id) => known.has(id)));
  };

  /** Lets the service fill in the contents as they are now; one request at a time. */
  async #fill(session: EditSession): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    const { model } = session;
    try {
      const shown = await session.shownContents(model);
      if (this.session === session) this.#shown = new ShownContents(model, shown, true);
      this.#isFilling = false;
      if (this.session === session) this.#follow();
    } catch (error) {
      this.#isFilling = false;
      if (!(error instanceof Failure)) throw error;
      this.board.viewer.fail(null, error);
    }
  }

  /** Returns the name of an item for people. */
  nameOf(id: string): string {
    const item = this.items.find((one) => one.id === id);
    return inLanguage(item?.title, this.board.viewer.locale) || this.words.item;
  }

  /** Selects items. */
  select(ids: readonly string[]): void {
    this.selection = new Set(ids);
    this.dispatchEvent(
      new CustomEvent('selectionchanged', { detail: { ids: [...ids] }, bubbles: true, composed: true }),
    );
  }

  /** Says something to people who do not see the page. */
  announce(text: string): void {
    // A region that has the same text again is not read out.
    this.spoken = this.spoken === text ? `${text}\u00a0` : text;
  }

  #flagged(flag: ItemFlag): ReadonlySet<string> {
    return this.session === null ? new Set() : flaggedIds(this.session.model, this.shownMode, flag);
  }

  /** True if all selected items have a mark. */
  hasSelected(flag: ItemFlag): boolean {
    const ids = this.#flagged(flag);
    return this.selection.size > 0 && [...this.selection].every((id) => ids.has(id));
  }

  /** Hides or locks the selected items, or ends that if all of them are. Tabs are hidden with the items on them. */
  toggleSelected(flag: ItemFlag): void {
    const { session, shownMode } = this;
    if (session === null || this.mode === 'view') return;
    const value = this.hasSelected(flag) ? undefined : true;
    const ids = new Set(this.selection);
    if (flag === 'hidden')
      // A set goes on to what is added while it is read, so tabs within tabs are found too.
      for (const id of ids)
        for (const item of this.items)
          if (item.id === id) for (const tab of tabsOf(item)) for (const inner of tab.items) ids.add(inner);
    this.#edit([...ids].flatMap((id) => itemMember(session.model, shownMode, id, [flag], value)));
  }

  #layout(): Layout | null {
    return this.view === null ? null : layoutOf(this.view, this.#flagged('locked'));
  }

  /** Carries out a change, keeps the focus and the selection. */
  #edit(change: Change): void {
    this.session?.edit(change);
  }

  #arrange(arranged: (layout: Layout) => Layout): void {
    const [layout, { session }] = [this.#layout(), this];
    if (layout === null || session === null || this.mode === 'view') return;
    this.#edit(arrangement(session.model, this.shownMode, layout.areas, arranged(layout).areas));
  }

  /** Gives an item a position, as near as the grid allows. */
  place(id: string, position: Position): void {
    this.#arrange((layout) => placedAt(layout, id, position));
  }

  /** Aligns the selected items. */
  alignSelected(alignment: Alignment): void {
    this.#arrange((layout) => aligned(layout, this.selection, alignment));
  }

  /** Moves all items up as far as they go. */
  compact(): void {
    this.#arrange(compacted);
  }

  /** Removes the selected items. */
  removeSelected(): void {
    const { session, selection } = this;
    if (session === null || this.mode !== 'full' || selection.size === 0) return;
    const [lockedId] = [...this.#flagged('locked')].filter((id) => selection.has(id));
    if (lockedId !== undefined) return this.#refuse(lockedId);
    const [name] = [...selection].map((id) => this.nameOf(id));
    const layout = this.#layout();
    const [firstId = ''] = selection;
    const rest = layout?.areas.filter(({ id }) => !selection.has(id) || id === firstId) ?? [];
    const next = layout === null ? null : this.#neighbour({ ...layout, areas: rest }, firstId);
    this.#edit(removal(session.model, this.shownMode, selection));
    this.select([]);
    this.announce(filled(this.words.removed, { name: name ?? '' }));
    if (next !== null) void this.#focusLater(next);
  }

  /** Says that an item is locked. */
  #refuse(id: string): void {
    this.announce(filled(this.words.staysLocked, { name: this.nameOf(id) }));
  }

  #neighbour(layout: Layout, id: string): string | null {
    const directions = [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ] as const;
    return directions.map((step) => nearestIn(layout, id, step)).find((found) => found !== null) ?? null;
  }

  /** Adds an item of a type, selects it and moves the focus to it. */
  add(type: ItemType): void {
    const [{ session }, layout] = [this, this.#layout()];
    if (session === null || layout === null || this.mode !== 'full') return;
    const id = newId();
    const own = detachment(session.model, this.shownMode, layout.areas);
    const position = firstFree(layout, sizeOf(type));
    this.#edit([...own, ...newItem(apply(session.model, own), this.shownMode, { id, type, position })]);
    this.select([id]);
    void this.#focusLater(id);
  }

  /** Adds copies of the selected items, and selects them. */
  duplicateSelected(): void {
    const [{ session, selection }, layout] = [this, this.#layout()];
    if (session === null || layout === null || this.mode !== 'full' || selection.size === 0) return;
    let rest = layout;
    const places = layout.areas
      .filter(({ id }) => selection.has(id))
      .map((area): Area => {
        const position = firstFree(rest, area, area.row);
        rest = { ...rest, areas: [...rest.areas, { ...area, ...position, id: `copy of ${area.id}` }] };
        return { ...area, ...position };
      });
    const own = detachment(session.model, this.shownMode, layout.areas);
    const { change, originals } = copiesOf(apply(session.model, own), this.shownMode, places, newId);
    this.#originals = new Map([...this.#originals, ...originals]);
    this.#edit([...own, ...change]);
    this.select([...originals.keys()]);
    this.announce(filled(this.words.copied, { name: [...selection].map((id) => this.nameOf(id)).join(', ') }));
  }

  /** Moves the focus to an item. */
  focusItem(id: string): void {
    this.#frame(id)?.querySelector('button')?.focus();
  }

  async #focusLater(id: string): Promise<void> {
    await this.updateComplete;
    this.focusItem(id);
  }

  #frame(id: string): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`.frame[data-id="${CSS.escape(id)}"]`);
  }

  #cell(): CellSize | null {
    const grid = this.renderRoot.querySelector('.grid');
    if (grid === null || this.view === null) return null;
    const direction = this.dir === 'rtl' ? -1 : 1;
    return { widthPx: grid.clientWidth / this.view.columns, heightPx: this.view.rowPx, direction };
  }

  /** Shows a layout without drawing the items again. */
  #preview({ areas }: Layout): void {
    const grid = this.renderRoot.querySelector<HTMLElement>('.grid');
    if (grid === null || this.view === null) return;
    for (const { id, col, row, sizeX, sizeY } of areas) {
      const wrapper = this.#frame(id)?.parentElement;
      if (wrapper === null || wrapper === undefined) continue;
      wrapper.style.gridColumn = `${col + 1} / span ${sizeX}`;
      wrapper.style.gridRow = `${row + 1} / span ${sizeY}`;
    }
    grid.style.gridTemplateRows = `repeat(${heightOf(areas)}, ${this.view.rowPx}px)`;
  }

  #press(event: PointerEvent, id: string, edge: Edge | null): void {
    const [layout, cell] = [this.#layout(), this.#cell()];
    if (event.button !== 0 || layout === null || cell === null || this.lift !== null) return;
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const isAdding = event.shiftKey || event.ctrlKey || event.metaKey;
    if (edge === null && !this.selection.has(id)) this.select(isAdding ? [...this.selection, id] : [id]);
    else if (edge === null && isAdding) return this.select([...this.selection].filter((one) => one !== id));
    // A finger scrolls the page until the item is selected.
    const ids = this.selection.has(id) ? this.selection : new Set([id]);
    let current = layout;
    const frame = this.#frame(id);
    frame?.toggleAttribute('data-lifted', true);
    const put = (): void => {
      frame?.toggleAttribute('data-lifted', false);
    };
    followPointer(event, event.currentTarget, {
      edge,
      cell,
      preview: (byColumns, byRows) => {
        current = edge === null ? moved(layout, ids, byColumns, byRows) : resized(layout, id, edge, byColumns, byRows);
        this.#preview(current);
      },
      end: (isDrag) => {
        put();
        if (isDrag) this.#drop(layout, current, id);
        else if (edge === null && !isAdding) this.select([id]);
      },
      cancel: () => {
        put();
        this.#preview(layout);
        this.announce(filled(this.words.putBack, { name: this.nameOf(id) }));
      },
    });
  }

  #drop(before: Layout, after: Layout, id: string): void {
    const { session } = this;
    const change = session === null ? [] : arrangement(session.model, this.shownMode, before.areas, after.areas);
    if (change.length > 0) this.#edit(change);
    else this.#preview(before);
    this.announce(this.#placeText(this.words.dropped, id, after));
  }

  #placeText(text: string, id: string, { areas }: Layout): string {
    const area = areas.find((one) => one.id === id);
    const number = new Intl.NumberFormat(this.board.viewer.locale);
    return filled(text, {
      name: this.nameOf(id),
      column: number.format((area?.col ?? 0) + 1),
      row: number.format((area?.row ?? 0) + 1),
      width: number.format(area?.sizeX ?? 0),
      height: number.format(area?.sizeY ?? 0),
    });
  }

  #lift(id: string): void {
    const layout = this.#layout();
    if (layout === null) return;
    if (!this.selection.has(id)) this.select([id]);
    if (this.#flagged('locked').has(id)) return this.#refuse(id);
    this.lift = { id, start: layout, layout };
    this.announce(filled(this.words.lifted, { name: this.nameOf(id) }));
  }

  /** Puts down what was picked up with the keyboard. */
  #putDown(isKept: boolean): void {
    const { lift } = this;
    if (lift === null) return;
    this.lift = null;
    if (isKept) return this.#drop(lift.start, lift.layout, lift.id);
    this.#preview(lift.start);
    this.announce(filled(this.words.putBack, { name: this.nameOf(lift.id) }));
  }

  #shift(lift: Lift, isResize: boolean, [columns, rows]: readonly [number, number]): void {
    const { id, layout, start } = lift;
    const areaIn = ({ areas }: Layout): Area | undefined => areas.find((area) => area.id === id);
    const [own, from] = [areaIn(layout), areaIn(start)];
    if (own === undefined || from === undefined) return;
    // From the start on, so that items which had made room go back.
    const next = isResize
      ? placedAt(start, id, { ...own, sizeX: Math.max(1, own.sizeX + columns), sizeY: Math.max(1, own.sizeY + rows) })
      : samePosition({ ...own, col: 0, row: 0 }, { ...from, col: 0, row: 0 })
        ? moved(start, this.selection, own.col + columns - from.col, own.row + rows - from.row)
        : placedAt(start, id, { ...own, col: own.col + columns, row: own.row + rows });
    this.lift = { ...lift, layout: next };
    this.#preview(next);
    this.announce(this.#placeText(this.words.place, id, next));
  }

  #keyed(event: KeyboardEvent, id: string): void {
    const { key } = event;
    const step = stepOf(key, this.dir === 'rtl' ? -1 : 1);
    const isCommand = event.ctrlKey || event.metaKey;
    const { lift } = this;
    const act = (run: () => void): void => {
      event.preventDefault();
      event.stopPropagation();
      run();
    };
    if (step !== null && lift !== null) return act(() => this.#shift(lift, event.shiftKey, step));
    if (step !== null && !isCommand) {
      const layout = this.#layout();
      const next = layout === null ? null : nearestIn(layout, id, step);
      return act(() => next !== null && this.focusItem(next));
    }
    if (key === 'Enter') return act(() => (lift === null ? this.#lift(id) : this.#putDown(true)));
    if (key === 'Escape' && lift !== null) return act(() => this.#putDown(false));
    if (key === 'Escape' && this.selection.size > 0) return act(() => this.select([]));
    if (key === ' ' && lift === null) return act(() => this.#toggle(id));
    if (key === ' ') return act(() => this.#putDown(true));
    if (lift !== null) return;
    if (isCommand && key.toLowerCase() === 'a') return act(() => this.#selectAll());
    if (this.mode !== 'full') return;
    if (isCommand && key.toLowerCase() === 'd')
      return act(() => this.#withSelected(id, () => this.duplicateSelected()));
    if (key === 'Delete' || key === 'Backspace') act(() => this.#withSelected(id, () => this.removeSelected()));
  }

  #withSelected(id: string, run: () => void): void {
    if (!this.selection.has(id)) this.select([id]);
    run();
  }

  #selectAll(): void {
    this.select(this.items.map((item) => item.id));
    this.announce(filled(this.words.selected, { n: String(this.selection.size) }));
  }

  #toggle(id: string): void {
    this.select(this.selection.has(id) ? [...this.selection].filter((one) => one !== id) : [...this.selection, id]);
    this.announce(filled(this.words.selected, { n: String(this.selection.size) }));
  }

  protected override framed(item: Item, card: TemplateResult): TemplateResult {
    if (this.mode === 'view' || this.session === null) return card;
    const { id } = item;
    const isSelected = this.selection.has(id);
    const { words } = this;
    const [isHidden, isLocked] = [this.#flagged('hidden').has(id), this.#flagged('locked').has(id)];
    const flags = [...(isHidden ? [words.isHidden] : []), ...(isLocked ? [words.isLocked] : [])];
    // Tabs stay usable, so that people reach the items on each of them.
    const isTabs = item.type === 'tabs';
    const layout = this.lift?.layout ?? this.#layout();
    const place = layout === null ? this.nameOf(id) : this.#placeText(words.place, id, layout);
    const label = [place, ...flags].join(', ');
    return html`<div class="content" ?inert=${!isTabs} ?data-hidden=${isHidden}>${card}</div>
      <div
        class="frame"
        data-id=${id}
        ?data-selected=${isSelected}
        ?data-lifted=${this.lift?.id === id}
        ?data-grip=${isTabs}
        ?data-hidden=${isHidden}
        ?data-locked=${isLocked}
      >
        <button
          type="button"
          class="body"
          aria-label=${label}
          aria-pressed=${isSelected}
          aria-describedby="help"
          @pointerdown=${(event: PointerEvent) => this.#press(event, id, null)}
          @keydown=${(event: KeyboardEvent) => this.#keyed(event, id)}
          @blur=${() => this.#putDown(true)}
        ></button>
        ${flags.length === 0 ? nothing : html`<span class="flags" aria-hidden="true">${flags.join(' · ')}</span>`}
        ${
          isSelected && !isLocked
            ? edges.map(
                (edge) =>
                  html`<span
                    class="handle"
                    data-edge=${edge}
                    @pointerdown=${(event: PointerEvent) => this.#press(event, id, edge)}
                  ></span>`,
              )
            : nothing
        }
      </div>`;
  }

  override render(): TemplateResult {
    return html`${super.render()}
      <span id="help" class="unseen">${this.words.help}</span>
      <span class="unseen" role="status" aria-live="polite">${this.spoken}</span>`;
  }

  /** True if the view follows another one. */
  get isDerived(): boolean {
    return this.session !== null && isDerivedView(this.session.model, this.shownMode);
  }

  /** The contents that are shown, filled in by the service; null while there are none. */
  get shownContents(): JsonObject | null {
    return this.definition;
  }

  /** Id of the view that has the items which are shown; null if there are none. */
  get sourceMode(): string | null {
    return this.session === null ? null : (sourceOf(this.session.model, this.shownMode)?.id ?? null);
  }
}
