import type { Role } from '../../columns/meaning.ts';

/** What a column is, for its description: its role, of amounts also whether they add up, of categories how many. */
export type ColumnKind =
  | Exclude<Role, 'amount' | 'category' | 'time'>
  | 'sum'
  | 'average'
  | 'money'
  | 'day'
  | 'moment'
  | 'category'
  | 'fewCategories';

/** Templates of descriptions in one language. `{name}` is the placeholder for the name of the column, formula or dataset. */
interface Sentences extends Readonly<Record<ColumnKind, string>> {
  /** A dataset, with lists of its parts. A part in brackets is left out if the list is empty. */
  readonly dataset: string;
  readonly formula: string;
  readonly and: string;
  /** Further names of a list that is cut; `{count}` is their number. */
  readonly more: string;
}

const sentences = {
  en: {
    dataset: '{name}[: {numbers}][ by {groups}][, over time by {times}].',
    formula: '{name}: computed as {formula}.',
    and: 'and',
    more: '{count} more',
    sum: '{name}: an amount that can be added up.',
    average: '{name}: a value that is averaged, because adding it up has no meaning.',
    money: '{name}: an amount of money that can be added up.',
    identifier: '{name}: identifies a record; it is counted, not added up.',
    day: '{name}: the day to which the row belongs.',
    moment: '{name}: the moment to which the row belongs.',
    period: '{name}: a period, such as a year or a month.',
    category: '{name}: a category to group and filter by.',
    fewCategories: '{name}: a category with few different values, to compare and filter by.',
    title: '{name}: the name by which people know the record.',
    place: '{name}: a place to group by or show on a map.',
    text: '{name}: text to read, rather than to group by.',
  },
  nl: {
    dataset: '{name}[: {numbers}][ per {groups}][, in de tijd volgens {times}].',
    formula: '{name}: berekend als {formula}.',
    and: 'en',
    more: 'nog {count}',
    sum: '{name}: een hoeveelheid die kan worden opgeteld.',
    average: '{name}: een waarde waarvan het gemiddelde telt, omdat optellen niets betekent.',
    money: '{name}: een bedrag dat kan worden opgeteld.',
    identifier: '{name}: het kenmerk van een record; wordt geteld, niet opgeteld.',
    day: '{name}: de dag waartoe de rij behoort.',
    moment: '{name}: het tijdstip waartoe de rij behoort.',
    period: '{name}: een periode, zoals een jaar of een maand.',
    category: '{name}: een categorie om op te groeperen en te filteren.',
    fewCategories: '{name}: een categorie met weinig verschillende waarden, om te vergelijken en te filteren.',
    title: '{name}: de naam waaronder mensen het record kennen.',
    place: '{name}: een plaats om op te groeperen of op een kaart te tonen.',
    text: '{name}: tekst om te lezen, niet om op te groeperen.',
  },
  fr: {
    dataset: '{name}[ : {numbers}][ par {groups}][, dans le temps selon {times}].',
    formula: '{name} : calculé par {formula}.',
    and: 'et',
    more: '{count} de plus',
    sum: '{name} : une quantité qui peut être additionnée.',
    average: '{name} : une valeur dont on prend la moyenne, car sa somme n’a pas de sens.',
    money: '{name} : un montant qui peut être additionné.',
    identifier: '{name} : identifie un enregistrement ; on le compte, on ne l’additionne pas.',
    day: '{name} : le jour auquel se rapporte la ligne.',
    moment: '{name} : le moment auquel se rapporte la ligne.',
    period: '{name} : une période, comme une année ou un mois.',
    category: '{name} : une catégorie pour regrouper et filtrer.',
    fewCategories: '{name} : une catégorie avec peu de valeurs différentes, pour comparer et filtrer.',
    title: '{name} : le nom sous lequel l’enregistrement est connu.',
    place: '{name} : un lieu pour regrouper ou montrer sur une carte.',
    text: '{name} : un texte à lire plutôt qu’à regrouper.',
  },
  de: {
    dataset: '{name}[: {numbers}][ nach {groups}][, im Zeitverlauf nach {times}].',
    formula: '{name}: berechnet als {formula}.',
    and: 'und',
    more: '{count} weitere',
    sum: '{name}: eine Menge, die summiert werden kann.',
    average: '{name}: ein Wert, der gemittelt wird, weil seine Summe nichts aussagt.',
    money: '{name}: ein Geldbetrag, der summiert werden kann.',
    identifier: '{name}: kennzeichnet einen Datensatz; wird gezählt, nicht summiert.',
    day: '{name}: der Tag, zu dem die Zeile gehört.',
    moment: '{name}: der Zeitpunkt, zu dem die Zeile gehört.',
    period: '{name}: ein Zeitraum, etwa ein Jahr oder ein Monat.',
    category: '{name}: eine Kategorie zum Gruppieren und Filtern.',
    fewCategories: '{name}: eine Kategorie mit wenigen verschiedenen Werten, zum Vergleichen und Filtern.',
    title: '{name}: der Name, unter dem der Datensatz bekannt ist.',
    place: '{name}: ein Ort zum Gruppieren oder für eine Karte.',
    text: '{name}: ein Text zum Lesen, nicht zum Gruppieren.',
  },
  es: {
    dataset: '{name}[: {numbers}][ por {groups}][, en el tiempo según {times}].',
    formula: '{name}: calculado como {formula}.',
    and: 'y',
    more: '{count} más',
    sum: '{name}: una cantidad que se puede sumar.',
    average: '{name}: un valor que se promedia, porque su suma no significa nada.',
    money: '{name}: un importe que se puede sumar.',
    identifier: '{name}: identifica un registro; se cuenta, no se suma.',
    day: '{name}: el día al que pertenece la fila.',
    moment: '{name}: el momento al que pertenece la fila.',
    period: '{name}: un período, como un año o un mes.',
    category: '{name}: una categoría para agrupar y filtrar.',
    fewCategories: '{name}: una categoría con pocos valores distintos, para comparar y filtrar.',
    title: '{name}: el nombre por el que se conoce el registro.',
    place: '{name}: un lugar para agrupar o mostrar en un mapa.',
    text: '{name}: un texto para leer, no para agrupar.',
  },
  ar: {
    dataset: '{name}[: {numbers}][ حسب {groups}][، عبر الزمن وفق {times}].',
    formula: '{name}: يُحسب على أنه {formula}.',
    and: 'و',
    more: '{count} أخرى',
    sum: '{name}: كمية يمكن جمعها.',
    average: '{name}: قيمة يُحسب متوسطها، لأن مجموعها بلا معنى.',
    money: '{name}: مبلغ مالي يمكن جمعه.',
    identifier: '{name}: معرّف لسجل؛ يُعَدّ ولا يُجمع.',
    day: '{name}: اليوم الذي ينتمي إليه الصف.',
    moment: '{name}: الوقت الذي ينتمي إليه الصف.',
    period: '{name}: فترة، مثل سنة أو شهر.',
    category: '{name}: فئة للتجميع والتصفية.',
    fewCategories: '{name}: فئة ذات قيم مختلفة قليلة، للمقارنة والتصفية.',
    title: '{name}: الاسم الذي يُعرف به السجل.',
    place: '{name}: مكان للتجميع أو للعرض على خريطة.',
    text: '{name}: نص للقراءة وليس للتجميع.',
  },
} as const satisfies Readonly<Record<string, Sentences>>;

export type DescriptionLanguage = keyof typeof sentences;

/** True for a language that descriptions are written in. */
export const isDescriptionLanguage = (code: string): code is DescriptionLanguage => Object.hasOwn(sentences, code);

/** Fills the places of a sentence, each once, so that a name with braces stays as it is. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/gu, (place, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : place));

/** Maximum number of names in a list. */
const maxNames = 4;

/** Writes names as a list: "Revenue, Profit and 3 more". */
function listed(names: readonly string[], { and, more }: Sentences): string {
  const shown = names.length > maxNames ? names.slice(0, maxNames - 1) : names;
  const rest = names.length - shown.length;
  const parts = rest === 0 ? shown : [...shown, filled(more, { count: String(rest) })];
  const [last = ''] = parts.slice(-1);
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${and} ${last}`;
}

/** The names of the columns of a dataset, by what they are. */
export interface DatasetParts {
  readonly numbers: readonly string[];
  readonly groups: readonly string[];
  readonly times: readonly string[];
}

export function sentenceOfDataset(name: string, parts: DatasetParts, language: DescriptionLanguage): string {
  const words: Sentences = sentences[language];
  const lists: Readonly<Record<string, string>> = {
    numbers: listed(parts.numbers, words),
    groups: listed(parts.groups, words),
    times: listed(parts.times, words),
  };
  const kept = words.dataset.replaceAll(/\[([^\]]*)\]/gu, (_, part: string) =>
    Object.entries(lists).some(([place, list]) => list === '' && part.includes(`{${place}}`)) ? '' : part,
  );
  return filled(kept, { name, ...lists });
}

export const sentenceOfColumn = (name: string, kind: ColumnKind, language: DescriptionLanguage): string =>
  filled(sentences[language][kind], { name });

export const sentenceOfFormula = (name: string, formula: string, language: DescriptionLanguage): string =>
  filled(sentences[language].formula, { name, formula });
