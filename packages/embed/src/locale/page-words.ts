/** Texts of exported pages; `{}` is a placeholder. */
export interface PageWords {
  /** Number of the page, and number of all pages. */
  readonly page: string;
  /** Says that a table continues from an earlier page. */
  readonly continued: string;
  readonly filters: string;
}

const words: Readonly<Record<string, PageWords>> = {
  en: { page: 'Page {} of {}', continued: '{} (continued)', filters: 'Filters' },
  nl: { page: 'Pagina {} van {}', continued: '{} (vervolg)', filters: 'Filters' },
  fr: { page: 'Page {} sur {}', continued: '{} (suite)', filters: 'Filtres' },
  de: { page: 'Seite {} von {}', continued: '{} (Fortsetzung)', filters: 'Filter' },
  es: { page: 'Página {} de {}', continued: '{} (continuación)', filters: 'Filtros' },
  ar: { page: 'صفحة {} من {}', continued: '{} (تابع)', filters: 'عوامل التصفية' },
};
const english: PageWords = { page: 'Page {} of {}', continued: '{} (continued)', filters: 'Filters' };

/** Returns the page texts for a locale such as `nl-BE`; English if there is no translation. */
export const pageWordsFor = (locale: string): PageWords => words[locale.toLowerCase().split('-')[0] ?? ''] ?? english;
