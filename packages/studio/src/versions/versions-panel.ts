import type { JsonObject } from '@inlay/contract';
import { ChangeError, describe, diff, filled, type DashboardModel } from '@inlay/contract/change';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { Panel, valueOf } from '../panels/panel.ts';
import { problemOf } from '../panels/problem.ts';
import { textsIn } from '../words/words.ts';
import { listVersions, loadVersion, nameVersion, versionsAtOnce, type VersionRecord } from './version-record.ts';
import { versionWords, type VersionWords } from './words.ts';

/** Number of changes that are listed in words. */
const maxSentences = 30;

/** A version that is compared with the contents of now. */
interface Comparison {
  readonly version: VersionRecord;
  readonly model: DashboardModel;
}

/** Contents of both sides, with what columns provide filled in. */
interface Pictures {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** `<inlay-versions>`: earlier contents of the dashboard, which can be named, compared with those of now, and restored. */
export class InlayVersions extends Panel {
  static override properties: PropertyDeclarations = {
    ...Panel.properties,
    versions: { state: true },
    isComplete: { state: true },
    compared: { state: true },
    pictures: { state: true },
    problem: { state: true },
  };
  static override styles = css`
    ${Panel.styles}
    li button {
      align-items: center;
      cursor: pointer;
    }
    li button[aria-pressed='true'] {
      border-color: var(--accent);
    }
    ul.changes {
      padding-inline-start: 18px;
      list-style: disc;
    }
    dialog {
      box-sizing: border-box;
      width: min(1400px, 96vw);
      max-height: 90vh;
      padding: 16px;
      border: 1px solid var(--edge);
      border-radius: 8px;
      background: var(--paper);
      color: var(--ink);
    }
    .sides {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr));
      gap: 16px;
      margin-block: 12px;
    }
    .sides inlay-dashboard {
      zoom: 0.6;
      min-height: 300px;
    }
  `;

  declare protected versions: readonly VersionRecord[] | null;
  declare protected isComplete: boolean;
  declare protected compared: Comparison | null;
  declare protected pictures: Pictures | null;
  declare protected problem: string | null;

  #of: string | null = null;
  #loads = 0;

  constructor() {
    super();
    this.versions = null;
    this.isComplete = false;
    this.compared = null;
    this.pictures = null;
    this.problem = null;
  }

  get #words(): VersionWords {
    return textsIn(versionWords, this.locale);
  }

  override willUpdate(changedProperties: ReadonlyMap<PropertyKey, unknown>): void {
    super.willUpdate(changedProperties);
    const { session } = this;
    // Each save makes a version.
    const state = session === null ? null : `${session.id} ${session.stored.etag}`;
    if (state === this.#of) return;
    this.#of = state;
    this.compared = null;
    void this.#list([]);
  }

  async #list(listed: readonly VersionRecord[]): Promise<void> {
    const { session } = this;
    if (session === null) return;
    const load = (this.#loads += 1);
    await this.#try(async () => {
      const further = await listVersions(session.transport, session.id, listed.length);
      if (load !== this.#loads) return;
      this.versions = [...listed, ...further];
      this.isComplete = further.length < versionsAtOnce;
    });
  }

  async #try(send: () => Promise<void>): Promise<void> {
    this.problem = null;
    this.problem = await problemOf(send, this.words);
  }

  async #compare(version: VersionRecord): Promise<void> {
    const { session } = this;
    if (session === null) return;
    await this.#try(async () => {
      this.compared = { version, model: await loadVersion(session.transport, version.id) };
    });
  }

  async #rename({ version, model }: Comparison, text: string): Promise<void> {
    const { session } = this;
    if (session === null) return;
    const name = text.trim() === '' ? null : text.trim();
    await this.#try(async () => {
      await nameVersion(session.transport, version.id, name);
      const renamed = { ...version, name };
      this.versions = (this.versions ?? []).map((one) => (one.id === version.id ? renamed : one));
      if (this.compared?.version.id === version.id) this.compared = { version: renamed, model };
    });
  }

  #restore({ version, model }: Comparison): void {
    const { session } = this;
    if (session === null) return;
    session.edit(diff(session.model, model), filled(this.#words.restored, { time: this.#time(version) }));
  }

  async #draw({ model }: Comparison): Promise<void> {
    const { session } = this;
    if (session === null) return;
    this.renderRoot.querySelector('dialog')?.showModal();
    await this.#try(async () => {
      const [before, after] = await Promise.all([session.shownContents(model), session.shownContents(session.model)]);
      this.pictures = { before, after };
    });
  }

  #time({ endedAt }: VersionRecord): string {
    const time = new Date(endedAt);
    const format = new Intl.DateTimeFormat(this.locale, { dateStyle: 'medium', timeStyle: 'short' });
    return Number.isNaN(time.getTime()) ? endedAt : format.format(time);
  }

  #nameOf(version: VersionRecord): string {
    return version.name ?? filled(this.#words.until, { time: this.#time(version) });
  }

  /** Returns one sentence for each change since a version, without repetitions. */
  #sentences(then: DashboardModel, now: DashboardModel): readonly string[] {
    const sentences = diff(then, now).map((operation) => {
      try {
        return describe([operation], then, this.locale);
      } catch (error) {
        if (!(error instanceof ChangeError)) throw error;
        // The operation is about a part that an earlier one has added.
        return null;
      }
    });
    return [...new Set(sentences.filter((sentence) => sentence !== null))];
  }

  #comparison(compared: Comparison): TemplateResult {
    const words = this.#words;
    const { session } = this;
    const { version, model } = compared;
    const sentences = session === null ? [] : this.#sentences(model, session.model);
    const isSame = session !== null && diff(model, session.model).length === 0;
    const changes = html`<h3 id="changes">${words.changes}</h3>
      <ul class="changes" aria-labelledby="changes">
        ${sentences.slice(0, maxSentences).map((sentence) => html`<li>${sentence}</li>`)}
        ${
          sentences.length > maxSentences
            ? html`<li>
                ${filled(words.more, { n: new Intl.NumberFormat(this.locale).format(sentences.length - maxSentences) })}
              </li>`
            : nothing
        }
      </ul>`;
    return html`<div class="slot">
      <label
        >${words.name}<input
          type="text"
          maxlength="1000"
          .value=${version.name ?? ''}
          @change=${(event: Event) => void this.#rename(compared, valueOf(event))}
      /></label>
      ${isSame ? html`<p>${words.same}</p>` : changes}
      <button type="button" @click=${() => void this.#draw(compared)}>${words.pictures}</button>
      <button type="button" ?disabled=${isSame} @click=${() => this.#restore(compared)}>${words.restore}</button>
    </div>`;
  }

  #side(title: string, contents: JsonObject): TemplateResult | typeof nothing {
    const { session } = this;
    if (session === null) return nothing;
    const { apiHost, authKey, authToken, getToken } = session.access;
    return html`<section aria-label=${title}>
      <h3>${title}</h3>
      <inlay-dashboard
        apihost=${apiHost}
        authkey=${authKey}
        authtoken=${authToken}
        .getToken=${getToken}
        .locale=${this.locale}
        .screenMode=${this.screen}
        .contents=${contents}
      ></inlay-dashboard>
    </section>`;
  }

  override render(): TemplateResult {
    const words = this.#words;
    const { versions, compared, pictures, problem } = this;
    const wrong =
      problem === null
        ? nothing
        : html`<p role="alert">${filled(words.failed, { reason: problem })}</p>
            <button type="button" @click=${() => void this.#list([])}>${words.retry}</button>`;
    if (versions === null) return html`${problem === null ? html`<p>${this.words.loading}</p>` : wrong}`;
    if (versions.length === 0)
      return html`${wrong}
        <p>${words.none}</p>`;
    return html`${wrong}
      <ul>
        ${versions.map(
          (version) =>
            html`<li>
              <button
                type="button"
                aria-pressed=${compared?.version.id === version.id}
                @click=${() => void this.#compare(version)}
              >
                ${this.#nameOf(version)}
              </button>
            </li>`,
        )}
      </ul>
      ${
        this.isComplete
          ? nothing
          : html`<button type="button" @click=${() => void this.#list(versions)}>${words.older}</button>`
      }
      ${compared === null ? nothing : this.#comparison(compared)}
      <dialog
        aria-label=${compared === null ? words.pictures : this.#nameOf(compared.version)}
        @close=${() => (this.pictures = null)}
      >
        <form method="dialog"><button>${words.close}</button></form>
        <div class="sides">
          ${pictures === null ? nothing : html`${this.#side(words.before, pictures.before)}${this.#side(words.after, pictures.after)}`}
        </div>
      </dialog>`;
  }
}
