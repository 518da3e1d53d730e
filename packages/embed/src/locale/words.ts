const order = [
  ...(['noData', 'failed', 'loading', 'rows', 'empty', 'showTable', 'showChart', 'clear', 'search'] as const),
  ...([
    'from',
    'to',
    'drillUp',
    'truncated',
    'retry',
    'noItem',
    'change',
    'drillDown',
    'unreachable',
    'busy',
    'menu',
  ] as const),
] as const;

/** Texts of the elements themselves. */
export type Words = Readonly<Record<(typeof order)[number], string>>;

/** The texts by language, in the order of `order`, separated by `|`. */
const lines: Readonly<Record<string, string>> = {
  en: 'No data for this selection|This could not be loaded|Loading|Number of rows|(empty)|Show as table|Show as chart|Clear|Search|From|To|One level up|Only the first rows are shown|Try again|Nothing to show yet|Change|One level down|The service cannot be reached right now. Try again later.|The service is busy. This will load by itself.|Menu',
  nl: 'Geen gegevens voor deze selectie|Dit kon niet worden geladen|Laden|Aantal rijen|(leeg)|Toon als tabel|Toon als grafiek|Wissen|Zoeken|Van|Tot|Een niveau omhoog|Alleen de eerste rijen worden getoond|Opnieuw proberen|Nog niets om te tonen|Verschil|Een niveau omlaag|De dienst is nu niet bereikbaar. Probeer het later opnieuw.|De dienst is druk bezet. Dit laadt vanzelf.|Menu',
  fr: 'Aucune donnée pour cette sélection|Chargement impossible|Chargement|Nombre de lignes|(vide)|Afficher en tableau|Afficher en graphique|Effacer|Rechercher|De|À|Niveau supérieur|Seules les premières lignes sont affichées|Réessayer|Rien à afficher pour le moment|Évolution|Niveau inférieur|Le service est injoignable pour le moment. Réessayez plus tard.|Le service est très sollicité. Le chargement reprendra tout seul.|Menu',
  de: 'Keine Daten für diese Auswahl|Konnte nicht geladen werden|Wird geladen|Anzahl Zeilen|(leer)|Als Tabelle zeigen|Als Diagramm zeigen|Zurücksetzen|Suchen|Von|Bis|Eine Ebene höher|Nur die ersten Zeilen werden gezeigt|Erneut versuchen|Noch nichts zu zeigen|Veränderung|Eine Ebene tiefer|Der Dienst ist zurzeit nicht erreichbar. Versuchen Sie es später erneut.|Der Dienst ist ausgelastet. Dies wird von selbst geladen.|Menü',
  es: 'Sin datos para esta selección|No se pudo cargar|Cargando|Número de filas|(vacío)|Ver como tabla|Ver como gráfico|Borrar|Buscar|Desde|Hasta|Un nivel arriba|Solo se muestran las primeras filas|Reintentar|Nada que mostrar todavía|Cambio|Un nivel abajo|El servicio no está disponible en este momento. Inténtelo más tarde.|El servicio está ocupado. Esto se cargará solo.|Menú',
  ar: 'لا توجد بيانات لهذا الاختيار|تعذر التحميل|جارٍ التحميل|عدد الصفوف|(فارغ)|عرض كجدول|عرض كرسم بياني|مسح|بحث|من|إلى|مستوى أعلى|تُعرض الصفوف الأولى فقط|إعادة المحاولة|لا شيء لعرضه بعد|التغير|مستوى أدنى|تعذر الوصول إلى الخدمة حاليًا. حاول مرة أخرى لاحقًا.|الخدمة مشغولة. سيتم التحميل تلقائيًا.|القائمة',
};

const areWords = (object: object): object is Words => order.every((name) => Object.hasOwn(object, name));

const wordsIn = (line: string): Words => {
  const texts = line.split('|');
  const words = Object.fromEntries(order.map((name, index) => [name, texts[index] ?? '']));
  if (!areWords(words)) throw new Error('a text is missing');
  return words;
};

/** Languages with translations. */
export const languages: readonly string[] = Object.keys(lines);

/** Returns the texts for a locale such as `nl-BE`; English if there is no translation. */
export function wordsFor(locale: string): Words {
  const language = locale.toLowerCase().split('-')[0] ?? 'en';
  return wordsIn((Object.hasOwn(lines, language) ? lines[language] : lines['en']) ?? '');
}

/** Returns the error message that visitors see. The message of the service is meant for developers. */
export const refusal = (words: Words, { code }: { readonly code: string }): string =>
  code === 'unreachable' ? words.unreachable : words.failed;

export const isRightToLeft = (locale: string): boolean => /^(?:ar|fa|he|ur|ps|sd|ug|yi|dv)\b/iu.test(locale);
