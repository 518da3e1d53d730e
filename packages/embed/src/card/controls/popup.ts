import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { placeBeside } from './place.ts';

/** A button that shows the selection and opens a popup in the top layer, where nothing clips it. */
export abstract class Popup extends LitElement {
  static override properties: PropertyDeclarations = { isOpen: { state: true } };

  declare protected isOpen: boolean;
  #hadFocus = false;

  constructor() {
    super();
    this.isOpen = false;
  }

  /** Renders into the light DOM, so that the styles of the card and of the theme apply. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#follow(false);
    this.isOpen = false;
  }

  override firstUpdated(): void {
    const [button, popup] = [this.#button(), this.#popup()];
    if (button !== null) button.popoverTargetElement = popup;
  }

  /** Name of the item, and the text of its button. */
  protected abstract buttonContent(): { readonly name: string; readonly text: string; readonly note: string };
  protected abstract rightToLeft(): boolean;
  protected abstract content(): TemplateResult;
  protected abstract readonly maxPx: number;
  protected abstract opens(): void;
  /** Returns the element that gets the focus when the popup has opened. */
  protected abstract first(): HTMLElement | null;

  protected close(): void {
    this.#popup()?.hidePopover();
    this.#button()?.focus();
  }

  #button(): HTMLButtonElement | null {
    return this.querySelector<HTMLButtonElement>('button.field');
  }

  #popup(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.popup');
  }

  readonly #place = (): void => {
    const [button, popup] = [this.#button(), this.#popup()];
    if (button !== null && popup?.matches(':popover-open') === true)
      placeBeside(popup, button, this.maxPx, this.rightToLeft());
  };

  #follow(isFollowing: boolean): void {
    const change = isFollowing ? 'addEventListener' : 'removeEventListener';
    window[change]('scroll', this.#place, { capture: true, passive: true });
    window[change]('resize', this.#place);
  }

  readonly #before = (event: ToggleEvent): void => {
    this.#hadFocus = event.newState !== 'open' && this.#popup()?.matches(':focus-within') === true;
    if (event.newState !== 'open') return;
    this.opens();
    this.isOpen = true;
    requestAnimationFrame(this.#place);
  };

  readonly #toggled = async (event: ToggleEvent): Promise<void> => {
    this.isOpen = event.newState === 'open';
    this.#follow(this.isOpen);
    if (this.#hadFocus) this.#button()?.focus();
    this.#hadFocus = false;
    await this.updateComplete;
    if (!this.isOpen) return;
    this.#place();
    this.first()?.focus({ preventScroll: true });
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    this.#popup()?.showPopover();
  };

  override render(): TemplateResult {
    const { name, text, note } = this.buttonContent();
    return html`<button
        type="button"
        class="field"
        aria-haspopup="dialog"
        aria-expanded=${String(this.isOpen)}
        aria-label=${`${name}: ${text} ${note}`.trim()}
        title=${text}
        @keydown=${this.#keyed}
      >
        <span class="value">${text}</span>${note === '' ? nothing : html` <span class="extent">${note}</span>`}
        <svg viewBox="0 0 12 12" aria-hidden="true"><path d="M2.5 4.5 6 8l3.5-3.5" /></svg>
      </button>
      <div
        class="popup"
        popover="auto"
        role="dialog"
        aria-label=${name}
        @beforetoggle=${this.#before}
        @toggle=${this.#toggled}
      >
        ${this.isOpen ? this.content() : nothing}
      </div>`;
  }
}
