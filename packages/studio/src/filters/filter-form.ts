import {
  inLanguage,
  inWords,
  isObject,
  operatorNames,
  operatorRule,
  sameJson,
  type FilterOperator,
  type Json,
  type JsonObject,
  type Zone,
} from '@inlay/contract';
import { filled } from '@inlay/contract/change';
import { wordsFor } from '@inlay/embed/words';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import type { Catalogue, CatalogueColumn, CatalogueDataset } from '../data/catalogue.ts';
import { valueOf } from '../panels/panel.ts';
import { levelName, timeLevels } from '../words/time-levels.ts';
import type { FilterAccess } from './filter-access.ts';
import { filterOf, valueInput, withTyped, type FilterDraft } from './filter-draft.ts';
import { filterWordsFor, operatorName, type FilterWords } from './filter-words.ts';
import { MemberSearch, mostMembers } from './member-search.ts';
import { levelOfUnit, relativeDays, relativeUnits } from './relative-days.ts';
import { valueTextOf, type ValueText } from './value-text.ts';

/** Columns to choose from, by dataset. */
export interface OfferedColumns {
  readonly dataset: CatalogueDataset;
  readonly columns: readonly CatalogueColumn[];
}

/** What a form needs to know of the panel that shows it. */
export interface FormContext {
  readonly catalogue: Catalogue;
  readonly access: FilterAccess;
  readonly locale: string;
  readonly zone: Zone;
  readonly offered: readonly OfferedColumns[];
  /** True if filters may test totals of what is shown. */
  readonly mayTestTotals: boolean;
}

const isOperator = (word: string): word is FilterOperator => operatorNames.some((name) => name === word);
const memberValue = (cell: Json): Json => (isObject(cell) ? (cell['id'] ?? null) : cell);

/** The form in which a filter is made or changed. Its host shows one at a time. */
export class FilterForm {
  readonly #host: LitElement;
  readonly #search: MemberSearch;
  readonly #apply: (draft: FilterDraft, filter: JsonObject) => void;
  readonly #close: () => void;
  #draft: FilterDraft | null = null;
  #fault: keyof FilterWords | null = null;
  #names: ReadonlyMap<string, string> = new Map();

  /** `apply` carries out what was filled in; `close` is called when the form is cancelled. */
  constructor(host: LitElement, apply: (draft: FilterDraft, filter: JsonObject) => void, close: () => void) {
    this.#host = host;
    this.#search = new MemberSearch(host);
    this.#apply = apply;
    this.#close = close;
  }

  get draft(): FilterDraft | null {
    return this.#draft;
  }

  /** Opens the form with a draft, or closes it with null. */
  set draft(draft: FilterDraft | null) {
    this.#draft = draft;
    this.#fault = null;
    if (draft === null) this.#search.clear();
    this.#host.requestUpdate();
  }

  #set(changed: Partial<FilterDraft>): void {
    if (this.#draft !== null) this.#draft = { ...this.#draft, ...changed };
    this.#fault = null;
    this.#host.requestUpdate();
  }

  #columnOf({ offered, catalogue }: FormContext, { columnId }: FilterDraft): CatalogueColumn | null {
    const columns = offered.flatMap(({ columns }) => columns);
    return columns.find(({ id }) => id === columnId) ?? catalogue.known(columnId);
  }

  #choose(context: FormContext, id: string): void {
    const column = context.offered.flatMap(({ columns }) => columns).find((one) => one.id === id);
    if (column === undefined || this.#draft === null) return;
    const operators = operatorNames.filter((operator) =>
      operatorRule(operator).of.some((type) => type === column.type),
    );
    const { operator } = this.#draft;
    this.#set({
      columnId: id,
      datasetId: column.datasetId,
      operator: operators.includes(operator) ? operator : (operators[0] ?? '='),
      level: null,
      parameter: null,
      chosen: [],
      typed: ['', ''],
      stored: new Map(),
      clause: column.type === 'numeric' ? this.#draft.clause : 'where',
    });
  }

  #submit(event: Event, context: FormContext): void {
    event.preventDefault();
    event.stopPropagation();
    if (this.#draft === null) return;
    const type = this.#columnOf(context, this.#draft)?.type ?? 'hierarchy';
    const text = valueTextOf(type, context.locale, context.zone);
    // What was typed and not added yet is meant too.
    const pending = valueInput(this.#draft.operator, type) === 'list' && this.#draft.typed[0].trim() !== '';
    const draft = pending ? withTyped(this.#draft, type, text) : this.#draft;
    const result = typeof draft === 'string' ? { filter: null, fault: draft } : filterOf(draft, type, text);
    if (typeof draft === 'string' || result.filter === null) {
      this.#fault = result.fault ?? 'needValue';
      this.#host.requestUpdate();
      return;
    }
    this.#apply(draft, result.filter);
  }

  /** Renders the form. */
  render(context: FormContext): TemplateResult | typeof nothing {
    const draft = this.#draft;
    if (draft === null) return nothing;
    const { locale } = context;
    const words = filterWordsFor(locale);
    const column = this.#columnOf(context, draft);
    return html`<form
      class="slot"
      @submit=${(event: Event) => this.#submit(event, context)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        this.#close();
      }}
    >
      ${this.#columns(context, draft, words)}
      ${column === null ? nothing : this.#condition(context, draft, column, words)}
      ${this.#fault === null ? nothing : html`<p role="alert" class="fault">${words[this.#fault]}</p>`}
      <div class="row">
        <button type="submit" class="main">${words.apply}</button>
        <button type="button" @click=${() => this.#close()}>${words.cancel}</button>
      </div>
    </form>`;
  }

  #columns(context: FormContext, draft: FilterDraft, words: FilterWords): TemplateResult {
    const { offered, locale, catalogue } = context;
    const option = ({ id, name }: Pick<CatalogueColumn, 'id' | 'name'>): TemplateResult =>
      html`<option value=${id} .selected=${id === draft.columnId}>${inLanguage(name, locale) || id}</option>`;
    const isOffered = offered.some(({ columns }) => columns.some(({ id }) => id === draft.columnId));
    const own = catalogue.known(draft.columnId);
    return html`<label
      >${words.column}<select autofocus @change=${(event: Event) => this.#choose(context, valueOf(event))}>
        ${isOffered ? nothing : own === null ? html`<option value="" selected></option>` : option(own)}
        ${
          offered.length === 1
            ? offered[0]?.columns.map(option)
            : offered.map(
                ({ dataset, columns }) =>
                  html`<optgroup label=${inLanguage(dataset.name, locale) || dataset.id}>
                    ${columns.map(option)}
                  </optgroup>`,
              )
        }
      </select></label
    >`;
  }

  #condition(context: FormContext, draft: FilterDraft, column: CatalogueColumn, words: FilterWords): TemplateResult {
    const { locale } = context;
    const { type } = column;
    const operators = operatorNames.filter((operator) => operatorRule(operator).of.some((one) => one === type));
    const option = (operator: FilterOperator): TemplateResult =>
      html`<option value=${operator} .selected=${operator === draft.operator}>
        ${operatorName(locale, operator, type)}
      </option>`;
    const [plain, relative] = [false, true].map((isRelative) =>
      operators.filter((operator) => operatorRule(operator).isRelative === isRelative).map(option),
    );
    const isTime = type === 'datetime' && !operatorRule(draft.operator).isRelative;
    const input = valueInput(draft.operator, type);
    return html`<label
        >${words.condition}<select
          @change=${(event: Event) => {
            const operator = valueOf(event);
            if (isOperator(operator)) this.#set({ operator });
          }}
        >
          ${
            type === 'datetime'
              ? html`<optgroup label=${words.values}>${plain}</optgroup>
                  <optgroup label=${words.relative}>${relative}</optgroup>`
              : plain
          }
        </select></label
      >
      ${
        isTime && input !== 'nothing'
          ? html`<label
              >${words.precision}<select
                @change=${(event: Event) => this.#set({ level: Number(valueOf(event)) || null })}
              >
                <option value="" .selected=${draft.level === null}>${words.exact}</option>
                ${timeLevels
                  .slice(0, 7)
                  .map(
                    (level, index) =>
                      html`<option value=${index + 1} .selected=${draft.level === index + 1}>
                        ${levelName(locale, level)}
                      </option>`,
                  )}
              </select></label
            >`
          : nothing
      }
      ${
        type === 'numeric' && (context.mayTestTotals || draft.clause === 'having')
          ? html`<label
              >${words.tests}<select
                @change=${(event: Event) => this.#set({ clause: valueOf(event) === 'having' ? 'having' : 'where' })}
              >
                <option value="where" .selected=${draft.clause === 'where'}>${words.eachRow}</option>
                <option value="having" .selected=${draft.clause === 'having'}>${words.total}</option>
              </select></label
            >`
          : nothing
      }
      ${this.#value(context, draft, column, words)}`;
  }

  #value(
    context: FormContext,
    draft: FilterDraft,
    column: CatalogueColumn,
    words: FilterWords,
  ): TemplateResult | typeof nothing {
    const { locale, zone } = context;
    const text = valueTextOf(column.type, locale, zone);
    const input = valueInput(draft.operator, column.type);
    if (input === 'nothing') return this.#days(context, draft, words);
    if (draft.parameter !== null)
      return html`<p>${filled(words.parameter, { name: inWords(draft.parameter['parameter']) })}</p>
        <button type="button" @click=${() => this.#set({ parameter: null })}>${words.fixed}</button>`;
    switch (input) {
      case 'one':
      case 'several':
        return this.#members(context, draft, column, words, input === 'several');
      case 'list':
        return this.#list(draft, column, words, text);
      case 'bounds':
        return html`<div class="fields">
          ${this.#field(words.from, draft, 0, column.type, text)}${this.#field(words.to, draft, 1, column.type, text)}
        </div>`;
      case 'period':
        return html`<div class="fields">
            <label
              >${words.quantity}<input
                type="number"
                min="0"
                max="100000"
                step="1"
                .value=${draft.quantity}
                @input=${(event: Event) => this.#set({ quantity: valueOf(event) })}
            /></label>
            <label
              >${words.unit}<select @change=${(event: Event) => this.#set({ unit: valueOf(event) })}>
                ${relativeUnits.map(
                  (unit, index) =>
                    html`<option value=${unit} .selected=${unit === draft.unit}>
                      ${levelName(locale, timeLevels[index] ?? 'day')}
                    </option>`,
                )}
              </select></label
            >
          </div>
          ${this.#days(context, draft, words)}`;
      case 'field':
        return operatorRule(draft.operator).takes === 'text'
          ? this.#field(words.text, draft, 0, 'hierarchy', text)
          : this.#field(words.value, draft, 0, column.type, text);
    }
  }

  /** The days that a relative date means today. */
  #days({ locale, zone }: FormContext, draft: FilterDraft, words: FilterWords): TemplateResult | typeof nothing {
    if (!operatorRule(draft.operator).isRelative) return nothing;
    const period = { unit: levelOfUnit(draft.unit), quantity: Math.max(0, Math.trunc(Number(draft.quantity)) || 0) };
    return html`<p class="days">
      ${relativeDays(draft.operator, period, { nowMs: Date.now(), zone, locale, words })}
    </p>`;
  }

  #field(label: string, draft: FilterDraft, index: 0 | 1, type: string, text: ValueText): TemplateResult {
    const example = type === 'datetime' ? text.write(new Date(Date.now()).toISOString().slice(0, 10)) : '';
    return html`<label
      >${label}<input
        type="text"
        autocomplete="off"
        spellcheck="false"
        inputmode=${type === 'numeric' ? 'decimal' : 'text'}
        placeholder=${example}
        .value=${draft.typed[index]}
        @input=${(event: Event) =>
          this.#set({ typed: index === 0 ? [valueOf(event), draft.typed[1]] : [draft.typed[0], valueOf(event)] })}
    /></label>`;
  }

  /** Values that were chosen, each with a button that takes it away. */
  #chosen(draft: FilterDraft, words: FilterWords, nameOf: (value: Json) => string): TemplateResult | typeof nothing {
    if (draft.chosen.length === 0) return nothing;
    return html`<ul class="chosen">
      ${draft.chosen.map((value) => {
        const name = nameOf(value);
        return html`<li>
          <span>${name}</span
          ><button
            type="button"
            aria-label=${filled(words.removeValue, { name })}
            @click=${() => this.#set({ chosen: draft.chosen.filter((one) => !sameJson(one, value)) })}
          >
            ×
          </button>
        </li>`;
      })}
    </ul>`;
  }

  #list(draft: FilterDraft, column: CatalogueColumn, words: FilterWords, text: ValueText): TemplateResult {
    const add = (): void => {
      const added = withTyped(draft, column.type, text);
      if (typeof added !== 'string') return this.#set(added);
      this.#fault = added;
      this.#host.requestUpdate();
    };
    return html`${this.#chosen(draft, words, (value) => (value === null ? '–' : text.write(value)))}
      ${this.#field(words.value, draft, 0, column.type, text)}
      <button type="button" @click=${add}>${words.addValue}</button>`;
  }

  #members(
    { access, locale }: FormContext,
    draft: FilterDraft,
    column: CatalogueColumn,
    words: FilterWords,
    isMultiple: boolean,
  ): TemplateResult {
    const search = this.#search;
    search.open(access, column);
    const { empty } = wordsFor(locale);
    const shown = search.cells.map((cell) => ({ value: memberValue(cell), name: nameOfCell(cell, locale, empty) }));
    this.#names = new Map([...this.#names, ...shown.map(({ value, name }) => [JSON.stringify(value), name] as const)]);
    const nameOf = (value: Json): string =>
      value === null ? empty : (this.#names.get(JSON.stringify(value)) ?? inWords(value));
    const choose = (value: Json, isChosen: boolean): void => {
      const others = isMultiple ? draft.chosen.filter((one) => !sameJson(one, value)) : [];
      this.#set({ chosen: isChosen ? [...others, value] : others });
    };
    const typed = search.text.trim();
    const isNew = typed !== '' && !shown.some(({ value }) => value === typed) && !draft.chosen.includes(typed);
    const note = search.isWaiting
      ? words.loading
      : search.problem !== ''
        ? search.problem
        : search.hasMore
          ? filled(words.more, { n: new Intl.NumberFormat(locale).format(mostMembers) })
          : shown.length === 0
            ? words.noMatch
            : '';
    return html`${this.#chosen(draft, words, nameOf)}
      <label
        >${words.searchValues}<input
          type="search"
          autocomplete="off"
          .value=${search.text}
          @input=${(event: Event) => search.search(access, valueOf(event))}
          @keydown=${(event: KeyboardEvent) => {
            // Enter chooses the only member that is left, and applies nothing yet.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            const [only, ...others] = shown;
            const value = others.length === 0 ? only?.value : undefined;
            if (search.isWaiting || (value === undefined && !isNew)) return;
            choose(value ?? typed, true);
            search.search(access, '');
          }}
      /></label>
      <div class="members" role=${isMultiple ? 'group' : 'radiogroup'} aria-label=${words.values}>
        ${shown.map(
          ({ value, name }) =>
            html`<label class="check"
              ><input
                type=${isMultiple ? 'checkbox' : 'radio'}
                name="member"
                .checked=${draft.chosen.some((one) => sameJson(one, value))}
                @change=${({ target }: Event) => target instanceof HTMLInputElement && choose(value, target.checked)}
              />${name}</label
            >`,
        )}
      </div>
      <p role="status">${note}</p>
      ${
        isNew && !search.isWaiting
          ? html`<button type="button" @click=${() => choose(typed, true)}>
              ${filled(words.useTyped, { name: typed })}
            </button>`
          : nothing
      }`;
  }
}

/** Returns how a member is shown. */
function nameOfCell(cell: Json, locale: string, empty: string): string {
  if (cell === null || cell === '') return empty;
  return isObject(cell) ? inLanguage(cell['name'], locale) || inWords(cell['id']) || empty : inWords(cell);
}
