import { unitOf, withoutUnit, wordsOfName } from './name-words.ts';
import { shortForms } from './short-forms.ts';

/** What the values of a column are, by its name, type and subtype. */
export type Role = 'amount' | 'identifier' | 'time' | 'period' | 'category' | 'title' | 'place' | 'text';

/** What a source says of a column. Values of rows are no part of it: what follows from them is not for every caller. */
export interface ColumnMetadata {
  /** The name for people; without one, that of the source. */
  readonly name: string;
  readonly type: 'numeric' | 'datetime' | 'hierarchy' | 'spatial';
  readonly subtype: string | null;
}

export interface ColumnMeaning {
  readonly role: Role;
  /** True if a sum of the column's values is meaningful, as for an amount. False for a price or a temperature. */
  readonly additive: boolean;
  /** Words of the name without its unit. */
  readonly nameWords: readonly string[];
  /** The unit in brackets after the name, such as `kwh`; empty if there is none. */
  readonly unit: string;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const includesAny = (words: readonly string[], list: ReadonlySet<string>): boolean =>
  words.some((word) => list.has(word));

const idWords = set('id ids key code codes uuid guid zip zipcode postcode postal phone fax number nr no sku isbn ssn');
/** Words before "of" that make a number a name, as in "N° de facture". A "number of" something is a count. */
const numberings = set('n no nr num numero nummer');
const ofOtherLanguages = set('de du der des van del d di');
/** True for a name that numbers rows, whatever the language of the source. */
export const isNumbering = (words: readonly string[]): boolean =>
  (numberings.has(words[0] ?? '') && ofOtherLanguages.has(words[1] ?? '')) || /.{3}nummer$/u.test(words.at(-1) ?? '');
const periodWords = set(
  'year yr month quarter week weekday day season jahr monat annee mois jaar maand mes ano semester hour',
);
const placeWords = set('country city state region province county continent land stad ville pays pais ciudad stadt');
const titleWords = set('name title naam nom nombre titel label titre titulo');
const textWords = set(
  'description details comment comments notes note url email address other remark remarks text image photo',
);
const amountWords = set('count amount total quantity number num no sum');

/** Words for prices, levels, scores and times of single cases, which are averaged. */
const notAdditive = set(
  'price rate ratio percent percentage pct share temperature temp age average avg mean median score rating rank ranking latitude ' +
    'longitude lat lng long height margin index speed salary duration density level length waiting wait response reply stay satisfaction ' +
    'csat nps grade moisture humidity pressure quota % ' +
    'turnaround latency dwell delay delays delayed uptime occupancy utilization utilisation efficiency accuracy probability sentiment stars gpa bmi frequency ' +
    'prijs leeftijd temperatuur snelheid cijfer beoordeling wachttijd duur score percentage gemiddelde vertraging bezetting ' +
    'prix temperature taux attente duree note vitesse moyenne retard occupation ' +
    'preis alter temperatur note bewertung wartezeit dauer geschwindigkeit antwortzeit quote anteil durchschnitt verspatung auslastung belegung ' +
    'precio edad temperatura nota valoracion espera duracion velocidad tasa porcentaje promedio retraso ocupacion',
);
/** Ends of compound words whose values are not added up, such as `Außentemperatur`. */
const notAdditiveEnds =
  /(?:temperatur|temperatuur|preis|prijs|zeit|tijd|quote|alter|leeftijd|dauer|duur|graad|geschwindigkeit|snelheid|dichte|dichtheid)$/u;
/** Units of levels and rates. So is every unit per another one, such as `km/h`. */
const notAdditiveUnits = set('% ‰ °c °f mph kmh kph rpm bpm ppm ppb db hpa mbar psi ph');
const notAdditiveSubtypes = set('coordinates topography');

function roleOf({ type, subtype }: ColumnMetadata, words: readonly string[]): Role {
  const lastWord = words.at(-1) ?? '';
  if (type === 'datetime') return 'time';
  if (type === 'spatial') return 'place';
  if (type === 'numeric') {
    if (isNumbering(words)) return 'identifier';
    if (words.length > 1 && amountWords.has(words[0] ?? '') && !idWords.has(lastWord)) return 'amount';
    if (['currency', 'duration', 'interval'].includes(subtype ?? '')) return 'amount';
    if (['number', 'num', 'nbr'].includes(lastWord) && words.length > 1) return 'identifier';
    if (includesAny(words.slice(-1), idWords) || words[0] === 'id' || words.includes('zip')) return 'identifier';
    if (periodWords.has(lastWord) && words.length <= 2) return 'period';
    return 'amount';
  }
  if (lastWord === 'id' || lastWord === 'uuid' || lastWord === 'guid') return 'identifier';
  if (includesAny(words, textWords)) return 'text';
  if (includesAny(words, titleWords)) return 'title';
  if (includesAny(words, placeWords)) return 'place';
  if (periodWords.has(lastWord)) return 'period';
  return 'category';
}

/** Returns what the name, type, subtype and unit of a column say about its values. */
export function meaningOf(column: ColumnMetadata): ColumnMeaning {
  const nameWords = wordsOfName(withoutUnit(column.name));
  const unit = unitOf(column.name);
  const spelledOut = nameWords.flatMap((word) => [word, ...(shortForms.get(word) ?? '').split(' ')]);
  const role = roleOf(column, nameWords);
  const additive =
    role === 'amount' &&
    !includesAny(spelledOut, notAdditive) &&
    !nameWords.some((word) => notAdditiveEnds.test(word)) &&
    !notAdditiveUnits.has(unit) &&
    !unit.includes('/') &&
    !notAdditiveSubtypes.has(column.subtype ?? '');
  return { role, additive, nameWords, unit };
}

/** Returns how the values of a column are aggregated where nobody has said so. */
export function usualAggregation(column: ColumnMetadata): 'sum' | 'average' | 'count' {
  const { role, additive, nameWords } = meaningOf(column);
  if (column.type !== 'numeric') return 'count';
  // A column called only "Number" may be an amount as well, and a count would hide it.
  const isAmbiguous = nameWords.length === 1 && includesAny(nameWords, amountWords);
  if (role !== 'amount' && !isAmbiguous) return 'count';
  return additive || isAmbiguous ? 'sum' : 'average';
}
