import type { Assumption } from '../plan.ts';

/** How far the values of rows were searched for the words of a question. */
export type SearchState = 'all' | 'some' | 'none';

/** What an answer says about itself: an assumption, or what was not understood. Names and quotes are texts. */
export type Note =
  | { readonly kind: 'secondNumber' | 'nothingFits' }
  | { readonly kind: Exclude<Assumption['kind'], 'secondNumber'> | 'date'; readonly name: string }
  | { readonly kind: 'readAs'; readonly quote: string; readonly name: string }
  | { readonly kind: 'alsoFits'; readonly name: string; readonly other: string }
  | { readonly kind: 'condition'; readonly names: readonly string[]; readonly quotes: readonly string[] }
  /** `search`: whether values were searched in all columns, in some, or in none because there are no rows. */
  | { readonly kind: 'unread'; readonly quotes: readonly string[]; readonly search: SearchState };

/** Writes a note in one language. */
type Sentence = (note: Note) => string;

const quoted = (quotes: readonly string[]): string => quotes.map((text) => `“${text}”`).join(', ');
const listed = (names: readonly string[], and: string): string => names.join(` ${and} `);

const sentences: Readonly<Record<string, Sentence>> = {
  en: (note) => {
    switch (note.kind) {
      case 'secondNumber':
        return 'A second number was chosen to set against the first.';
      case 'nothingFits':
        return 'No column fits the question; this chart says most about the dataset.';
      case 'group':
        return `Grouped by ${note.name}: the question names no group.`;
      case 'groupOfDataset':
        return `Grouped by ${note.name}: the question names no group of this dataset.`;
      case 'numberOfDataset':
        return `${note.name} was taken: the question names no number of this dataset.`;
      case 'column':
        return `${note.name} was taken: the question names no column for it.`;
      case 'date':
        return `${note.name} was taken as the date.`;
      case 'readAs':
        return `“${note.quote}” was read as ${note.name}.`;
      case 'alsoFits':
        return `${note.name} was taken; ${note.other} fits the words too.`;
      case 'condition': {
        const names = note.names.length === 0 ? '' : ` on ${listed(note.names, 'and')}`;
        return `A condition${names} is not part of a chart: add it as a filter (${quoted(note.quotes)}).`;
      }
      case 'unread': {
        const left = `${quoted(note.quotes)} was left out: it names no column`;
        if (note.search === 'none') return `${left}. If it is a value, add it as a filter.`;
        return note.search === 'all'
          ? `${left}, and was not found in the columns that I can search.`
          : `${left}. Not all columns could be searched for it as a value: add it as a filter.`;
      }
    }
  },
  nl: (note) => {
    switch (note.kind) {
      case 'secondNumber':
        return 'Een tweede getal is gekozen om tegenover het eerste te zetten.';
      case 'nothingFits':
        return 'Geen kolom past bij de vraag; deze grafiek zegt het meest over de dataset.';
      case 'group':
        return `Gegroepeerd per ${note.name}: de vraag noemt geen groep.`;
      case 'groupOfDataset':
        return `Gegroepeerd per ${note.name}: de vraag noemt geen groep van deze dataset.`;
      case 'numberOfDataset':
        return `${note.name} is genomen: de vraag noemt geen getal van deze dataset.`;
      case 'column':
        return `${note.name} is genomen: de vraag noemt er geen kolom voor.`;
      case 'date':
        return `${note.name} is genomen als datum.`;
      case 'readAs':
        return `“${note.quote}” is gelezen als ${note.name}.`;
      case 'alsoFits':
        return `${note.name} is genomen; ook ${note.other} past bij de woorden.`;
      case 'condition': {
        const names = note.names.length === 0 ? '' : ` op ${listed(note.names, 'en')}`;
        return `Een voorwaarde${names} hoort niet bij een grafiek: voeg ze toe als filter (${quoted(note.quotes)}).`;
      }
      case 'unread': {
        const left = `${quoted(note.quotes)} is niet gebruikt: er is geen kolom met die naam`;
        if (note.search === 'none') return `${left}. Is het een waarde, voeg dan een filter toe.`;
        return note.search === 'all'
          ? `${left}, en het is niet gevonden in de kolommen waarin ik kan zoeken.`
          : `${left}. Niet alle kolommen konden op die waarde worden doorzocht: voeg ze toe als filter.`;
      }
    }
  },
  fr: (note) => {
    switch (note.kind) {
      case 'secondNumber':
        return 'Un second nombre a été choisi pour être comparé au premier.';
      case 'nothingFits':
        return 'Aucune colonne ne correspond à la question ; ce graphique en dit le plus sur le jeu de données.';
      case 'group':
        return `Groupé par ${note.name} : la question ne nomme aucun groupe.`;
      case 'groupOfDataset':
        return `Groupé par ${note.name} : la question ne nomme aucun groupe de ce jeu de données.`;
      case 'numberOfDataset':
        return `${note.name} a été choisi : la question ne nomme aucun nombre de ce jeu de données.`;
      case 'column':
        return `${note.name} a été choisi : la question ne nomme aucune colonne.`;
      case 'date':
        return `${note.name} a été choisi comme date.`;
      case 'readAs':
        return `« ${note.quote} » a été compris comme ${note.name}.`;
      case 'alsoFits':
        return `${note.name} a été choisi ; ${note.other} correspond aussi aux mots.`;
      case 'condition': {
        const names = note.names.length === 0 ? '' : ` sur ${listed(note.names, 'et')}`;
        return `Une condition${names} ne fait pas partie d’un graphique : ajoutez-la comme filtre (${quoted(note.quotes)}).`;
      }
      case 'unread': {
        const left = `${quoted(note.quotes)} n’a pas été utilisé : aucune colonne ne porte ce nom`;
        if (note.search === 'none') return `${left}. Si c’est une valeur, ajoutez un filtre.`;
        return note.search === 'all'
          ? `${left}, et rien n’a été trouvé dans les colonnes où je peux chercher.`
          : `${left}. Toutes les colonnes n’ont pas pu être parcourues : ajoutez cette valeur comme filtre.`;
      }
    }
  },
  de: (note) => {
    switch (note.kind) {
      case 'secondNumber':
        return 'Eine zweite Zahl wurde gewählt, um sie der ersten gegenüberzustellen.';
      case 'nothingFits':
        return 'Keine Spalte passt zur Frage; dieses Diagramm sagt am meisten über den Datensatz.';
      case 'group':
        return `Gruppiert nach ${note.name}: Die Frage nennt keine Gruppe.`;
      case 'groupOfDataset':
        return `Gruppiert nach ${note.name}: Die Frage nennt keine Gruppe dieses Datensatzes.`;
      case 'numberOfDataset':
        return `${note.name} wurde genommen: Die Frage nennt keine Zahl dieses Datensatzes.`;
      case 'column':
        return `${note.name} wurde genommen: Die Frage nennt keine Spalte dafür.`;
      case 'date':
        return `${note.name} wurde als Datum genommen.`;
      case 'readAs':
        return `„${note.quote}“ wurde als ${note.name} verstanden.`;
      case 'alsoFits':
        return `${note.name} wurde genommen; auch ${note.other} passt zu den Wörtern.`;
      case 'condition': {
        const names = note.names.length === 0 ? '' : ` auf ${listed(note.names, 'und')}`;
        return `Eine Bedingung${names} gehört nicht zum Diagramm: Fügen Sie sie als Filter hinzu (${quoted(note.quotes)}).`;
      }
      case 'unread': {
        const left = `${quoted(note.quotes)} wurde nicht verwendet: Keine Spalte heißt so`;
        if (note.search === 'none') return `${left}. Ist es ein Wert, fügen Sie einen Filter hinzu.`;
        return note.search === 'all'
          ? `${left}, und in den Spalten, die ich durchsuchen kann, wurde es nicht gefunden.`
          : `${left}. Nicht alle Spalten konnten danach durchsucht werden: Fügen Sie den Wert als Filter hinzu.`;
      }
    }
  },
  es: (note) => {
    switch (note.kind) {
      case 'secondNumber':
        return 'Se eligió un segundo número para compararlo con el primero.';
      case 'nothingFits':
        return 'Ninguna columna corresponde a la pregunta; este gráfico dice lo más posible sobre los datos.';
      case 'group':
        return `Agrupado por ${note.name}: la pregunta no nombra ningún grupo.`;
      case 'groupOfDataset':
        return `Agrupado por ${note.name}: la pregunta no nombra ningún grupo de estos datos.`;
      case 'numberOfDataset':
        return `Se tomó ${note.name}: la pregunta no nombra ningún número de estos datos.`;
      case 'column':
        return `Se tomó ${note.name}: la pregunta no nombra ninguna columna.`;
      case 'date':
        return `Se tomó ${note.name} como fecha.`;
      case 'readAs':
        return `«${note.quote}» se entendió como ${note.name}.`;
      case 'alsoFits':
        return `Se tomó ${note.name}; ${note.other} también corresponde a las palabras.`;
      case 'condition': {
        const names = note.names.length === 0 ? '' : ` sobre ${listed(note.names, 'y')}`;
        return `Una condición${names} no forma parte del gráfico: añádala como filtro (${quoted(note.quotes)}).`;
      }
      case 'unread': {
        const left = `No se usó ${quoted(note.quotes)}: ninguna columna se llama así`;
        if (note.search === 'none') return `${left}. Si es un valor, añada un filtro.`;
        return note.search === 'all'
          ? `${left}, y no se encontró en las columnas en las que puedo buscar.`
          : `${left}. No se pudieron recorrer todas las columnas: añada el valor como filtro.`;
      }
    }
  },
};

/** Writes a note in the language of the question; in English if the language is not known. */
export const sentenceOf = (note: Note, language: string): string =>
  (sentences[language] ?? sentences['en'])?.(note) ?? '';
