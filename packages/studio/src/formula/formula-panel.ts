import {
  inLanguage,
  isItemType,
  isObject,
  takesFormula,
  textOr,
  type Json,
  type JsonObject,
  type SlotRule,
} from '@inlay/contract';
import { filled, type Change, type Part } from '@inlay/contract/change';
import { columnsOfFormula } from '@inlay/query';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { addition, entriesIn, entryMember, entryRemoval, slotRules } from '../edit/changes/slots.ts';
import { newId } from '../edit/new-id.ts';
import { Panel, valueOf } from '../panels/panel.ts';
import { formulaType, loadFacts, type FormulaFacts } from './formula-facts.ts';
import { FormulaField, marks } from './formula-field.ts';
import { formulaStyles } from './styles.ts';
import { FormulaText } from './text/formula-text.ts';
import { formulasOf, keyOf, sourceOf, usedDatasets, type FormulaSource, type FormulaUse } from './uses.ts';
import { FormulaValue, type ValueState } from './value/formula-value.ts';
import { valueQuery } from './value/value-query.ts';
import { formulaWordsFor, type FormulaWords } from './words/words.ts';

/** A formula of the item, or a new one. */
interface FormulaRow {
  readonly key: string;
  readonly rule: SlotRule;
  /** The entry of the slot; null for a formula that is not in the item yet. */
  readonly entry: Part | null;
  readonly source: FormulaSource;
  readonly field: FormulaField;
  readonly value: FormulaValue;
}

const newSource: FormulaSource = { formula: '', formulaId: null, datasetId: null };

/**
 * `<inlay-formula>`: the formulas of an item, with columns by their names, suggestions, faults at their place, and values
 * under the filters of the item; and the other formulas of the dashboard.
 */
export class InlayFormula extends Panel {
  static override properties: PropertyDeclarations = {
    ...Panel.properties,
    facts: { state: true },
    problem: { state: true },
    addingTo: { state: true },
  };
  static override styles = css`
    ${Panel.styles}
    ${formulaStyles}
  `;

  declare protected facts: FormulaFacts | null;
  declare protected problem: string;
  /** Name of the slot for which a formula is being written. */
  declare protected addingTo: string;

  readonly #fields = new Map<string, Pick<FormulaRow, 'field' | 'value'>>();
  #rows: readonly FormulaRow[] = [];
  #loaded = '';

  constructor() {
    super();
    this.facts = null;
    this.problem = '';
    this.addingTo = '';
  }

  get #words(): FormulaWords {
    return formulaWordsFor(this.locale);
  }

  get #mayWrite(): boolean {
    return this.editMode === 'full' && this.facts?.mayWrite === true;
  }

  /** The slots of the item that take formulas. */
  get #rules(): readonly SlotRule[] {
    const type = textOr(this.item?.value['type'], '');
    return slotRules(type).filter((rule) => takesFormula(type, rule));
  }

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changedProperties);
    if (changedProperties.has('itemId')) this.addingTo = '';
    if (changedProperties.has('session') || changedProperties.has('catalogue')) {
      this.#loaded = '';
      this.#fields.clear();
    }
    this.#rows = this.#itemRows();
    for (const row of this.#rows) this.#prepare(row);
  }

  override updated(): void {
    const { session, catalogue, itemId, locale } = this;
    if (session === null || catalogue === null) return;
    const named = formulasOf(session.model).map(keyOf);
    const key = JSON.stringify([locale, usedDatasets(session.model, itemId).toSorted(), named]);
    if (key === this.#loaded) return;
    this.#loaded = key;
    void this.#load(key);
  }

  async #load(key: string): Promise<void> {
    const { session, catalogue, itemId, locale } = this;
    if (session === null || catalogue === null) return;
    try {
      const facts = await loadFacts(session, catalogue, itemId, locale);
      if (key !== this.#loaded) return;
      this.facts = facts;
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  #itemRows(): readonly FormulaRow[] {
    const { item } = this;
    if (item === null) return [];
    return this.#rules.flatMap((rule) => {
      const rows = entriesIn(item, rule.name).flatMap((entry) => {
        const source = sourceOf(entry.value);
        return source === null ? [] : [this.#row(rule, entry.id, entry, source)];
      });
      return this.addingTo === rule.name ? [...rows, this.#row(rule, '', null, newSource)] : rows;
    });
  }

  #keyOf(rule: SlotRule, entryId: string): string {
    return JSON.stringify([this.itemId, rule.name, entryId]);
  }

  #row(rule: SlotRule, entryId: string, entry: Part | null, source: FormulaSource): FormulaRow {
    const key = this.#keyOf(rule, entryId);
    const own = this.#fields.get(key) ?? {
      field: new FormulaField(this),
      value: new FormulaValue(() => this.requestUpdate()),
    };
    this.#fields.set(key, own);
    return { key, rule, entry, source, ...own };
  }

  /** Gives a row its text as it is now, and requests the value of that text. */
  #prepare({ key, rule, entry, source, field, value }: FormulaRow): void {
    const { facts, session, itemId, screen, locale } = this;
    if (facts === null || session === null) return;
    const { names, suggested: columns, timeZone } = facts;
    const index = this.#rows.findIndex((row) => row.key === key);
    field.use({
      id: `formula-${index}`,
      stored: this.#expressionOf(source) ?? '',
      names,
      columns,
      typeOf: (id) => formulaType(facts, id),
      serviceFault: () => (value.state.kind === 'fault' ? value.state.fault : null),
      locale,
      words: this.#words,
      apply: (stored) => this.#apply(rule, entry, stored),
    });
    const { stored } = field.text;
    const isAsked = source.formulaId !== null || (this.#mayWrite && stored.trim() !== '' && field.ownFault === null);
    const datasetId = source.formulaId === null ? this.#datasetOf(stored, source) : source.datasetId;
    const request = { ...source, formula: stored, datasetId, itemId, screen, locale, timeZone };
    const query = isAsked ? valueQuery(session.model, request) : null;
    if (query === null) value.clear();
    else value.ask(session.transport, query);
    if (isAsked && query === null)
      value.state = { kind: 'failed', reason: this.#words.unreadable, isUnreachable: false };
  }

  /** Returns the text of a formula; null if it is a saved one that the person cannot see. */
  #expressionOf({ formula, formulaId }: FormulaSource): string | null {
    return formulaId === null ? formula : (this.facts?.saved.find(({ id }) => id === formulaId)?.expression ?? null);
  }

  /** Returns the dataset of a formula: its own if it has a column of it, else that of its first column, else the item's. */
  #datasetOf(stored: string, { datasetId }: FormulaSource): string | null {
    const { facts, session } = this;
    const ids = columnsOfFormula(stored).map((id) => id.toLowerCase());
    const datasets = ids.flatMap((id) => facts?.columns.find((column) => column.id === id)?.datasetId ?? []);
    if (datasetId !== null && (datasets.length === 0 || datasets.includes(datasetId))) return datasetId;
    const used = session === null ? [] : usedDatasets(session.model, this.itemId);
    return datasets[0] ?? used[0] ?? facts?.columns[0]?.datasetId ?? null;
  }

  #apply(rule: SlotRule, entry: Part | null, stored: string): void {
    const { session, screen, itemId } = this;
    if (session === null) return;
    const source = entry === null ? newSource : (sourceOf(entry.value) ?? newSource);
    const datasetId = this.#datasetOf(stored, source);
    if (entry === null) {
      const id = newId();
      const own = this.#fields.get(this.#keyOf(rule, ''));
      // The field stays, so that the person can go on writing.
      if (own !== undefined) this.#fields.set(this.#keyOf(rule, id), own);
      this.#fields.delete(this.#keyOf(rule, ''));
      this.addingTo = '';
      const written: JsonObject = { formula: stored, ...(datasetId === null ? {} : { datasetId }) };
      this.edit(addition(session.model, screen, itemId, rule, written, () => id));
      return;
    }
    const set = (member: string, value: Json): Change =>
      entryMember(session.model, screen, itemId, rule.name, entry.id, member, value);
    const isOther = datasetId !== null && source.datasetId !== null && datasetId !== source.datasetId;
    this.edit([...set('formula', stored), ...(isOther ? set('datasetId', datasetId) : [])]);
  }

  #setLabel(rule: SlotRule, { id, value }: Part, text: string): void {
    const { session, screen, itemId } = this;
    if (session === null) return;
    const label = value['label'];
    const language = this.locale.split('-')[0] ?? 'en';
    const own: Json = isObject(label) ? { ...label, [language]: text } : { [language]: text };
    this.edit(entryMember(session.model, screen, itemId, rule.name, id, 'label', text === '' ? undefined : own));
  }

  /** Makes a saved formula one of this item alone. */
  #detach(rule: SlotRule, { id, value }: Part, formula: string): void {
    const { session, screen, itemId } = this;
    if (session === null) return;
    const set = (member: string, own: Json | undefined): Change =>
      entryMember(session.model, screen, itemId, rule.name, id, member, own);
    const source = sourceOf(value) ?? newSource;
    const datasetId = this.#datasetOf(formula, source);
    // An entry without an id has one that follows from its saved formula, so that one goes last.
    this.edit([
      ...set('formula', formula),
      ...(datasetId === null ? [] : set('datasetId', datasetId)),
      ...set('formulaId', undefined),
    ]);
  }

  #remove({ rule, entry, key }: FormulaRow): void {
    const { session, screen, itemId } = this;
    this.#fields.get(key)?.value.clear();
    this.#fields.delete(key);
    if (entry === null) this.addingTo = '';
    else if (session !== null) this.edit(entryRemoval(session.model, screen, itemId, rule.name, entry.id));
  }

  async #add(rule: SlotRule): Promise<void> {
    this.addingTo = rule.name;
    await this.updateComplete;
    this.#rows.find(({ entry }) => entry === null)?.field.focus();
  }

  #use(rule: SlotRule, { formula, formulaId, datasetId }: FormulaSource, label: Json): void {
    const { session, screen, itemId } = this;
    if (session === null) return;
    const entry: JsonObject = {
      ...(formulaId === null ? { formula } : { formulaId }),
      ...(datasetId === null ? {} : { datasetId }),
      ...(label === null || formulaId !== null ? {} : { label }),
    };
    this.edit(addition(session.model, screen, itemId, rule, entry, newId));
  }

  #nameOf({ formulaId }: FormulaSource, label: Json | undefined): string {
    const saved = this.facts?.saved.find(({ id }) => id === formulaId);
    return inLanguage(label, this.locale) || inLanguage(saved?.name, this.locale) || this.#words.unnamed;
  }

  #usedIn(use: FormulaUse | undefined): TemplateResult | typeof nothing {
    const others = (use?.items ?? []).filter(({ id }) => id !== this.itemId);
    if (others.length === 0) return nothing;
    const { types } = this.itemWords;
    const names = others.map(
      ({ title, type }) => inLanguage(title, this.locale) || (isItemType(type) ? types[type] : this.words.item),
    );
    const items = new Intl.ListFormat(this.locale, { type: 'unit', style: 'short' }).format(names);
    return html`<p>${filled(this.#words.usedIn, { items })}</p>`;
  }

  #valueLine(state: ValueState): TemplateResult {
    const words = this.#words;
    const said = (): TemplateResult | string => {
      switch (state.kind) {
        case 'none':
        case 'fault':
          return '';
        case 'computing':
          return words.computing;
        case 'failed':
          return filled(words.failed, { reason: state.isUnreachable ? words.unreachable : state.reason });
        case 'value':
          return state.value === undefined
            ? words.noRows
            : html`${filled(words.value, { value: this.#written(state.value) })}<small>${words.scope}</small>`;
      }
    };
    return html`<p class="value" role="status">${said()}</p>`;
  }

  #written(value: Json): string {
    const words = this.#words;
    if (value === null) return words.empty;
    if (typeof value === 'boolean') return value ? words.yes : words.no;
    if (typeof value === 'number')
      return new Intl.NumberFormat(this.locale, { maximumSignificantDigits: 15 }).format(value);
    return `\u2068${typeof value === 'string' ? value : JSON.stringify(value)}\u2069`;
  }

  #read(text: string): TemplateResult | typeof nothing {
    const { facts } = this;
    return facts === null
      ? nothing
      : html`<p class="read" dir="ltr">${marks(FormulaText.ofStored(text, facts.names), null)}</p>`;
  }

  #section(row: FormulaRow, uses: readonly FormulaUse[]): TemplateResult {
    const { rule, entry, source, field, value } = row;
    const words = this.#words;
    const name = this.#nameOf(source, entry?.value['label']);
    const isSaved = source.formulaId !== null;
    const expression = this.#expressionOf(source);
    const named =
      entry === null || !this.#mayWrite
        ? nothing
        : html`<label
            >${words.name}<input
              type="text"
              .value=${inLanguage(entry.value['label'], this.locale)}
              @change=${(event: Event) => this.#setLabel(rule, entry, valueOf(event))}
          /></label>`;
    const text =
      isSaved || !this.#mayWrite
        ? html`${expression === null ? html`<p>${words.unseen}</p>` : this.#read(expression)}
          ${isSaved ? html`<p>${words.savedHelp}</p>` : nothing}`
        : field.template();
    return html`<section role="group" aria-label=${name}>
      <h3>${name}</h3>
      ${named}${text}${this.#valueLine(value.state)} ${this.#usedIn(uses.find(({ key }) => key === keyOf(source)))}
      ${
        this.#mayWrite
          ? html`<div class="row">
              ${
                isSaved && entry !== null && expression !== null
                  ? html`<button type="button" @click=${() => this.#detach(rule, entry, expression)}>
                      ${words.detach}
                    </button>`
                  : nothing
              }
              <button type="button" aria-label=${filled(words.remove, { name })} @click=${() => this.#remove(row)}>
                ${this.words.remove}
              </button>
            </div>`
          : nothing
      }
    </section>`;
  }

  /** A formula that the item does not have, with buttons that add it. */
  #offer(source: FormulaSource, label: Json, use: FormulaUse | undefined): TemplateResult {
    const name = this.#nameOf(source, label);
    const expression = this.#expressionOf(source);
    return html`<section role="group" aria-label=${name}>
      <h3>${name}</h3>
      ${expression === null ? html`<p>${this.#words.unseen}</p>` : this.#read(expression)}${this.#usedIn(use)}
      ${
        this.#mayWrite && expression !== null
          ? html`<div class="row">
              ${this.#rules.map(
                (rule) =>
                  html`<button type="button" @click=${() => this.#use(rule, source, label)}>
                    ${filled(this.#words.useHere, { name, slot: this.itemWords.roles[rule.role] })}
                  </button>`,
              )}
            </div>`
          : nothing
      }
    </section>`;
  }

  #others(uses: readonly FormulaUse[]): TemplateResult {
    const words = this.#words;
    const own = new Set(this.#rows.map(({ source }) => keyOf(source)));
    const others = uses.filter(({ key }) => !own.has(key));
    const listed = new Set(uses.map(({ key }) => key));
    const saved = (this.facts?.saved ?? [])
      .map(({ id, datasetId, name }) => ({ formula: null, formulaId: id, datasetId, name }))
      .filter((source) => !listed.has(keyOf(source)));
    return html`${
      others.length === 0
        ? nothing
        : html`<h3>${words.others}</h3>
            ${others.map((use) => this.#offer(use, use.label, use))}`
    }
    ${
      saved.length === 0
        ? nothing
        : html`<h3>${words.saved}</h3>
            <p>${words.savedHelp}</p>
            ${saved.map((source) => this.#offer(source, source.name, undefined))}`
    }`;
  }

  override render(): TemplateResult | typeof nothing {
    const { session, facts } = this;
    const words = this.#words;
    if (session === null) return nothing;
    if (this.problem !== '') return html`<p role="alert">${this.problem}</p>`;
    if (facts === null) return html`<p role="status">${this.words.loading}</p>`;
    const uses = formulasOf(session.model);
    const rules = this.item === null ? [] : this.#rules;
    const adders = rules
      .filter(({ name }) => name !== this.addingTo)
      .map(
        (rule) =>
          html`<button type="button" @click=${() => void this.#add(rule)}>
            ${filled(words.add, { slot: this.itemWords.roles[rule.role] })}
          </button>`,
      );
    return html`${this.#mayWrite ? nothing : html`<p>${words.refused}</p>`}
    ${this.item !== null && rules.length === 0 ? html`<p>${words.noSlot}</p>` : nothing}
    ${repeat(
      this.#rows,
      ({ field }) => field,
      (row) => this.#section(row, uses),
    )}
    ${this.#mayWrite ? adders : nothing}${this.#others(uses)}`;
  }
}
