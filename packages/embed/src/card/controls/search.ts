import { html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { controlWordsFor } from '../../locale/control-words.ts';
import { valueOf, type ControlPart } from './part.ts';

const restMs = 300;

/**
 * `<inlay-search>`: a field for a text to search for, or for the value of a parameter. The text is applied when the
 * viewer pauses typing.
 */
export class InlaySearch extends LitElement {
  static override properties: PropertyDeclarations = { filter: { attribute: false } };

  declare filter: ControlPart<'text'>;
  #timer: ReturnType<typeof setTimeout> | null = null;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#wait(null);
  }

  #wait(onRest: (() => void) | null): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = onRest === null ? null : setTimeout(onRest, restMs);
  }

  #set(text: string): void {
    this.#wait(null);
    const { chosen, change } = this.filter;
    if (text.trim() !== chosen.text) change({ ...chosen, text: text.trim() });
  }

  override render(): TemplateResult {
    const { control, chosen, context, name } = this.filter;
    return html`<input
      class="field"
      type="search"
      autocomplete="off"
      spellcheck="false"
      aria-label=${name || context.words.search}
      placeholder=${control.unset ?? controlWordsFor(context.formats.locale).contains}
      .value=${chosen.text}
      @input=${(event: InputEvent) => {
        const text = valueOf(event);
        this.#wait(() => this.#set(text));
      }}
      @change=${(event: Event) => this.#set(valueOf(event))}
    />`;
  }
}
