import {
  aggregationFuncs,
  filledText,
  inLanguage,
  isItemType,
  itemTypes,
  objectOr,
  textOr,
  type JsonObject,
  type SlotRule,
} from '@inlay/contract';
import { filled, type Part } from '@inlay/contract/change';
import { chartWordsFor } from '@inlay/embed/chart-words';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { CatalogueColumn, CatalogueDataset } from '../data/catalogue.ts';
import {
  accepts,
  addition,
  entriesIn,
  entryFor,
  entryMember,
  entryRemoval,
  entryShift,
  entryType,
  slotRules,
} from '../edit/changes/slots.ts';
import { newId } from '../edit/new-id.ts';
import { levelName, timeLevels } from '../words/time-levels.ts';
import { Panel, valueOf } from './panel.ts';

const kindSigns: Readonly<Record<string, string>> = { numeric: '12', datetime: '◷', hierarchy: 'Aa', spatial: '◎' };
const dragType = 'application/x-inlay-column';

/**
 * `<inlay-slots>`: the type of an item, the columns in its slots, and the columns to choose from. Columns are dragged,
 * or chosen from a list at each slot.
 */
export class InlaySlots extends Panel {
  static override properties: PropertyDeclarations = {
    ...Panel.properties,
    datasets: { state: true },
    columns: { state: true },
    datasetId: { state: true },
    search: { state: true },
    problem: { state: true },
    dragged: { state: true },
    over: { state: true },
  };

  declare protected datasets: readonly CatalogueDataset[];
  declare protected columns: readonly CatalogueColumn[];
  declare protected datasetId: string;
  declare protected search: string;
  declare protected problem: string;
  declare protected dragged: CatalogueColumn | null;
  declare protected over: string;

  #opening: Promise<void> = Promise.resolve();

  constructor() {
    super();
    this.datasets = [];
    this.columns = [];
    this.datasetId = '';
    this.search = '';
    this.problem = '';
    this.dragged = null;
    this.over = '';
  }

  override updated(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    if (['catalogue', 'itemId', 'session', 'locale'].some((name) => changedProperties.has(name)))
      this.#opening = this.#open();
    if (changedProperties.has('datasetId')) void this.#loadColumns();
  }

  /** Loads the datasets, and chooses the one that the item uses. */
  async #open(): Promise<void> {
    const { catalogue } = this;
    if (catalogue === null) return;
    await this.#attempt(async () => {
      this.datasets = await catalogue.datasets(this.locale);
      const used = this.#usedDatasets();
      for (const id of used) await catalogue.columns(id).catch(() => []);
      this.datasetId = used[0] ?? (this.datasetId || (this.datasets[0]?.id ?? ''));
    });
    this.requestUpdate();
  }

  async #loadColumns(): Promise<void> {
    const { catalogue, datasetId } = this;
    if (catalogue === null || datasetId === '') return;
    await this.#attempt(async () => {
      const columns = await catalogue.columns(datasetId);
      if (this.datasetId === datasetId) this.columns = columns;
    });
  }

  async #attempt(run: () => Promise<void>): Promise<void> {
    try {
      await run();
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  #usedDatasets(): readonly string[] {
    const entries = this.item?.parts.flatMap(({ kind, parts }) => (kind === 'slot' ? parts : [])) ?? [];
    return [
      ...new Set(entries.flatMap(({ value }) => filledText(value['datasetId']) ?? filledText(value['set']) ?? [])),
    ];
  }

  readonly #typeOf = (columnId: string): string | null => this.catalogue?.known(columnId)?.type ?? null;

  #nameOf(entry: JsonObject): string {
    const columnId = filledText(entry['columnId']) ?? filledText(entry['column']) ?? '';
    const column = this.catalogue?.known(columnId) ?? null;
    return (
      inLanguage(entry['label'], this.locale) ||
      (column === null ? '' : inLanguage(column.name, this.locale)) ||
      (columnId === '' ? this.words.formula : this.words.unknownColumn)
    );
  }

  #add(rule: SlotRule, column: CatalogueColumn): void {
    const { session } = this;
    if (session === null) return;
    const entry = entryFor(rule, column);
    if (accepts(rule, entry, this.#typeOf))
      this.edit(addition(session.model, this.screen, this.itemId, rule, entry, newId));
  }

  /** Adds a column to the first slot that wants it: an empty one, then one for several. */
  #addAnywhere(column: CatalogueColumn): void {
    const { item } = this;
    if (item === null) return;
    const fitting = slotRules(item.value['type']).filter((rule) =>
      accepts(rule, { columnId: column.id, datasetId: column.datasetId }, () => column.type),
    );
    const isFree = (rule: SlotRule): boolean => entriesIn(item, rule.name).length === 0;
    const rule =
      fitting.find((one) => one.required && isFree(one)) ?? fitting.find(isFree) ?? fitting.find(({ many }) => many);
    if (rule !== undefined) this.#add(rule, column);
  }

  async #switch(type: string): Promise<void> {
    const { session, itemId } = this;
    // Without the types of their columns, entries would lose their slots.
    await this.#opening;
    if (session !== null && session === this.session && itemId === this.itemId)
      this.edit(session.switches.change(session.model, this.screen, this.itemId, type, this.#typeOf));
  }

  #entry(rule: SlotRule, entry: Part, index: number, count: number): TemplateResult {
    const { session, words, locale } = this;
    const { id, value } = entry;
    const name = this.#nameOf(value);
    const type = entryType(value, this.#typeOf);
    const model = session?.model;
    const set = (member: string, own: string | number | undefined): void => {
      if (model !== undefined) this.edit(entryMember(model, this.screen, this.itemId, rule.name, id, member, own));
    };
    const shift = (by: -1 | 1): void => {
      if (model !== undefined) this.edit(entryShift(model, this.screen, this.itemId, rule.name, id, by));
    };
    const named = (text: string): string => filled(text, { name });
    const isMeasure = rule.takes === 'measure' || (rule.takes === 'either' && type === 'numeric');
    const isColumn = filledText(value['columnId']) !== null;
    const { aggregations } = chartWordsFor(locale);
    const own = textOr(value['aggregationFunc'], '');
    const aggregation =
      isMeasure && isColumn
        ? html`<select
            aria-label=${named(words.aggregation)}
            @change=${(event: Event) => set('aggregationFunc', valueOf(event) || undefined)}
          >
            <option value="" ?selected=${own === ''}>${words.byColumn}</option>
            ${aggregationFuncs
              .filter((func) => !['rate', 'weightedaverage'].includes(func) || func === own)
              .map(
                (func) =>
                  html`<option value=${func} ?selected=${func === own}>${aggregations[func] ?? words.eachRow}</option>`,
              )}
          </select>`
        : nothing;
    const level = Number(value['level'] ?? 0);
    const levels =
      type === 'datetime' && rule.takes !== 'range'
        ? html`<select
            aria-label=${named(words.level)}
            @change=${(event: Event) => set('level', valueOf(event) === '' ? undefined : Number(valueOf(event)))}
          >
            <option value="" ?selected=${level === 0}>${words.byColumn}</option>
            ${timeLevels.map(
              (one, at) =>
                html`<option value=${at + 1} ?selected=${level === at + 1}>${levelName(locale, one)}</option>`,
            )}
          </select>`
        : nothing;
    return html`<div class="entry">
      <span>${name}</span>
      ${
        count > 1
          ? html`<button
                type="button"
                aria-label=${named(words.moveUp)}
                ?disabled=${index === 0}
                @click=${() => shift(-1)}
              >
                ↑</button
              ><button
                type="button"
                aria-label=${named(words.moveDown)}
                ?disabled=${index === count - 1}
                @click=${() => shift(1)}
              >
                ↓
              </button>`
          : nothing
      }
      <button
        type="button"
        aria-label=${named(words.removeColumn)}
        @click=${() => model !== undefined && this.edit(entryRemoval(model, this.screen, this.itemId, rule.name, id))}
      >
        ×
      </button>
      ${aggregation}${levels}
    </div>`;
  }

  #slot(item: Part, rule: SlotRule): TemplateResult {
    const { words, dragged, locale } = this;
    const entries = entriesIn(item, rule.name);
    const fits = (column: CatalogueColumn): boolean => accepts(rule, entryFor(rule, column), () => column.type);
    const isRefused = dragged !== null && !fits(dragged);
    const label = this.itemWords.roles[rule.role];
    return html`<div
      class="slot"
      role="group"
      aria-label=${label}
      data-slot=${rule.name}
      ?data-over=${this.over === rule.name && dragged !== null && !isRefused}
      ?data-refused=${isRefused}
      title=${isRefused ? words.doesNotFit : nothing}
      @dragover=${(event: DragEvent) => {
        if (dragged === null || isRefused) return;
        event.preventDefault();
        this.over = rule.name;
      }}
      @dragleave=${() => (this.over = '')}
      @drop=${(event: DragEvent) => {
        event.preventDefault();
        if (dragged !== null) this.#add(rule, dragged);
        this.over = '';
        this.dragged = null;
      }}
    >
      <h3>${label}${rule.required ? html`<span aria-hidden="true"> *</span>` : nothing}</h3>
      ${entries.map((entry, index) => this.#entry(rule, entry, index, entries.length))}
      <select
        aria-label=${filled(words.addColumn, { name: label })}
        .value=${''}
        @change=${(event: Event) => {
          const column = this.columns.find(({ id }) => id === valueOf(event));
          if (column !== undefined) this.#add(rule, column);
          if (event.target instanceof HTMLSelectElement) event.target.value = '';
        }}
      >
        <option value="">${rule.many || entries.length === 0 ? words.choose : words.replace}</option>
        ${this.columns.map(
          (column) =>
            html`<option value=${column.id} ?disabled=${!fits(column)}>
              ${inLanguage(column.name, locale)}${fits(column) ? '' : ` – ${words.doesNotFit}`}
            </option>`,
        )}
      </select>
    </div>`;
  }

  #columnList(): TemplateResult {
    const { words, locale } = this;
    const wanted = this.search.toLocaleLowerCase(locale);
    const columns = this.columns.filter(({ name }) =>
      inLanguage(name, locale).toLocaleLowerCase(locale).includes(wanted),
    );
    return html`<label
        >${words.dataset}<select @change=${(event: Event) => (this.datasetId = valueOf(event))}>
          ${this.datasets.map(
            ({ id, name }) =>
              html`<option value=${id} ?selected=${id === this.datasetId}>${inLanguage(name, locale) || id}</option>`,
          )}
        </select></label
      >
      <label
        >${words.searchColumns}<input
          type="search"
          .value=${this.search}
          @input=${(event: Event) => (this.search = valueOf(event))}
      /></label>
      <ul>
        ${columns.map(
          (column) =>
            html`<li>
              <button
                type="button"
                draggable="true"
                @click=${() => this.#addAnywhere(column)}
                @dragstart=${(event: DragEvent) => {
                  event.dataTransfer?.setData(dragType, column.id);
                  this.dragged = column;
                }}
                @dragend=${() => (this.dragged = null)}
              >
                <span class="kind" aria-hidden="true">${kindSigns[column.type] ?? ''}</span>${
                  inLanguage(column.name, locale) || column.id
                }
              </button>
            </li>`,
        )}
      </ul>`;
  }

  override render(): TemplateResult | typeof nothing {
    const { item, words } = this;
    if (item === null) return nothing;
    const type = textOr(item.value['type'], '');
    const rules = slotRules(type);
    const left = this.session?.switches.left(this.itemId, item.value) ?? [];
    return html`<label
        >${words.type}<select @change=${(event: Event) => void this.#switch(valueOf(event))}>
          ${isItemType(type) ? nothing : html`<option selected>${type}</option>`}
          ${itemTypes.map((one) => html`<option value=${one} ?selected=${one === type}>${this.itemWords.types[one]}</option>`)}
        </select></label
      >
      ${this.problem === '' ? nothing : html`<p role="alert">${this.problem}</p>`}
      ${rules.map((rule) => this.#slot(item, rule))}
      ${
        left.length === 0
          ? nothing
          : html`<p>${words.leftOver}</p>
              <p>${left.map((entry) => this.#nameOf(objectOr(entry))).join(', ')}</p>`
      }
      ${rules.length === 0 ? nothing : this.#columnList()}`;
  }
}
