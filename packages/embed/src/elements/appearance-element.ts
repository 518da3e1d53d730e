import { type Json, type JsonObject, fixedZone } from '@inlay/contract';
import type { Themes } from '@inlay/contract/theme';
import type { PropertyDeclarations } from 'lit';
import { plainAppearance, type Appearance } from './appearance.ts';
import { InlayElement } from './base.ts';
import type { Scene } from './look.ts';

/** An element that looks as the service says: by its themes, and in the language, zone and currency of the viewer. */
export abstract class AppearanceElement extends InlayElement {
  static override properties: PropertyDeclarations = {
    ...InlayElement.properties,
    appearance: { state: true },
  };

  declare protected appearance: Appearance;
  /** Contents of the dashboard that is shown, or of which one item is; null before they are there. */
  protected definition: JsonObject | null = null;

  constructor() {
    super();
    this.appearance = plainAppearance;
  }

  protected abstract themes(themes: Themes): readonly Json[];
  /** The zone of the dashboard; that of the browser where it has none. */
  protected zone(): string {
    return fixedZone(this.definition ?? {}) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  protected viewerLocale(): string {
    const page = document.documentElement.lang || navigator.language;
    return this.locale || this.language || this.appearance.locale || page || 'en';
  }

  protected timeZone(): string {
    return this.timezone || this.timezoneId || this.appearance.timeZone || this.zone();
  }

  protected look(): Scene {
    return this.scene(this.themes(this.appearance.themes), {
      locale: this.viewerLocale(),
      timeZone: this.timeZone(),
      currency: this.appearance.currency,
    });
  }

  /** Takes the sheets of the appearance in its own root; cards take them in theirs. */
  protected dress(appearance: Appearance): void {
    this.appearance = appearance;
    const root = this.shadowRoot;
    if (root !== null) root.adoptedStyleSheets = [...root.adoptedStyleSheets.slice(0, 1), ...appearance.sheets];
  }
}
