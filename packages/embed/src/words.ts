/** The few texts the elements themselves say. */
export interface Words {
  readonly noData: string;
  readonly failed: string;
  readonly loading: string;
  readonly rows: string;
  readonly other: string;
  readonly empty: string;
  readonly showTable: string;
  readonly showChart: string;
  readonly clear: string;
  readonly search: string;
  readonly all: string;
  readonly from: string;
  readonly to: string;
  readonly total: string;
  readonly filteredBy: string;
  readonly drillUp: string;
  readonly truncated: string;
  readonly retry: string;
  readonly noItem: string;
  readonly change: string;
}

const order = [
  ...(['noData', 'failed', 'loading', 'rows', 'other', 'empty', 'showTable', 'showChart', 'clear', 'search'] as const),
  ...(['all', 'from', 'to', 'total', 'filteredBy', 'drillUp', 'truncated', 'retry', 'noItem', 'change'] as const),
] as const;

/** In the order above, one line a language. */
const lines: Readonly<Record<string, string>> = {
  en: 'No data for this selection|This could not be loaded|Loading|Number of rows|Other|(empty)|Show as table|Show as chart|Clear|Search|All|From|To|Total|Filtered by|One level up|Only the first rows are shown|Try again|Nothing to show yet|Change',
  nl: 'Geen gegevens voor deze selectie|Dit kon niet worden geladen|Laden|Aantal rijen|Overig|(leeg)|Toon als tabel|Toon als grafiek|Wissen|Zoeken|Alle|Van|Tot|Totaal|Gefilterd op|Een niveau omhoog|Alleen de eerste rijen worden getoond|Opnieuw proberen|Nog niets om te tonen|Verschil',
  fr: 'Aucune donnée pour cette sélection|Chargement impossible|Chargement|Nombre de lignes|Autres|(vide)|Afficher en tableau|Afficher en graphique|Effacer|Rechercher|Tout|De|À|Total|Filtré par|Niveau supérieur|Seules les premières lignes sont affichées|Réessayer|Rien à afficher pour le moment|Évolution',
  de: 'Keine Daten für diese Auswahl|Konnte nicht geladen werden|Wird geladen|Anzahl Zeilen|Andere|(leer)|Als Tabelle zeigen|Als Diagramm zeigen|Zurücksetzen|Suchen|Alle|Von|Bis|Summe|Gefiltert nach|Eine Ebene höher|Nur die ersten Zeilen werden gezeigt|Erneut versuchen|Noch nichts zu zeigen|Veränderung',
  es: 'Sin datos para esta selección|No se pudo cargar|Cargando|Número de filas|Otros|(vacío)|Ver como tabla|Ver como gráfico|Borrar|Buscar|Todo|Desde|Hasta|Total|Filtrado por|Un nivel arriba|Solo se muestran las primeras filas|Reintentar|Nada que mostrar todavía|Cambio',
  ar: 'لا توجد بيانات لهذا الاختيار|تعذر التحميل|جارٍ التحميل|عدد الصفوف|أخرى|(فارغ)|عرض كجدول|عرض كرسم بياني|مسح|بحث|الكل|من|إلى|المجموع|مصفى حسب|مستوى أعلى|تُعرض الصفوف الأولى فقط|إعادة المحاولة|لا شيء لعرضه بعد|التغير',
};

const read = (line: string): Words => {
  const texts = line.split('|');
  const word = (name: (typeof order)[number]): string => texts[order.indexOf(name)] ?? '';
  return {
    noData: word('noData'),
    failed: word('failed'),
    loading: word('loading'),
    rows: word('rows'),
    other: word('other'),
    empty: word('empty'),
    showTable: word('showTable'),
    showChart: word('showChart'),
    clear: word('clear'),
    search: word('search'),
    all: word('all'),
    from: word('from'),
    to: word('to'),
    total: word('total'),
    filteredBy: word('filteredBy'),
    drillUp: word('drillUp'),
    truncated: word('truncated'),
    retry: word('retry'),
    noItem: word('noItem'),
    change: word('change'),
  };
};

/** Languages the elements speak themselves. */
export const languages: readonly string[] = Object.keys(lines);

/** The words for a locale such as `nl-BE`; English where its language is not spoken. */
export function wordsFor(locale: string): Words {
  const language = locale.toLowerCase().split('-')[0] ?? 'en';
  return read((Object.hasOwn(lines, language) ? lines[language] : lines['en']) ?? '');
}

/** Whether texts of a locale run from right to left. */
export const isRightToLeft = (locale: string): boolean => /^(?:ar|fa|he|ur|ps|sd|ug|yi|dv)\b/iu.test(locale);
