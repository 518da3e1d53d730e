import { Failure } from '@inlay/client/transport';
import { filledText, listOr, objectOr, textOr, type JsonObject } from '@inlay/contract';
import { filled } from '@inlay/contract/change';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { Panel } from '../panels/panel.ts';
import { failureText } from '../panels/problem.ts';
import { textsIn } from '../words/words.ts';
import { candidatesFor, contentsWith, type Candidate } from './candidates.ts';
import { galleryWords } from './words.ts';

/** `<inlay-gallery>`: every type that an item can have, drawn with its own data, or what it still needs for that. */
export class InlayGallery extends Panel {
  static override properties: PropertyDeclarations = {
    ...Panel.properties,
    candidates: { state: true },
    shown: { state: true },
    seen: { state: true },
    problem: { state: true },
  };
  static override styles = css`
    ${Panel.styles}
    ul {
      grid-template-columns: 1fr 1fr;
      gap: 8px;
      max-height: 520px;
      padding: 3px;
    }
    li {
      position: relative;
      padding: 6px;
      border: 1px solid var(--edge);
      border-radius: 6px;
    }
    li[data-current] {
      border-color: var(--accent);
      box-shadow: inset 0 0 0 1px var(--accent);
    }
    li button {
      justify-content: center;
      min-height: 24px;
      padding: 0 0 4px;
      border: 0;
      text-align: center;
      cursor: pointer;
    }
    /* The whole card is pressed. */
    li button::after {
      content: '';
      position: absolute;
      inset: 0;
    }
    li button:disabled {
      opacity: 1;
      cursor: default;
    }
    inlay-item {
      zoom: 0.45;
      height: 240px;
      pointer-events: none;
    }
    small {
      color: var(--quiet);
    }
  `;

  declare protected candidates: readonly Candidate[];
  /** The candidates with what columns provide filled in, by type. */
  declare protected shown: ReadonlyMap<string, JsonObject>;
  /** Types whose cards have been in sight. */
  declare protected seen: ReadonlySet<string>;
  declare protected problem: string | null;

  #of = '';
  #loads = 0;
  #observer: IntersectionObserver | null = null;

  constructor() {
    super();
    this.candidates = [];
    this.shown = new Map();
    this.seen = new Set();
    this.problem = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Each picture is a query: only those are drawn that somebody looks at.
    this.#observer = new IntersectionObserver((entries) => {
      const types = entries.flatMap(({ isIntersecting, target }) =>
        isIntersecting && target instanceof HTMLElement ? [target.dataset['type'] ?? ''] : [],
      );
      if (types.some((type) => !this.seen.has(type))) this.seen = new Set([...this.seen, ...types]);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changedProperties);
    const { type, slots, filters, options } = this.item?.value ?? {};
    const state = JSON.stringify([this.session?.id, this.itemId, type, slots, filters, options]);
    if (state === this.#of) return;
    this.#of = state;
    void this.#load();
  }

  override updated(): void {
    for (const card of this.renderRoot.querySelectorAll('[data-type]')) this.#observer?.observe(card);
  }

  async #load(): Promise<void> {
    const { session, catalogue, item } = this;
    const load = (this.#loads += 1);
    if (session === null || catalogue === null || item === null) {
      this.candidates = [];
      return;
    }
    const entries = listOr(item.value['slots']).flatMap((slot) => listOr(objectOr(slot)['content']).map(objectOr));
    const datasetIds = new Set(entries.flatMap((entry) => filledText(entry['datasetId']) ?? []));
    try {
      this.problem = null;
      await Promise.all([...datasetIds].map(async (id) => catalogue.columns(id)));
      if (load !== this.#loads) return;
      this.candidates = candidatesFor(item.value, (id) => catalogue.known(id)?.type ?? null);
      const drawable = this.candidates.filter(({ missing }) => missing === null);
      const contents = await session.shownContents(contentsWith(session.model, drawable));
      if (load !== this.#loads) return;
      const items = listOr(objectOr(listOr(contents['views'])[0])['items']).map(objectOr);
      this.shown = new Map(items.map((one) => [textOr(one['type'], ''), one]));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (load !== this.#loads) return;
      const reason = failureText(error, this.words);
      this.problem = filled(textsIn(galleryWords, this.locale).unseen, { reason });
    }
  }

  #choose(type: string): void {
    const { session, catalogue } = this;
    if (session === null) return;
    const typeOf = (id: string): string | null => catalogue?.known(id)?.type ?? null;
    this.edit(session.switches.change(session.model, this.screen, this.itemId, type, typeOf));
  }

  #picture(type: string): TemplateResult | typeof nothing {
    const { session } = this;
    const item = this.shown.get(type);
    if (session === null || item === undefined || !this.seen.has(type)) return nothing;
    const { apiHost, authKey, authToken, getToken } = session.access;
    return html`<inlay-item
      inert
      apihost=${apiHost}
      authkey=${authKey}
      authtoken=${authToken}
      .getToken=${getToken}
      .locale=${this.locale}
      .type=${type}
      .slots=${item['slots'] ?? []}
      .options=${objectOr(item['options'])}
      .filters=${listOr(item['filters'])}
    ></inlay-item>`;
  }

  #card({ type, missing }: Candidate): TemplateResult {
    const { types, roles } = this.itemWords;
    const words = textsIn(galleryWords, this.locale);
    const reason = missing === null ? null : filled(words.missing, { slot: roles[missing.role] });
    const isCurrent = this.item?.value['type'] === type;
    return html`<li data-type=${type} ?data-current=${isCurrent}>
      <button type="button" ?disabled=${reason !== null} aria-pressed=${isCurrent} @click=${() => this.#choose(type)}>
        ${types[type]}
      </button>
      ${reason === null ? this.#picture(type) : html`<small>${reason}</small>`}
    </li>`;
  }

  override render(): TemplateResult {
    const { candidates, problem } = this;
    // What can be drawn comes first.
    const ordered = candidates.toSorted(
      (left, right) => Number(left.missing !== null) - Number(right.missing !== null),
    );
    return html`${problem === null ? nothing : html`<p role="alert">${problem}</p>`}
      <ul>
        ${repeat(
          ordered,
          ({ type }) => type,
          (candidate) => this.#card(candidate),
        )}
      </ul>`;
  }
}
