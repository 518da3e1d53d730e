import { html, nothing, render, type TemplateResult } from 'lit';
import { placeBeside } from '../controls/place.ts';
import { menuGroups, type MenuEntry, type MenuGroup, type MenuState } from './entries.ts';
import { menuStyles } from './styles.ts';

const maxPx = 480;
const messageMs = 4000;

/** By key: how many entries the focus moves forward, for left-to-right text. */
const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 };

/** The menu of a card: a popup in the top layer, where nothing clips it. */
export class ItemMenu {
  readonly #root: ShadowRoot;
  readonly #state: () => MenuState;
  readonly #popup = document.createElement('div');
  readonly #status = document.createElement('div');
  #button: HTMLButtonElement | null = null;
  #telling: ReturnType<typeof setTimeout> | undefined;

  constructor(root: ShadowRoot, state: () => MenuState) {
    this.#root = root;
    this.#state = state;
    this.#popup.className = 'menu';
    this.#popup.popover = 'auto';
    this.#popup.addEventListener('beforetoggle', (event) => this.#before(event));
    this.#popup.addEventListener('toggle', (event) => this.#toggled(event));
    this.#popup.addEventListener('keydown', (event) => this.#keyed(event));
    this.#status.className = 'told';
    this.#status.role = 'status';
    root.append(this.#popup, this.#status);
  }

  /** Opens the menu at a button. From then on, the menu is the popover of the button. */
  open(button: HTMLButtonElement): void {
    this.#button = button;
    button.popoverTargetElement = this.#popup;
    this.#popup.showPopover();
  }

  #before({ newState }: ToggleEvent): void {
    if (newState !== 'open') {
      if (this.#popup.matches(':focus-within')) this.#button?.focus();
      return;
    }
    const sheet = menuStyles.styleSheet;
    const sheets = this.#root.adoptedStyleSheets;
    if (sheet !== undefined && !sheets.includes(sheet)) this.#root.adoptedStyleSheets = [...sheets, sheet];
    render(this.#view(), this.#popup);
    requestAnimationFrame(this.#place);
  }

  #toggled({ newState }: ToggleEvent): void {
    const isOpen = newState === 'open';
    this.#button?.setAttribute('aria-expanded', String(isOpen));
    const change = isOpen ? 'addEventListener' : 'removeEventListener';
    window[change]('scroll', this.#place, { capture: true, passive: true });
    window[change]('resize', this.#place);
    if (!isOpen) return;
    this.#place();
    this.#entries()[0]?.focus({ preventScroll: true });
  }

  readonly #place = (): void => {
    if (this.#button === null || !this.#popup.matches(':popover-open')) return;
    const { rightToLeft } = this.#state();
    // Aligns the right edges of the menu and its button (the left edges for right-to-left text).
    placeBeside(this.#popup, this.#button, maxPx, !rightToLeft);
  };

  #entries(): readonly HTMLElement[] {
    return [...this.#popup.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }

  #keyed(event: KeyboardEvent): void {
    const entries = this.#entries();
    const at = entries.findIndex((entry) => entry.matches(':focus'));
    if (event.key === 'Tab') {
      this.#popup.hidePopover();
      return;
    }
    const targetEntry = this.#target(event.key, entries, at);
    if (targetEntry === undefined) return;
    event.preventDefault();
    targetEntry.focus();
  }

  /**
   * Returns the entry that a key moves to: the next or previous one, the first, the last, or the next whose text begins
   * with the typed letter.
   */
  #target(key: string, entries: readonly HTMLElement[], at: number): HTMLElement | undefined {
    if (key === 'Home' || key === 'End') return entries.at(key === 'Home' ? 0 : -1);
    const move = moves[key];
    if (move !== undefined) {
      const isTurned = this.#state().rightToLeft && (key === 'ArrowRight' || key === 'ArrowLeft');
      return entries[(at + (isTurned ? -move : move) + entries.length) % entries.length];
    }
    if (key.length !== 1 || key === ' ') return undefined;
    const entriesAfter = [...entries.slice(at + 1), ...entries.slice(0, at + 1)];
    return entriesAfter.find(({ textContent }) =>
      (textContent ?? '').trim().toLowerCase().startsWith(key.toLowerCase()),
    );
  }

  #choose(entry: MenuEntry): void {
    this.#popup.hidePopover();
    entry.choose((text) => this.#tell(text));
  }

  /** Shows a message about the outcome of an entry for a short time. */
  #tell(text: string): void {
    clearTimeout(this.#telling);
    this.#status.textContent = text;
    this.#telling = setTimeout(() => (this.#status.textContent = ''), messageMs);
  }

  #group({ heading, entries }: MenuGroup): TemplateResult {
    const list = entries.map(
      (entry) =>
        html`<button
          type="button"
          role="menuitem"
          tabindex="-1"
          aria-label=${entry.label ?? nothing}
          @click=${() => this.#choose(entry)}
        >
          ${entry.text}
        </button>`,
    );
    return heading === ''
      ? html`<div class="group" role="none">${list}</div>`
      : html`<div class="group" role="group" aria-label=${heading}>
          <div class="heading" aria-hidden="true">${heading}</div>
          <div class="beside" role="none">${list}</div>
        </div>`;
  }

  #view(): TemplateResult {
    const state = this.#state();
    const { name, description } = state;
    return html`<div
        role="menu"
        aria-label=${name}
        aria-describedby=${description === '' ? nothing : 'menu-description'}
      >
        ${menuGroups(state).map((group) => this.#group(group))}
      </div>
      ${description === '' ? nothing : html`<p class="description" id="menu-description">${description}</p>`}`;
  }
}
