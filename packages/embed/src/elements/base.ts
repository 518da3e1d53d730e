import type { Json } from '@inlay/contract';
import { LitElement, type PropertyDeclarations } from 'lit';
import { createTransport, type Credential, type Transport } from '../transport.ts';
import { sceneOf, themeVariables, type Scene } from './look.ts';

/** What both elements take from the page around them. */
export abstract class InlayElement extends LitElement {
  static override properties: PropertyDeclarations = {
    apiHost: { attribute: 'api-host' },
    authKey: { attribute: 'auth-key' },
    authToken: { attribute: 'auth-token' },
    getToken: { attribute: false },
    locale: {},
    timezone: {},
    theme: { converter: { fromAttribute: themeAttribute } },
    patterns: { type: Boolean },
  };

  /** Address of the service; the page's own where it is left out. */
  declare apiHost: string;
  /** The key of a credential, best of an embed token. */
  declare authKey: string;
  /** The token that belongs to the key. */
  declare authToken: string;
  /** Gives a `{key, token}` when there is none yet or the old one has ended; nothing is mounted anew. */
  declare getToken: (() => Promise<Credential>) | null;
  /** The viewer's language, such as `fr` or `pt-BR`; that of the token, then that of the page where it is left out. */
  declare locale: string;
  /** IANA zone; that of the token, then that of the dashboard where it is left out. */
  declare timezone: string;
  /** A theme object, or the id of a built-in one; stronger than every other theme. */
  declare theme: Json;
  /** Marks carry patterns beside colours. */
  declare patterns: boolean;

  #transport: Transport | null = null;
  #scene: { readonly key: string; readonly scene: Scene } | null = null;

  constructor() {
    super();
    this.apiHost = '';
    this.authKey = '';
    this.authToken = '';
    this.getToken = null;
    this.locale = '';
    this.timezone = '';
    this.theme = null;
    this.patterns = false;
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

  /** How it is seen, worked out anew only when something about it changed. */
  protected scene(themes: readonly Json[], locale: string, timeZone: string): Scene {
    const viewer = { locale, timeZone, themes: [...themes, this.theme], patterns: this.patterns };
    const key = JSON.stringify(viewer);
    if (this.#scene?.key !== key) {
      this.#scene = { key, scene: sceneOf(viewer) };
      for (const [name, value] of Object.entries(themeVariables(this.#scene.scene.theme)))
        this.style.setProperty(name, value);
      this.dir = this.#scene.scene.rightToLeft ? 'rtl' : 'ltr';
      this.lang = this.#scene.scene.formats.locale;
    }
    return this.#scene.scene;
  }
}

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
