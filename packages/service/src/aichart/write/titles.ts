import type { Grain } from '../read/clause-grain.ts';
import type { Words } from '../dataset.ts';
import type { Plan, Quantity } from '../decide/hypothesis.ts';
import { familyOf } from '../decide/families.ts';
import type { Profile } from '../profile.ts';

interface Phrases {
  readonly rows: string;
  readonly by: string;
  readonly and: string;
  readonly versus: string;
  readonly overview: string;
  readonly of: Readonly<Partial<Record<NonNullable<Quantity['aggregation']>, string>>>;
  readonly grain: Readonly<Record<Grain, string>>;
}

const phrases: Readonly<Record<string, Phrases>> = {
  en: {
    rows: 'Number of rows',
    by: 'by',
    and: 'and',
    versus: 'versus',
    overview: 'Overview',
    of: {
      average: 'Average',
      min: 'Lowest',
      max: 'Highest',
      median: 'Median',
      count: 'Number of',
      distinctcount: 'Distinct',
    },
    grain: {
      year: 'year',
      quarter: 'quarter',
      month: 'month',
      week: 'week',
      day: 'day',
      weekday: 'weekday',
      hour: 'hour',
      minute: 'minute',
    },
  },
  nl: {
    rows: 'Aantal rijen',
    by: 'per',
    and: 'en',
    versus: 'tegenover',
    overview: 'Overzicht',
    of: {
      average: 'Gemiddelde',
      min: 'Laagste',
      max: 'Hoogste',
      median: 'Mediaan',
      count: 'Aantal',
      distinctcount: 'Aantal unieke',
    },
    grain: {
      year: 'jaar',
      quarter: 'kwartaal',
      month: 'maand',
      week: 'week',
      day: 'dag',
      weekday: 'weekdag',
      hour: 'uur',
      minute: 'minuut',
    },
  },
  fr: {
    rows: 'Nombre de lignes',
    by: 'par',
    and: 'et',
    versus: 'et',
    overview: 'Aperçu',
    of: {
      average: 'Moyenne de',
      min: 'Minimum de',
      max: 'Maximum de',
      median: 'Médiane de',
      count: 'Nombre de',
      distinctcount: 'Nombre distinct de',
    },
    grain: {
      year: 'année',
      quarter: 'trimestre',
      month: 'mois',
      week: 'semaine',
      day: 'jour',
      weekday: 'jour de la semaine',
      hour: 'heure',
      minute: 'minute',
    },
  },
  de: {
    rows: 'Anzahl der Zeilen',
    by: 'nach',
    and: 'und',
    versus: 'und',
    overview: 'Übersicht',
    of: {
      average: 'Durchschnitt',
      min: 'Minimum',
      max: 'Maximum',
      median: 'Median',
      count: 'Anzahl',
      distinctcount: 'Anzahl verschiedener',
    },
    grain: {
      year: 'Jahr',
      quarter: 'Quartal',
      month: 'Monat',
      week: 'Woche',
      day: 'Tag',
      weekday: 'Wochentag',
      hour: 'Stunde',
      minute: 'Minute',
    },
  },
  es: {
    rows: 'Número de filas',
    by: 'por',
    and: 'y',
    versus: 'y',
    overview: 'Resumen',
    of: {
      average: 'Promedio de',
      min: 'Mínimo de',
      max: 'Máximo de',
      median: 'Mediana de',
      count: 'Número de',
      distinctcount: 'Número distinto de',
    },
    grain: {
      year: 'año',
      quarter: 'trimestre',
      month: 'mes',
      week: 'semana',
      day: 'día',
      weekday: 'día de la semana',
      hour: 'hora',
      minute: 'minuto',
    },
  },
};

const phrasesOf = (language: string): Phrases | undefined =>
  phrases[language] ?? phrases[language.split('-')[0] ?? ''] ?? phrases['en'];

/** Returns the name of a column in a language; if there is none, in its first language. */
export const nameIn = (profile: Profile, column: number, language: string): string => {
  const name = profile.columns[column]?.name ?? {};
  return name[language] ?? Object.values(name)[0] ?? profile.columns[column]?.sourceName ?? '';
};

function quantityIn(profile: Profile, { column, aggregation }: Quantity, language: string, words: Phrases): string {
  if (column === null) return words.rows;
  const aggregationPhrase = aggregation === null ? undefined : words.of[aggregation];
  const name = nameIn(profile, column, language);
  return aggregationPhrase === undefined ? name : `${aggregationPhrase} ${name}`;
}

/** Returns the title of a chart in one language, such as "Revenue by Order Date (month) and Region". */
export function titleIn(profile: Profile, plan: Plan, language: string): string {
  const words = phrasesOf(language);
  if (words === undefined) return '';
  const quantityTexts = [...(plan.across === null ? [] : [plan.across]), ...plan.quantities].map((quantity) =>
    quantityIn(profile, quantity, language, words),
  );
  const groups = [...plan.groups, ...(plan.legend === null ? [] : [plan.legend])].map(({ column, grain }) => {
    const name = nameIn(profile, column, language);
    return grain === null ? name : `${name} (${words.grain[grain]})`;
  });
  const joinTexts = (parts: readonly string[]): string => parts.join(` ${words.and} `);
  if (familyOf(plan.type) === 'table')
    return groups.length + quantityTexts.length > 3
      ? `${words.overview}: ${[...groups, ...quantityTexts].slice(0, 2).join(', ')}…`
      : joinTexts([...groups, ...quantityTexts]);
  const left = plan.across === null ? joinTexts(quantityTexts) : quantityTexts.join(` ${words.versus} `);
  if (groups.length === 0) return left;
  return left === '' ? joinTexts(groups) : `${left} ${words.by} ${joinTexts(groups)}`;
}

/** Returns the title of a chart in every language in which columns have names. */
export function titles(profile: Profile, plan: Plan): Words {
  const languages = profile.languages.length > 0 ? profile.languages : ['en'];
  return Object.fromEntries(languages.map((language) => [language, titleIn(profile, plan, language)]));
}
