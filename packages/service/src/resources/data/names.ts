/** An ISO code with its name in several languages, keyed by language code. */
export interface NamedCode {
  readonly code: string;
  readonly names: Readonly<Record<string, string>>;
}

const languages = ['en', 'ar', 'cs', 'da', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'sv', 'zh'] as const;

/** Names ISO codes from Node's Unicode data. Omits names that a language lacks. */
export function nameCodes(codes: readonly string[], type: 'language' | 'region'): readonly NamedCode[] {
  const namers = languages.map((language) => ({
    language,
    namer: new Intl.DisplayNames([language], { type, fallback: 'none' }),
  }));
  return codes.map((code) => {
    const names: Record<string, string> = {};
    for (const { language, namer } of namers) {
      const name = namer.of(code);
      if (name !== undefined) names[language] = name;
    }
    return { code, names };
  });
}
