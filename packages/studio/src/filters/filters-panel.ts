import { Failure } from '@inlay/client/transport';
import {
  conditionsFor,
  datasetsOf,
  declarationOf,
  filledText,
  filterTerms,
  filtersOf,
  filtersWithin,
  fixedZone,
  inLanguage,
  isFilterType,
  isItemType,
  isObject,
  itemsOf,
  objectIn,
  objectOr,
  operatorOf,
  operatorRule,
  readCondition,
  readFilter,
  readItem,
  textOr,
  zoneOf,
  type Item,
  type Json,
  type JsonObject,
  type Zone,
} from '@inlay/contract';
import { ChangeError, filled, type Change } from '@inlay/contract/change';
import { conditionTexts } from '@inlay/embed/condition-words';
import { createFormats, type Formats } from '@inlay/embed/format';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import {
  alternative,
  dashboardFilterAddition,
  dashboardFilters,
  filteredView,
  filterReplacement,
  isSameFilter,
  itemFilterAddition,
  itemFilters,
  type FilterNode,
} from '../edit/changes/filters.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { newId } from '../edit/new-id.ts';
import { Panel } from '../panels/panel.ts';
import { panelStyles } from '../panels/styles.ts';
import { FilterAccess } from './filter-access.ts';
import { draftOf, newDraft, type FilterDraft } from './filter-draft.ts';
import { FilterForm, type OfferedColumns } from './filter-form.ts';
import { filterWordsFor, type FilterWords } from './filter-words.ts';
import { levelOfUnit, relativeDays } from './relative-days.ts';
import { filterStyles } from './styles.ts';
import { valueTextOf } from './value-text.ts';

const utc = zoneOf('UTC');

/** What the panel knows about the datasets that its filters are about. */
interface FilterKnowledge {
  readonly offered: readonly OfferedColumns[];
  /** By id of a dataset: whether the person may query it freely. */
  readonly uses: ReadonlyMap<string, boolean>;
  readonly locked: readonly JsonObject[];
}

const nothingKnown: FilterKnowledge = { offered: [], uses: new Map(), locked: [] };

const datasetsIn = (value: Json): readonly string[] =>
  filtersWithin(value).flatMap(({ filter }) => readFilter(filter)?.datasetId ?? []);
/** True if viewers choose members in an item: in a filter, or by its marks, which may lead somewhere instead. */
const hasChoices = ({ type }: Item): boolean =>
  isItemType(type) && (isFilterType(type) || (declarationOf(type).options?.includes('link') ?? false));
const datasetsOfNode = ({ join, value, of }: FilterNode): readonly string[] =>
  join === null ? datasetsIn(value) : of.flatMap(datasetsOfNode);

/**
 * `<inlay-filters>`: the filters of an item, or of the dashboard if `item-id` is empty, and those that the access of the
 * person sets.
 */
export class InlayFilters extends Panel {
  static override properties: PropertyDeclarations = {
    ...Panel.properties,
    known: { state: true },
    problem: { state: true },
  };
  static override styles = css`
    ${panelStyles}
    ${filterStyles}
  `;

  declare protected known: FilterKnowledge;
  declare protected problem: string;

  readonly #form = new FilterForm(
    this,
    (draft, filter) => this.#apply(draft, filter),
    () => this.#closeForm(),
  );
  #access: { readonly catalogue: Catalogue; readonly access: FilterAccess } | null = null;
  #loaded = '';
  #loads = 0;

  constructor() {
    super();
    this.known = nothingKnown;
    this.problem = '';
  }

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changedProperties);
    if (['session', 'itemId', 'screen'].some((name) => changedProperties.has(name)) && this.#form.draft !== null)
      this.#form.draft = null;
  }

  override updated(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    const ids = this.#datasetIds();
    const key = JSON.stringify([ids, this.locale]);
    if (key === this.#loaded && !changedProperties.has('catalogue')) return;
    this.#loaded = key;
    void this.#load(ids);
  }

  get #zone(): Zone {
    const contents = objectOr(this.session?.model.contents);
    const name = this.timezone || (fixedZone(contents) ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
    const zone = zoneOf(name) ?? utc;
    if (zone === null) throw new RangeError('UTC is unknown');
    return zone;
  }

  /** The items of the view as they are written. */
  #items(): readonly Item[] {
    const { session } = this;
    const view = session === null ? null : filteredView(session.model, this.screen);
    return itemsOf(view?.value).map(({ item }) => item);
  }

  #nodes(): readonly FilterNode[] {
    const { session, itemId } = this;
    if (session === null) return [];
    return itemId === ''
      ? dashboardFilters(session.model, this.screen)
      : itemFilters(session.model, this.screen, itemId);
  }

  /** Ids of the datasets of the item, or of all items. */
  #ownDatasets(): readonly string[] {
    const items = this.#items().filter(({ id }) => this.itemId === '' || id === this.itemId);
    return [...new Set(items.flatMap((item) => [...datasetsOf(item)]))];
  }

  #datasetIds(): readonly string[] {
    return [...new Set([...this.#ownDatasets(), ...this.#nodes().flatMap(datasetsOfNode)])];
  }

  #accessTo(catalogue: Catalogue | null): FilterAccess | null {
    if (catalogue === null) return null;
    if (this.#access?.catalogue !== catalogue) this.#access = { catalogue, access: new FilterAccess(catalogue) };
    return this.#access.access;
  }

  async #load(ids: readonly string[]): Promise<void> {
    const { catalogue, locale } = this;
    const access = this.#accessTo(catalogue);
    if (catalogue === null || access === null) return;
    const load = (this.#loads += 1);
    try {
      const locked = await access.ownFilters();
      const lockedIds = locked.flatMap(datasetsIn).filter((id) => !ids.includes(id));
      const [datasets, uses] = await Promise.all([
        catalogue.datasets(locale),
        Promise.all(ids.map(async (id) => [id, await access.mayUse(id)] as const)),
        ...[...ids, ...lockedIds].map((id) => catalogue.columns(id)),
      ]);
      const offered = await Promise.all(
        datasets
          .filter(({ id }) => uses.some(([used, mayUse]) => used === id && mayUse))
          .map(async (dataset) => ({ dataset, columns: await catalogue.columns(dataset.id) })),
      );
      if (load !== this.#loads) return;
      this.known = { offered, uses: new Map(uses), locked };
      this.problem = '';
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (load === this.#loads) this.problem = error.status === 403 ? this.words.refused : this.words.unreachable;
    }
  }

  /** True if the person may change filters on datasets. */
  #mayEdit(ids: readonly string[]): boolean {
    // A filter that cannot be read may be about any of the datasets.
    const concerned = ids.length === 0 ? this.#ownDatasets() : ids;
    return concerned.every((id) => this.known.uses.get(id) === true) && !this.#isHeldBack();
  }

  /** Datasets on whose account limited editors may not change the filters of the dashboard. */
  #withheld(): readonly string[] {
    return [...this.known.uses].flatMap(([id, mayUse]) => (mayUse ? [] : [id]));
  }

  #isHeldBack(): boolean {
    return this.itemId === '' && this.editMode !== 'full' && this.#withheld().length > 0;
  }

  #open(draft: FilterDraft): void {
    this.#form.draft = draft;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('form select')?.focus());
  }

  #closeForm(): void {
    this.#form.draft = null;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.add')?.focus());
  }

  #apply({ node, beside }: FilterDraft, filter: JsonObject): void {
    const { session, screen, itemId } = this;
    if (session === null) return;
    const { model } = session;
    const change =
      node !== null
        ? filterReplacement(model, node, filter)
        : beside !== null
          ? alternative(model, beside, filter, newId)
          : itemId === ''
            ? dashboardFilterAddition(model, screen, filter, newId)
            : itemFilterAddition(model, screen, itemId, filter, newId);
    const isSame = node !== null && JSON.stringify(node.value) === JSON.stringify(filter);
    if (!isSame) this.#carryOut(change);
    this.#closeForm();
  }

  #remove(node: FilterNode): void {
    const { session } = this;
    if (session !== null) this.#carryOut(filterReplacement(session.model, node, null));
    this.#closeForm();
  }

  #carryOut(change: Change): void {
    try {
      this.edit(change);
      this.problem = '';
    } catch (error) {
      // Such as where the contents have something else in the place of the list.
      if (!(error instanceof ChangeError)) throw error;
      this.problem = error.message;
    }
  }

  #columnName(columnId: string): string {
    const column = this.catalogue?.known(columnId) ?? null;
    if (column !== null) return inLanguage(column.name, this.locale) || columnId;
    return columnId === '*' ? '' : this.words.unknownColumn;
  }

  /** Returns a condition whose columns have the names that the person knows. */
  #named(value: Json): Json {
    if (!isObject(value)) return value;
    const join = ['and', 'or'].find((name) => Array.isArray(value[name]));
    if (join !== undefined) {
      const of: Json = value[join] ?? [];
      return { [join]: Array.isArray(of) ? of.map((one: Json) => this.#named(one)) : [] };
    }
    const properties = objectIn(value, 'properties');
    const label = properties['label'] ?? this.#columnName(textOr(filterTerms(value).columnId, ''));
    return { ...value, properties: { ...properties, label } };
  }

  /** Returns a test as viewers read it, with the name of its column. */
  #textOf(value: JsonObject, words: FilterWords, formats: Formats): string {
    const filter = readFilter(value);
    const named = this.#named(value);
    const item = readItem({ type: 'text', filters: [named] });
    const [text] = item === null ? [] : conditionTexts(item, formats);
    if (filter === null || operatorOf(filter.expression) === null) return words.unreadable;
    const suffix = filter.clause === 'having' ? ` (${words.total})` : '';
    if (text !== undefined) return `${text}${suffix}`;
    const parameter = filledText(objectOr(filter.value)['parameter']);
    const note = parameter === null ? '…' : filled(words.parameter, { name: parameter });
    return `${this.#columnName(filter.columnId)}: ${note}${suffix}`;
  }

  #daysOf(value: JsonObject, words: FilterWords, zone: Zone): string {
    const filter = readFilter(value);
    const operator = filter === null ? null : operatorOf(filter.expression);
    if (filter === null || operator === null || !operatorRule(operator).isRelative) return '';
    const { unit = operator === 'to_date' ? 'year' : 'day', quantity = 1, parameter } = objectOr(filter.value);
    if (parameter !== undefined) return '';
    const period = { unit: levelOfUnit(unit), quantity: typeof quantity === 'number' ? quantity : 1 };
    return relativeDays(filter.expression, period, { nowMs: Date.now(), zone, locale: this.locale, words });
  }

  #test(node: FilterNode, words: FilterWords, formats: Formats): TemplateResult {
    if (isSameFilter(this.#form.draft?.node ?? null, node)) return html`<li>${this.#formView(formats)}</li>`;
    const name = this.#textOf(node.value, words, formats);
    const days = this.#daysOf(node.value, words, this.#zone);
    const draft = (): FilterDraft =>
      draftOf(node, (id) => valueTextOf(this.catalogue?.known(id)?.type ?? 'hierarchy', this.locale, this.#zone));
    return html`<li class="filter">
      <span>${name}${days === '' ? nothing : html`<small>${days}</small>`}</span>
      ${
        this.#mayEdit(datasetsIn(node.value))
          ? html`${
                readFilter(node.value) === null
                  ? nothing
                  : html`<button
                      type="button"
                      aria-label=${filled(words.change, { name })}
                      @click=${() => this.#open(draft())}
                    >
                      ✎
                    </button>`
              }<button type="button" aria-label=${filled(words.remove, { name })} @click=${() => this.#remove(node)}>
                ×
              </button>`
          : nothing
      }
    </li>`;
  }

  /** Renders a condition; `isOuter` is true for those that must all hold. */
  #node(node: FilterNode, words: FilterWords, formats: Formats, isOuter: boolean): TemplateResult {
    const mayAlternate = isOuter && this.#mayEdit(datasetsOfNode(node)) && node.join !== 'and';
    const name = node.join === null ? this.#textOf(node.value, words, formats) : words.anyOf;
    const { draft } = this.#form;
    const isBeside = isSameFilter(draft?.beside ?? null, node);
    const or = isBeside
      ? this.#formView(formats)
      : mayAlternate && !isSameFilter(draft?.node ?? null, node)
        ? html`<button
            type="button"
            class="or"
            aria-label=${`${words.or} ${name}`}
            @click=${() => this.#open(newDraft(node))}
          >
            ${words.or}
          </button>`
        : nothing;
    const reach = isOuter && this.itemId === '' ? this.#reach(node, words) : nothing;
    const inner =
      node.join === null
        ? html`<ul>
            ${this.#test(node, words, formats)}
          </ul>`
        : html`<p>${node.join === 'or' ? words.anyOf : words.allOf}</p>
            <ul>
              ${node.of.map((one) =>
                one.join === null
                  ? this.#test(one, words, formats)
                  : html`<li>${this.#node(one, words, formats, false)}</li>`,
              )}
            </ul>`;
    return html`<div class=${isOuter ? 'slot' : 'inner'} role="group" aria-label=${name}>${inner}${reach}${or}</div>`;
  }

  /** Items have a heading of their own above the panel, the dashboard has none. */
  #heading(text: string): TemplateResult {
    return this.itemId === '' ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`;
  }

  #formView(formats: Formats): TemplateResult | typeof nothing {
    const { catalogue, known } = this;
    const access = this.#accessTo(catalogue);
    if (catalogue === null || access === null) return nothing;
    const ids = this.#ownDatasets();
    return this.#form.render({
      catalogue,
      access,
      locale: formats.locale,
      zone: this.#zone,
      offered: known.offered.filter(({ dataset }) => ids.includes(dataset.id)),
      mayTestTotals: this.itemId !== '',
    });
  }

  #nameOf(item: Item): string {
    const { types } = this.itemWords;
    return inLanguage(item.title, this.locale) || (isItemType(item.type) ? types[item.type] : item.type);
  }

  /** Which items a filter of the dashboard narrows. */
  #reach(node: FilterNode, words: FilterWords): TemplateResult {
    const condition = readCondition(conditionOf(node));
    const items = this.#items().filter((item) => datasetsOf(item).size > 0);
    const sets = condition === null ? [] : [{ origin: 'global', conditions: [condition] }];
    const reached = items.filter((item) => conditionsFor(item.id, datasetsOf(item), sets).length > 0);
    const number = new Intl.NumberFormat(this.locale);
    const names = new Intl.ListFormat(this.locale).format(reached.map((item) => this.#nameOf(item)));
    return html`<p class="reach">
      ${
        reached.length === 0
          ? words.reachesNone
          : filled(words.reaches, { n: number.format(reached.length), all: number.format(items.length), names })
      }
    </p>`;
  }

  #locked(words: FilterWords, formats: Formats): TemplateResult | typeof nothing {
    const ids = this.#ownDatasets();
    const locked = this.known.locked.filter((filter) => {
      const { datasetId } = filterTerms(filter);
      const isOfItem = filter['origin'] !== 'chart' || filter['chart_id'] === this.itemId;
      return filter['origin'] !== 'initialization' && isOfItem && ids.some((id) => id === datasetId);
    });
    if (locked.length === 0) return nothing;
    return html`<div class="slot locked" role="group" aria-label=${words.locked}>
      ${this.#heading(words.locked)}
      <ul>
        ${locked.map((filter) => {
          const days = this.#daysOf(filter, words, this.#zone);
          return html`<li class="filter">
            <span
              ><span role="img" aria-label=${words.lockedMark}>🔒</span> ${this.#textOf(filter, words, formats)}${
                days === '' ? nothing : html`<small>${days}</small>`
              }</span
            >
          </li>`;
        })}
      </ul>
      <p>${words.lockedHelp}</p>
    </div>`;
  }

  /** What else narrows an item, and what its own choices narrow. */
  #others(words: FilterWords, formats: Formats): TemplateResult | typeof nothing {
    const { session, itemId } = this;
    const items = this.#items();
    const item = items.find(({ id }) => id === itemId);
    if (session === null || item === undefined || datasetsOf(item).size === 0) return nothing;
    const shares = (other: Item): boolean =>
      other.id !== itemId && [...datasetsOf(other)].some((id) => datasetsOf(item).has(id));
    const texts = dashboardFilters(session.model, this.screen).flatMap((node) => {
      const condition = readCondition(conditionOf(node));
      const sets = condition === null ? [] : [{ origin: 'global', conditions: [condition] }];
      if (conditionsFor(itemId, datasetsOf(item), sets).length === 0 || condition === null) return [];
      if (node.join === null) return [this.#textOf(node.value, words, formats)];
      return [[...new Set(filtersOf(condition).map(({ columnId }) => this.#columnName(columnId)))].join(', ')];
    });
    const controls = items.filter((other) => shares(other) && isItemType(other.type) && isFilterType(other.type));
    const narrowed = hasChoices(item) ? items.filter((other) => shares(other)) : [];
    const part = (heading: string, names: readonly string[]): TemplateResult | typeof nothing =>
      names.length === 0
        ? nothing
        : html`${this.#heading(heading)}
            <ul class="names">
              ${names.map((name) => html`<li>${name}</li>`)}
            </ul>`;
    return html`${part(words.alsoBy, [...texts, ...controls.map((other) => this.#nameOf(other))])}
    ${part(
      words.filtersOthers,
      narrowed.map((other) => this.#nameOf(other)),
    )}`;
  }

  /** Why filters are only shown. */
  #reasons(words: FilterWords): TemplateResult | typeof nothing {
    const names = this.#withheld().map((id) => this.#datasetName(id));
    if (names.length === 0) return nothing;
    if (this.#isHeldBack())
      return html`<p class="reason">
        ${filled(words.limited, { name: new Intl.ListFormat(this.locale).format(names) })}
      </p>`;
    return html`${names.map((name) => html`<p class="reason">${filled(words.noUse, { name })}</p>`)}`;
  }

  #datasetName(id: string): string {
    return this.catalogue?.knownDataset(id, this.locale) ?? id;
  }

  override render(): TemplateResult | typeof nothing {
    if (this.session === null || (this.itemId !== '' && this.item === null)) return nothing;
    const words = filterWordsFor(this.locale);
    const formats = createFormats(this.locale, this.#zone.name);
    const nodes = this.#nodes();
    const { draft } = this.#form;
    const ids = this.#ownDatasets();
    const isOffered = this.known.offered.some(({ dataset }) => ids.includes(dataset.id)) && !this.#isHeldBack();
    const isNew = draft !== null && draft.node === null && draft.beside === null;
    return html`${this.problem === '' ? nothing : html`<p role="alert">${this.problem}</p>`}
    ${this.#locked(words, formats)} ${this.#heading(this.itemId === '' ? words.ofDashboard : words.ofItem)}
    ${nodes.length === 0 ? html`<p>${words.none}</p>` : nodes.map((node) => this.#node(node, words, formats, true))}
    ${
      isNew
        ? this.#formView(formats)
        : isOffered
          ? html`<button type="button" class="add" @click=${() => this.#open(newDraft())}>${words.add}</button>`
          : nothing
    }
    ${this.#reasons(words)} ${this.itemId === '' ? nothing : this.#others(words, formats)}`;
  }
}

/** Returns a condition as filters write it; those of a group are joined as the group says. */
const conditionOf = (node: FilterNode): JsonObject =>
  node.join === null ? node.value : { [node.join]: node.of.map(conditionOf) };
