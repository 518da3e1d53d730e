import { moveDays, weekAt } from './calendar.ts';
import type { Language, PeriodSpan, TimeSpan, TimeUnit } from './clauses.ts';

type Relative = Extract<TimeSpan, { kind: 'relative' }>;
type Between = Extract<TimeSpan, { kind: 'between' }>;
type Parts = Extract<TimeSpan, { kind: 'parts' }>;

/** The words around spans that `Intl` does not have. `#` stands for what is inserted. */
interface SpanTexts {
  readonly quarter: string;
  readonly week: string;
  readonly since: string;
  readonly until: string;
  readonly weekends: string;
  readonly weekdays: string;
  /** The singular and plural of each unit. */
  readonly units: Readonly<Record<TimeUnit, readonly [string, string]>>;
  /** Units whose adjectives are feminine. */
  readonly feminine: readonly TimeUnit[];
  /** By expression: with units as its count needs them; a second text is for feminine units. */
  readonly relative: Readonly<Record<Exclude<Relative['expression'], 'ago'>, readonly [string, string]>>;
}

const alike = (text: string): readonly [string, string] => [text, text];

const texts: Readonly<Record<Language, SpanTexts>> = {
  en: {
    quarter: 'Q#',
    week: 'week #',
    since: 'since #',
    until: 'until #',
    weekends: 'weekends',
    weekdays: 'weekdays',
    units: {
      year: ['year', 'years'],
      quarter: ['quarter', 'quarters'],
      month: ['month', 'months'],
      week: ['week', 'weeks'],
      day: ['day', 'days'],
      hour: ['hour', 'hours'],
    },
    feminine: [],
    relative: {
      last_now: alike('last #'),
      to_date: alike('# to date'),
      last_completed: alike('last # completed'),
      last_available: alike('latest # with data'),
      next_now: alike('next #'),
      next_full: alike('next full #'),
      more_than_ago: alike('more than # ago'),
    },
  },
  nl: {
    quarter: 'Q#',
    week: 'week #',
    since: 'sinds #',
    until: 'tot en met #',
    weekends: 'weekends',
    weekdays: 'werkdagen',
    units: {
      year: ['jaar', 'jaar'],
      quarter: ['kwartaal', 'kwartalen'],
      month: ['maand', 'maanden'],
      week: ['week', 'weken'],
      day: ['dag', 'dagen'],
      hour: ['uur', 'uur'],
    },
    feminine: [],
    relative: {
      last_now: alike('laatste #'),
      to_date: alike('# tot nu toe'),
      last_completed: alike('laatste # (afgesloten)'),
      last_available: alike('nieuwste # met gegevens'),
      next_now: alike('komende #'),
      next_full: alike('volgende #'),
      more_than_ago: alike('meer dan # geleden'),
    },
  },
  fr: {
    quarter: 'T#',
    week: 'semaine #',
    since: 'depuis #',
    until: 'jusqu’au #',
    weekends: 'week-ends',
    weekdays: 'jours de semaine',
    units: {
      year: ['année', 'années'],
      quarter: ['trimestre', 'trimestres'],
      month: ['mois', 'mois'],
      week: ['semaine', 'semaines'],
      day: ['jour', 'jours'],
      hour: ['heure', 'heures'],
    },
    feminine: ['year', 'week', 'hour'],
    relative: {
      last_now: ['derniers #', 'dernières #'],
      to_date: alike('# à ce jour'),
      last_completed: ['derniers # complets', 'dernières # complètes'],
      last_available: ['derniers # disponibles', 'dernières # disponibles'],
      next_now: ['prochains #', 'prochaines #'],
      next_full: ['prochains # complets', 'prochaines # complètes'],
      more_than_ago: alike('il y a plus de #'),
    },
  },
  de: {
    quarter: 'Q#',
    week: 'KW #',
    since: 'seit #',
    until: 'bis #',
    weekends: 'Wochenenden',
    weekdays: 'Werktage',
    units: {
      year: ['Jahr', 'Jahre'],
      quarter: ['Quartal', 'Quartale'],
      month: ['Monat', 'Monate'],
      week: ['Woche', 'Wochen'],
      day: ['Tag', 'Tage'],
      hour: ['Stunde', 'Stunden'],
    },
    feminine: [],
    relative: {
      last_now: alike('letzte #'),
      to_date: alike('# bis heute'),
      last_completed: alike('letzte # (abgeschlossen)'),
      last_available: alike('neueste # mit Daten'),
      next_now: alike('nächste #'),
      next_full: alike('nächste #'),
      more_than_ago: alike('älter als #'),
    },
  },
  es: {
    quarter: 'T#',
    week: 'semana #',
    since: 'desde #',
    until: 'hasta #',
    weekends: 'fines de semana',
    weekdays: 'días laborables',
    units: {
      year: ['año', 'años'],
      quarter: ['trimestre', 'trimestres'],
      month: ['mes', 'meses'],
      week: ['semana', 'semanas'],
      day: ['día', 'días'],
      hour: ['hora', 'horas'],
    },
    feminine: ['week', 'hour'],
    relative: {
      last_now: ['últimos #', 'últimas #'],
      to_date: alike('# hasta la fecha'),
      last_completed: ['últimos # completos', 'últimas # completas'],
      last_available: ['últimos # con datos', 'últimas # con datos'],
      next_now: ['próximos #', 'próximas #'],
      next_full: ['próximos # completos', 'próximas # completas'],
      more_than_ago: alike('hace más de #'),
    },
  },
};

const filled = (text: string, part: string): string => text.replace('#', () => part);

const formatted = (day: string, language: Language, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { timeZone: 'UTC', ...options }).format(
    new Date(`${day}T00:00:00Z`),
  );
const writtenDay = (day: string, language: Language): string =>
  formatted(day, language, { day: 'numeric', month: 'long', year: 'numeric' });

const writtenMonth = (day: string, language: Language): string =>
  formatted(`${day.slice(0, 7)}-01`, language, { month: 'long', year: 'numeric' });

/** Returns a span of time in words, for titles and messages: "Q3 2023", "last 6 weeks", "seit Mai 2024". */
export function writeSpan(span: TimeSpan, language: Language): string {
  switch (span.kind) {
    case 'period':
      return writtenPeriod(span, language);
    case 'between':
      return writtenBetween(span, language);
    case 'relative':
      return writtenRelative(span, language);
    case 'parts':
      return writtenParts(span, language);
  }
}

function writtenPeriod({ level, start }: PeriodSpan, language: Language): string {
  const year = start.slice(0, 4);
  if (level === 1) return year;
  if (level === 2) return `${filled(texts[language].quarter, String((Number(start.slice(5, 7)) + 2) / 3))} ${year}`;
  if (level === 3) return writtenMonth(start, language);
  if (level === 5) return writtenDay(start, language);
  const week = weekAt(start);
  return `${filled(texts[language].week, String(week.week))}, ${week.year}`;
}

/** Returns the longest period that begins on a day. */
const periodFrom = (day: string): PeriodSpan => {
  if (day.endsWith('-01-01')) return { kind: 'period', level: 1, start: day };
  return { kind: 'period', level: day.endsWith('-01') ? 3 : 5, start: day };
};

/** Returns the longest period that ends on a day, such as the year that ends on 31 December. */
const periodUntil = (day: string): PeriodSpan => {
  if (day.endsWith('-12-31')) return { kind: 'period', level: 1, start: `${day.slice(0, 4)}-01-01` };
  const isMonth = moveDays(day, 1).endsWith('-01');
  return { kind: 'period', level: isMonth ? 3 : 5, start: isMonth ? `${day.slice(0, 7)}-01` : day };
};

/** Open spans end with a day, closed ones with the largest period that both ends allow. */
function writtenBetween({ from, to }: Between, language: Language): string {
  const { since, until } = texts[language];
  if (from !== null && to !== null) {
    const [first, last] = [periodFrom(from), periodUntil(to)];
    const level = Math.max(first.level, last.level);
    const written = (day: string): string => {
      if (level === 1) return day.slice(0, 4);
      return level === 3 ? writtenMonth(day, language) : writtenDay(day, language);
    };
    return `${written(from)} – ${written(to)}`;
  }
  if (from !== null) return filled(since, writtenPeriod(periodFrom(from), language));
  return to === null ? '' : filled(until, writtenDay(to, language));
}

function writtenRelative({ expression, quantity, unit }: Relative, language: Language): string {
  const { units, relative, feminine } = texts[language];
  const ahead = expression === 'next_full' && quantity === 1;
  if (expression === 'ago' || ahead)
    return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(ahead ? 1 : -quantity, unit);
  if (expression === 'to_date' && quantity === 1)
    return filled(relative.to_date[0], new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, unit));
  const [masculine, feminineText] = relative[expression];
  const length = quantity === 1 ? `1 ${units[unit][0]}` : `${quantity} ${units[unit][1]}`;
  return filled(feminine.includes(unit) ? feminineText : masculine, length);
}

/** A day of each kind of part: 2024-01-01 was a Monday. */
function writtenParts({ part, values }: Parts, language: Language): string {
  const { weekends, weekdays, quarter } = texts[language];
  const are = (...others: readonly number[]): boolean =>
    values.length === others.length && others.every((value) => values.includes(value));
  if (part === 'weekday' && are(6, 7)) return weekends;
  if (part === 'weekday' && are(1, 2, 3, 4, 5)) return weekdays;
  const names = values.map((value) => {
    if (part === 'weekday') return formatted(moveDays('2024-01-01', value - 1), language, { weekday: 'long' });
    if (part === 'month') return formatted(`2024-${String(value).padStart(2, '0')}-01`, language, { month: 'long' });
    return part === 'quarter' ? filled(quarter, String(value)) : `${value}:00`;
  });
  const [first, last] = [values[0], values.at(-1)];
  if (part === 'hour' && first !== undefined && last !== undefined && last - first === values.length - 1)
    return `${first}:00 – ${last + 1}:00`;
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
}
