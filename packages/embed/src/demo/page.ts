import {
  apiVersion,
  inLanguage,
  isList,
  isObject,
  member,
  objectIn,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import { html, nothing, render, type TemplateResult } from 'lit';
import { defineElements } from '../index.ts';
import type { Credential } from '@inlay/client/transport';
import { conditionsOf, filtersWithout, titleWithout, type ChartCondition } from './chart-conditions.ts';
import { pageSnippet, serverSnippet } from './snippets.ts';
import { readState, text, type NamedChoice, type State } from './state.ts';

interface DemoSelection {
  dashboard: string;
  tenant: string;
  theme: string;
  locale: string;
  width: string;
  credential: Credential | null;
  question: string;
  dataset: string;
  answer: JsonObject | null;
  /** Earlier questions of the conversation, the oldest first. */
  history: readonly string[];
  /** Indexes of the conditions of the answer that the viewer took away. */
  removed: ReadonlySet<number>;
  asking: boolean;
  problem: string;
}

const languages = { en: 'English', fr: 'Français', nl: 'Nederlands', ar: 'العربية' };
const themes = {
  '': 'of the tenant',
  default: 'Light',
  default_dark: 'Dark',
  paper: 'Paper',
  paper_dark: 'Paper, dark',
  vivid: 'Vivid',
  vivid_dark: 'Vivid, dark',
  earth: 'Earth',
  earth_dark: 'Earth, dark',
  high_contrast: 'High contrast',
  high_contrast_dark: 'High contrast, dark',
};
const widths = { '': 'as wide as the page', '820px': 'tablet', '400px': 'mobile' };

const initialSelection: DemoSelection = {
  dashboard: '',
  tenant: '',
  theme: '',
  locale: 'en',
  width: '',
  credential: null,
  question: '',
  dataset: '',
  answer: null,
  history: [],
  removed: new Set(),
  asking: false,
  problem: '',
};

/** Sends a request to the service. Raises Error with the message of the service. */
async function send(path: string, body: JsonObject | null, by: Credential | null = null): Promise<Json> {
  const response = await fetch(path, {
    ...(body === null ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(by === null ? {} : { authorization: `Bearer ${by.key}:${by.token}` }),
    },
  });
  const answer: Json = await response.json();
  if (!response.ok) throw new Error(isObject(answer) ? text(answer, 'message') : `status ${response.status}`);
  return answer;
}

function select(
  label: string,
  value: string,
  options: Readonly<Record<string, string>>,
  change: (value: string) => void,
): TemplateResult {
  return html`<label
    >${label}
    <select
      .value=${value}
      @change=${(event: Event) => {
        if (event.target instanceof HTMLSelectElement) change(event.target.value);
      }}
    >
      ${Object.entries(options).map(([key, words]) => html`<option value=${key} ?selected=${key === value}>${words}</option>`)}
    </select>
  </label>`;
}

const loadingView = ({ failure, step, of, done }: State): TemplateResult =>
  html`<main class="status">
    <h1>Inlay</h1>
    <p role="status">
      ${failure === null ? `The demo is being loaded: ${step}` : `The demo could not be loaded: ${failure}`}
    </p>
    <progress max=${of || 1} value=${done} aria-label="Progress"></progress>
    <p><a href="/docs">The API and its docs</a> are there already.</p>
  </main>`;

const stateEveryMs = 400;

/** Renders the demo and keeps it up to date. */
class DemoPage {
  #state: State = readState({});
  readonly #selection = { ...initialSelection };

  /** Shows progress until the demo data is loaded, then the view selected by the page's address. */
  async start(): Promise<void> {
    for (;;) {
      this.#state = readState(await send('/demo/state', null).catch(() => null));
      this.#draw();
      if (this.#state.ready || this.#state.failure !== null) break;
      await new Promise((resolve) => setTimeout(resolve, stateEveryMs));
    }
    const { tenants, dashboards, datasets } = this.#state;
    const params = new URLSearchParams(location.search);
    await this.#change({
      tenant: params.get('tenant') ?? tenants[0]?.id ?? '',
      dashboard: dashboards[Number(params.get('dashboard') ?? 0)]?.id ?? dashboards[0]?.id ?? '',
      locale: params.get('locale') ?? 'en',
      theme: params.get('theme') ?? '',
      width: params.get('width') ?? '',
      dataset: datasets[0]?.id ?? '',
    });
  }

  readonly #getToken = async (): Promise<Credential> => {
    const { tenant, locale } = this.#selection;
    const tokenAnswer = await send('/demo/token', { tenant, locale });
    return isObject(tokenAnswer)
      ? { key: text(tokenAnswer, 'key'), token: text(tokenAnswer, 'token') }
      : { key: '', token: '' };
  };

  async #change(changes: Partial<DemoSelection>): Promise<void> {
    const selection = this.#selection;
    const isOther =
      (changes.tenant ?? selection.tenant) !== selection.tenant ||
      (changes.locale ?? selection.locale) !== selection.locale;
    Object.assign(selection, changes);
    document.documentElement.lang = selection.locale;
    if (isOther || selection.credential === null) {
      selection.answer = null;
      selection.credential = await this.#getToken().catch((error: unknown) => {
        selection.problem = String(error);
        return null;
      });
    }
    this.#draw();
  }

  async #ask(): Promise<void> {
    const selection = this.#selection;
    selection.asking = true;
    selection.problem = '';
    this.#draw();
    try {
      selection.credential ??= await this.#getToken();
      const properties: JsonObject = {
        dataset_id: selection.dataset,
        type: 'generate-chart',
        ...(selection.question === '' ? {} : { question: selection.question }),
        ...(selection.history.length === 0 ? {} : { message_history: selection.history }),
      };
      const answer = await send(`/${apiVersion}/aichart`, { action: 'create', properties }, selection.credential);
      selection.answer = isObject(answer) ? answer : null;
      selection.removed = new Set();
      if (selection.question !== '') selection.history = [...selection.history, selection.question].slice(-20);
    } catch (error) {
      selection.problem = error instanceof Error ? error.message : String(error);
      selection.answer = null;
    }
    selection.asking = false;
    this.#draw();
  }

  #draw(): void {
    render(this.#state.ready ? this.#page() : loadingView(this.#state), document.body);
  }

  #page(): TemplateResult {
    return html`<header>
        <h1>Inlay</h1>
        ${this.#dashboards()} <a href="/gallery">Item types</a> <a href="/docs">API</a>
      </header>
      <main>
        ${this.#options()} ${this.#dashboard()}
        <div class="below">${this.#question()} ${this.#snippets()} ${this.#sources()}</div>
      </main>`;
  }

  #dashboards(): TemplateResult {
    const { dashboard, locale } = this.#selection;
    return html`<nav aria-label="Dashboards">
      ${this.#state.dashboards.map(
        ({ id, name }) =>
          html`<button
            type="button"
            aria-pressed=${String(id === dashboard)}
            @click=${() => void this.#change({ dashboard: id })}
          >
            ${inLanguage(name, locale)}
          </button>`,
      )}
    </nav>`;
  }

  #options(): TemplateResult {
    const { tenant, theme, locale, width } = this.#selection;
    const change = (changes: Partial<DemoSelection>): void => void this.#change(changes);
    return html`<div class="options">
      ${select('Customer', tenant, this.#named(this.#state.tenants), (value) => change({ tenant: value }))}
      ${select('Theme', theme, themes, (value) => change({ theme: value }))}
      ${select('Language', locale, languages, (value) => change({ locale: value }))}
      ${select('Width', width, widths, (value) => change({ width: value }))}
      <span>Two customers of one product: each sees its own rows, in its own theme.</span>
    </div>`;
  }

  #dashboard(): TemplateResult | typeof nothing {
    const { credential, dashboard, width, locale, theme } = this.#selection;
    if (credential === null || dashboard === '') return nothing;
    return html`<div class="stage" style=${width === '' ? '' : `width:${width}`}>
      <inlay-dashboard
        .dashboardId=${dashboard}
        .authKey=${credential.key}
        .authToken=${credential.token}
        .getToken=${this.#getToken}
        .locale=${locale}
        .theme=${theme === '' ? null : { id: theme }}
      ></inlay-dashboard>
    </div>`;
  }

  #question(): TemplateResult {
    const selection = this.#selection;
    return html`<h2>Ask for a chart</h2>
      <form
        class="ask"
        @submit=${(event: Event) => {
          event.preventDefault();
          void this.#ask();
        }}
      >
        ${select('About', selection.dataset, this.#named(this.#state.datasets), (dataset) => {
          selection.dataset = dataset;
          selection.history = [];
          this.#draw();
        })}
        <input
          aria-label="Question"
          placeholder="revenue by country"
          .value=${selection.question}
          @input=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) selection.question = event.target.value;
          }}
        />
        <button type="submit" ?disabled=${selection.asking}>Ask</button>
      </form>
      ${selection.history.length === 0 ? nothing : this.#conversation()}
      ${selection.problem === '' ? nothing : html`<p role="alert">${selection.problem}</p>`} ${this.#answer()}`;
  }

  #conversation(): TemplateResult {
    const selection = this.#selection;
    return html`<p class="conversation">
      ${selection.history.map((question) => html`<q>${question}</q> `)}
      <button
        type="button"
        @click=${() => {
          selection.history = [];
          selection.answer = null;
          selection.question = '';
          this.#draw();
        }}
      >
        Start again
      </button>
    </p>`;
  }

  #chips(conditions: readonly ChartCondition[]): TemplateResult | typeof nothing {
    const { removed } = this.#selection;
    const places = [...conditions.keys()].filter((at) => !removed.has(at) && conditions[at]?.filters.size !== 0);
    if (places.length === 0) return nothing;
    return html`<ul class="chips" aria-label="Filters">
      ${places.map((place) => {
        const title = conditions[place]?.title ?? '';
        return html`<li>
          <button
            type="button"
            aria-label=${`Remove the filter ${title}`}
            @click=${() => {
              this.#selection.removed = new Set([...removed, place]);
              this.#draw();
            }}
          >
            ${title} <span aria-hidden="true">✕</span>
          </button>
        </li>`;
      })}
    </ul>`;
  }

  #alternatives(answer: JsonObject): TemplateResult | typeof nothing {
    const alternatives = member(answer, 'alternatives');
    if (!isList(alternatives) || alternatives.length === 0) return nothing;
    return html`<p class="alternatives">
      Instead:
      ${alternatives.map((other) => {
        if (!isObject(other)) return nothing;
        const chart = objectIn(other, 'generatedChart');
        return html`<button
          type="button"
          @click=${() => {
            this.#selection.answer = {
              ...answer,
              generatedChart: chart,
              conditions: member(other, 'conditions') ?? [],
            };
            this.#draw();
          }}
        >
          ${inLanguage(member(chart, 'title'), this.#selection.locale)}
        </button> `;
      })}
    </p>`;
  }

  #answer(): TemplateResult | typeof nothing {
    const { answer, credential, locale, theme, removed } = this.#selection;
    const generatedChart = answer === null ? undefined : member(answer, 'generatedChart');
    if (answer === null || generatedChart === undefined || !isObject(generatedChart) || credential === null)
      return nothing;
    const message = member(answer, 'message');
    const conditions = conditionsOf(answer, locale);
    const filters = member(generatedChart, 'filters');
    const isTaken = (at: number): boolean => removed.has(at);
    return html`<div class="answer">
      <inlay-item
        .type=${text(generatedChart, 'type')}
        .slots=${member(generatedChart, 'slots') ?? []}
        .options=${{ ...objectIn(generatedChart, 'options'), filterNote: false }}
        .itemTitle=${titleWithout(inLanguage(member(generatedChart, 'title'), locale), conditions, isTaken)}
        .filters=${filtersWithout(isList(filters) ? filters : [], conditions, isTaken)}
        .authKey=${credential.key}
        .authToken=${credential.token}
        .getToken=${this.#getToken}
        .locale=${locale}
        .theme=${theme === '' ? null : { id: theme }}
      ></inlay-item>
      ${this.#chips(conditions)} ${typeof message === 'string' && message !== '' ? html`<p>${message}</p>` : nothing}
      ${this.#alternatives(answer)}
    </div>`;
  }

  #snippets(): TemplateResult {
    return html`<h2>In your page</h2>
      <pre tabindex="0"><code>${pageSnippet(this.#selection, location.origin)}</code></pre>
      <h2>On your server, a token for one customer</h2>
      <pre
        tabindex="0"
      ><code>${serverSnippet(this.#selection, location.origin, this.#state.datasets[0]?.id)}</code></pre>`;
  }

  #sources(): TemplateResult {
    return html`<h2>Where the data is from</h2>
      <ul>
        ${this.#state.sources.map(({ title, address, terms }) => html`<li><a href=${address} rel="noreferrer">${title}</a>: ${terms}.</li>`)}
      </ul>`;
  }

  #named(list: readonly NamedChoice[]): Record<string, string> {
    return Object.fromEntries(list.map(({ id, name }) => [id, inLanguage(name, this.#selection.locale)]));
  }
}

defineElements();
void new DemoPage().start();
