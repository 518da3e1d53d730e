/** Sentences about changes; `{name}`, `{from}`, `{column}` and `{n}` are placeholders. */
export interface ChangeWords {
  readonly unchanged: string;
  readonly moved: string;
  readonly resized: string;
  readonly reordered: string;
  readonly hidden: string;
  readonly shown: string;
  readonly locked: string;
  readonly unlocked: string;
  readonly added: string;
  readonly removed: string;
  readonly changed: string;
  readonly renamed: string;
  readonly retitled: string;
  readonly retyped: string;
  readonly restyled: string;
  readonly reworded: string;
  readonly dataChanged: string;
  readonly formulaChanged: string;
  readonly columnAdded: string;
  readonly columnRemoved: string;
  readonly columnMoved: string;
  readonly columnChanged: string;
  readonly filterAdded: string;
  readonly filterRemoved: string;
  readonly filterChanged: string;
  readonly filtersChanged: string;
  readonly viewAdded: string;
  readonly viewRemoved: string;
  readonly viewChanged: string;
  readonly dashboardChanged: string;
  /** For several items. These sentences read the same for every number. */
  readonly manyMoved: string;
  readonly manyAdded: string;
  readonly manyRemoved: string;
  readonly manyChanged: string;
  /** Names of items without a title. */
  readonly chart: string;
  readonly filter: string;
  readonly content: string;
  /** Name of a column or formula without a label. */
  readonly column: string;
  /** Names of the views. */
  readonly desktop: string;
  readonly tablet: string;
  readonly mobile: string;
}

const words = {
  en: {
    unchanged: 'Nothing changed',
    moved: 'Moved {name}',
    resized: 'Resized {name}',
    reordered: 'Changed the order of {name}',
    hidden: 'Hid {name}',
    shown: 'Showed {name} again',
    locked: 'Locked {name}',
    unlocked: 'Unlocked {name}',
    added: 'Added {name}',
    removed: 'Removed {name}',
    changed: 'Changed {name}',
    renamed: 'Renamed “{from}” to “{name}”',
    retitled: 'Changed the title of {name}',
    retyped: 'Changed the type of {name}',
    restyled: 'Changed the look of {name}',
    reworded: 'Changed the texts of {name}',
    dataChanged: 'Changed the data of {name}',
    formulaChanged: 'Changed a formula of {name}',
    columnAdded: 'Added {column} to {name}',
    columnRemoved: 'Removed {column} from {name}',
    columnMoved: 'Moved {column} in {name}',
    columnChanged: 'Changed {column} in {name}',
    filterAdded: 'Added a filter on {column}',
    filterRemoved: 'Removed the filter on {column}',
    filterChanged: 'Changed the filter on {column}',
    filtersChanged: 'Changed filters',
    viewAdded: 'Added the view {name}',
    viewRemoved: 'Removed the view {name}',
    viewChanged: 'Changed the view {name}',
    dashboardChanged: 'Changed the dashboard',
    manyMoved: 'Moved {n} items',
    manyAdded: 'Added {n} items',
    manyRemoved: 'Removed {n} items',
    manyChanged: 'Changed {n} items',
    chart: 'a chart without a title',
    filter: 'a filter without a title',
    content: 'an item without a title',
    column: 'a column',
    desktop: 'desktop',
    tablet: 'tablet',
    mobile: 'mobile',
  },
  nl: {
    unchanged: 'Niets gewijzigd',
    moved: '{name} verplaatst',
    resized: 'Grootte van {name} gewijzigd',
    reordered: 'Volgorde van {name} gewijzigd',
    hidden: '{name} verborgen',
    shown: '{name} weer getoond',
    locked: '{name} vergrendeld',
    unlocked: '{name} ontgrendeld',
    added: '{name} toegevoegd',
    removed: '{name} verwijderd',
    changed: '{name} gewijzigd',
    renamed: '“{from}” hernoemd tot “{name}”',
    retitled: 'Titel van {name} gewijzigd',
    retyped: 'Type van {name} gewijzigd',
    restyled: 'Uiterlijk van {name} gewijzigd',
    reworded: 'Teksten van {name} gewijzigd',
    dataChanged: 'Gegevens van {name} gewijzigd',
    formulaChanged: 'Formule van {name} gewijzigd',
    columnAdded: '{column} toegevoegd aan {name}',
    columnRemoved: '{column} verwijderd uit {name}',
    columnMoved: '{column} verplaatst in {name}',
    columnChanged: '{column} gewijzigd in {name}',
    filterAdded: 'Filter op {column} toegevoegd',
    filterRemoved: 'Filter op {column} verwijderd',
    filterChanged: 'Filter op {column} gewijzigd',
    filtersChanged: 'Filters gewijzigd',
    viewAdded: 'Weergave {name} toegevoegd',
    viewRemoved: 'Weergave {name} verwijderd',
    viewChanged: 'Weergave {name} gewijzigd',
    dashboardChanged: 'Dashboard gewijzigd',
    manyMoved: '{n} items verplaatst',
    manyAdded: '{n} items toegevoegd',
    manyRemoved: '{n} items verwijderd',
    manyChanged: '{n} items gewijzigd',
    chart: 'grafiek zonder titel',
    filter: 'filter zonder titel',
    content: 'item zonder titel',
    column: 'kolom',
    desktop: 'desktop',
    tablet: 'tablet',
    mobile: 'mobiel',
  },
  fr: {
    unchanged: 'Aucune modification',
    moved: 'Déplacement de {name}',
    resized: 'Redimensionnement de {name}',
    reordered: 'Modification de l’ordre de {name}',
    hidden: '{name} : masqué',
    shown: '{name} : affiché de nouveau',
    locked: '{name} : verrouillé',
    unlocked: '{name} : déverrouillé',
    added: 'Ajout de {name}',
    removed: 'Suppression de {name}',
    changed: 'Modification de {name}',
    renamed: '« {from} » renommé en « {name} »',
    retitled: 'Modification du titre de {name}',
    retyped: 'Modification du type de {name}',
    restyled: 'Modification de l’apparence de {name}',
    reworded: 'Modification des textes de {name}',
    dataChanged: 'Modification des données de {name}',
    formulaChanged: 'Modification d’une formule de {name}',
    columnAdded: 'Ajout de {column} à {name}',
    columnRemoved: 'Retrait de {column} de {name}',
    columnMoved: 'Déplacement de {column} dans {name}',
    columnChanged: 'Modification de {column} dans {name}',
    filterAdded: 'Ajout d’un filtre sur {column}',
    filterRemoved: 'Suppression du filtre sur {column}',
    filterChanged: 'Modification du filtre sur {column}',
    filtersChanged: 'Modification de filtres',
    viewAdded: 'Ajout de la vue {name}',
    viewRemoved: 'Suppression de la vue {name}',
    viewChanged: 'Modification de la vue {name}',
    dashboardChanged: 'Modification du tableau de bord',
    manyMoved: 'Déplacement de {n} éléments',
    manyAdded: 'Ajout de {n} éléments',
    manyRemoved: 'Suppression de {n} éléments',
    manyChanged: 'Modification de {n} éléments',
    chart: 'un graphique sans titre',
    filter: 'un filtre sans titre',
    content: 'un élément sans titre',
    column: 'une colonne',
    desktop: 'ordinateur',
    tablet: 'tablette',
    mobile: 'mobile',
  },
  de: {
    unchanged: 'Nichts geändert',
    moved: '{name} verschoben',
    resized: 'Größe von {name} geändert',
    reordered: 'Reihenfolge von {name} geändert',
    hidden: '{name} ausgeblendet',
    shown: '{name} wieder eingeblendet',
    locked: '{name} gesperrt',
    unlocked: '{name} entsperrt',
    added: '{name} hinzugefügt',
    removed: '{name} entfernt',
    changed: '{name} geändert',
    renamed: '„{from}“ in „{name}“ umbenannt',
    retitled: 'Titel geändert: {name}',
    retyped: 'Typ geändert: {name}',
    restyled: 'Aussehen geändert: {name}',
    reworded: 'Texte geändert: {name}',
    dataChanged: 'Daten geändert: {name}',
    formulaChanged: 'Formel geändert: {name}',
    columnAdded: '{column} hinzugefügt: {name}',
    columnRemoved: '{column} entfernt: {name}',
    columnMoved: '{column} verschoben: {name}',
    columnChanged: '{column} geändert: {name}',
    filterAdded: 'Filter hinzugefügt: {column}',
    filterRemoved: 'Filter entfernt: {column}',
    filterChanged: 'Filter geändert: {column}',
    filtersChanged: 'Filter geändert',
    viewAdded: 'Ansicht {name} hinzugefügt',
    viewRemoved: 'Ansicht {name} entfernt',
    viewChanged: 'Ansicht {name} geändert',
    dashboardChanged: 'Dashboard geändert',
    manyMoved: '{n} Elemente verschoben',
    manyAdded: '{n} Elemente hinzugefügt',
    manyRemoved: '{n} Elemente entfernt',
    manyChanged: '{n} Elemente geändert',
    chart: 'Diagramm ohne Titel',
    filter: 'Filter ohne Titel',
    content: 'Element ohne Titel',
    column: 'Spalte',
    desktop: 'Desktop',
    tablet: 'Tablet',
    mobile: 'Mobil',
  },
  es: {
    unchanged: 'Sin cambios',
    moved: 'Se movió {name}',
    resized: 'Se cambió el tamaño de {name}',
    reordered: 'Se cambió el orden de {name}',
    hidden: '{name}: oculto',
    shown: '{name}: visible de nuevo',
    locked: '{name}: bloqueado',
    unlocked: '{name}: desbloqueado',
    added: 'Se añadió {name}',
    removed: 'Se eliminó {name}',
    changed: 'Se modificó {name}',
    renamed: '«{from}» pasó a llamarse «{name}»',
    retitled: 'Se cambió el título de {name}',
    retyped: 'Se cambió el tipo de {name}',
    restyled: 'Se cambió el aspecto de {name}',
    reworded: 'Se cambiaron los textos de {name}',
    dataChanged: 'Se cambiaron los datos de {name}',
    formulaChanged: 'Se cambió una fórmula de {name}',
    columnAdded: 'Se añadió {column} a {name}',
    columnRemoved: 'Se quitó {column} de {name}',
    columnMoved: 'Se movió {column} en {name}',
    columnChanged: 'Se modificó {column} en {name}',
    filterAdded: 'Se añadió un filtro por {column}',
    filterRemoved: 'Se eliminó el filtro por {column}',
    filterChanged: 'Se modificó el filtro por {column}',
    filtersChanged: 'Se modificaron los filtros',
    viewAdded: 'Se añadió la vista {name}',
    viewRemoved: 'Se eliminó la vista {name}',
    viewChanged: 'Se modificó la vista {name}',
    dashboardChanged: 'Se modificó el panel',
    manyMoved: 'Se movieron {n} elementos',
    manyAdded: 'Se añadieron {n} elementos',
    manyRemoved: 'Se eliminaron {n} elementos',
    manyChanged: 'Se modificaron {n} elementos',
    chart: 'un gráfico sin título',
    filter: 'un filtro sin título',
    content: 'un elemento sin título',
    column: 'una columna',
    desktop: 'escritorio',
    tablet: 'tableta',
    mobile: 'móvil',
  },
  ar: {
    unchanged: 'لا تغييرات',
    moved: 'نقل {name}',
    resized: 'تغيير حجم {name}',
    reordered: 'تغيير ترتيب {name}',
    hidden: 'أُخفي {name}',
    shown: 'أُظهر {name} من جديد',
    locked: 'أُقفل {name}',
    unlocked: 'أُلغي قفل {name}',
    added: 'إضافة {name}',
    removed: 'حذف {name}',
    changed: 'تعديل {name}',
    renamed: 'إعادة تسمية «{from}» إلى «{name}»',
    retitled: 'تعديل عنوان {name}',
    retyped: 'تغيير نوع {name}',
    restyled: 'تعديل مظهر {name}',
    reworded: 'تعديل نصوص {name}',
    dataChanged: 'تعديل بيانات {name}',
    formulaChanged: 'تعديل صيغة في {name}',
    columnAdded: 'إضافة {column} إلى {name}',
    columnRemoved: 'إزالة {column} من {name}',
    columnMoved: 'نقل {column} في {name}',
    columnChanged: 'تعديل {column} في {name}',
    filterAdded: 'إضافة عامل تصفية على {column}',
    filterRemoved: 'حذف عامل التصفية على {column}',
    filterChanged: 'تعديل عامل التصفية على {column}',
    filtersChanged: 'تعديل عوامل التصفية',
    viewAdded: 'إضافة العرض {name}',
    viewRemoved: 'حذف العرض {name}',
    viewChanged: 'تعديل العرض {name}',
    dashboardChanged: 'تعديل لوحة المعلومات',
    manyMoved: 'عدد العناصر المنقولة: {n}',
    manyAdded: 'عدد العناصر المضافة: {n}',
    manyRemoved: 'عدد العناصر المحذوفة: {n}',
    manyChanged: 'عدد العناصر المعدّلة: {n}',
    chart: 'رسم بياني بلا عنوان',
    filter: 'عامل تصفية بلا عنوان',
    content: 'عنصر بلا عنوان',
    column: 'عمود',
    desktop: 'سطح المكتب',
    tablet: 'الجهاز اللوحي',
    mobile: 'الهاتف المحمول',
  },
} as const satisfies Readonly<Record<string, ChangeWords>>;

const byLanguage: Readonly<Record<string, ChangeWords>> = words;

/** Languages with translations. */
export const changeLanguages: readonly string[] = Object.keys(words);

/** Returns the sentences for a locale such as `nl-BE`; English if there is no translation. */
export function changeWordsFor(locale: string): ChangeWords {
  const language = locale.toLowerCase().split('-')[0] ?? 'en';
  return (Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined) ?? words.en;
}
