import { inLanguage, isLanguage } from '@inlay/contract';
import { filled } from '@inlay/contract/change';
import { css, html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { Panel, valueOf } from '../panels/panel.ts';
import { textsIn } from '../words/words.ts';
import { languagesOf, textIn, textsOf, translation, type ItemText } from './texts-of.ts';
import { textsWords, type TextsWords } from './words.ts';

/** Languages that are offered beside those of the contents. */
const offered = 'en nl fr de es ar it pt pl cs da sv nb fi hu ro el tr uk ru he hi th vi id ja ko zh'.split(' ');

/** Rows keep what is typed in them while others come and go. */
const keyOf = ({ itemId, within, path, inner }: ItemText): string => JSON.stringify([itemId, within, path, inner]);

/** Texts longer than this get a box of several lines. */
const longText = 80;

/** `<inlay-texts>`: every text of the dashboard in a second language, and which are missing there. */
export class InlayTexts extends Panel {
  static override properties: PropertyDeclarations = {
    ...Panel.properties,
    from: { state: true },
    to: { state: true },
    isMissingOnly: { state: true },
  };
  static override styles = css`
    ${Panel.styles}
    ol {
      display: grid;
      gap: 10px;
      max-height: 480px;
      margin: 0;
      padding: 2px;
      overflow: auto;
      list-style: none;
    }
    li label > span {
      overflow-wrap: anywhere;
      color: var(--ink);
      white-space: pre-line;
    }
  `;

  /** Language in which the texts are written; empty for that of the panel if they have it. */
  declare protected from: string;
  /** Language into which they are translated; empty for that of the panel, or the first one that is not `from`. */
  declare protected to: string;
  declare protected isMissingOnly: boolean;

  constructor() {
    super();
    this.from = '';
    this.to = '';
    this.isMissingOnly = false;
  }

  get #words(): TextsWords {
    return textsIn(textsWords, this.locale);
  }

  #languageName(language: string): string {
    return new Intl.DisplayNames(this.locale, { type: 'language', fallback: 'code' }).of(language) ?? language;
  }

  #choice(
    label: string,
    language: string,
    languages: readonly string[],
    choose: (language: string) => void,
  ): TemplateResult {
    const names = languages.map((one) => ({ one, name: this.#languageName(one) }));
    const order = new Intl.Collator(this.locale).compare;
    return html`<label
      >${label}<select @change=${(event: Event) => choose(valueOf(event))}>
        ${names
          .toSorted((left, right) => order(left.name, right.name))
          .map(({ one, name }) => html`<option value=${one} ?selected=${one === language}>${name}</option>`)}
      </select></label
    >`;
  }

  #row(text: ItemText, from: string, to: string): TemplateResult {
    const { session } = this;
    const source = inLanguage(text.value, from);
    const own = textIn(text, to) ?? '';
    const label = filled(this.#words.translate, { language: this.#languageName(to), text: source });
    const translate = (event: Event): void => {
      if (session !== null) this.edit(translation(session.model, this.screen, text, from, to, valueOf(event).trim()));
    };
    const isLong = source.length > longText || source.includes('\n');
    return html`<li>
      <label
        ><span lang=${from} dir="auto">${source}</span>${
          isLong
            ? html`<textarea lang=${to} dir="auto" aria-label=${label} .value=${own} @change=${translate}></textarea>`
            : html`<input type="text" lang=${to} dir="auto" aria-label=${label} .value=${own} @change=${translate} />`
        }</label
      >
    </li>`;
  }

  override render(): TemplateResult {
    const { session } = this;
    const words = this.#words;
    const texts = session === null ? [] : textsOf(session.model, this.screen);
    if (texts.length === 0) return html`<p>${words.none}</p>`;
    const written = languagesOf(texts).filter(isLanguage);
    const languages = [...new Set([...written, ...offered])];
    const own = this.locale.split('-')[0] ?? 'en';
    const from = this.from || (written.includes(own) ? own : (written[0] ?? own));
    const to = this.to || ([own, ...languages].find((one) => one !== from) ?? own);
    const missing = texts.filter((text) => textIn(text, to) === null);
    const number = new Intl.NumberFormat(this.locale);
    const shown = this.isMissingOnly ? missing : texts;
    return html`${this.#choice(words.from, from, [...new Set([from, ...languages])], (language) => (this.from = language))}
      ${this.#choice(words.to, to, languages, (language) => (this.to = language))}
      <p role="status">
        ${filled(words.done, {
          n: number.format(texts.length - missing.length),
          all: number.format(texts.length),
          language: this.#languageName(to),
        })}
      </p>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${this.isMissingOnly}
          @change=${() => (this.isMissingOnly = !this.isMissingOnly)}
        />${words.missing}</label
      >
      ${
        shown.length === 0
          ? html`<p>${words.nothingMissing}</p>`
          : html`<ol>
              ${repeat(shown, keyOf, (text) => this.#row(text, from, to))}
            </ol>`
      }`;
  }
}
