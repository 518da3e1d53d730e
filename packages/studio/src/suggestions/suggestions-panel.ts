import { filledText, inLanguage, listOr, objectOr, textOr, type JsonObject } from '@inlay/contract';
import { filled } from '@inlay/contract/change';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { CatalogueDataset } from '../data/catalogue.ts';
import { newId } from '../edit/new-id.ts';
import { Panel, valueOf } from '../panels/panel.ts';
import { problemOf } from '../panels/problem.ts';
import { textsIn } from '../words/words.ts';
import { chartAddition, chartReplacement } from './accept.ts';
import { askForChart, exampleQuestions, type SuggestedChart } from './ask.ts';
import { suggestionWords, type SuggestionWords } from './words.ts';

/** An answer, and the item as it was when it came. */
interface Answer {
  readonly question: string;
  readonly charts: readonly SuggestedChart[];
  /** The item with what columns provide filled in; null where a chart is asked for from nothing. */
  readonly before: JsonObject | null;
}

/** `<inlay-suggestions>`: charts that are asked for in plain words, and changes of a chart, shown before they are accepted. */
export class InlaySuggestions extends Panel {
  static override properties: PropertyDeclarations = {
    ...Panel.properties,
    datasets: { state: true },
    datasetId: { state: true },
    examples: { state: true },
    answer: { state: true },
    isAsking: { state: true },
    problem: { state: true },
  };
  static override styles = css`
    ${Panel.styles}
    form {
      display: grid;
      gap: 6px;
    }
    ul button {
      cursor: pointer;
    }
    inlay-item {
      height: 200px;
      border: 1px solid var(--edge);
      border-radius: 6px;
    }
  `;

  declare protected datasets: readonly CatalogueDataset[];
  declare protected datasetId: string;
  declare protected examples: readonly string[];
  declare protected answer: Answer | null;
  declare protected isAsking: boolean;
  declare protected problem: string | null;

  /** Questions that led to what the item shows, oldest first. */
  #asked: readonly string[] = [];
  #asks = 0;

  constructor() {
    super();
    this.datasets = [];
    this.datasetId = '';
    this.examples = [];
    this.answer = null;
    this.isAsking = false;
    this.problem = null;
  }

  get #words(): SuggestionWords {
    return textsIn(suggestionWords, this.locale);
  }

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changedProperties);
    if (changedProperties.has('catalogue') || changedProperties.has('locale')) void this.#list();
    if (!changedProperties.has('itemId') && !changedProperties.has('session')) return;
    this.#asks += 1;
    this.#asked = [];
    [this.answer, this.problem, this.isAsking] = [null, null, false];
    const entries = listOr(this.item?.value['slots']).flatMap((slot) =>
      listOr(objectOr(slot)['content']).map(objectOr),
    );
    const own = entries.map((entry) => filledText(entry['datasetId']) ?? filledText(entry['set']));
    this.#choose(own.find((id) => id !== null) ?? this.datasetId);
  }

  async #list(): Promise<void> {
    const { catalogue } = this;
    if (catalogue === null) return;
    await this.#try(async () => {
      this.datasets = await catalogue.datasets(this.locale);
      if (this.datasetId === '') this.#choose(this.datasets[0]?.id ?? '');
    });
  }

  #choose(datasetId: string): void {
    if (datasetId !== this.datasetId) this.examples = [];
    this.datasetId = datasetId;
  }

  async #try(send: () => Promise<void>): Promise<void> {
    this.problem = null;
    this.problem = await problemOf(send, this.words, { ai_disabled: this.#words.off });
  }

  async #suggest(): Promise<void> {
    const { session, datasetId } = this;
    if (session === null || datasetId === '') return;
    await this.#try(async () => {
      const examples = await exampleQuestions(session.transport, datasetId, this.locale);
      if (datasetId === this.datasetId) this.examples = examples;
    });
  }

  async #ask(question: string): Promise<void> {
    const { session, datasetId, item } = this;
    if (session === null || datasetId === '' || question === '') return;
    const ask = (this.#asks += 1);
    [this.answer, this.isAsking] = [null, true];
    await this.#try(async () => {
      const earlier = item === null ? [] : this.#conversation();
      const [charts, before] = await Promise.all([
        askForChart(session.transport, datasetId, question, earlier),
        item === null ? null : this.#filledItem(),
      ]);
      if (ask === this.#asks) this.answer = { question, charts, before };
    });
    if (ask === this.#asks) this.isAsking = false;
  }

  /** Returns the questions before; for a chart that was made by hand, what it shows in words. */
  #conversation(): readonly string[] {
    if (this.#asked.length > 0) return this.#asked;
    const slots = listOr(this.item?.value['slots']).map(objectOr);
    const names = slots.flatMap(({ content }) =>
      listOr(content).map((entry) => {
        const { label, columnId } = objectOr(entry);
        const column = this.catalogue?.known(textOr(columnId, ''));
        return inLanguage(label, this.locale) || inLanguage(column?.name, this.locale);
      }),
    );
    const shown = names.filter((name) => name !== '').join(', ');
    return shown === '' ? [] : [shown];
  }

  /** Returns the item as the dashboard shows it. */
  async #filledItem(): Promise<JsonObject | null> {
    const { session, item } = this;
    if (session === null || item === null) return null;
    const contents = await session.shownContents(session.model);
    const [, view = 0, , index = 0] = item.path;
    const shown = objectOr(listOr(contents['views'])[Number(view)]);
    return objectOr(listOr(shown['items'])[Number(index)]);
  }

  #accept({ question }: Answer, chart: SuggestedChart): void {
    const { session, itemId, screen } = this;
    if (session === null) return;
    const words = this.#words;
    if (this.item === null)
      session.edit(chartAddition(session.model, screen, chart.item, newId()), filled(words.added, { question }));
    else {
      session.edit(chartReplacement(session.model, screen, itemId, chart.item), filled(words.changed, { question }));
      this.#asked = [...this.#conversation(), question];
    }
    this.answer = null;
  }

  #picture(title: string, { type, slots, options, filters, title: name }: JsonObject): TemplateResult | typeof nothing {
    const { session } = this;
    if (session === null) return nothing;
    const { apiHost, authKey, authToken, getToken } = session.access;
    return html`<h3>${title}</h3>
      <inlay-item
        apihost=${apiHost}
        authkey=${authKey}
        authtoken=${authToken}
        .getToken=${getToken}
        .locale=${this.locale}
        .type=${textOr(type, '')}
        .slots=${slots ?? []}
        .options=${objectOr(options)}
        .filters=${listOr(filters)}
        .itemTitle=${name ?? null}
      ></inlay-item>`;
  }

  #answer(answer: Answer): TemplateResult {
    const words = this.#words;
    return html`${answer.before === null ? nothing : this.#picture(words.before, answer.before)}
    ${answer.charts.map(
      (chart) =>
        html`<div class="slot">
          ${this.#picture(words.after, chart.item)} ${chart.message === '' ? nothing : html`<p>${chart.message}</p>`}
          <button type="button" class="main" @click=${() => this.#accept(answer, chart)}>
            ${answer.before === null ? words.add : words.accept}
          </button>
          <button
            type="button"
            @click=${() => {
              const charts = answer.charts.filter((one) => one !== chart);
              this.answer = charts.length === 0 ? null : { ...answer, charts };
            }}
          >
            ${words.refuse}
          </button>
        </div>`,
    )}`;
  }

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = this.renderRoot.querySelector('input');
    void this.#ask(field?.value.trim() ?? '');
  };

  override render(): TemplateResult {
    const words = this.#words;
    const { datasets, datasetId, examples, answer, isAsking, problem } = this;
    if (datasets.length === 0) return html`<p role="status">${problem ?? words.noDataset}</p>`;
    const label = this.item === null ? words.ask : words.change;
    return html`<form @submit=${this.#submit}>
        <label
          >${this.words.dataset}<select @change=${(event: Event) => this.#choose(valueOf(event))}>
            ${datasets.map(
              ({ id, name }) =>
                html`<option value=${id} ?selected=${id === datasetId}>${inLanguage(name, this.locale)}</option>`,
            )}
          </select></label
        >
        <label>${label}<input type="text" maxlength="4096" dir="auto" /></label>
        <div>
          <button class="main" ?disabled=${isAsking}>${words.send}</button>
          <button type="button" @click=${() => void this.#suggest()}>${words.suggest}</button>
        </div>
      </form>
      ${
        examples.length === 0
          ? nothing
          : html`<h3 id="examples">${words.examples}</h3>
              <ul aria-labelledby="examples">
                ${examples.map(
                  (question) =>
                    html`<li>
                      <button type="button" @click=${() => void this.#ask(question)}>${question}</button>
                    </li>`,
                )}
              </ul>`
      }
      <p role="status">${isAsking ? words.asking : nothing}</p>
      ${problem === null ? nothing : html`<p role="alert">${problem}</p>`}
      ${answer === null ? nothing : this.#answer(answer)}`;
  }
}
