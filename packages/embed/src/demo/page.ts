import { apiVersion, isObject, member, type Json, type JsonObject, inLanguage } from '@inlay/contract';
import { html, nothing, render, type TemplateResult } from 'lit';
import { defineElements } from '../index.ts';
import type { Credential } from '@inlay/client/transport';
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

/** Renders the demo and keeps it up to date. */
function startDemo(): void {
  let state: State = readState({});
  const chosen: DemoSelection = {
    dashboard: '',
    tenant: '',
    theme: '',
    locale: 'en',
    width: '',
    credential: null,
    question: '',
    dataset: '',
    answer: null,
    asking: false,
    problem: '',
  };

  const ask = async (path: string, body: JsonObject | null, by: Credential | null = null): Promise<Json> => {
    const response = await fetch(path, {
      ...(body === null ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(by === null ? {} : { authorization: `Bearer ${by.key}:${by.token}` }),
      },
    });
    const read: Json = await response.json();
    if (!response.ok) throw new Error(isObject(read) ? text(read, 'message') : `status ${response.status}`);
    return read;
  };

  async function newToken(): Promise<Credential> {
    const made = await ask('/demo/token', { tenant: chosen.tenant, locale: chosen.locale });
    return isObject(made) ? { key: text(made, 'key'), token: text(made, 'token') } : { key: '', token: '' };
  }

  const getToken = newToken;

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

  const inWords = (list: readonly NamedChoice[]): Record<string, string> =>
    Object.fromEntries(list.map(({ id, name }) => [id, inLanguage(name, chosen.locale)]));

  async function question(): Promise<void> {
    chosen.asking = true;
    chosen.problem = '';
    draw();
    try {
      chosen.credential ??= await newToken();
      const properties: JsonObject = {
        dataset_id: chosen.dataset,
        type: 'generate-chart',
        ...(chosen.question === '' ? {} : { question: chosen.question }),
      };
      const answer = await ask(`/${apiVersion}/aichart`, { action: 'create', properties }, chosen.credential);
      chosen.answer = isObject(answer) ? answer : null;
    } catch (error) {
      chosen.problem = error instanceof Error ? error.message : String(error);
      chosen.answer = null;
    }
    chosen.asking = false;
    draw();
  }

  function answerView(): TemplateResult | typeof nothing {
    const { answer, credential } = chosen;
    const made = answer === null ? undefined : member(answer, 'generatedChart');
    if (answer === null || made === undefined || !isObject(made) || credential === null) return nothing;
    const message = member(answer, 'message');
    return html`<div class="answer">
      <inlay-item
        .type=${text(made, 'type')}
        .slots=${member(made, 'slots') ?? []}
        .options=${member(made, 'options') ?? {}}
        .itemTitle=${member(made, 'title') ?? ''}
        .authKey=${credential.key}
        .authToken=${credential.token}
        .getToken=${getToken}
        .locale=${chosen.locale}
      ></inlay-item>
      ${typeof message === 'string' && message !== '' ? html`<p>${message}</p>` : nothing}
    </div>`;
  }

  function dashboardView(): TemplateResult | typeof nothing {
    const { credential } = chosen;
    if (credential === null || chosen.dashboard === '') return nothing;
    return html`<div class="stage" style=${chosen.width === '' ? '' : `width:${chosen.width}`}>
      <inlay-dashboard
        .dashboardId=${chosen.dashboard}
        .authKey=${credential.key}
        .authToken=${credential.token}
        .getToken=${getToken}
        .locale=${chosen.locale}
        .theme=${chosen.theme === '' ? null : { id: chosen.theme }}
      ></inlay-dashboard>
    </div>`;
  }

  async function change(next: Partial<DemoSelection>): Promise<void> {
    const other = (next.tenant ?? chosen.tenant) !== chosen.tenant || (next.locale ?? chosen.locale) !== chosen.locale;
    Object.assign(chosen, next);
    document.documentElement.lang = chosen.locale;
    if (other || chosen.credential === null) {
      chosen.answer = null;
      chosen.credential = await newToken().catch((error: unknown) => {
        chosen.problem = String(error);
        return null;
      });
    }
    draw();
  }

  function page(): TemplateResult {
    const options = html`<div class="options">
      ${select('Customer', chosen.tenant, inWords(state.tenants), (tenant) => void change({ tenant }))}
      ${select('Theme', chosen.theme, themes, (theme) => void change({ theme }))}
      ${select('Language', chosen.locale, languages, (locale) => void change({ locale }))}
      ${select('Width', chosen.width, widths, (width) => void change({ width }))}
      <span>Two customers of one product: each sees its own rows, in its own theme.</span>
    </div>`;
    return html`<header>
        <h1>Inlay</h1>
        <nav aria-label="Dashboards">
          ${state.dashboards.map(
            ({ id, name }) =>
              html`<button
                type="button"
                aria-pressed=${String(id === chosen.dashboard)}
                @click=${() => void change({ dashboard: id })}
              >
                ${inLanguage(name, chosen.locale)}
              </button>`,
          )}
        </nav>
        <a href="/gallery">Item types</a> <a href="/docs">API</a>
      </header>
      <main>
        ${options} ${dashboardView()}
        <div class="below">
          <h2>Ask for a chart</h2>
          <form
            class="ask"
            @submit=${(event: Event) => {
              event.preventDefault();
              void question();
            }}
          >
            ${select('About', chosen.dataset, inWords(state.datasets), (dataset) => {
              chosen.dataset = dataset;
              draw();
            })}
            <input
              aria-label="Question"
              placeholder="revenue by country"
              .value=${chosen.question}
              @input=${(event: Event) => {
                if (event.target instanceof HTMLInputElement) chosen.question = event.target.value;
              }}
            />
            <button type="submit" ?disabled=${chosen.asking}>Ask</button>
          </form>
          ${chosen.problem === '' ? nothing : html`<p role="alert">${chosen.problem}</p>`} ${answerView()}
          <h2>In your page</h2>
          <pre tabindex="0"><code>${pageSnippet(chosen, location.origin)}</code></pre>
          <h2>On your server, a token for one customer</h2>
          <pre tabindex="0"><code>${serverSnippet(chosen, location.origin, state.datasets[0]?.id)}</code></pre>
          <h2>Where the data is from</h2>
          <ul>
            ${state.sources.map(({ title, address, terms }) => html`<li><a href=${address} rel="noreferrer">${title}</a>: ${terms}.</li>`)}
          </ul>
        </div>
      </main>`;
  }

  const loading = (): TemplateResult =>
    html`<main class="status">
      <h1>Inlay</h1>
      <p role="status">
        ${state.failure === null ? `The demo is being loaded: ${state.step}` : `The demo could not be loaded: ${state.failure}`}
      </p>
      <progress max=${state.of || 1} value=${state.done} aria-label="Progress"></progress>
      <p><a href="/docs">The API and its docs</a> are there already.</p>
    </main>`;

  function draw(): void {
    render(state.ready ? page() : loading(), document.body);
  }

  async function start(): Promise<void> {
    for (;;) {
      state = readState(await ask('/demo/state', null).catch(() => null));
      draw();
      if (state.ready || state.failure !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    const [tenant] = state.tenants;
    const [dashboard] = state.dashboards;
    const [dataset] = state.datasets;
    const params = new URLSearchParams(location.search);
    await change({
      tenant: params.get('tenant') ?? tenant?.id ?? '',
      dashboard: state.dashboards[Number(params.get('dashboard') ?? 0)]?.id ?? dashboard?.id ?? '',
      locale: params.get('locale') ?? 'en',
      theme: params.get('theme') ?? '',
      width: params.get('width') ?? '',
      dataset: dataset?.id ?? '',
    });
  }

  void start();
}

defineElements();
startDemo();
