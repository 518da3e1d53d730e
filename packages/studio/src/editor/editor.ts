import { inLanguage, isObject, itemTypes, screenModes, type Json, type ScreenMode } from '@inlay/contract';
import { ChangeError, filled, type Change } from '@inlay/contract/change';
import { Failure, type Credential } from '@inlay/client/transport';
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { derivation, itemMember, itemPart, storedTitle, type ItemFlag } from '../edit/changes/view-items.ts';
import { Catalogue } from '../data/catalogue.ts';
import type { DraftState } from '../edit/drafts/draft-keeper.ts';
import type { PageAccess } from '../edit/page-access.ts';
import { EditSession, type ConflictChoice, type EditConflict, type SaveOutcome } from '../edit/edit-session.ts';
import { InlayGrid, type EditMode } from '../grid/grid.ts';
import type { Position } from '../layout/area.ts';
import { alignments, type Alignment } from '../layout/arrange.ts';
import { itemWordsFor } from '../words/item-words.ts';
import { TextsController } from '../words/texts-controller.ts';
import type { StudioWords } from '../words/languages/en.ts';
import { studioTexts } from '../words/words.ts';
import type { Panel } from '../panels/panel.ts';
import { failureText } from '../panels/problem.ts';
import type { InlayEditorEvents } from './events.ts';
import { editorParts, loadPart, type EditorPart } from './parts.ts';
import { editorStyles } from './styles.ts';

/** Width of the element below which the panel stands under the dashboard, in pixels. */
const narrowPx = 900;

/** Widths at which views other than that of the desktop are shown, in pixels. */
const previewWidths: Readonly<Partial<Record<ScreenMode, number>>> = { tablet: 768, mobile: 390 };

const alignmentWords = {
  left: 'left',
  center: 'center',
  right: 'right',
  top: 'top',
  middle: 'middle',
  bottom: 'bottom',
  width: 'sameWidth',
  height: 'sameHeight',
} as const satisfies Readonly<Record<Alignment, keyof StudioWords>>;

const flagWords = { hidden: 'hide', locked: 'lock' } as const satisfies Readonly<Record<ItemFlag, keyof StudioWords>>;

/** What the toolbar says of edits that are not saved. */
const draftWords = {
  none: 'unsaved',
  waiting: 'unsaved',
  kept: 'draftKept',
  failed: 'draftFailed',
  elsewhere: 'draftElsewhere',
  refused: 'unsaved',
} as const satisfies Readonly<Record<DraftState, keyof StudioWords>>;

const positionFields = [
  { member: 'col', word: 'column', from: 1 },
  { member: 'row', word: 'row', from: 1 },
  { member: 'sizeX', word: 'width', from: 0 },
  { member: 'sizeY', word: 'height', from: 0 },
] as const satisfies readonly { member: keyof Position; word: keyof StudioWords; from: number }[];

/** `<inlay-editor>`: people arrange and change a stored dashboard in any page, and save it. */
export class InlayEditor extends LitElement {
  static override properties: PropertyDeclarations = {
    dashboardId: { attribute: 'dashboard-id' },
    editMode: { attribute: 'edit-mode' },
    apiHost: { attribute: 'api-host' },
    authKey: { attribute: 'auth-key' },
    authToken: { attribute: 'auth-token' },
    getToken: { attribute: false },
    locale: {},
    timezone: {},
    theme: { attribute: false },
    withoutToolbar: { attribute: 'without-toolbar', type: Boolean },
    session: { state: true },
    catalogue: { state: true },
    screen: { state: true },
    selectedIds: { state: true },
    message: { state: true },
    conflicts: { state: true },
    unfolded: { state: true },
  };
  static override styles = editorStyles;

  /** Id of the dashboard to edit. */
  declare dashboardId: string;
  /** `view`, `limited` (arrange and restyle) or `full`. The service refuses what the token does not allow. */
  declare editMode: string;
  /** Base URL of the service; defaults to the origin of the page. */
  declare apiHost: string;
  /** Key of a credential. */
  declare authKey: string;
  /** Token that belongs to the key. */
  declare authToken: string;
  /** Called for a new `{key, token}` if there is none yet or the old one has expired. */
  declare getToken: (() => Promise<Credential>) | null;
  /** Language of the person who edits, such as `fr`; defaults to that of the token, then of the page. */
  declare locale: string;
  /** IANA time zone; defaults to that of the token, then of the dashboard. */
  declare timezone: string;
  /** A theme object, or the id of a built-in theme; overrides all other themes. */
  declare theme: Json;
  /** Hides the toolbar, for pages with buttons of their own. */
  declare withoutToolbar: boolean;
  declare protected session: EditSession | null;
  declare protected catalogue: Catalogue | null;
  declare protected screen: ScreenMode;
  declare protected selectedIds: readonly string[];
  declare protected message: { readonly text: string; readonly isProblem: boolean } | null;
  declare protected conflicts: readonly EditConflict[];
  /** Names of the parts that are unfolded. */
  declare protected unfolded: readonly string[];

  readonly #texts = new TextsController(this, studioTexts);
  #observer: ResizeObserver | null = null;
  #loads = 0;
  #credentialId = '';
  readonly #panels = new Map<string, Panel>();
  readonly #loading = new Set<string>();

  constructor() {
    super();
    this.dashboardId = '';
    this.editMode = 'full';
    this.apiHost = '';
    this.authKey = '';
    this.authToken = '';
    this.getToken = null;
    this.locale = '';
    this.timezone = '';
    this.theme = null;
    this.withoutToolbar = false;
    this.session = null;
    this.catalogue = null;
    this.screen = 'desktop';
    this.selectedIds = [];
    this.message = null;
    this.conflicts = [];
    this.unfolded = Object.entries(editorParts).flatMap(([name, { isOpen }]) => (isOpen ? [name] : []));
    this.addEventListener('keydown', (event) => this.#keyed(event));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver(() => this.toggleAttribute('narrow', this.clientWidth < narrowPx));
    this.#observer.observe(this);
    window.addEventListener('beforeunload', this.#leave);
    document.addEventListener('visibilitychange', this.#hide);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    window.removeEventListener('beforeunload', this.#leave);
    document.removeEventListener('visibilitychange', this.#hide);
    void this.session?.close();
  }

  override firstUpdated(): void {
    // Themes that are not loaded yet reach the grid later than the attribute that names them.
    const observer = new MutationObserver(() => this.#adopt());
    if (this.#grid !== null) observer.observe(this.#grid, { attributeFilter: ['style', 'dir', 'lang'] });
  }

  override updated(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    const has = (...names: readonly string[]): boolean => names.some((name) => changedProperties.has(name));
    const { session } = this;
    const isOther = session === null || has('dashboardId', 'apiHost');
    // A page renews credentials while people edit.
    if (has('dashboardId', 'apiHost', 'authKey', 'authToken', 'getToken') && this.dashboardId !== '') {
      if (isOther) void this.#open();
      else this.#renew(session);
    }
  }

  get #grid(): InlayGrid | null {
    const grid = this.renderRoot.querySelector('inlay-grid');
    return grid instanceof InlayGrid ? grid : null;
  }

  /** What people may do here: what the page offers, as far as the service allows it. */
  get #mode(): EditMode {
    return this.#grid?.mode ?? 'view';
  }

  get #locale(): string {
    return this.locale || this.#grid?.shownLocale || document.documentElement.lang || navigator.language || 'en';
  }

  get #words(): StudioWords {
    return this.#texts.in(this.#locale);
  }

  /** True if there are changes that are not saved. */
  get isChanged(): boolean {
    return this.session?.isChanged === true;
  }

  /** The contents as they are now; null while they load. */
  get contents(): Json {
    return this.session?.model.contents ?? null;
  }

  /** Labels of the steps that can be undone, the oldest first. */
  get steps(): readonly string[] {
    return this.session?.done.map(({ label }) => label) ?? [];
  }

  /** Takes the last step back. */
  undo(): void {
    this.#travel('undone', () => this.session?.undo() ?? null);
  }

  /** Does the step again that was undone last. */
  redo(): void {
    this.#travel('redone', () => this.session?.redo() ?? null);
  }

  #travel(word: 'undone' | 'redone', run: () => { readonly label: string } | null): void {
    const steps = word === 'undone' ? this.session?.done : this.session?.undone;
    const label = steps?.at(-1)?.label ?? '';
    try {
      const step = run();
      if (step !== null) this.#grid?.announce(filled(this.#words[word], { step: step.label }));
    } catch (error) {
      if (!(error instanceof ChangeError)) throw error;
      this.message = { text: filled(this.#words.lost, { step: label }), isProblem: true };
      this.requestUpdate();
    }
  }

  /** Selects items by their ids. */
  select(ids: readonly string[]): void {
    this.#grid?.select(ids);
  }

  /** Saves the contents. Resolves to true if they are saved. */
  async save(): Promise<boolean> {
    return this.#save((session) => session.save());
  }

  /** Discards all changes since the last save. */
  async discard(): Promise<void> {
    const { session } = this;
    if (session === null) return;
    try {
      await session.reload();
      this.conflicts = [];
      this.message = null;
    } catch (error) {
      return this.#fail(error, null);
    }
    await this.#restock();
  }

  /** Shows what the service says about the contents that are stored now. */
  async #restock(): Promise<void> {
    try {
      await this.#grid?.restock();
    } catch (error) {
      this.#fail(error, null);
    }
  }

  #renew(session: EditSession): void {
    session.access = this.#access();
    this.catalogue = new Catalogue(session.transport, () => this.#credentialId);
  }

  #access(): PageAccess {
    const { apiHost, authKey, authToken, getToken } = this;
    this.#credentialId = authKey;
    const noted = async (): Promise<Credential> => {
      const credential = await (getToken?.() ?? Promise.reject(new TypeError('there is no getToken')));
      this.#credentialId = credential.key;
      return credential;
    };
    return { apiHost, authKey, authToken, getToken: getToken === null ? null : noted };
  }

  async #open(): Promise<void> {
    const load = (this.#loads += 1);
    void this.session?.close();
    this.session = null;
    this.selectedIds = [];
    this.conflicts = [];
    try {
      const session = await EditSession.open(this.#access(), this.dashboardId, () => this.#locale, {
        keepsDraft: this.editMode !== 'view',
        columnName: (columnId) => inLanguage(this.catalogue?.known(columnId)?.name ?? null, this.#locale),
      });
      if (load !== this.#loads) return;
      this.session = session;
      this.catalogue = new Catalogue(session.transport, () => this.#credentialId);
      this.message = this.#resumedMessage(session);
      session.addEventListener('change', () => {
        if (!session.hasConflicts) this.conflicts = [];
        this.requestUpdate();
        this.#tell('changed', { isChanged: session.isChanged });
      });
      this.#tell('opened', { id: session.id });
    } catch (error) {
      if (load === this.#loads) this.#fail(error, null);
    }
  }

  #resumedMessage({ resumed }: EditSession): typeof this.message {
    if (resumed === null) return null;
    const { draftShown, draftMerged, draftConflicts } = this.#words;
    const time = new Intl.DateTimeFormat(this.#locale, { dateStyle: 'medium', timeStyle: 'short' });
    const changedAt = new Date(resumed.changedAt);
    const shown = filled(draftShown, { time: Number.isNaN(changedAt.getTime()) ? '' : time.format(changedAt) });
    const more = resumed.conflicts
      ? [draftConflicts]
      : resumed.theirs === null
        ? []
        : [filled(draftMerged, { step: resumed.theirs })];
    return { text: [shown, ...more].join(' '), isProblem: false };
  }

  async #save(run: (session: EditSession) => Promise<SaveOutcome>): Promise<boolean> {
    const { session } = this;
    if (session === null || session.isSaving) return false;
    if (!this.#tell('beforesave', { contents: session.model.contents })) return false;
    try {
      const outcome = await run(session);
      this.conflicts = outcome.kind === 'conflicts' ? outcome.conflicts : [];
      if (outcome.kind === 'conflicts') return false;
      this.message =
        outcome.kind === 'merged'
          ? { text: filled(this.#words.merged, { step: outcome.theirs }), isProblem: false }
          : null;
      this.#grid?.announce(this.#words.saved);
      this.#tell('saved', { contents: session.model.contents });
    } catch (error) {
      this.#fail(error, this.#words.notSaved);
      return false;
    }
    await this.#restock();
    return true;
  }

  #fail(error: unknown, text: string | null): void {
    const words = this.#words;
    if (error instanceof ChangeError) {
      this.message = { text: filled(text ?? '{reason}', { reason: error.message }), isProblem: true };
      return;
    }
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint } = error;
    const reason = failureText(error, words);
    this.message = { text: text === null ? reason : filled(text, { reason }), isProblem: true };
    this.#tell('failed', { id: null, code, message, hint });
  }

  #tell<Name extends keyof InlayEditorEvents>(name: Name, detail: InlayEditorEvents[Name]): boolean {
    return this.dispatchEvent(
      new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: name === 'beforesave' }),
    );
  }

  readonly #leave = (event: BeforeUnloadEvent): void => {
    if (this.isChanged && this.session?.draftState !== 'kept') event.preventDefault();
  };

  /** A page in the background may end without any further event. */
  readonly #hide = (): void => {
    if (document.visibilityState === 'hidden') void this.session?.keepDraft();
  };

  #keyed(event: KeyboardEvent): void {
    const key = event.key.toLowerCase();
    if (!event.ctrlKey && !event.metaKey) return;
    const isText = event
      .composedPath()
      .some(
        (target) =>
          target instanceof HTMLTextAreaElement ||
          (target instanceof HTMLInputElement && ['text', 'search', 'number'].includes(target.type)),
      );
    const runs: Readonly<Record<string, () => void>> = {
      s: () => void this.save(),
      ...(isText ? {} : { z: () => (event.shiftKey ? this.redo() : this.undo()), y: () => this.redo() }),
    };
    const run = Object.hasOwn(runs, key) ? runs[key] : undefined;
    if (run === undefined) return;
    event.preventDefault();
    run();
  }

  #edit(change: Change): void {
    this.session?.edit(change);
  }

  #place(
    id: string,
    position: Position,
    input: HTMLInputElement,
    { member, from }: (typeof positionFields)[number],
  ): void {
    const value = Number(input.value);
    if (Number.isInteger(value)) this.#grid?.place(id, { ...position, [member]: value - from });
    // The grid may allow less than what was typed.
    const placed = this.#grid?.items.find((item) => item.id === id)?.position ?? position;
    input.value = String(placed[member] + from);
  }

  #retitle(id: string, text: string): void {
    const { session } = this;
    const part = session === null ? null : itemPart(session.model, this.screen, id);
    if (session === null || part === null) return;
    const title = storedTitle(part);
    const language = this.#locale.split('-')[0] ?? 'en';
    const changed = isObject(title) ? { ...title, [language]: text } : text;
    this.#edit(itemMember(session.model, this.screen, id, ['title'], changed));
  }

  #bar(): TemplateResult | typeof nothing {
    const { session } = this;
    const words = this.#words;
    if (this.withoutToolbar || session === null || !this.#texts.isReady(this.#locale)) return nothing;
    const [done, undone] = [session.done.at(-1), session.undone.at(-1)];
    const state = session.isSaving ? words.saving : session.isChanged ? words[draftWords[session.draftState]] : '';
    const step = (text: string, { label = '' } = {}): string => filled(text, { step: label });
    const edits =
      this.#mode === 'view'
        ? nothing
        : html`<div class="group">
              <button
                type="button"
                ?disabled=${done === undefined}
                title=${done === undefined ? words.undo : step(words.undoStep, done)}
                @click=${() => this.undo()}
              >
                ${words.undo}
              </button>
              <button
                type="button"
                ?disabled=${undone === undefined}
                title=${undone === undefined ? words.redo : step(words.redoStep, undone)}
                @click=${() => this.redo()}
              >
                ${words.redo}
              </button>
            </div>
            ${this.#mode === 'full' ? this.#adder() : nothing}
            <button type="button" @click=${() => this.#grid?.compact()}>${words.compact}</button>`;
    const saves =
      this.#mode === 'view'
        ? nothing
        : html`<button type="button" ?disabled=${!session.isChanged || session.isSaving} @click=${() => this.#ask()}>
              ${words.discard}
            </button>
            <button
              type="button"
              class="main"
              ?disabled=${!session.isChanged || session.isSaving}
              @click=${() => void this.save()}
            >
              ${words.save}
            </button>`;
    return html`<div class="bar" role="toolbar" aria-label=${words.editor}>
      ${edits}
      <div class="group" role="group" aria-label=${words.view}>
        ${screenModes.map(
          (mode) =>
            html`<button type="button" aria-pressed=${this.screen === mode} @click=${() => (this.screen = mode)}>
              ${words[mode]}
            </button>`,
        )}
      </div>
      <span class="wide" role="status">${state}</span>
      ${saves}
    </div>`;
  }

  #adder(): TemplateResult {
    const words = this.#words;
    const { types } = itemWordsFor(this.#locale);
    return html`<select
      aria-label=${words.newItem}
      @change=${({ target }: Event) => {
        if (!(target instanceof HTMLSelectElement)) return;
        const type = itemTypes.find((one) => one === target.value);
        target.value = '';
        if (type !== undefined) this.#grid?.add(type);
      }}
    >
      <option value="">${words.newItem} …</option>
      ${itemTypes.map((type) => html`<option value=${type}>${types[type]}</option>`)}
    </select>`;
  }

  #ask(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  #message(): TemplateResult | typeof nothing {
    const { message, conflicts } = this;
    const words = this.#words;
    if (conflicts.length > 0)
      return html`<form class="message" role="alertdialog" aria-labelledby="conflicts" @submit=${this.#resolve}>
        <h2 id="conflicts">${words.conflicts}</h2>
        <p>${words.conflictHelp}</p>
        ${conflicts.map(
          ({ ours, theirs }, index) =>
            html`<fieldset>
              ${(['ours', 'theirs'] as const).map(
                (choice) =>
                  html`<label class="choice"
                    ><input type="radio" name=${`choice-${index}`} value=${choice} required />${filled(words[choice], {
                      step: choice === 'ours' ? ours : theirs,
                    })}</label
                  >`,
              )}
            </fieldset>`,
        )}
        <button class="main">${words.save}</button>
      </form>`;
    return message === null
      ? nothing
      : html`<div class="message" role=${message.isProblem ? 'alert' : 'status'}><p>${message.text}</p></div>`;
  }

  readonly #resolve = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const data = new FormData(event.target);
    const choices = this.conflicts.map((_, index): ConflictChoice =>
      data.get(`choice-${index}`) === 'ours' ? 'ours' : 'theirs',
    );
    void this.#save((session) => session.resolve(choices));
  };

  #panel(): TemplateResult | typeof nothing {
    const { session, selectedIds } = this;
    const words = this.#words;
    const grid = this.#grid;
    if (session === null || this.#mode === 'view' || !this.#texts.isReady(this.#locale)) return nothing;
    const [id = ''] = selectedIds;
    const item = grid?.items.find((one) => one.id === id);
    const isFull = this.#mode === 'full';
    const flags = html`<div class="group">
      ${(['hidden', 'locked'] as const).map(
        (flag) =>
          html`<button
            type="button"
            aria-pressed=${grid?.hasSelected(flag) === true}
            @click=${() => grid?.toggleSelected(flag)}
          >
            ${words[flagWords[flag]]}
          </button>`,
      )}
    </div>`;
    const buttons = isFull
      ? html`${flags}
          <div class="group">
            <button type="button" @click=${() => grid?.duplicateSelected()}>${words.duplicate}</button>
            <button type="button" @click=${() => grid?.removeSelected()}>${words.remove}</button>
          </div>`
      : flags;
    const derived =
      grid?.isDerived === true
        ? html`<p>${words.derived}</p>`
        : this.screen !== 'desktop' && grid?.sourceMode === this.screen && isFull
          ? html`<button type="button" @click=${() => this.#edit(derivation(session.model, this.screen))}>
              ${words.derive}
            </button>`
          : nothing;
    if (item === undefined)
      return html`<aside class="panel">
        ${derived}
        <p>${words.nothingSelected}</p>
        ${this.#parts('dashboard')}
      </aside>`;
    if (selectedIds.length > 1)
      return html`<aside class="panel">
        ${derived}
        <h2>${filled(words.selected, { n: new Intl.NumberFormat(this.#locale).format(selectedIds.length) })}</h2>
        <div class="fields" role="group" aria-label=${words.arrange}>
          ${alignments.map(
            (alignment) =>
              html`<button type="button" @click=${() => grid?.alignSelected(alignment)}>
                ${words[alignmentWords[alignment]]}
              </button>`,
          )}
        </div>
        ${buttons}
      </aside>`;
    const { position } = item;
    return html`<aside class="panel">
      ${derived}
      <h2>${grid?.nameOf(id)}</h2>
      ${buttons}
      ${
        isFull
          ? html`<label
              >${words.title}<input
                type="text"
                .value=${inLanguage(item.title, this.#locale)}
                @change=${(event: Event) =>
                  event.target instanceof HTMLInputElement && this.#retitle(id, event.target.value)}
            /></label>`
          : nothing
      }
      ${this.#parts('item')}
      <details open>
        <summary>${words.placeTab}</summary>
        <div class="fields">
          ${positionFields.map(
            (field) =>
              html`<label
                >${words[field.word]}<input
                  type="number"
                  step="1"
                  min="1"
                  ?disabled=${grid?.hasSelected('locked') === true}
                  .value=${String(position[field.member] + field.from)}
                  @change=${(event: Event) =>
                    event.target instanceof HTMLInputElement && this.#place(id, position, event.target, field)}
              /></label>`,
          )}
        </div>
      </details>
    </aside>`;
  }

  /** Returns the folded and unfolded parts about the selected item or the dashboard. */
  #parts(about: EditorPart['about'][number]): readonly TemplateResult[] {
    return Object.entries(editorParts)
      .filter(
        ([, { about: subjects, modes, feature }]) =>
          subjects.includes(about) &&
          modes.includes(this.#mode) &&
          (feature === undefined || this.#grid?.mayEver(feature) === true),
      )
      .map(
        ([name, { word }]) =>
          html`<details ?open=${this.unfolded.includes(name)} @toggle=${(event: Event) => this.#fold(name, event)}>
            <summary>${this.#words[word]}</summary>
            ${this.unfolded.includes(name) ? this.#part(name) : nothing}
          </details>`,
      );
  }

  #fold(name: string, { target }: Event): void {
    if (!(target instanceof HTMLDetailsElement) || target.open === this.unfolded.includes(name)) return;
    this.unfolded = target.open ? [...this.unfolded, name] : this.unfolded.filter((one) => one !== name);
  }

  #part(name: string): Panel | string {
    const panel = this.#panels.get(name);
    if (panel === undefined) {
      void this.#load(name);
      return this.#words.loading;
    }
    panel.session = this.session;
    panel.catalogue = this.catalogue;
    panel.itemId = this.selectedIds[0] ?? '';
    panel.screen = this.screen;
    panel.locale = this.#locale;
    panel.timezone = this.#grid?.shownTimeZone ?? '';
    panel.editMode = this.#mode;
    return panel;
  }

  async #load(name: string): Promise<void> {
    if (this.#loading.has(name)) return;
    this.#loading.add(name);
    try {
      const element = await loadPart(name);
      if (element !== null) this.#panels.set(name, new element());
    } catch {
      // The file of the part could not be fetched; unfolding it again tries again.
      this.unfolded = this.unfolded.filter((one) => one !== name);
      this.message = { text: this.#words.unreachable, isProblem: true };
    } finally {
      this.#loading.delete(name);
    }
    this.requestUpdate();
  }

  /** Gives the controls the colours and the language of the dashboard. */
  readonly #adopt = (): void => {
    const grid = this.#grid;
    if (grid === null) return;
    for (const name of grid.style)
      if (name.startsWith('--inlay-')) this.style.setProperty(name, grid.style.getPropertyValue(name));
    this.style.colorScheme = grid.style.colorScheme;
    this.dir = grid.dir;
    this.lang = grid.lang;
    this.requestUpdate();
  };

  readonly #select = (event: Event): void => {
    if (event instanceof CustomEvent && event.target instanceof InlayGrid) this.selectedIds = event.target.selectedIds;
    else if (event instanceof CustomEvent) this.selectedIds = this.#grid?.selectedIds ?? [];
  };

  override render(): TemplateResult {
    const { session } = this;
    const words = this.#words;
    const width = previewWidths[this.screen];
    return html`${this.#bar()}${this.#message()}
      <div class="stage">
        <div class="preview" style=${width === undefined ? nothing : `max-width:${width}px`}>
          <inlay-grid
            dashboardid=${session?.id ?? ''}
            apihost=${this.apiHost}
            authkey=${this.authKey}
            authtoken=${this.authToken}
            .getToken=${this.getToken}
            .locale=${this.locale}
            .timezone=${this.timezone}
            .theme=${this.theme}
            .editMode=${this.editMode}
            .session=${session}
            .screenMode=${this.screen}
            @selectionchanged=${this.#select}
            @loaded=${this.#adopt}
          ></inlay-grid>
        </div>
      </div>
      ${this.#panel()}
      <dialog aria-labelledby="question">
        <form method="dialog">
          <p id="question">${words.discardQuestion}</p>
          <div class="group">
            <button value="cancel">${words.cancel}</button>
            <button class="main" value="discard" @click=${() => void this.discard()}>${words.discard}</button>
          </div>
        </form>
      </dialog>`;
  }
}
