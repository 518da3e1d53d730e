export interface ChartWords {
  readonly total: string;
  readonly others: string;
  /** Suffix of a period that is not complete yet. */
  readonly soFar: string;
  readonly mean: string;
  readonly median: string;
  readonly today: string;
  readonly target: string;
  /** Precedes the name of the comparison period. */
  readonly versus: string;
  readonly trend: string;
  /** Says that a comparison covers only as many days as have passed of the period. */
  readonly sameDays: string;
  /** Rows and columns that do not fit in a picture of a table. `{n}` is their number. The singular comes first. */
  readonly moreRows: string;
  readonly moreColumns: string;
  /** Which rows of a table are visible. */
  readonly rowsInSight: string;
  /** Note that an answer has only its first rows. */
  readonly firstRows: string;
  /** Name of the handle that resizes a column. */
  readonly width: string;
  /**
   * Members without a location on a map. `{n}` is their number; `{names}` are some of their names. The singular comes
   * first.
   */
  readonly notFound: string;
  readonly aggregations: Readonly<Record<string, string>>;
  /** How many values a mean or median line covers. `{n}` is their number. */
  readonly ofShown: string;
  /** Negative numbers that a chart cannot draw. */
  readonly belowZero: string;
}

const words = {
  en: {
    total: 'Total',
    others: 'Others',
    soFar: 'so far',
    mean: 'Average',
    median: 'Median',
    today: 'Today',
    target: 'Target',
    versus: 'vs',
    trend: 'Trend',
    sameDays: 'same days',

    moreRows: '{n} more row|{n} more rows',
    moreColumns: '{n} more column|{n} more columns',
    rowsInSight: '{from}–{to} of {n}',
    width: 'Width',
    firstRows: 'Only the first {n} rows are shown',
    notFound: '{n} name not found: {names}|{n} names not found: {names}',
    aggregations: {
      sum: 'sum',
      cumulativesum: 'running total',
      average: 'average',
      median: 'median',
      min: 'minimum',
      max: 'maximum',
      stddev: 'standard deviation',
      rate: 'rate',
      weightedaverage: 'weighted average',
      count: 'count',
      distinctcount: 'distinct count',
    },
    ofShown: 'of\u00a0{n}:',
    belowZero: 'Not drawn, below zero: {names}',
  },
  nl: {
    total: 'Totaal',
    others: 'Overige',
    soFar: 'tot nu toe',
    mean: 'Gemiddelde',
    median: 'Mediaan',
    today: 'Vandaag',
    target: 'Doel',
    versus: 't.o.v.',
    trend: 'Trend',
    sameDays: 'zelfde dagen',

    moreRows: 'nog {n} rij|nog {n} rijen',
    moreColumns: 'nog {n} kolom|nog {n} kolommen',
    rowsInSight: '{from}–{to} van {n}',
    width: 'Breedte',
    firstRows: 'Alleen de eerste {n} rijen worden getoond',
    notFound: '{n} naam niet gevonden: {names}|{n} namen niet gevonden: {names}',
    aggregations: {
      sum: 'som',
      cumulativesum: 'lopend totaal',
      average: 'gemiddelde',
      median: 'mediaan',
      min: 'minimum',
      max: 'maximum',
      stddev: 'standaardafwijking',
      rate: 'verhouding',
      weightedaverage: 'gewogen gemiddelde',
      count: 'aantal',
      distinctcount: 'aantal verschillende',
    },
    ofShown: 'van\u00a0{n}:',
    belowZero: 'Niet getekend, onder nul: {names}',
  },
  fr: {
    total: 'Total',
    others: 'Autres',
    soFar: 'à ce jour',
    mean: 'Moyenne',
    median: 'Médiane',
    today: 'Aujourd’hui',
    target: 'Objectif',
    versus: 'vs',
    trend: 'Tendance',
    sameDays: 'mêmes jours',

    moreRows: '{n} ligne de plus|{n} lignes de plus',
    moreColumns: '{n} colonne de plus|{n} colonnes de plus',
    rowsInSight: '{from}–{to} sur {n}',
    width: 'Largeur',
    firstRows: 'Seules les {n} premières lignes sont affichées',
    notFound: '{n} nom introuvable : {names}|{n} noms introuvables : {names}',
    aggregations: {
      sum: 'somme',
      cumulativesum: 'cumul',
      average: 'moyenne',
      median: 'médiane',
      min: 'minimum',
      max: 'maximum',
      stddev: 'écart type',
      rate: 'taux',
      weightedaverage: 'moyenne pondérée',
      count: 'nombre',
      distinctcount: 'nombre de valeurs distinctes',
    },
    ofShown: 'de\u00a0{n}\u00a0:',
    belowZero: 'Non dessiné, inférieur à zéro : {names}',
  },
  de: {
    total: 'Gesamt',
    others: 'Sonstige',
    soFar: 'bisher',
    mean: 'Mittelwert',
    median: 'Median',
    today: 'Heute',
    target: 'Ziel',
    versus: 'ggü.',
    trend: 'Trend',
    sameDays: 'gleiche Tage',

    moreRows: '{n} weitere Zeile|{n} weitere Zeilen',
    moreColumns: '{n} weitere Spalte|{n} weitere Spalten',
    rowsInSight: '{from}–{to} von {n}',
    width: 'Breite',
    firstRows: 'Nur die ersten {n} Zeilen werden gezeigt',
    notFound: '{n} Name nicht gefunden: {names}|{n} Namen nicht gefunden: {names}',
    aggregations: {
      sum: 'Summe',
      cumulativesum: 'laufende Summe',
      average: 'Mittelwert',
      median: 'Median',
      min: 'Minimum',
      max: 'Maximum',
      stddev: 'Standardabweichung',
      rate: 'Quote',
      weightedaverage: 'gewichteter Mittelwert',
      count: 'Anzahl',
      distinctcount: 'Anzahl verschiedener',
    },
    ofShown: 'von\u00a0{n}:',
    belowZero: 'Nicht gezeichnet, unter null: {names}',
  },
  es: {
    total: 'Total',
    others: 'Otros',
    soFar: 'hasta ahora',
    mean: 'Media',
    median: 'Mediana',
    today: 'Hoy',
    target: 'Objetivo',
    versus: 'frente a',
    trend: 'Tendencia',
    sameDays: 'mismos días',

    moreRows: '{n} fila más|{n} filas más',
    moreColumns: '{n} columna más|{n} columnas más',
    rowsInSight: '{from}–{to} de {n}',
    width: 'Ancho',
    firstRows: 'Solo se muestran las primeras {n} filas',
    notFound: '{n} nombre no encontrado: {names}|{n} nombres no encontrados: {names}',
    aggregations: {
      sum: 'suma',
      cumulativesum: 'total acumulado',
      average: 'media',
      median: 'mediana',
      min: 'mínimo',
      max: 'máximo',
      stddev: 'desviación estándar',
      rate: 'tasa',
      weightedaverage: 'media ponderada',
      count: 'recuento',
      distinctcount: 'recuento de distintos',
    },
    ofShown: 'de\u00a0{n}:',
    belowZero: 'Sin dibujar, por debajo de cero: {names}',
  },
  ar: {
    total: 'الإجمالي',
    others: 'أخرى',
    soFar: 'حتى الآن',
    mean: 'المتوسط',
    median: 'الوسيط',
    today: 'اليوم',
    target: 'الهدف',
    versus: 'مقارنة بـ',
    trend: 'الاتجاه',
    sameDays: 'نفس الأيام',

    moreRows: 'صفوف أخرى: {n}|صفوف أخرى: {n}',
    moreColumns: 'أعمدة أخرى: {n}|أعمدة أخرى: {n}',
    rowsInSight: '{from}–{to} من {n}',
    width: 'العرض',
    firstRows: 'تظهر أول {n} صف فقط',
    notFound: 'أسماء لم يُعثر عليها ({n}): {names}|أسماء لم يُعثر عليها ({n}): {names}',
    aggregations: {
      sum: 'المجموع',
      cumulativesum: 'المجموع التراكمي',
      average: 'المتوسط',
      median: 'الوسيط',
      min: 'الأدنى',
      max: 'الأعلى',
      stddev: 'الانحراف المعياري',
      rate: 'المعدل',
      weightedaverage: 'المتوسط المرجح',
      count: 'العدد',
      distinctcount: 'عدد القيم المختلفة',
    },
    ofShown: 'لـ\u00a0{n}:',
    belowZero: 'غير مرسوم، أقل من صفر: {names}',
  },
} as const satisfies Readonly<Record<string, ChartWords>>;

const byLanguage: Readonly<Record<string, ChartWords>> = words;

/** Returns the chart texts for a locale such as `nl-BE`; English if there is no translation. */
export function chartWordsFor(locale: string): ChartWords {
  const language = locale.toLowerCase().split('-')[0] ?? 'en';
  return (Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined) ?? words.en;
}

/** Replaces placeholders such as `{n}`. */
export const filledIn = (text: string, gaps: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/gu, (gap, name: string) => gaps[name] ?? gap);

/** Selects the singular or plural of a text such as `{n} row|{n} rows`, and inserts the formatted number. */
export function counted(text: string, count: number, countText: string): string {
  const [singular = '', plural = singular] = text.split('|');
  return filledIn(count === 1 ? singular : plural, { n: countText });
}
