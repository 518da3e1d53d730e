import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Control } from '../../charts/frame/chart.ts';
import { chosenText } from '../../chosen-text.ts';
import { controlWordsFor, filledIn } from '../../locale/control-words.ts';
import { Popup } from './popup.ts';
import { valueOf, type ControlPart } from './part.ts';

type Options = Extract<Control, { kind: 'choice' }>['options'];

/** If a list has more options, it gets a search field. */
const searchedAbove = 8;
/** Number of options that are rendered at first, and number that scrolling adds each time. */
const windowSize = 200;
/** Maximum number of members that "select all" selects. */
const maxSelectAll = 1000;
const typedMs = 700;

/** `<inlay-dropdown>`: selects members from a popup list. */
export class InlayDropdown extends Popup {
  static override properties: PropertyDeclarations = {
    ...Popup.properties,
    filter: { attribute: false },
    search: { state: true },
    active: { state: true },
    shownMost: { state: true },
  };

  declare filter: ControlPart<'choice'>;
  declare protected search: string;
  /** Index of the option with keyboard focus. */
  declare protected active: number;
  declare protected shownMost: number;
  protected override readonly maxPx = 380;
  #typed = { text: '', atMs: 0 };

  constructor() {
    super();
    this.search = '';
    this.active = 0;
    this.shownMost = windowSize;
  }

  protected override buttonContent(): { readonly name: string; readonly text: string; readonly note: string } {
    const { control, chosen, context, name } = this.filter;
    return { name, text: chosenText(control, chosen, context, 1), note: '' };
  }

  protected override rightToLeft(): boolean {
    return this.filter.context.rightToLeft;
  }

  protected override opens(): void {
    const { control, chosen } = this.filter;
    this.search = '';
    this.shownMost = windowSize;
    this.#moveTo(
      Math.max(
        0,
        control.options.findIndex(({ key }) => chosen.keys.includes(key)),
      ),
    );
  }

  protected override first(): HTMLElement | null {
    return this.querySelector<HTMLElement>('input[type=search], [role=listbox]');
  }

  override updated(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    if (this.isOpen && (changedProperties.has('active') || changedProperties.has('isOpen')))
      this.querySelector('.option.active')?.scrollIntoView({ block: 'nearest' });
  }

  #shown(): Options {
    const { options } = this.filter.control;
    const query = this.search.toLocaleLowerCase();
    return query === '' ? options : options.filter(({ text }) => text.toLocaleLowerCase().includes(query));
  }

  #moveTo(place: number): void {
    this.active = place;
    if (place >= this.shownMost) this.shownMost = place + windowSize;
  }

  #set(keys: readonly string[]): void {
    const { chosen, change } = this.filter;
    change({ ...chosen, keys });
  }

  #choose(place: number): void {
    const { control, chosen } = this.filter;
    const option = this.#shown()[place];
    if (option === undefined || !this.#isUsable()) return;
    this.active = place;
    const isChosen = chosen.keys.includes(option.key);
    if (control.many) {
      const others = chosen.keys.filter((key) => key !== option.key);
      return this.#set(isChosen ? others : [...others, option.key]);
    }
    this.#set([option.key]);
    this.close();
  }

  /** False if the column is a part of a time, because no filter can match a part of a time. */
  #isUsable(): boolean {
    return (this.filter.control.field?.part ?? null) === null;
  }

  #typeAhead(letter: string): void {
    const atMs = performance.now();
    const text = (atMs - this.#typed.atMs > typedMs ? '' : this.#typed.text) + letter.toLocaleLowerCase();
    this.#typed = { text, atMs };
    const index = this.#shown().findIndex((option) => option.text.toLocaleLowerCase().startsWith(text));
    if (index !== -1) this.#moveTo(index);
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    const inField = event.target instanceof HTMLInputElement;
    const lastIndex = this.#shown().length - 1;
    const places: Readonly<Record<string, number>> = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + 8,
      PageUp: this.active - 8,
      ...(inField ? {} : { Home: 0, End: lastIndex }),
    };
    const place = Object.hasOwn(places, event.key) ? places[event.key] : undefined;
    if (place !== undefined) this.#moveTo(Math.max(0, Math.min(lastIndex, place)));
    else if (event.key === 'Enter' || (event.key === ' ' && !inField)) this.#choose(this.active);
    else if (inField || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    else this.#typeAhead(event.key);
    event.preventDefault();
  };

  readonly #clicked = (event: Event): void => {
    const option = event.target instanceof Element ? event.target.closest<HTMLElement>('.option') : null;
    if (option !== null) this.#choose(Number(option.dataset['place']));
  };

  readonly #scrolled = (event: Event): void => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || this.shownMost >= this.#shown().length) return;
    if (target.scrollTop + 2 * target.clientHeight > target.scrollHeight) this.shownMost += windowSize;
  };

  readonly #searched = (event: InputEvent): void => {
    this.search = valueOf(event);
    this.active = 0;
    this.shownMost = windowSize;
  };

  #field(isEmpty: boolean): TemplateResult {
    const { words } = this.filter.context;
    return html`<input
      type="search"
      role="combobox"
      autocomplete="off"
      spellcheck="false"
      aria-label=${words.search}
      placeholder=${words.search}
      aria-autocomplete="list"
      aria-expanded=${String(!isEmpty)}
      aria-controls=${isEmpty ? nothing : 'options'}
      aria-activedescendant=${isEmpty ? nothing : `option-${this.active}`}
      .value=${this.search}
      @input=${this.#searched}
      @keydown=${this.#keyed}
    />`;
  }

  #list(options: Options): TemplateResult {
    const { control, chosen, name } = this.filter;
    const keys = new Set(chosen.keys);
    return html`<div
      class="options ${control.many ? 'many' : ''}"
      id="options"
      role="listbox"
      tabindex="0"
      aria-label=${name}
      aria-multiselectable=${String(control.many)}
      aria-activedescendant=${`option-${this.active}`}
      @keydown=${this.#keyed}
      @click=${this.#clicked}
      @scroll=${this.#scrolled}
    >
      ${options
        .slice(0, this.shownMost)
        .map(
          ({ key, text, measure }, place) =>
            html`<div
              class="option ${place === this.active ? 'active' : ''}"
              id=${`option-${place}`}
              role="option"
              data-place=${place}
              aria-selected=${String(keys.has(key))}
              aria-disabled=${this.#isUsable() ? nothing : 'true'}
              aria-posinset=${place + 1}
              aria-setsize=${options.length}
            >
              <span class="tick" aria-hidden="true"></span
              ><span class="text">${text}</span
              >${measure === null ? nothing : html`<span class="number">${measure}</span>`}
            </div>`,
        )}
    </div>`;
  }

  #foot(options: Options): TemplateResult | typeof nothing {
    const { control, chosen, context } = this.filter;
    const words = controlWordsFor(context.formats.locale);
    const selectAll = (): void => this.#set([...new Set([...chosen.keys, ...options.map(({ key }) => key)])]);
    const isCut = options.length > this.shownMost;
    const picksAll = control.many && options.length > 1 && options.length <= maxSelectAll && this.#isUsable();
    return html`<div class="foot">
      ${isCut ? html`<span class="note">${filledIn(words.more, context.formats.number(this.shownMost))}</span>` : nothing}
      ${picksAll ? html`<button type="button" @click=${selectAll}>${words.selectAll}</button>` : nothing}
      <button type="button" @click=${() => this.#set([])}>${context.words.clear}</button>
    </div>`;
  }

  protected override content(): TemplateResult {
    const { control, context } = this.filter;
    const options = this.#shown();
    const hasField = control.options.length > searchedAbove;
    return html`${hasField ? this.#field(options.length === 0) : nothing}
    ${
      options.length === 0
        ? html`<p class="note" role="status">${controlWordsFor(context.formats.locale).noMatch}</p>`
        : this.#list(options)
    }
    ${this.#foot(options)}`;
  }
}
