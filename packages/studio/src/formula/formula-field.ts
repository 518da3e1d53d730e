import { filled } from '@inlay/contract/change';
import {
  checkFormula,
  columnPlaces,
  formulaFunctions,
  formulaPlace,
  longestFormula,
  parameterOf,
  pieceEnd,
  type FormulaColumnType,
  type FormulaFault,
  type FormulaFunction,
} from '@inlay/query';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ColumnNames } from './text/column-names.ts';
import { completionAt, type Completion, type SuggestedColumn, type Suggestion } from './text/completion.ts';
import { FormulaText } from './text/formula-text.ts';
import { functionWordsFor } from './words/function-words.ts';
import type { FormulaWords } from './words/words.ts';

/** What a field shows and where its text goes. */
export interface FieldSetting {
  /** Begins the ids of the field's elements. */
  readonly id: string;
  /** The formula as it is stored; empty for a new one. */
  readonly stored: string;
  readonly names: ColumnNames;
  readonly columns: readonly SuggestedColumn[];
  readonly typeOf: (columnId: string) => FormulaColumnType | 'unknown' | undefined;
  /** Returns a fault that the service found in the text as it is now. */
  readonly serviceFault: () => FormulaFault | null;
  readonly locale: string;
  readonly words: FormulaWords;
  readonly apply: (stored: string) => void;
}

interface FieldFault {
  /** Where it stands in the shown text. */
  readonly start: number;
  readonly end: number;
  /** A sentence with the place. */
  readonly sentence: string;
}

/** A text box for a formula with chips, suggestions, a signature and the place of the first fault. */
export class FormulaField {
  readonly #host: LitElement;
  #setting: FieldSetting | null = null;
  /** What is typed and not applied; null if it is what is stored. */
  #draft: string | null = null;
  #completion: Completion | null = null;
  #active = 0;
  #caret = 0;
  #isFocused = false;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** True if the field has a text that is not applied. */
  get isDraft(): boolean {
    return this.#draft !== null && this.text.stored !== this.#setting?.stored;
  }

  /** Takes what the field is about now. A text that is being written stays, with columns by their new names. */
  use(setting: FieldSetting): void {
    const previous = this.#setting;
    if (this.#draft !== null && previous !== null && previous.names !== setting.names)
      this.#draft = FormulaText.ofStored(this.text.stored, setting.names).shown;
    this.#setting = setting;
  }

  /** The text as it is now. */
  get text(): FormulaText {
    const setting = this.#setting;
    if (setting === null) throw new Error('the field has no formula yet');
    return this.#draft === null
      ? FormulaText.ofStored(setting.stored, setting.names)
      : FormulaText.ofShown(this.#draft, setting.names);
  }

  /** The fault that can be told without the service; null if there is none. */
  get ownFault(): FormulaFault | null {
    const setting = this.#setting;
    return setting === null ? null : checkFormula(this.text.stored, setting.typeOf);
  }

  /** Moves the focus into the text. */
  focus(): void {
    this.#box?.focus();
  }

  get #box(): HTMLTextAreaElement | null {
    return this.#host.renderRoot.querySelector<HTMLTextAreaElement>(`#${this.#setting?.id ?? ''}-text`);
  }

  #fault({ names, typeOf, words, serviceFault }: FieldSetting, text: FormulaText): FieldFault | null {
    const fault = this.ownFault ?? serviceFault();
    if (fault === null || text.stored.trim() === '') return null;
    const [start, end] = [text.toShown(fault.at), text.toShown(pieceEnd(text.stored, fault.at))];
    const written = text.shown.slice(start, end);
    const column = columnPlaces(text.stored).find((place) => place.start === fault.at);
    const isUnknown = column !== undefined && typeOf(column.name) === undefined;
    const sentence = isUnknown
      ? filled(names.isShared(column.name) ? words.ambiguous : words.unknown, { name: column.name })
      : filled(written === '' ? words.faultAtEnd : words.faultAt, {
          text: `\u2068${written}\u2069`,
          n: new Intl.NumberFormat(this.#setting?.locale).format(start + 1),
          reason: `\u2068${fault.message}\u2069`,
        });
    return { start, end, sentence };
  }

  /** Applies what is typed, unless it has a fault. */
  #apply(): void {
    const setting = this.#setting;
    if (setting === null || this.#draft === null) return;
    const { stored } = this.text;
    const isEmpty = stored.trim() === '';
    if (stored === setting.stored || (isEmpty && setting.stored === '')) this.#draft = null;
    else if (this.ownFault === null && setting.serviceFault() === null) {
      this.#draft = null;
      setting.apply(stored);
    }
    this.#host.requestUpdate();
  }

  #open(isRequested: boolean): void {
    const setting = this.#setting;
    if (setting === null) return;
    this.#completion = completionAt(this.text, this.#caret, setting.columns, isRequested);
    this.#active = 0;
    this.#host.requestUpdate();
  }

  #close(): void {
    this.#completion = null;
    this.#host.requestUpdate();
  }

  async #insert({ text, kind, caretBack }: Suggestion): Promise<void> {
    const [box, completion] = [this.#box, this.#completion];
    if (box === null || completion === null) return;
    box.focus();
    box.setRangeText(text, completion.start, completion.end, 'end');
    const caret = completion.start + text.length - caretBack;
    box.setSelectionRange(caret, caret);
    this.#typed(box);
    // What a function takes is suggested at once.
    this.#completion = null;
    if (kind === 'function' && caretBack > 0) this.#open(true);
    await this.#host.updateComplete;
    box.setSelectionRange(caret, caret);
  }

  #typed(box: HTMLTextAreaElement): void {
    this.#draft = box.value;
    this.#caret = box.selectionStart;
    this.#host.requestUpdate();
  }

  readonly #input = ({ target }: Event): void => {
    if (!(target instanceof HTMLTextAreaElement)) return;
    this.#typed(target);
    this.#open(false);
  };

  readonly #moved = ({ target }: Event): void => {
    if (!(target instanceof HTMLTextAreaElement) || target.selectionStart === this.#caret) return;
    this.#caret = target.selectionStart;
    this.#close();
  };

  readonly #entered = (): void => {
    this.#isFocused = true;
    this.#host.requestUpdate();
  };

  readonly #left = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    // From the text to the list and back.
    if (currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
    this.#isFocused = false;
    this.#completion = null;
    this.#apply();
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    const [{ key }, box, completion] = [event, this.#box, this.#completion];
    if (box === null || event.isComposing) return;
    if (key === ' ' && event.ctrlKey) {
      this.#caret = box.selectionStart;
      this.#open(true);
    } else if (key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#apply();
    else if (completion !== null && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const count = completion.suggestions.length;
      this.#active = (this.#active + (key === 'ArrowDown' ? 1 : count - 1)) % count;
      this.#host.requestUpdate();
      void this.#scroll();
    } else if (completion !== null && key === 'Enter') {
      const suggestion = completion.suggestions[this.#active];
      if (suggestion !== undefined) void this.#insert(suggestion);
    } else if (completion !== null && key === 'Escape') {
      box.focus();
      this.#close();
    } else {
      if ((key === 'Backspace' || key === 'Delete') && box.selectionStart === box.selectionEnd) {
        // A column goes as a whole, as the chip that it looks like.
        const chip = this.text.columnBeside(box.selectionStart, key === 'Backspace' ? -1 : 1);
        if (chip !== null) box.setSelectionRange(...chip);
      }
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  async #scroll(): Promise<void> {
    await this.#host.updateComplete;
    const { id = '' } = this.#setting ?? {};
    this.#host.renderRoot.querySelector(`#${id}-option-${this.#active}`)?.scrollIntoView({ block: 'nearest' });
  }

  #list({ id, words, locale }: FieldSetting): TemplateResult | typeof nothing {
    const completion = this.#completion;
    if (completion === null || !this.#isFocused) return nothing;
    const signs = functionWordsFor(locale);
    const detailOf = ({ kind, label, detail }: Suggestion): string => {
      const own = formulaFunctions.find(({ name }) => kind === 'function' && name === label);
      if (own !== undefined) return own.aggregates ? words.aggregate : words.function;
      return detail || words[kind];
    };
    return html`<ul
      id=${`${id}-list`}
      role="listbox"
      tabindex="0"
      aria-label=${words.list}
      aria-activedescendant=${`${id}-option-${this.#active}`}
    >
      ${completion.suggestions.map((suggestion, index) => {
        const own = formulaFunctions.find(({ name }) => suggestion.kind === 'function' && name === suggestion.label);
        return html`<li
          id=${`${id}-option-${index}`}
          role="option"
          aria-selected=${index === this.#active}
          title=${own === undefined ? nothing : signs.describe(own)}
          @pointerdown=${(event: Event) => event.preventDefault()}
          @click=${() => void this.#insert(suggestion)}
        >
          <span dir="auto">${suggestion.label}</span><small dir="auto">${detailOf(suggestion)}</small>
        </li>`;
      })}
    </ul>`;
  }

  #signature({ locale }: FieldSetting, text: FormulaText): TemplateResult | typeof nothing {
    const call = this.#isFocused ? formulaPlace(text.stored, text.toStored(this.#caret)).call : null;
    if (call === null) return nothing;
    const signs = functionWordsFor(locale);
    const { name, parameters }: FormulaFunction = call.of;
    const at = Math.min(call.argument, parameters.length - 1);
    const written = parameters.map((parameter, index) => {
      const own = parameterOf(parameter, signs.nameOf);
      return html`${index === 0 ? '' : ', '}<bdi>${index === at ? html`<mark>${own}</mark>` : own}</bdi>`;
    });
    return html`<p class="signature"><code dir="ltr">${name}(${written})</code> – ${signs.describe(call.of)}</p>`;
  }

  /** The field, with what is said about its text. */
  template(): TemplateResult | typeof nothing {
    const setting = this.#setting;
    if (setting === null) return nothing;
    const { id, words, locale } = setting;
    const { text } = this;
    const fault = this.#fault(setting, text);
    const completion = this.#isFocused ? this.#completion : null;
    const said =
      completion === null
        ? ''
        : filled(words.suggestions, { n: new Intl.NumberFormat(locale).format(completion.suggestions.length) });
    return html`<div class="field" @keydown=${this.#keyed} @focusin=${this.#entered} @focusout=${this.#left}>
        <label for=${`${id}-text`}>${words.formula}</label>
        <div class="box" dir="ltr">
          <span class="behind" aria-hidden="true">${marks(text, fault)}</span>
          <textarea
            id=${`${id}-text`}
            dir="ltr"
            spellcheck="false"
            autocapitalize="off"
            autocomplete="off"
            maxlength=${longestFormula}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls=${completion === null ? nothing : `${id}-list`}
            aria-activedescendant=${completion === null ? nothing : `${id}-option-${this.#active}`}
            aria-invalid=${fault === null ? 'false' : 'true'}
            aria-describedby=${fault === null ? `${id}-help` : `${id}-fault ${id}-help`}
            .value=${live(text.shown)}
            @input=${this.#input}
            @keyup=${this.#moved}
            @click=${this.#moved}
          ></textarea>
        </div>
        ${this.#list(setting)}
      </div>
      ${this.#signature(setting, text)}
      <p id=${`${id}-fault`} class="fault" role="status">
        ${fault?.sentence ?? ''}${fault !== null && this.isDraft && !this.#isFocused ? ` ${words.kept}` : ''}
      </p>
      <p id=${`${id}-help`} class="said">${words.help}</p>
      <p class="said" role="status">${said}</p>
      <div class="row">
        <button
          type="button"
          @pointerdown=${(event: Event) => event.preventDefault()}
          @click=${() => {
            this.focus();
            this.#caret = this.#box?.selectionStart ?? 0;
            this.#open(true);
          }}
        >
          ${words.suggest}
        </button>
      </div>`;
  }
}

/** Returns a formula with its columns as chips and the place of its fault underlined. */
export function marks(
  text: FormulaText,
  fault: { readonly start: number; readonly end: number } | null,
): TemplateResult {
  let at = 0;
  const parts = text.segments.map(({ columnId, shown }) => {
    const start = at;
    at += shown.length;
    const cut = (from: number, to: number): string =>
      shown.slice(Math.max(0, from - start), Math.max(0, Math.min(shown.length, to - start)));
    const { start: from, end: to } = fault ?? { start: at, end: at };
    const marked = cut(from, to);
    const inner = html`${cut(start, from)}${marked === '' ? nothing : html`<u>${marked}</u>`}${cut(Math.max(from, to), at)}`;
    return columnId === null ? inner : html`<b>${inner}</b>`;
  });
  // A fault at the end has a place of its own, and a line break there takes a line of its own as in the text box.
  const end = fault !== null && fault.start >= at ? html`<u> </u>` : '\u200b';
  return html`<span class="marks">${parts}${end}</span>`;
}
