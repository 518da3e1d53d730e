import type { ReactiveControllerHost } from 'lit';

/** Texts by language, of which those of other languages than English are loaded on demand. */
export interface TextTable<Texts> {
  readonly en: Texts;
  readonly others: Readonly<Record<string, () => Promise<Texts>>>;
}

const languageOf = (locale: string): string => locale.toLowerCase().split('-')[0] ?? 'en';

/** The texts of an element in the language of its viewer. */
export class TextsController<Texts> {
  readonly #host: ReactiveControllerHost;
  readonly #table: TextTable<Texts>;
  #loaded: { readonly language: string; readonly texts: Texts } | null = null;
  #asked = '';

  constructor(host: ReactiveControllerHost, table: TextTable<Texts>) {
    this.#host = host;
    this.#table = table;
  }

  /**
   * Returns the texts for a locale such as `nl-BE`: English if there is no translation, and while it loads. The host is
   * updated once it is there.
   */
  in(locale: string): Texts {
    const language = languageOf(locale);
    if (this.#loaded?.language === language) return this.#loaded.texts;
    if (this.isReady(locale)) return this.#table.en;
    if (this.#asked !== language) void this.#load(language);
    return this.#table.en;
  }

  /** False while the texts for a locale are still to be loaded. */
  isReady(locale: string): boolean {
    const language = languageOf(locale);
    return this.#loaded?.language === language || !Object.hasOwn(this.#table.others, language);
  }

  async #load(language: string): Promise<void> {
    this.#asked = language;
    // A file that cannot be fetched leaves the texts in English.
    const texts = (await this.#table.others[language]?.().catch(() => null)) ?? this.#table.en;
    if (this.#asked !== language) return;
    this.#loaded = { language, texts };
    this.#host.requestUpdate();
  }
}
