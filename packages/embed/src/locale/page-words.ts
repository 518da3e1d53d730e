/** What the pages of a file say; `{}` stands for what is put in. */
export interface PageWords {
  /** The number of a page, and how many there are. */
  readonly page: string;
  /** A table that began on an earlier page. */
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

/** The words of pages for a locale such as `nl-BE`; English where its language is not spoken. */
export const pageWordsFor = (locale: string): PageWords => words[locale.toLowerCase().split('-')[0] ?? ''] ?? english;
