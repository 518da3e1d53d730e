import { folded } from '../../columns/name-words.ts';
import type { Grain } from '../grain.ts';
import type { Words } from '../dataset.ts';
import type { ComputedValue, Condition, Group, Plan, Quantity } from '../plan.ts';
import { familyOf } from '../decide/families.ts';
import type { Profile } from '../profile.ts';
import { affirmativeTexts } from '../read/filters/affirmative.ts';
import type { TimeSpan } from '../read/conditions/clauses.ts';
import { languages } from '../vocabulary/question-languages.ts';
import { writeSpan } from '../read/conditions/write-span.ts';
import { placedConditions } from './placed-conditions.ts';

interface Phrases {
  readonly rows: string;
  readonly by: string;
  readonly per: string;
  readonly and: string;
  readonly or: string;
  readonly versus: string;
  readonly overview: string;
  /** As viewers see filters, so that these do not repeat the title. */
  readonly not: string;
  readonly empty: string;
  readonly before: string;
  readonly of: Readonly<Partial<Record<NonNullable<Quantity['aggregation']>, string>>>;
  readonly grain: Readonly<Record<Grain, string>>;
}

const phrases: Readonly<Record<string, Phrases>> = {
  en: {
    rows: 'Number of rows',
    by: 'by',
    per: 'per',
    and: 'and',
    or: 'or',
    versus: 'versus',
    overview: 'Overview',
    not: 'not',
    empty: 'empty',
    before: 'before',
    of: {
      average: 'Average',
      min: 'Lowest',
      max: 'Highest',
      median: 'Median',
      count: 'Number of',
      distinctcount: 'Distinct',
      cumulativesum: 'Running total of',
    },
    grain: {
      year: 'year',
      quarter: 'quarter',
      month: 'month',
      week: 'week',
      day: 'day',
      weekday: 'weekday',
      hour_of_day: 'hour of day',
      day_of_month: 'day of month',
      month_of_year: 'month of year',
      quarter_of_year: 'quarter of year',
      hour: 'hour',
      minute: 'minute',
    },
  },
  nl: {
    rows: 'Aantal rijen',
    by: 'per',
    per: 'per',
    and: 'en',
    or: 'of',
    versus: 'tegenover',
    overview: 'Overzicht',
    not: 'niet',
    empty: 'leeg',
    before: 'ervoor',
    of: {
      average: 'Gemiddelde',
      min: 'Laagste',
      max: 'Hoogste',
      median: 'Mediaan',
      count: 'Aantal',
      distinctcount: 'Aantal unieke',
      cumulativesum: 'Lopend totaal van',
    },
    grain: {
      year: 'jaar',
      quarter: 'kwartaal',
      month: 'maand',
      week: 'week',
      day: 'dag',
      weekday: 'weekdag',
      hour_of_day: 'uur van de dag',
      day_of_month: 'dag van de maand',
      month_of_year: 'maand van het jaar',
      quarter_of_year: 'kwartaal van het jaar',
      hour: 'uur',
      minute: 'minuut',
    },
  },
  fr: {
    rows: 'Nombre de lignes',
    by: 'par',
    per: 'par',
    and: 'et',
    or: 'ou',
    versus: 'et',
    overview: 'Aperçu',
    not: 'sauf',
    empty: 'vide',
    before: 'avant',
    of: {
      average: 'Moyenne de',
      min: 'Minimum de',
      max: 'Maximum de',
      median: 'Médiane de',
      count: 'Nombre de',
      distinctcount: 'Nombre distinct de',
      cumulativesum: 'Cumul de',
    },
    grain: {
      year: 'année',
      quarter: 'trimestre',
      month: 'mois',
      week: 'semaine',
      day: 'jour',
      weekday: 'jour de la semaine',
      hour_of_day: 'heure de la journée',
      day_of_month: 'jour du mois',
      month_of_year: 'mois de l’année',
      quarter_of_year: 'trimestre de l’année',
      hour: 'heure',
      minute: 'minute',
    },
  },
  de: {
    rows: 'Anzahl der Zeilen',
    by: 'nach',
    per: 'pro',
    and: 'und',
    or: 'oder',
    versus: 'und',
    overview: 'Übersicht',
    not: 'ohne',
    empty: 'leer',
    before: 'davor',
    of: {
      average: 'Durchschnitt',
      min: 'Minimum',
      max: 'Maximum',
      median: 'Median',
      count: 'Anzahl',
      distinctcount: 'Anzahl verschiedener',
      cumulativesum: 'Laufende Summe',
    },
    grain: {
      year: 'Jahr',
      quarter: 'Quartal',
      month: 'Monat',
      week: 'Woche',
      day: 'Tag',
      weekday: 'Wochentag',
      hour_of_day: 'Uhrzeit',
      day_of_month: 'Tag des Monats',
      month_of_year: 'Kalendermonat',
      quarter_of_year: 'Quartal des Jahres',
      hour: 'Stunde',
      minute: 'Minute',
    },
  },
  es: {
    rows: 'Número de filas',
    by: 'por',
    per: 'por',
    and: 'y',
    or: 'o',
    versus: 'y',
    overview: 'Resumen',
    not: 'excepto',
    empty: 'vacío',
    before: 'antes',
    of: {
      average: 'Promedio de',
      min: 'Mínimo de',
      max: 'Máximo de',
      median: 'Mediana de',
      count: 'Número de',
      distinctcount: 'Número distinto de',
      cumulativesum: 'Total acumulado de',
    },
    grain: {
      year: 'año',
      quarter: 'trimestre',
      month: 'mes',
      week: 'semana',
      day: 'día',
      weekday: 'día de la semana',
      hour_of_day: 'hora del día',
      day_of_month: 'día del mes',
      month_of_year: 'mes del año',
      quarter_of_year: 'trimestre del año',
      hour: 'hora',
      minute: 'minuto',
    },
  },
};

const phrasesOf = (language: string): Phrases | undefined =>
  phrases[language] ?? phrases[language.split('-')[0] ?? ''] ?? phrases['en'];

/** Writes a span in a language; in English if the language is none of those of questions. */
const spanIn = (span: TimeSpan, language: string): string =>
  writeSpan(span, languages.find((known) => known === language.split('-')[0]) ?? 'en');

/** Returns the name of a column in a language; if there is none, in its first language. */
export const nameIn = (profile: Profile, column: number, language: string): string => {
  const name = profile.columns[column]?.name ?? {};
  return name[language] ?? Object.values(name)[0] ?? profile.columns[column]?.sourceName ?? '';
};

/** Returns the name of a group in a language, such as "Order Date (weekday)". */
export function groupName(profile: Profile, { column, grain }: Group, language: string): string {
  const name = nameIn(profile, column, language);
  const grainText = grain === null ? undefined : phrasesOf(language)?.grain[grain];
  return grainText === undefined ? name : `${name} (${grainText})`;
}

/** Returns the name of a quantity in a language, such as "Average Price" or "Cost per Distance". */
export function measureName(profile: Profile, quantity: Quantity, language: string): string {
  const words = phrasesOf(language);
  return words === undefined ? '' : quantityIn(profile, quantity, language, words);
}

function computedIn(
  profile: Profile,
  column: number | null,
  computed: ComputedValue,
  language: string,
  words: Phrases,
): string {
  if (computed.kind === 'rate') {
    const amount = computed.of === undefined ? '' : `${nameIn(profile, computed.of, language)}, `;
    const not = computed.isExcluded ? `${words.not} ` : '';
    return `${amount}${nameIn(profile, column ?? -1, language)}: ${not}${computed.values.join(` ${words.and} `)} (%)`;
  }
  if (computed.kind === 'percentile') return `${nameIn(profile, column ?? -1, language)} (P${computed.percent})`;
  if (computed.kind === 'during') {
    const name = quantityIn(profile, computed.of, language, words);
    const when = spanIn(computed.span, language);
    return computed.shift === null ? `${name}, ${when}` : `${name}, ${words.before} (${when})`;
  }
  const nameOf = (quantity: Quantity): string =>
    quantity.column === null ? words.rows : nameIn(profile, quantity.column, language);
  return computed.kind === 'difference'
    ? `${nameOf(computed.of)} − ${nameOf(computed.to)}`
    : `${nameOf(computed.of)} ${computed.isShare ? '/' : words.per} ${nameOf(computed.to)}`;
}

function quantityIn(profile: Profile, quantity: Quantity, language: string, words: Phrases): string {
  const { column, aggregation, computed } = quantity;
  if (computed !== undefined) return computedIn(profile, column, computed, language, words);
  if (column === null) return words.rows;
  const isAggregated = aggregation !== null && profile.columns[column]?.isFormula !== true;
  const aggregationPhrase = isAggregated ? words.of[aggregation] : undefined;
  const name = nameIn(profile, column, language);
  return aggregationPhrase === undefined ? name : `${aggregationPhrase} ${name}`;
}

type QuantityInSpan = Extract<ComputedValue, { readonly kind: 'during' }>;

/** Returns the spans that a chart compares, if its measures are one quantity in several spans; otherwise none. */
function comparisonIn({ quantities }: Plan): readonly QuantityInSpan[] {
  const inSpans = quantities.flatMap(({ computed }) => (computed?.kind === 'during' ? [computed] : []));
  const isOne = new Set(inSpans.map(({ of }) => JSON.stringify(of))).size === 1;
  return isOne && inSpans.length === quantities.length && inSpans.length > 1 ? inSpans : [];
}

/** Returns the title of a chart in one language, such as "Revenue by Order Date (month) and Region". */
export function titleIn(profile: Profile, plan: Plan, language: string): string {
  const words = phrasesOf(language);
  if (words === undefined) return '';
  const comparison = comparisonIn(plan);
  const isCompared = comparison.length > 0;
  const when = comparison.map(({ span, shift }) => (shift === null ? spanIn(span, language) : words.before));
  return [
    contentIn(
      profile,
      isCompared ? { ...plan, quantities: comparison.slice(0, 1).map(({ of }) => of) } : plan,
      language,
      words,
    ),
    ...(isCompared ? [when.join(` ${words.and} `)] : []),
    ...placedConditions(profile, plan).applied.map((each) => conditionIn(profile, each, language, words)),
  ].join(', ');
}

/** Returns a condition as titles have it, such as "not Ghent". */
export function conditionText(profile: Profile, condition: Condition, language: string): string {
  const words = phrasesOf(language);
  return words === undefined ? '' : conditionIn(profile, condition, language, words);
}

function conditionIn(profile: Profile, condition: Condition, language: string, words: Phrases): string {
  switch (condition.kind) {
    case 'values': {
      const text = `${condition.isExcluded ? `${words.not} ` : ''}${condition.values.join(` ${words.and} `)}`;
      // "Yes" says nothing without its column.
      const isFlag = condition.values.every((value) => affirmativeTexts.includes(folded(value)));
      return isFlag ? `${nameIn(profile, condition.column, language)}: ${text}` : text;
    }
    case 'empty': {
      const not = condition.isExcluded ? `${words.not} ` : '';
      return `${nameIn(profile, condition.column, language)}: ${not}${words.empty}`;
    }
    case 'span':
      return `${condition.isExcluded ? `${words.not} ` : ''}${condition.spans
        .map((span) => spanIn(span, language))
        .join(` ${words.and} `)}`;
    case 'either':
      return condition.of.map((one) => conditionIn(profile, one, language, words)).join(` ${words.or} `);
    case 'bound':
    case 'groupBound': {
      const [low, high] = condition.values;
      const name =
        condition.kind === 'groupBound'
          ? quantityIn(profile, condition.quantity, language, words)
          : nameIn(profile, condition.column, language);
      return condition.operator === 'between'
        ? `${name} ${low}–${high ?? low}`
        : `${name} ${condition.operator} ${low}`;
    }
  }
}

function contentIn(profile: Profile, plan: Plan, language: string, words: Phrases): string {
  const quantityTexts = [...(plan.across === null ? [] : [plan.across]), ...plan.quantities].map((quantity) =>
    quantityIn(profile, quantity, language, words),
  );
  const groups = [...plan.groups, ...(plan.legend === null ? [] : [plan.legend])].map((group) =>
    groupName(profile, group, language),
  );
  const joinTexts = (parts: readonly string[]): string => parts.join(` ${words.and} `);
  if (familyOf(plan.type) === 'table')
    return groups.length + quantityTexts.length > 3
      ? `${words.overview}: ${[...groups, ...quantityTexts].slice(0, 2).join(', ')}…`
      : joinTexts([...groups, ...quantityTexts]);
  const left = plan.across === null ? joinTexts(quantityTexts) : quantityTexts.join(` ${words.versus} `);
  if (groups.length === 0) return left;
  return left === '' ? joinTexts(groups) : `${left} ${words.by} ${joinTexts(groups)}`;
}

/** Returns a text in every language in which columns have names. */
const inLanguages = (profile: Profile, write: (language: string) => string): Words => {
  const named = profile.languages.length > 0 ? profile.languages : ['en'];
  return Object.fromEntries(named.map((language) => [language, write(language)]));
};

/** Returns the title of a chart in every language in which columns have names. */
export const titles = (profile: Profile, plan: Plan): Words =>
  inLanguages(profile, (language) => titleIn(profile, plan, language));

/** Returns what the title of a chart says of a condition, in the languages of the title. */
export const conditionTitles = (profile: Profile, condition: Condition): Words =>
  inLanguages(profile, (language) => conditionText(profile, condition, language));
