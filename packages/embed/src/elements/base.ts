import type { Json } from '@inlay/contract';
import { pageThemes, themeNameOf } from '@inlay/contract/theme';
import { LitElement, type PropertyDeclarations } from 'lit';
import { createTransport, type Credential, type Failure, type Transport } from '../transport.ts';
import { createMemberColors, type MemberColors } from '../charts/frame/member-colors.ts';
import { themeVariables } from '../theme/variables.ts';
import { tell } from './dashboard-events.ts';
import { Hints } from './page/hints.ts';
import { sceneOf, type Scene, type Viewer } from './look.ts';

const plain = (name: string): string => name.replaceAll('-', '');
const hyphened = (name: string): string => name.replaceAll(/[A-Z]/gu, '-$&').toLowerCase();

/** What both elements take from the page around them. */
export abstract class InlayElement extends LitElement {
  static override properties: PropertyDeclarations = {
    apiHost: {},
    authKey: {},
    authToken: {},
    getToken: { attribute: false },
    locale: {},
    language: {},
    timezone: {},
    timezoneId: {},
    theme: { converter: { fromAttribute: themeAttribute } },
    patterns: { type: Boolean },
    problem: { state: true },
  };

  /** Address of the service; the page's own where it is left out. */
  declare apiHost: string;
  /** The key of a credential, best of an embed token. */
  declare authKey: string;
  /** The token that belongs to the key. */
  declare authToken: string;
  /** Gives a `{key, token}` when there is none yet or the old one has ended; nothing is mounted again. */
  declare getToken: (() => Promise<Credential>) | null;
  /** The viewer's language, such as `fr` or `pt-BR`; that of the token, then that of the page where it is left out. */
  declare locale: string;
  /** Another name of `locale`, which wins. */
  declare language: string;
  /** IANA zone; that of the token, then that of the dashboard where it is left out. */
  declare timezone: string;
  /** Another name of `timezone`, which wins. */
  declare timezoneId: string;
  /** A theme object, or the id of a built-in one; stronger than every other theme. */
  declare theme: Json;
  /** Marks carry patterns beside colours. */
  declare patterns: boolean;
  /** Why nothing can be shown; null where something can. */
  declare protected problem: Failure | null;

  /** Attributes are written with hyphens or without: `auth-key`, `authkey`. */
  static override get observedAttributes(): string[] {
    const names = super.observedAttributes;
    const both = [...this.elementProperties.keys()].map((name) => hyphened(String(name)));
    return [...names, ...both.filter((name) => names.includes(plain(name)))];
  }

  readonly #hints = new Hints();
  #transport: Transport | null = null;
  #colors: { readonly size: number; readonly colors: MemberColors } | null = null;
  #themes = pageThemes;
  #scene: { readonly key: string; readonly scene: Scene } | null = null;

  constructor() {
    super();
    this.apiHost = '';
    this.authKey = '';
    this.authToken = '';
    this.getToken = null;
    this.locale = '';
    this.language = '';
    this.timezone = '';
    this.timezoneId = '';
    this.theme = null;
    this.patterns = false;
    this.problem = null;
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    super.attributeChangedCallback(plain(name), before, value);
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (['apiHost', 'authKey', 'authToken', 'getToken'].some((name) => changed.has(name))) this.#transport = null;
  }

  protected transport(): Transport {
    this.#transport ??= createTransport({
      apiHost: this.apiHost === '' ? location.origin : this.apiHost,
      credential: this.authKey === '' || this.authToken === '' ? null : { key: this.authKey, token: this.authToken },
      getToken: this.getToken,
    });
    return this.#transport;
  }

  /** How it is seen, worked out again only when something about it changed. */
  protected scene(
    themes: readonly Json[],
    { locale, timeZone, currency }: Pick<Viewer, 'locale' | 'timeZone' | 'currency'>,
  ): Scene {
    const stack = [...themes, this.theme];
    if (this.#themes === pageThemes && stack.some(isFurther)) void this.#loadThemes();
    const viewer = { locale, timeZone, currency, themes: stack, patterns: this.patterns };
    const key = JSON.stringify(viewer);
    if (this.#scene?.key !== key) {
      const seen = { ...viewer, known: this.#themes, nowMs: Date.now() };
      this.#scene = { key, scene: sceneOf(seen, (size) => this.#colorsFor(size)) };
      for (const [name, value] of Object.entries(themeVariables(this.#scene.scene.theme)))
        this.style.setProperty(name, value);
      this.dir = this.#scene.scene.rightToLeft ? 'rtl' : 'ltr';
      this.lang = this.#scene.scene.formats.locale;
    }
    return this.#scene.scene;
  }

  /** Themes beside the default one come with the first that a page names; the service sends those of dashboards. */
  async #loadThemes(): Promise<void> {
    this.#themes = { ...pageThemes };
    try {
      this.#themes = (await import('@inlay/contract/built-in-themes')).builtInThemes;
      this.#scene = null;
      this.requestUpdate();
    } catch {
      // Shown in the default theme.
    }
  }

  protected failure(failure: Failure): void {
    this.tellFailure(null, failure);
  }

  /** Tells the page, and whoever builds it. */
  protected tellFailure(id: string | null, { code, message, hint }: Pick<Failure, 'code' | 'message' | 'hint'>): void {
    tell(this, 'failed', { id, code, message, hint });
    this.#hints.tell(id, { message, hint });
  }

  #colorsFor(size: number): MemberColors {
    if (this.#colors?.size !== size) this.#colors = { size, colors: createMemberColors(size) };
    return this.#colors.colors;
  }

  /** Has everything drawn again, as after a member took another colour. */
  protected drawAgain(): void {
    if (this.#scene !== null) this.#scene = { ...this.#scene, scene: { ...this.#scene.scene } };
    this.requestUpdate();
  }
}

/** Whether a theme is named that pages do not always have. */
const isFurther = (given: Json): boolean => {
  const name = themeNameOf(given);
  return name !== null && !Object.hasOwn(pageThemes, name);
};

function themeAttribute(value: string | null): Json {
  if (value === null || value === '') return null;
  if (!value.trim().startsWith('{')) return { id: value };
  try {
    const read: Json = JSON.parse(value);
    return read;
  } catch {
    return null;
  }
}
