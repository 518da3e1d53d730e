import { moveDays, weekAt } from './calendar.ts';
import type { Language } from '../../vocabulary/question-languages.ts';
import type { PeriodSpan, TimeSpan, TimeUnit } from './clauses.ts';

type Relative = Extract<TimeSpan, { kind: 'relative' }>;
type Between = Extract<TimeSpan, { kind: 'between' }>;
type Parts = Extract<TimeSpan, { kind: 'parts' }>;

/** Texts for spans that `Intl` does not provide. `#` is the placeholder for the inserted text. */
interface SpanTexts {
  readonly quarter: string;
  readonly week: string;
  readonly since: string;
  readonly until: string;
  readonly weekends: string;
  readonly weekdays: string;
  /** The singular and plural of each unit. */
  readonly units: Readonly<Record<TimeUnit, readonly [string, string]>>;
  readonly genders: Readonly<Record<TimeUnit, Gender>>;
  /**
   * By expression, for one unit and for several: `#` stands for the unit, and `%` for their number. A word such as
   * `letzter/letzte/letztes` has a form for each gender.
   */
  readonly relative: Readonly<Record<Exclude<Relative['expression'], 'ago'>, readonly [one: string, several: string]>>;
}

type Gender = 'masculine' | 'feminine' | 'neuter';
const genders: readonly Gender[] = ['masculine', 'feminine', 'neuter'];
const gendersOf = (
  year: Gender,
  quarter: Gender,
  month: Gender,
  week: Gender,
  day: Gender,
  hour: Gender,
): Readonly<Record<TimeUnit, Gender>> => ({ year, quarter, month, week, day, hour });
const neuter = gendersOf('neuter', 'neuter', 'neuter', 'neuter', 'neuter', 'neuter');

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
    genders: neuter,
    relative: {
      last_now: ['past #', 'last % #'],
      to_date: ['# to date', '% # to date'],
      last_completed: ['last full #', 'last % full #'],
      last_available: ['latest # with data', 'latest % # with data'],
      next_now: ['coming #', 'next % #'],
      next_full: ['next #', 'next % full #'],
      more_than_ago: ['more than 1 # ago', 'more than % # ago'],
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
    genders: neuter,
    relative: {
      last_now: ['afgelopen #', 'laatste % #'],
      to_date: ['# tot nu toe', '% # tot nu toe'],
      last_completed: ['laatste volledige #', 'laatste % volledige #'],
      last_available: ['nieuwste # met gegevens', 'nieuwste % # met gegevens'],
      next_now: ['komende #', 'komende % #'],
      next_full: ['volgende #', 'volgende % volledige #'],
      more_than_ago: ['meer dan 1 # geleden', 'meer dan % # geleden'],
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
    genders: gendersOf('feminine', 'masculine', 'masculine', 'feminine', 'masculine', 'feminine'),
    relative: {
      last_now: ['# écoulé/écoulée', '% derniers/dernières #'],
      to_date: ['# à ce jour', '% # à ce jour'],
      last_completed: ['dernier/dernière # complet/complète', '% derniers/dernières # complets/complètes'],
      last_available: ['dernier/dernière # disponible', '% derniers/dernières # disponibles'],
      next_now: ['# à venir', '% prochains/prochaines #'],
      next_full: ['# suivant/suivante', '% prochains/prochaines # complets/complètes'],
      more_than_ago: ['il y a plus d’un/une #', 'il y a plus de % #'],
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
    genders: gendersOf('neuter', 'neuter', 'masculine', 'feminine', 'masculine', 'feminine'),
    relative: {
      last_now: ['vergangener/vergangene/vergangenes #', 'letzte % #'],
      to_date: ['# bis heute', '% # bis heute'],
      last_completed: ['letzter/letzte/letztes voller/volle/volles #', 'letzte % volle #'],
      last_available: ['neuester/neueste/neuestes # mit Daten', 'neueste % # mit Daten'],
      next_now: ['kommender/kommende/kommendes #', 'nächste % #'],
      next_full: ['nächster/nächste/nächstes #', 'nächste % volle #'],
      more_than_ago: ['älter als 1 #', 'älter als % #'],
    },
  },
  es: {
    quarter: 'T#',
    week: 'semana #',
    since: 'desde #',
    until: 'hasta el #',
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
    genders: gendersOf('masculine', 'masculine', 'masculine', 'feminine', 'masculine', 'feminine'),
    relative: {
      last_now: ['último/última #', 'últimos/últimas % #'],
      to_date: ['# hasta la fecha', '% # hasta la fecha'],
      last_completed: ['último/última # completo/completa', 'últimos/últimas % # completos/completas'],
      last_available: ['último/última # con datos', 'últimos/últimas % # con datos'],
      next_now: ['próximo/próxima #', 'próximos/próximas % #'],
      next_full: ['# siguiente', 'próximos/próximas % # completos/completas'],
      more_than_ago: ['hace más de 1 #', 'hace más de % #'],
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
  const { units, relative, genders: genderOf } = texts[language];
  const name = (count: number): string =>
    new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(count, unit);
  if (expression === 'ago') return name(-quantity);
  if (expression === 'next_full' && quantity === 1) return name(1);
  if (expression === 'to_date' && quantity === 1) return filled(relative.to_date[0], name(0));
  const isOne = quantity === 1;
  const inflected = relative[expression][isOne ? 0 : 1]
    .split(' ')
    .map((word) => word.split('/')[genders.indexOf(genderOf[unit])] ?? word)
    .join(' ');
  return filled(inflected.replace('%', String(quantity)), units[unit][isOne ? 0 : 1]);
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
