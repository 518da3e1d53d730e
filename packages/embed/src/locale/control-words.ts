/** Texts of filters; `{}` is a placeholder. */
export interface ControlWords {
  readonly all: string;
  /** Shown if a parameter has no value. */
  readonly choose: string;
  readonly chosen: string;
  /** Shown for a value that the filter cannot represent. */
  readonly custom: string;
  readonly selectAll: string;
  readonly noMatch: string;
  readonly more: string;
  readonly contains: string;
  readonly since: string;
  readonly until: string;
  readonly chooseEnd: string;
  readonly noDay: string;
  readonly periods: string;
  readonly previousMonth: string;
  readonly nextMonth: string;
  readonly previousYear: string;
  readonly nextYear: string;
  readonly today: string;
  readonly yesterday: string;
  readonly last7: string;
  readonly last30: string;
  readonly thisMonth: string;
  readonly lastMonth: string;
  readonly thisQuarter: string;
  readonly thisYear: string;
  readonly lastYear: string;
  readonly compareWith: string;
  /** Names of the comparison periods. */
  readonly previous: string;
  readonly year: string;
  readonly none: string;
}

const words = {
  en: {
    choose: 'Choose…',
    all: 'All',
    chosen: '{} chosen',
    custom: 'Custom',
    selectAll: 'Select all',
    noMatch: 'Nothing found',
    more: 'The first {}; keep typing',
    contains: 'Contains…',
    since: 'From {}',
    until: 'Until {}',
    chooseEnd: 'Choose the last day',
    noDay: 'This is no day',
    periods: 'Periods',
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    today: 'Today',
    yesterday: 'Yesterday',
    last7: 'Last 7 days',
    last30: 'Last 30 days',
    thisMonth: 'This month',
    lastMonth: 'Last month',
    thisQuarter: 'This quarter',
    thisYear: 'This year',
    lastYear: 'Last year',
    compareWith: 'Compare with',
    previous: 'Previous period',
    year: 'Same period last year',
    none: 'Nothing',
  },
  nl: {
    choose: 'Kies…',
    all: 'Alle',
    chosen: '{} gekozen',
    custom: 'Aangepast',
    selectAll: 'Alles kiezen',
    noMatch: 'Niets gevonden',
    more: 'De eerste {}; typ verder',
    contains: 'Bevat…',
    since: 'Vanaf {}',
    until: 'Tot en met {}',
    chooseEnd: 'Kies de laatste dag',
    noDay: 'Dit is geen dag',
    periods: 'Perioden',
    previousMonth: 'Vorige maand',
    nextMonth: 'Volgende maand',
    previousYear: 'Vorig jaar',
    nextYear: 'Volgend jaar',
    today: 'Vandaag',
    yesterday: 'Gisteren',
    last7: 'Laatste 7 dagen',
    last30: 'Laatste 30 dagen',
    thisMonth: 'Deze maand',
    lastMonth: 'Vorige maand',
    thisQuarter: 'Dit kwartaal',
    thisYear: 'Dit jaar',
    lastYear: 'Vorig jaar',
    compareWith: 'Vergelijken met',
    previous: 'Vorige periode',
    year: 'Zelfde periode vorig jaar',
    none: 'Niets',
  },
  fr: {
    choose: 'Choisir…',
    all: 'Tout',
    chosen: '{} sélectionnés',
    custom: 'Personnalisé',
    selectAll: 'Tout sélectionner',
    noMatch: 'Aucun résultat',
    more: 'Les {} premiers ; continuez à saisir',
    contains: 'Contient…',
    since: 'Depuis le {}',
    until: 'Jusqu’au {}',
    chooseEnd: 'Choisissez le dernier jour',
    noDay: 'Ce n’est pas une date',
    periods: 'Périodes',
    previousMonth: 'Mois précédent',
    nextMonth: 'Mois suivant',
    previousYear: 'Année précédente',
    nextYear: 'Année suivante',
    today: 'Aujourd’hui',
    yesterday: 'Hier',
    last7: '7 derniers jours',
    last30: '30 derniers jours',
    thisMonth: 'Ce mois-ci',
    lastMonth: 'Le mois dernier',
    thisQuarter: 'Ce trimestre',
    thisYear: 'Cette année',
    lastYear: 'L’année dernière',
    compareWith: 'Comparer à',
    previous: 'Période précédente',
    year: 'Même période de l’année précédente',
    none: 'Rien',
  },
  de: {
    choose: 'Auswählen…',
    all: 'Alle',
    chosen: '{} ausgewählt',
    custom: 'Angepasst',
    selectAll: 'Alle auswählen',
    noMatch: 'Nichts gefunden',
    more: 'Die ersten {}; tippen Sie weiter',
    contains: 'Enthält…',
    since: 'Ab {}',
    until: 'Bis {}',
    chooseEnd: 'Wählen Sie den letzten Tag',
    noDay: 'Das ist kein Tag',
    periods: 'Zeiträume',
    previousMonth: 'Vorheriger Monat',
    nextMonth: 'Nächster Monat',
    previousYear: 'Vorheriges Jahr',
    nextYear: 'Nächstes Jahr',
    today: 'Heute',
    yesterday: 'Gestern',
    last7: 'Letzte 7 Tage',
    last30: 'Letzte 30 Tage',
    thisMonth: 'Dieser Monat',
    lastMonth: 'Letzter Monat',
    thisQuarter: 'Dieses Quartal',
    thisYear: 'Dieses Jahr',
    lastYear: 'Letztes Jahr',
    compareWith: 'Vergleichen mit',
    previous: 'Vorheriger Zeitraum',
    year: 'Gleicher Zeitraum im Vorjahr',
    none: 'Nichts',
  },
  es: {
    choose: 'Elegir…',
    all: 'Todo',
    chosen: '{} seleccionados',
    custom: 'Personalizado',
    selectAll: 'Seleccionar todo',
    noMatch: 'Sin resultados',
    more: 'Los primeros {}; siga escribiendo',
    contains: 'Contiene…',
    since: 'Desde el {}',
    until: 'Hasta el {}',
    chooseEnd: 'Elija el último día',
    noDay: 'No es una fecha',
    periods: 'Periodos',
    previousMonth: 'Mes anterior',
    nextMonth: 'Mes siguiente',
    previousYear: 'Año anterior',
    nextYear: 'Año siguiente',
    today: 'Hoy',
    yesterday: 'Ayer',
    last7: 'Últimos 7 días',
    last30: 'Últimos 30 días',
    thisMonth: 'Este mes',
    lastMonth: 'El mes pasado',
    thisQuarter: 'Este trimestre',
    thisYear: 'Este año',
    lastYear: 'El año pasado',
    compareWith: 'Comparar con',
    previous: 'Periodo anterior',
    year: 'Mismo periodo del año anterior',
    none: 'Nada',
  },
  ar: {
    choose: 'اختر…',
    all: 'الكل',
    chosen: 'تم اختيار {}',
    custom: 'مخصص',
    selectAll: 'اختيار الكل',
    noMatch: 'لا توجد نتائج',
    more: 'أول {}؛ واصل الكتابة',
    contains: 'يحتوي على…',
    since: 'من {}',
    until: 'حتى {}',
    chooseEnd: 'اختر اليوم الأخير',
    noDay: 'هذا ليس تاريخًا',
    periods: 'الفترات',
    previousMonth: 'الشهر السابق',
    nextMonth: 'الشهر التالي',
    previousYear: 'السنة السابقة',
    nextYear: 'السنة التالية',
    today: 'اليوم',
    yesterday: 'أمس',
    last7: 'آخر 7 أيام',
    last30: 'آخر 30 يومًا',
    thisMonth: 'هذا الشهر',
    lastMonth: 'الشهر الماضي',
    thisQuarter: 'هذا الربع',
    thisYear: 'هذه السنة',
    lastYear: 'السنة الماضية',
    compareWith: 'المقارنة مع',
    previous: 'الفترة السابقة',
    year: 'الفترة نفسها من السنة الماضية',
    none: 'لا شيء',
  },
} as const satisfies Readonly<Record<string, ControlWords>>;

const byLanguage: Readonly<Record<string, ControlWords>> = words;

/** Returns the filter texts for a locale such as `nl-BE`; English if there is no translation. */
export function controlWordsFor(locale: string): ControlWords {
  const language = locale.toLowerCase().split('-')[0] ?? 'en';
  return (Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined) ?? words.en;
}

export const filledIn = (text: string, what: string): string => text.replace('{}', () => what);
