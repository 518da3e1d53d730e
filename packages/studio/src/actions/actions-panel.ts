import { createClient } from '@inlay/client';
import { Failure } from '@inlay/client/transport';
import {
  declarationOf,
  filledText,
  inLanguage,
  isAddressTemplate,
  isItemType,
  isObject,
  listOr,
  objectOr,
  textOr,
  type Json,
  type JsonObject,
  type SlotRule,
} from '@inlay/contract';
import { filled, type Part } from '@inlay/contract/change';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { entriesIn, entryMember, entryType, slotRules } from '../edit/changes/slots.ts';
import { itemMember } from '../edit/changes/view-items.ts';
import { Panel, valueOf } from '../panels/panel.ts';
import { levelName, timeLevels } from '../words/time-levels.ts';
import { actionWordsFor, type ActionWords } from './action-words.ts';

const linkKinds = ['filters', 'address', 'dashboard'] as const;
type LinkKind = (typeof linkKinds)[number];

/** Finest level to which viewers open times. */
const finestTime = 7;

/**
 * `<inlay-actions>`: what a click on a mark of an item does, how far viewers open its levels, and the entries of its menu
 * that the page handles.
 */
export class InlayActions extends Panel {
  static override properties: PropertyDeclarations = {
    ...Panel.properties,
    dashboards: { state: true },
    kind: { state: true },
    problem: { state: true },
  };

  declare protected dashboards: readonly { readonly id: string; readonly name: Json }[];
  /** The kind of link that is chosen and not filled in yet. */
  declare protected kind: LinkKind | null;
  declare protected problem: string;

  constructor() {
    super();
    this.dashboards = [];
    this.kind = null;
    this.problem = '';
  }

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changedProperties);
    if (changedProperties.has('itemId')) [this.kind, this.problem] = [null, ''];
  }

  override updated(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    if (changedProperties.has('catalogue')) void this.#loadDashboards();
    if (changedProperties.has('catalogue') || changedProperties.has('itemId')) void this.#loadColumns();
  }

  async #attempt(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.problem = this.words.unreachable;
    }
  }

  async #loadDashboards(): Promise<void> {
    const { catalogue } = this;
    if (catalogue === null) return;
    await this.#attempt(async () => {
      const found: { id: string; name: Json }[] = [];
      const find = { where: { type: 'dashboard' }, attributes: ['name'] };
      for await (const { id, name } of createClient(catalogue.transport).all('securable', find))
        found.push({ id, name: name ?? null });
      this.dashboards = found;
    });
  }

  async #loadColumns(): Promise<void> {
    const { catalogue, item } = this;
    if (catalogue === null || item === null) return;
    const ids = this.#entries(item).flatMap(({ entry }) => filledText(entry.value['datasetId']) ?? []);
    await this.#attempt(async () => {
      for (const id of new Set(ids)) await catalogue.columns(id);
    });
    this.requestUpdate();
  }

  #entries(item: Part): readonly { readonly rule: SlotRule; readonly entry: Part }[] {
    return slotRules(item.value['type']).flatMap((rule) =>
      entriesIn(item, rule.name).map((entry) => ({ rule, entry })),
    );
  }

  #columnName(entry: JsonObject): string {
    const column = this.catalogue?.known(textOr(entry['columnId'], '')) ?? null;
    return inLanguage(entry['label'] ?? column?.name ?? null, this.locale) || this.words.unknownColumn;
  }

  #set(name: 'link' | 'actions', value: Json | undefined): void {
    const { session } = this;
    if (session !== null) this.edit(itemMember(session.model, this.screen, this.itemId, ['options', name], value));
  }

  #link(item: Part, words: ActionWords): TemplateResult {
    const stored = objectOr(item.value['options'])['link'];
    const link = objectOr(stored);
    const own: LinkKind = !isObject(stored) ? 'filters' : link['href'] === undefined ? 'dashboard' : 'address';
    const kind = this.kind ?? own;
    const choose = (wanted: string): void => {
      this.problem = '';
      this.kind = linkKinds.find((one) => one === wanted) ?? null;
      if (this.kind === 'filters' && stored !== undefined) this.#set('link', undefined);
    };
    return html`<label
        >${words.click}<select @change=${(event: Event) => choose(valueOf(event))}>
          ${linkKinds.map((one) => html`<option value=${one} .selected=${one === kind}>${words[one]}</option>`)}
        </select></label
      >
      ${kind === 'address' ? this.#address(item, link, words) : nothing}
      ${kind === 'dashboard' ? this.#dashboard(link, words) : nothing}`;
  }

  #address(item: Part, link: JsonObject, words: ActionWords): TemplateResult {
    const href = textOr(link['href'], '');
    const { dashboardId: _id, dashboardSlug: _slug, ...others } = link;
    const set = (text: string): void => {
      const isAddress = isAddressTemplate(text);
      this.problem = isAddress ? '' : words.wrongAddress;
      if (!isAddress) return;
      this.kind = null;
      if (text.trim() !== href) this.#set('link', { ...others, href: text.trim() });
    };
    const values = this.#entries(item).flatMap(({ entry }) => {
      const id = filledText(entry.value['columnId']);
      return id === null ? [] : [{ id, name: this.#columnName(entry.value) }];
    });
    const shown = values.reduce((text, { id, name }) => text.replaceAll(`{${id}}`, `{${name}}`), href);
    return html`<label
        >${words.addressField}<input
          type="text"
          autocomplete="off"
          spellcheck="false"
          dir="ltr"
          placeholder="https://"
          .value=${href}
          @change=${(event: Event) => set(valueOf(event))}
      /></label>
      ${shown === href ? nothing : html`<p dir="ltr">${shown}</p>`}
      <select
        aria-label=${words.insert}
        @change=${(event: Event) => {
          const id = valueOf(event);
          if (event.target instanceof HTMLSelectElement) event.target.value = '';
          const field = this.renderRoot.querySelector<HTMLInputElement>('input[dir=ltr]');
          if (id === '' || field === null) return;
          field.setRangeText(`{${id}}`, field.selectionStart ?? href.length, field.selectionEnd ?? href.length, 'end');
          set(field.value);
        }}
      >
        <option value="">${words.insert}</option>
        ${values.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}
      </select>
      <label
        >${words.opens}<select
          ?disabled=${href === ''}
          @change=${(event: Event) => {
            const { target: _target, ...rest } = link;
            this.#set('link', valueOf(event) === '_self' ? { ...rest, target: '_self' } : rest);
          }}
        >
          <option value="_blank" .selected=${link['target'] !== '_self'}>${words.newTab}</option>
          <option value="_self" .selected=${link['target'] === '_self'}>${words.inPlace}</option>
        </select></label
      >`;
  }

  #dashboard(link: JsonObject, words: ActionWords): TemplateResult {
    const { dashboardId, dashboardSlug } = link;
    const own = filledText(dashboardId) ?? filledText(dashboardSlug);
    const isKnown = this.dashboards.some(({ id }) => id === dashboardId);
    return html`<label
        >${words.dashboardField}<select
          @change=${(event: Event) => {
            this.kind = null;
            if (valueOf(event) !== '') this.#set('link', { dashboardId: valueOf(event) });
          }}
        >
          ${isKnown ? nothing : html`<option value="" .selected=${true}>${own ?? ''}</option>`}
          ${this.dashboards.map(
            ({ id, name }) =>
              html`<option value=${id} .selected=${id === dashboardId}>${inLanguage(name, this.locale) || id}</option>`,
          )}
        </select></label
      >
      <p>${words.told}</p>`;
  }

  /** How far viewers open the levels of times. */
  #levels(item: Part, words: ActionWords): readonly TemplateResult[] {
    const { session, locale } = this;
    const typeOf = (columnId: string): string | null => this.catalogue?.known(columnId)?.type ?? null;
    return this.#entries(item).flatMap(({ rule, entry }) => {
      const isOpened = rule.takes !== 'measure' && rule.takes !== 'range';
      if (session === null || !isOpened || entryType(entry.value, typeOf) !== 'datetime') return [];
      const [level, lowest] = [Number(entry.value['level'] ?? 1), Number(entry.value['lowestLevel'] ?? 0)];
      const name = this.#columnName(entry.value);
      const set = (value: number): void =>
        this.edit(
          entryMember(session.model, this.screen, this.itemId, rule.name, entry.id, 'lowestLevel', value || undefined),
        );
      return [
        html`<label
          >${filled(words.finest, { name })}<select @change=${(event: Event) => set(Number(valueOf(event)))}>
            <option value="0" .selected=${lowest === 0}>${words.anyLevel}</option>
            ${timeLevels
              .slice(0, finestTime)
              .map((one, index) =>
                index + 1 < level
                  ? nothing
                  : html`<option value=${index + 1} .selected=${lowest === index + 1}>
                      ${levelName(locale, one)}
                    </option>`,
              )}
          </select></label
        >`,
      ];
    });
  }

  /** Entries of the menu that the page handles. */
  #actions(item: Part, words: ActionWords): TemplateResult {
    const actions = listOr(objectOr(item.value['options'])['actions']).map(objectOr);
    const language = this.locale.split('-')[0] ?? 'en';
    const replace = (index: number, action: JsonObject | null): void => {
      const others = actions.flatMap((one, at) => (at !== index ? [one] : action === null ? [] : [action]));
      this.#set('actions', others.length === 0 ? undefined : others);
    };
    const taken = new Set(actions.map(({ id }) => id));
    const freeId = (): string => {
      let number = actions.length + 1;
      while (taken.has(`action-${number}`)) number += 1;
      return `action-${number}`;
    };
    return html`<h3>${words.actions}</h3>
      <p>${words.actionsHelp}</p>
      ${actions.map((action, index) => {
        const name = inLanguage(action['label'], this.locale) || textOr(action['id'], '');
        return html`<div class="slot" role="group" aria-label=${name}>
          <label
            >${words.actionName}<input
              type="text"
              .value=${inLanguage(action['label'], this.locale)}
              @change=${(event: Event) => {
                const label = action['label'] ?? {};
                const text = valueOf(event);
                replace(index, { ...action, label: isObject(label) ? { ...label, [language]: text } : text });
              }}
          /></label>
          <label
            >${words.actionId}<input
              type="text"
              .value=${textOr(action['id'], '')}
              @change=${(event: Event) =>
                valueOf(event).trim() !== '' && replace(index, { ...action, id: valueOf(event).trim() })}
          /></label>
          <button type="button" aria-label=${filled(words.removeAction, { name })} @click=${() => replace(index, null)}>
            ×
          </button>
        </div>`;
      })}
      <button
        type="button"
        @click=${() => this.#set('actions', [...actions, { id: freeId(), label: { [language]: words.newAction } }])}
      >
        ${words.addAction}
      </button>`;
  }

  override render(): TemplateResult | typeof nothing {
    const { item } = this;
    const type = item?.value['type'];
    if (item === null || typeof type !== 'string' || !isItemType(type)) return nothing;
    const words = actionWordsFor(this.locale);
    const options = declarationOf(type).options ?? [];
    const [hasLink, hasActions] = [options.includes('link'), options.includes('actions')];
    if (!hasLink && !hasActions) return html`<p>${words.nothing}</p>`;
    return html`${this.problem === '' ? nothing : html`<p role="alert">${this.problem}</p>`}
    ${hasLink ? [this.#link(item, words), ...this.#levels(item, words)] : nothing}
    ${hasActions ? this.#actions(item, words) : nothing}`;
  }
}
