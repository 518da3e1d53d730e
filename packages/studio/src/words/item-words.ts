import { itemTypes, type ItemType, type SlotRole } from '@inlay/contract';

/** Options that the panel of options offers, with the values of those that have a fixed list. */
export const offeredOptions = {
  legend: ['auto', 'top', 'bottom', 'none'],
  labels: ['auto', 'all', 'none'],
  stacked: null,
  percent: null,
  oneColor: null,
  curve: ['straight', 'smooth', 'step'],
  points: null,
  trend: null,
  totals: null,
  subtotals: null,
  bars: null,
  align: ['start', 'center', 'end'],
  fit: ['contain', 'cover'],
  style: ['list', 'buttons'],
  filterNote: null,
  menu: null,
  multiple: null,
  others: null,
  limit: null,
  seriesLimit: null,
  description: null,
  text: null,
} as const;
export type OfferedOption = keyof typeof offeredOptions;
type OptionValue = NonNullable<(typeof offeredOptions)[OfferedOption]>[number];

const optionValues: readonly OptionValue[] = [
  ...(['auto', 'top', 'bottom', 'none', 'all', 'straight', 'smooth', 'step'] as const),
  ...(['start', 'center', 'end', 'contain', 'cover', 'list', 'buttons'] as const),
];

const roles: readonly SlotRole[] = [
  ...(['category', 'level', 'place', 'point', 'time', 'bins', 'series', 'color', 'column', 'mark', 'name'] as const),
  ...(['measure', 'target', 'size', 'across', 'up', 'field', 'choice', 'period', 'range'] as const),
];

/** Names of types, roles of slots, options and their values in one language. */
export interface ItemWords {
  readonly types: Readonly<Record<ItemType, string>>;
  readonly roles: Readonly<Record<SlotRole, string>>;
  readonly options: Readonly<Record<OfferedOption, string>>;
  readonly values: Readonly<Record<OptionValue, string>>;
}

/** Per language: types, roles, options and values in the order of their lists above, separated by `|`. */
const lines: Readonly<Record<string, readonly [types: string, roles: string, options: string, values: string]>> = {
  en: [
    'Area chart|Bar chart|Bubble chart|Circle pack|Column chart|Donut chart|Line chart|Number|Pivot table|Table|Scatter plot|Sunburst|Treemap|Number with target|Bullet chart|Gauge|Speedometer|Combination chart|Heat table|Funnel|Waterfall chart|Histogram|Map of areas|Map of points|Date filter|Date comparison|Dropdown filter|Search filter|List filter|Slider|Text|Image|Divider|Space|Tabs|Parameter',
    'Category|Levels|Place|Point|Time|Number to divide|Legend|Colour|Columns|Marks|Name|Measure|Target|Size|Horizontal|Vertical|Columns|Choices|Period|Range',
    'Legend|Values beside marks|Stacked|As shares of 100 %|One colour|Line|Points|Trend line|Totals|Subtotals|Bars in cells|Alignment|Image|Style|Show filters below the title|Menu|Several choices|Show others as one|At most rows|At most series|Description|Text',
    'Automatic|Top|Bottom|None|All|Straight|Smooth|Steps|Start|Centre|End|Whole|Filled|List|Buttons',
  ],
  nl: [
    'Vlakdiagram|Staafdiagram|Bellendiagram|Cirkelpakking|Kolomdiagram|Ringdiagram|Lijndiagram|Getal|Draaitabel|Tabel|Spreidingsdiagram|Zonnestraaldiagram|Boomkaart|Getal met doel|Bulletdiagram|Meter|Snelheidsmeter|Combinatiediagram|Warmtetabel|Trechter|Watervaldiagram|Histogram|Kaart van gebieden|Kaart van punten|Datumfilter|Datumvergelijking|Keuzelijstfilter|Zoekfilter|Lijstfilter|Schuifregelaar|Tekst|Afbeelding|Scheidingslijn|Ruimte|Tabbladen|Parameter',
    'Categorie|Niveaus|Plaats|Punt|Tijd|Te verdelen getal|Legenda|Kleur|Kolommen|Markeringen|Naam|Maat|Doel|Grootte|Horizontaal|Verticaal|Kolommen|Keuzes|Periode|Bereik',
    'Legenda|Waarden bij markeringen|Gestapeld|Als aandelen van 100 %|Eén kleur|Lijn|Punten|Trendlijn|Totalen|Subtotalen|Balken in cellen|Uitlijning|Afbeelding|Stijl|Filters onder de titel tonen|Menu|Meer keuzes|Overige als één tonen|Hoogstens rijen|Hoogstens reeksen|Beschrijving|Tekst',
    'Automatisch|Boven|Onder|Geen|Alle|Recht|Vloeiend|Trappen|Begin|Midden|Einde|Geheel|Gevuld|Lijst|Knoppen',
  ],
  fr: [
    'Aires|Barres|Bulles|Cercles imbriqués|Colonnes|Anneau|Courbes|Nombre|Tableau croisé|Tableau|Nuage de points|Rayons de soleil|Carte proportionnelle|Nombre avec objectif|Graphique à puces|Jauge|Compteur|Graphique combiné|Tableau de chaleur|Entonnoir|Cascade|Histogramme|Carte de zones|Carte de points|Filtre de date|Comparaison de dates|Filtre déroulant|Filtre de recherche|Filtre en liste|Curseur|Texte|Image|Séparateur|Espace|Onglets|Paramètre',
    'Catégorie|Niveaux|Lieu|Point|Temps|Nombre à répartir|Légende|Couleur|Colonnes|Marques|Nom|Mesure|Objectif|Taille|Horizontal|Vertical|Colonnes|Choix|Période|Intervalle',
    'Légende|Valeurs près des marques|Empilé|En parts de 100 %|Une seule couleur|Ligne|Points|Droite de tendance|Totaux|Sous-totaux|Barres dans les cellules|Alignement|Image|Style|Afficher les filtres sous le titre|Menu|Plusieurs choix|Regrouper les autres|Lignes au plus|Séries au plus|Description|Texte',
    'Automatique|Haut|Bas|Aucune|Toutes|Droite|Lissée|Escalier|Début|Centre|Fin|Entière|Remplie|Liste|Boutons',
  ],
  de: [
    'Flächendiagramm|Balkendiagramm|Blasendiagramm|Kreispackung|Säulendiagramm|Ringdiagramm|Liniendiagramm|Zahl|Pivottabelle|Tabelle|Streudiagramm|Sunburst|Baumkarte|Zahl mit Ziel|Bullet-Diagramm|Anzeige|Tacho|Kombidiagramm|Heatmap-Tabelle|Trichter|Wasserfalldiagramm|Histogramm|Flächenkarte|Punktkarte|Datumsfilter|Datumsvergleich|Auswahlfilter|Suchfilter|Listenfilter|Schieberegler|Text|Bild|Trennlinie|Abstand|Register|Parameter',
    'Kategorie|Ebenen|Ort|Punkt|Zeit|Zu teilende Zahl|Legende|Farbe|Spalten|Markierungen|Name|Kennzahl|Ziel|Größe|Waagerecht|Senkrecht|Spalten|Auswahl|Zeitraum|Bereich',
    'Legende|Werte an Markierungen|Gestapelt|Als Anteile von 100 %|Eine Farbe|Linie|Punkte|Trendlinie|Summen|Zwischensummen|Balken in Zellen|Ausrichtung|Bild|Stil|Filter unter dem Titel zeigen|Menü|Mehrfachauswahl|Übrige als eines zeigen|Höchstens Zeilen|Höchstens Reihen|Beschreibung|Text',
    'Automatisch|Oben|Unten|Keine|Alle|Gerade|Glatt|Stufen|Anfang|Mitte|Ende|Ganz|Gefüllt|Liste|Knöpfe',
  ],
  es: [
    'Áreas|Barras|Burbujas|Círculos agrupados|Columnas|Anillo|Líneas|Número|Tabla dinámica|Tabla|Dispersión|Proyección solar|Mapa de árbol|Número con objetivo|Gráfico de viñetas|Indicador|Velocímetro|Gráfico combinado|Tabla de calor|Embudo|Cascada|Histograma|Mapa de áreas|Mapa de puntos|Filtro de fecha|Comparación de fechas|Filtro desplegable|Filtro de búsqueda|Filtro de lista|Deslizador|Texto|Imagen|Separador|Espacio|Pestañas|Parámetro',
    'Categoría|Niveles|Lugar|Punto|Tiempo|Número que dividir|Leyenda|Color|Columnas|Marcas|Nombre|Medida|Objetivo|Tamaño|Horizontal|Vertical|Columnas|Opciones|Período|Intervalo',
    'Leyenda|Valores junto a las marcas|Apilado|Como partes del 100 %|Un solo color|Línea|Puntos|Línea de tendencia|Totales|Subtotales|Barras en las celdas|Alineación|Imagen|Estilo|Mostrar filtros bajo el título|Menú|Varias opciones|Mostrar los demás como uno|Filas como máximo|Series como máximo|Descripción|Texto',
    'Automática|Arriba|Abajo|Ninguna|Todas|Recta|Suave|Escalones|Inicio|Centro|Final|Entera|Rellena|Lista|Botones',
  ],
  ar: [
    'مخطط مساحي|مخطط أشرطة|مخطط فقاعات|دوائر متداخلة|مخطط أعمدة|مخطط حلقي|مخطط خطي|رقم|جدول محوري|جدول|مخطط انتشار|مخطط شمسي|خريطة شجرية|رقم مع هدف|مخطط نقطي للهدف|مقياس|عداد سرعة|مخطط مركب|جدول حراري|قمع|مخطط شلال|مدرج تكراري|خريطة مناطق|خريطة نقاط|مرشح تاريخ|مقارنة تواريخ|مرشح منسدل|مرشح بحث|مرشح قائمة|شريط تمرير|نص|صورة|فاصل|مسافة|علامات تبويب|معامل',
    'الفئة|المستويات|المكان|النقطة|الوقت|رقم للتقسيم|وسيلة الإيضاح|اللون|الأعمدة|العلامات|الاسم|المقياس|الهدف|الحجم|أفقي|عمودي|الأعمدة|الخيارات|الفترة|النطاق',
    'وسيلة الإيضاح|القيم بجانب العلامات|مكدس|كحصص من 100 ٪|لون واحد|الخط|النقاط|خط الاتجاه|المجاميع|المجاميع الفرعية|أشرطة في الخلايا|المحاذاة|الصورة|النمط|إظهار المرشحات تحت العنوان|القائمة|خيارات متعددة|إظهار البقية كواحد|الصفوف على الأكثر|السلاسل على الأكثر|الوصف|النص',
    'تلقائي|أعلى|أسفل|بلا|الكل|مستقيم|ناعم|درجات|البداية|الوسط|النهاية|كاملة|ممتلئة|قائمة|أزرار',
  ],
};

const byName = <Name extends string>(names: readonly Name[], line: string): Readonly<Record<Name, string>> => {
  const texts = line.split('|');
  if (texts.length !== names.length) throw new Error(`${texts.length} texts for ${names.length} names`);
  return Object.assign({}, ...names.map((name, index) => ({ [name]: texts[index] })));
};
const isOption = (name: string): name is OfferedOption => Object.hasOwn(offeredOptions, name);
const optionNames: readonly OfferedOption[] = Object.keys(offeredOptions).filter(isOption);

/** Returns the names for a locale such as `nl-BE`; English if there is no translation. */
export function itemWordsFor(locale: string): ItemWords {
  const language = locale.toLowerCase().split('-')[0] ?? 'en';
  const [types = '', slots = '', options = '', values = ''] =
    (Object.hasOwn(lines, language) ? lines[language] : lines['en']) ?? [];
  return {
    types: byName(itemTypes, types),
    roles: byName(roles, slots),
    options: byName(optionNames, options),
    values: byName(optionValues, values),
  };
}
