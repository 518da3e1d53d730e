import type { Assumption } from '../plan.ts';

/** How far the values of rows were searched for the words of a question. */
export type SearchState = 'all' | 'some' | 'none';

/** What an answer says about itself: an assumption, or what was not understood. Names and quotes are texts. */
export type Note =
  | { readonly kind: 'secondNumber' | 'nothingFits' | 'lacksNumber' | 'lacksGroup' | 'lacksTime' | 'cut' }
  | { readonly kind: Exclude<Assumption['kind'], 'secondNumber' | 'unapplied'> | 'date'; readonly name: string }
  | { readonly kind: 'readAs'; readonly quotes: readonly string[]; readonly names: readonly string[] }
  /** Words that may mean an amount were read as the rows of the dataset. */
  | { readonly kind: 'rows'; readonly quote: string; readonly name: string }
  | { readonly kind: 'alsoFits'; readonly name: string; readonly other: string }
  /** The filters of the messages before that the chart still has. */
  | { readonly kind: 'kept'; readonly quotes: readonly string[] }
  | { readonly kind: 'condition'; readonly names: readonly string[]; readonly quotes: readonly string[] }
  /** `search`: whether values were searched in all columns, in some, or in none because there are no rows. */
  | { readonly kind: 'unread'; readonly quotes: readonly string[]; readonly search: SearchState };

/** The words of a language for each note. `{name}`, `{other}` and `{quotes}` stand for what the note names. */
interface NoteTexts extends Readonly<Record<Exclude<Note['kind'], 'unread'>, string>> {
  /** No filter of the messages before was kept. */
  readonly keptNone: string;
  /** A condition on named columns. */
  readonly conditionOn: string;
  /** Words that are not used, by how far they were searched among the values. */
  readonly unread: Readonly<Record<SearchState, string>>;
  readonly and: string;
}

const texts: Readonly<Record<string, NoteTexts>> = {
  en: {
    and: 'and',
    secondNumber: 'A second number was chosen to set against the first.',
    nothingFits: 'No column fits the question; this chart says most about the dataset.',
    lacksNumber: 'The dataset has no number that answers the question; this chart says most about it.',
    lacksGroup: 'The dataset has no column to group by as the question asks; this chart says most about it.',
    lacksTime: 'The dataset has no time as the question asks for; this chart says most about it.',
    cut: 'The question is long: only its first words were read.',
    group: 'Grouped by {name}: the question names no group.',
    groupOfDataset: 'Grouped by {name}: the question names no group of this dataset.',
    numberOfDataset: '{name} was taken: the question names no number of this dataset.',
    column: '{name} was taken: the question names no column for it.',
    boundOfGroup: 'A condition on each {name} was left out: the chart does not group by it.',
    wholeFormula: '{name} is a formula: it is neither compared nor limited to a part of the time.',
    date: '{name} was taken as the date.',
    kept: 'Of the messages before, the chart keeps the filters {quotes}.',
    keptNone: 'Of the messages before, the chart keeps no filter.',
    readAs: '{quotes} was read as {name}.',
    rows: '{quotes} was read as the number of rows of {name}.',
    alsoFits: '{name} was taken; {other} fits the words too.',
    condition: 'The chart does not have the condition {quotes}: add it as a filter.',
    conditionOn: 'The chart does not have the condition {quotes} on {name}: add it as a filter.',
    unread: {
      none: '{quotes} was left out: it names no column. If it is a value, add it as a filter.',
      all: '{quotes} was left out: it names no column, and was not found in the columns that I can search.',
      some: '{quotes} was left out: it names no column. Not all columns could be searched for it as a value: add it as a filter.',
    },
  },
  nl: {
    and: 'en',
    secondNumber: 'Een tweede getal is gekozen om tegenover het eerste te zetten.',
    nothingFits: 'Geen kolom past bij de vraag; deze grafiek zegt het meest over de dataset.',
    lacksNumber: 'De dataset heeft geen getal dat de vraag beantwoordt; deze grafiek zegt er het meest over.',
    lacksGroup: 'De dataset heeft geen kolom om te groeperen zoals de vraag wil; deze grafiek zegt er het meest over.',
    lacksTime: 'De dataset heeft niet de tijd waarnaar de vraag vraagt; deze grafiek zegt er het meest over.',
    cut: 'De vraag is lang: alleen de eerste woorden zijn gelezen.',
    group: 'Gegroepeerd per {name}: de vraag noemt geen groep.',
    groupOfDataset: 'Gegroepeerd per {name}: de vraag noemt geen groep van deze dataset.',
    numberOfDataset: '{name} is genomen: de vraag noemt geen getal van deze dataset.',
    column: '{name} is genomen: de vraag noemt er geen kolom voor.',
    boundOfGroup: 'Een voorwaarde op elke {name} is weggelaten: de grafiek groepeert er niet naar.',
    wholeFormula: '{name} is een formule: ze wordt niet vergeleken en niet beperkt tot een deel van de tijd.',
    date: '{name} is genomen als datum.',
    kept: 'Van de berichten hiervoor houdt de grafiek de filters {quotes}.',
    keptNone: 'Van de berichten hiervoor houdt de grafiek geen filter.',
    readAs: '{quotes} is gelezen als {name}.',
    rows: '{quotes} is gelezen als het aantal rijen van {name}.',
    alsoFits: '{name} is genomen; ook {other} past bij de woorden.',
    condition: 'De grafiek heeft de voorwaarde {quotes} niet: voeg ze toe als filter.',
    conditionOn: 'De grafiek heeft de voorwaarde {quotes} op {name} niet: voeg ze toe als filter.',
    unread: {
      none: '{quotes} is niet gebruikt: er is geen kolom met die naam. Is het een waarde, voeg dan een filter toe.',
      all: '{quotes} is niet gebruikt: er is geen kolom met die naam, en het is niet gevonden in de kolommen waarin ik kan zoeken.',
      some: '{quotes} is niet gebruikt: er is geen kolom met die naam. Niet alle kolommen konden op die waarde worden doorzocht: voeg ze toe als filter.',
    },
  },
  fr: {
    and: 'et',
    secondNumber: 'Un second nombre a été choisi pour être comparé au premier.',
    nothingFits: 'Aucune colonne ne correspond à la question ; ce graphique en dit le plus sur le jeu de données.',
    lacksNumber: 'Le jeu de données n’a aucun nombre qui réponde à la question ; ce graphique en dit le plus.',
    lacksGroup:
      'Le jeu de données n’a aucune colonne pour grouper comme le demande la question ; ce graphique en dit le plus.',
    lacksTime: 'Le jeu de données n’a pas la date que demande la question ; ce graphique en dit le plus.',
    cut: 'La question est longue : seuls ses premiers mots ont été lus.',
    group: 'Groupé par {name} : la question ne nomme aucun groupe.',
    groupOfDataset: 'Groupé par {name} : la question ne nomme aucun groupe de ce jeu de données.',
    numberOfDataset: '{name} a été choisi : la question ne nomme aucun nombre de ce jeu de données.',
    column: '{name} a été choisi : la question ne nomme aucune colonne.',
    boundOfGroup: 'Une condition sur chaque {name} a été omise : le graphique n’est pas groupé ainsi.',
    wholeFormula: '{name} est une formule : elle n’est ni comparée ni limitée à une partie du temps.',
    date: '{name} a été choisi comme date.',
    kept: 'Des messages précédents, le graphique garde les filtres {quotes}.',
    keptNone: 'Des messages précédents, le graphique ne garde aucun filtre.',
    readAs: '{quotes} a été compris comme {name}.',
    rows: '{quotes} a été compris comme le nombre de lignes de {name}.',
    alsoFits: '{name} a été choisi ; {other} correspond aussi aux mots.',
    condition: 'Le graphique n’a pas la condition {quotes} : ajoutez-la comme filtre.',
    conditionOn: 'Le graphique n’a pas la condition {quotes} sur {name} : ajoutez-la comme filtre.',
    unread: {
      none: '{quotes} n’a pas été utilisé : aucune colonne ne porte ce nom. Si c’est une valeur, ajoutez un filtre.',
      all: '{quotes} n’a pas été utilisé : aucune colonne ne porte ce nom, et rien n’a été trouvé dans les colonnes où je peux chercher.',
      some: '{quotes} n’a pas été utilisé : aucune colonne ne porte ce nom. Toutes les colonnes n’ont pas pu être parcourues : ajoutez cette valeur comme filtre.',
    },
  },
  de: {
    and: 'und',
    secondNumber: 'Eine zweite Zahl wurde gewählt, um sie der ersten gegenüberzustellen.',
    nothingFits: 'Keine Spalte passt zur Frage; dieses Diagramm sagt am meisten über den Datensatz.',
    lacksNumber: 'Der Datensatz hat keine Zahl, die die Frage beantwortet; dieses Diagramm sagt am meisten über ihn.',
    lacksGroup:
      'Der Datensatz hat keine Spalte, um so zu gruppieren, wie die Frage es will; dieses Diagramm sagt am meisten über ihn.',
    lacksTime: 'Der Datensatz hat nicht die Zeit, nach der die Frage fragt; dieses Diagramm sagt am meisten über ihn.',
    cut: 'Die Frage ist lang: Nur ihre ersten Wörter wurden gelesen.',
    group: 'Gruppiert nach {name}: Die Frage nennt keine Gruppe.',
    groupOfDataset: 'Gruppiert nach {name}: Die Frage nennt keine Gruppe dieses Datensatzes.',
    numberOfDataset: '{name} wurde genommen: Die Frage nennt keine Zahl dieses Datensatzes.',
    column: '{name} wurde genommen: Die Frage nennt keine Spalte dafür.',
    boundOfGroup: 'Eine Bedingung auf {name} wurde weggelassen: Das Diagramm ist nicht danach gruppiert.',
    wholeFormula: '{name} ist eine Formel: Sie wird weder verglichen noch auf einen Teil der Zeit beschränkt.',
    date: '{name} wurde als Datum genommen.',
    kept: 'Von den Nachrichten davor behält das Diagramm die Filter {quotes}.',
    keptNone: 'Von den Nachrichten davor behält das Diagramm keinen Filter.',
    readAs: '{quotes} wurde als {name} verstanden.',
    rows: '{quotes} wurde als die Anzahl der Zeilen von {name} verstanden.',
    alsoFits: '{name} wurde genommen; auch {other} passt zu den Wörtern.',
    condition: 'Das Diagramm hat die Bedingung {quotes} nicht: Fügen Sie sie als Filter hinzu.',
    conditionOn: 'Das Diagramm hat die Bedingung {quotes} auf {name} nicht: Fügen Sie sie als Filter hinzu.',
    unread: {
      none: '{quotes} wurde nicht verwendet: Keine Spalte heißt so. Ist es ein Wert, fügen Sie einen Filter hinzu.',
      all: '{quotes} wurde nicht verwendet: Keine Spalte heißt so, und in den Spalten, die ich durchsuchen kann, wurde es nicht gefunden.',
      some: '{quotes} wurde nicht verwendet: Keine Spalte heißt so. Nicht alle Spalten konnten danach durchsucht werden: Fügen Sie den Wert als Filter hinzu.',
    },
  },
  es: {
    and: 'y',
    secondNumber: 'Se eligió un segundo número para compararlo con el primero.',
    nothingFits: 'Ninguna columna corresponde a la pregunta; este gráfico dice lo más posible sobre los datos.',
    lacksNumber:
      'Los datos no tienen ningún número que responda a la pregunta; este gráfico dice lo más posible sobre ellos.',
    lacksGroup:
      'Los datos no tienen ninguna columna para agrupar como pide la pregunta; este gráfico dice lo más posible sobre ellos.',
    lacksTime: 'Los datos no tienen la fecha que pide la pregunta; este gráfico dice lo más posible sobre ellos.',
    cut: 'La pregunta es larga: solo se leyeron sus primeras palabras.',
    group: 'Agrupado por {name}: la pregunta no nombra ningún grupo.',
    groupOfDataset: 'Agrupado por {name}: la pregunta no nombra ningún grupo de estos datos.',
    numberOfDataset: 'Se tomó {name}: la pregunta no nombra ningún número de estos datos.',
    column: 'Se tomó {name}: la pregunta no nombra ninguna columna.',
    boundOfGroup: 'Se omitió una condición sobre cada {name}: el gráfico no agrupa por esa columna.',
    wholeFormula: '{name} es una fórmula: no se compara ni se limita a una parte del tiempo.',
    date: 'Se tomó {name} como fecha.',
    kept: 'De los mensajes anteriores, el gráfico conserva los filtros {quotes}.',
    keptNone: 'De los mensajes anteriores, el gráfico no conserva ningún filtro.',
    readAs: '{quotes} se entendió como {name}.',
    rows: '{quotes} se entendió como el número de filas de {name}.',
    alsoFits: 'Se tomó {name}; {other} también corresponde a las palabras.',
    condition: 'El gráfico no tiene la condición {quotes}: añádala como filtro.',
    conditionOn: 'El gráfico no tiene la condición {quotes} sobre {name}: añádala como filtro.',
    unread: {
      none: 'No se usó {quotes}: ninguna columna se llama así. Si es un valor, añada un filtro.',
      all: 'No se usó {quotes}: ninguna columna se llama así, y no se encontró en las columnas en las que puedo buscar.',
      some: 'No se usó {quotes}: ninguna columna se llama así. No se pudieron recorrer todas las columnas: añada el valor como filtro.',
    },
  },
};

/** What the placeholders of a text stand for. */
type NoteNames = Readonly<Partial<Record<'name' | 'other' | 'quotes', string>>>;

const filled = (text: string, named: NoteNames): string =>
  text
    .replaceAll('{quotes}', () => named.quotes ?? '')
    .replaceAll('{other}', () => named.other ?? '')
    .replaceAll('{name}', () => named.name ?? '');

const quoted = (quotes: readonly string[]): string => quotes.map((text) => `“${text}”`).join(', ');

/** Writes a note in the language of the question; in English if the language is not known. */
export function sentenceOf(note: Note, language: string): string {
  const words = texts[language] ?? texts['en'];
  if (words === undefined) return '';
  switch (note.kind) {
    case 'unread':
      return filled(words.unread[note.search], { quotes: quoted(note.quotes) });
    case 'condition': {
      const name = note.names.join(` ${words.and} `);
      return filled(name === '' ? words.condition : words.conditionOn, { name, quotes: quoted(note.quotes) });
    }
    case 'kept':
      return note.quotes.length === 0 ? words.keptNone : filled(words.kept, { quotes: quoted(note.quotes) });
    case 'rows':
      return filled(words.rows, { name: note.name, quotes: quoted([note.quote]) });
    case 'readAs':
      return filled(words.readAs, { name: note.names.join(` ${words.and} `), quotes: quoted(note.quotes) });
    case 'secondNumber':
    case 'nothingFits':
    case 'lacksNumber':
    case 'lacksGroup':
    case 'lacksTime':
    case 'cut':
      return words[note.kind];
    default:
      return filled(words[note.kind], note);
  }
}
