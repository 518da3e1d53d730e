import { fixedZone, type Json, type JsonObject } from '@inlay/contract';
import { pageThemes, themeNameOf, themesOf } from '@inlay/contract/theme';
import type { LitElement } from 'lit';
import { createMemberColors, type MemberColors } from '../charts/frame/member-colors.ts';
import { createRenderContext, type RenderContext } from '../card/render-context.ts';
import { tell } from '../events.ts';
import { themeVariables } from '../theme/variables.ts';
import type { Credential, Failure, Transport } from '@inlay/client/transport';
import { pageTransport } from '../transport.ts';
import { loadAppearance, plainAppearance, type Appearance } from './appearance.ts';
import { Hints } from './page/hints.ts';

/** Settings of an element that its page controls. */
export interface PageSettings {
  readonly apiHost: string;
  readonly authKey: string;
  readonly authToken: string;
  readonly getToken: (() => Promise<Credential>) | null;
  readonly locale: string;
  readonly language: string;
  readonly timezone: string;
  readonly timezoneId: string;
  readonly theme: Json;
  readonly patterns: boolean;
}

/** The parts of a view that affect how it looks. */
interface RenderedView {
  readonly options: JsonObject;
  /** Contents of the dashboard; null for a stand-alone item. */
  readonly contents: JsonObject | null;
}

/** True if a theme names a built-in theme that is loaded on demand. */
const isFurther = (theme: Json): boolean => {
  const name = themeNameOf(theme);
  return name !== null && !Object.hasOwn(pageThemes, name);
};

/** Language, time zone, themes and credentials of an element's viewer. */
export class ViewerController {
  readonly #host: LitElement & PageSettings;
  readonly #hints = new Hints();
  #appearance = plainAppearance;
  #transport: Transport | null = null;
  #colors: { readonly size: number; readonly colors: MemberColors } | null = null;
  #themes = pageThemes;
  #renderContext: { readonly key: string; readonly renderContext: RenderContext } | null = null;

  constructor(host: LitElement & PageSettings) {
    this.#host = host;
  }

  get appearance(): Appearance {
    return this.#appearance;
  }

  /** Also applies the style sheets of the dashboard to the root of the element. Cards apply them to their own roots. */
  set appearance(appearance: Appearance) {
    this.#appearance = appearance;
    const root = this.#host.shadowRoot;
    if (root !== null) root.adoptedStyleSheets = [...root.adoptedStyleSheets.slice(0, 1), ...appearance.sheets];
    this.#host.requestUpdate();
  }

  /** Loads the appearance of a dashboard, or of the organization if both names are empty. Raises Failure. */
  load(dashboardId: string, dashboardSlug: string): Promise<Appearance> {
    return loadAppearance(this.transport, { dashboardId, dashboardSlug });
  }

  get transport(): Transport {
    const { apiHost, authKey: key, authToken: token, getToken } = this.#host;
    this.#transport ??= pageTransport({
      apiHost: apiHost === '' ? location.origin : apiHost,
      credential: key === '' || token === '' ? null : { key, token },
      getToken,
    });
    return this.#transport;
  }

  /** Makes later requests use changed page settings. */
  reconnect(): void {
    this.#transport = null;
  }

  get locale(): string {
    const page = document.documentElement.lang || navigator.language;
    return this.#host.locale || this.#host.language || this.#appearance.locale || page || 'en';
  }

  timeZone(contents: JsonObject | null): string {
    const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zone = contents === null ? 'UTC' : (fixedZone(contents) ?? browserZone());
    return this.#host.timezone || this.#host.timezoneId || this.#appearance.timeZone || zone;
  }

  /**
   * Returns everything that affects how a view looks to this viewer. Returns the same object until any of it changes.
   */
  renderContext({ options, contents }: RenderedView): RenderContext {
    const { theme, patterns } = this.#host;
    const { themes: stored, currency, may } = this.#appearance;
    const themes = [...themesOf({ options }, stored), theme];
    if (this.#themes === pageThemes && themes.some(isFurther)) void this.#loadThemes();
    const own = { locale: this.locale, timeZone: this.timeZone(contents), currency };
    const viewer = { ...own, themes, patterns, isReadOnly: !may('edit_filters') };
    const key = JSON.stringify(viewer);
    if (this.#renderContext?.key !== key) {
      const viewerContext = { ...viewer, known: this.#themes, nowMs: Date.now() };
      this.#renderContext = { key, renderContext: createRenderContext(viewerContext, (size) => this.#colorsFor(size)) };
      this.#applyAppearance(this.#renderContext.renderContext);
    }
    return this.#renderContext.renderContext;
  }

  #applyAppearance({ theme, rightToLeft, formats }: RenderContext): void {
    const host = this.#host;
    for (const [name, value] of Object.entries(themeVariables(theme))) host.style.setProperty(name, value);
    host.dir = rightToLeft ? 'rtl' : 'ltr';
    host.lang = formats.locale;
  }

  /** Loads the built-in themes when a page names one for the first time. Dashboard themes come from the service. */
  async #loadThemes(): Promise<void> {
    this.#themes = { ...pageThemes };
    try {
      this.#themes = (await import('@inlay/contract/built-in-themes')).builtInThemes;
      this.#renderContext = null;
      this.#host.requestUpdate();
    } catch {
      // The view keeps the default theme.
    }
  }

  #colorsFor(size: number): MemberColors {
    if (this.#colors?.size !== size) this.#colors = { size, colors: createMemberColors(size) };
    return this.#colors.colors;
  }

  /** Redraws everything, for example after a member changed colour. */
  redraw(): void {
    if (this.#renderContext !== null)
      this.#renderContext = { ...this.#renderContext, renderContext: { ...this.#renderContext.renderContext } };
    this.#host.requestUpdate();
  }

  /** Reports a failure to the page and to its developer. `id` is the item; null means the element itself. */
  fail(id: string | null, { code, message, hint }: Pick<Failure, 'code' | 'message' | 'hint'>): void {
    tell(this.#host, 'failed', { id, code, message, hint });
    this.#hints.tell(id, { message, hint });
  }
}
