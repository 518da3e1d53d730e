import { en, type StudioWords } from './languages/en.ts';
import type { TextTable } from './texts-controller.ts';

/** The texts by language. Those of other languages than English are loaded once somebody needs them. */
export const studioTexts: TextTable<StudioWords> = {
  en,
  others: {
    nl: async () => (await import('./languages/nl.ts')).nl,
    fr: async () => (await import('./languages/fr.ts')).fr,
    de: async () => (await import('./languages/de.ts')).de,
    es: async () => (await import('./languages/es.ts')).es,
    ar: async () => (await import('./languages/ar.ts')).ar,
  },
};

/** Returns the texts for a locale such as `nl-BE` out of those by language; English if there is no translation. */
export function textsIn<Texts>(
  byLanguage: Readonly<Record<string, Texts>> & { readonly en: Texts },
  locale: string,
): Texts {
  const language = locale.toLowerCase().split('-')[0] ?? 'en';
  return (Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined) ?? byLanguage.en;
}
