import { declarationOf, inLanguage, isItemType, isObject, objectOr, type Json } from '@inlay/contract';
import { options as declared } from '@inlay/contract/options';
import { html, nothing, type TemplateResult } from 'lit';
import { itemMember } from '../edit/changes/view-items.ts';
import { offeredOptions, type OfferedOption } from '../words/item-words.ts';
import { Panel, valueOf } from './panel.ts';

/** Options that every type has. */
const common: readonly OfferedOption[] = ['description', 'filterNote'];
/** Options that change rows or texts, which `limited` leaves alone. */
const beyondLook: readonly OfferedOption[] = ['others', 'limit', 'seriesLimit', 'multiple', 'description', 'text'];

const isOffered = (name: string): name is OfferedOption => Object.hasOwn(offeredOptions, name);

/** `<inlay-options>`: how an item is drawn. The options and their defaults are those that its type declares. */
export class InlayOptions extends Panel {
  #names(): readonly OfferedOption[] {
    const type = this.item?.value['type'];
    if (typeof type !== 'string' || !isItemType(type)) return [];
    const declaration = declarationOf(type);
    const own = [...(declaration.options ?? []), ...(declaration.kind === 'chart' ? ['limit'] : [])];
    return [...own, ...common]
      .filter(isOffered)
      .filter((name) => this.editMode === 'full' || !beyondLook.includes(name));
  }

  #set(name: OfferedOption, value: Json | undefined): void {
    const { session } = this;
    if (session !== null) this.edit(itemMember(session.model, this.screen, this.itemId, ['options', name], value));
  }

  #setWords(name: OfferedOption, before: Json, text: string): void {
    const language = this.locale.split('-')[0] ?? 'en';
    this.#set(name, isObject(before) || before === null ? { ...objectOr(before), [language]: text } : text);
  }

  #control(name: OfferedOption): TemplateResult {
    const { itemWords } = this;
    const label = itemWords.options[name];
    const { kind, ...rules } = declared[name];
    const fallback: Json = 'default' in rules ? rules.default : null;
    const own: Json = objectOr(this.item?.value['options'])[name] ?? null;
    const values = offeredOptions[name];
    if (values !== null)
      return html`<label
        >${label}<select
          @change=${(event: Event) => this.#set(name, valueOf(event) === fallback ? undefined : valueOf(event))}
        >
          ${values.map(
            (value) =>
              html`<option value=${value} ?selected=${value === (own ?? fallback)}>${itemWords.values[value]}</option>`,
          )}
        </select></label
      >`;
    if (kind === 'boolean')
      return html`<label class="check"
        ><input
          type="checkbox"
          .checked=${(own ?? fallback) === true}
          @change=${({ target }: Event) =>
            target instanceof HTMLInputElement &&
            this.#set(name, target.checked === fallback ? undefined : target.checked)}
        />${label}</label
      >`;
    if (kind === 'number')
      return html`<label
        >${label}<input
          type="number"
          min="1"
          step="1"
          .value=${typeof own === 'number' ? String(own) : ''}
          @change=${(event: Event) => {
            const value = Number(valueOf(event));
            this.#set(name, valueOf(event) !== '' && Number.isInteger(value) && value >= 1 ? value : undefined);
          }}
      /></label>`;
    return html`<label
      >${label}<textarea
        .value=${inLanguage(own, this.locale)}
        @change=${(event: Event) => this.#setWords(name, own, valueOf(event))}
      ></textarea>
    </label>`;
  }

  override render(): TemplateResult | typeof nothing {
    return this.item === null ? nothing : html`${this.#names().map((name) => this.#control(name))}`;
  }
}
