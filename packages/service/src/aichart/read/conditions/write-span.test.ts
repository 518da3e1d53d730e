import { expect, test } from 'vitest';
import type { Language } from '../../vocabulary/question-languages.ts';
import type { TimeSpan, TimeUnit } from './clauses.ts';
import { writeSpan } from './write-span.ts';

const period = (level: 1 | 2 | 3 | 4 | 5, start: string): TimeSpan => ({ kind: 'period', level, start });
const between = (from: string | null, to: string | null): TimeSpan => ({ kind: 'between', from, to });
type Expression = Extract<TimeSpan, { kind: 'relative' }>['expression'];
const relative = (expression: Expression, quantity: number, unit: TimeUnit): TimeSpan => ({
  kind: 'relative',
  expression,
  quantity,
  unit,
});
const parts = (part: 'weekday' | 'month' | 'hour' | 'quarter', ...values: readonly number[]): TimeSpan => ({
  kind: 'parts',
  part,
  values,
});

test.each<readonly [TimeSpan, Readonly<Record<Language, string>>]>([
  [period(1, '2023-01-01'), { en: '2023', nl: '2023', fr: '2023', de: '2023', es: '2023' }],
  [period(2, '2023-07-01'), { en: 'Q3 2023', nl: 'Q3 2023', fr: 'T3 2023', de: 'Q3 2023', es: 'T3 2023' }],
  [period(3, '2022-05-01'), { en: 'May 2022', nl: 'mei 2022', fr: 'mai 2022', de: 'Mai 2022', es: 'mayo de 2022' }],
  [
    period(4, '2024-06-03'),
    { en: 'week 23, 2024', nl: 'week 23, 2024', fr: 'semaine 23, 2024', de: 'KW 23, 2024', es: 'semana 23, 2024' },
  ],
  [
    period(5, '2023-03-05'),
    { en: '5 March 2023', nl: '5 maart 2023', fr: '5 mars 2023', de: '5. März 2023', es: '5 de marzo de 2023' },
  ],
  [
    between('2024-05-01', null),
    {
      en: 'since May 2024',
      nl: 'sinds mei 2024',
      fr: 'depuis mai 2024',
      de: 'seit Mai 2024',
      es: 'desde mayo de 2024',
    },
  ],
  [
    between('2021-01-01', null),
    { en: 'since 2021', nl: 'sinds 2021', fr: 'depuis 2021', de: 'seit 2021', es: 'desde 2021' },
  ],
  [
    between(null, '2022-06-30'),
    {
      en: 'until 30 June 2022',
      nl: 'tot en met 30 juni 2022',
      fr: 'jusqu’au 30 juin 2022',
      de: 'bis 30. Juni 2022',
      es: 'hasta el 30 de junio de 2022',
    },
  ],
  [
    between('2020-01-01', '2022-12-31'),
    { en: '2020 – 2022', nl: '2020 – 2022', fr: '2020 – 2022', de: '2020 – 2022', es: '2020 – 2022' },
  ],
  [
    between('2023-04-01', '2023-06-30'),
    {
      en: 'April 2023 – June 2023',
      nl: 'april 2023 – juni 2023',
      fr: 'avril 2023 – juin 2023',
      de: 'April 2023 – Juni 2023',
      es: 'abril de 2023 – junio de 2023',
    },
  ],
  [
    between('2023-03-05', '2023-12-31'),
    {
      en: '5 March 2023 – 31 December 2023',
      nl: '5 maart 2023 – 31 december 2023',
      fr: '5 mars 2023 – 31 décembre 2023',
      de: '5. März 2023 – 31. Dezember 2023',
      es: '5 de marzo de 2023 – 31 de diciembre de 2023',
    },
  ],
  [
    relative('last_now', 6, 'week'),
    {
      en: 'last 6 weeks',
      nl: 'laatste 6 weken',
      fr: '6 dernières semaines',
      de: 'letzte 6 Wochen',
      es: 'últimas 6 semanas',
    },
  ],
  [
    relative('last_now', 1, 'year'),
    { en: 'past year', nl: 'afgelopen jaar', fr: 'année écoulée', de: 'vergangenes Jahr', es: 'último año' },
  ],
  [
    relative('last_completed', 3, 'month'),
    {
      en: 'last 3 full months',
      nl: 'laatste 3 volledige maanden',
      fr: '3 derniers mois complets',
      de: 'letzte 3 volle Monate',
      es: 'últimos 3 meses completos',
    },
  ],
  [
    relative('last_completed', 1, 'year'),
    {
      en: 'last full year',
      nl: 'laatste volledige jaar',
      fr: 'dernière année complète',
      de: 'letztes volles Jahr',
      es: 'último año completo',
    },
  ],
  [
    relative('last_available', 2, 'month'),
    {
      en: 'latest 2 months with data',
      nl: 'nieuwste 2 maanden met gegevens',
      fr: '2 derniers mois disponibles',
      de: 'neueste 2 Monate mit Daten',
      es: 'últimos 2 meses con datos',
    },
  ],
  [
    relative('to_date', 1, 'quarter'),
    {
      en: 'this quarter to date',
      nl: 'dit kwartaal tot nu toe',
      fr: 'ce trimestre à ce jour',
      de: 'dieses Quartal bis heute',
      es: 'este trimestre hasta la fecha',
    },
  ],
  [
    relative('to_date', 2, 'month'),
    {
      en: '2 months to date',
      nl: '2 maanden tot nu toe',
      fr: '2 mois à ce jour',
      de: '2 Monate bis heute',
      es: '2 meses hasta la fecha',
    },
  ],
  [
    relative('ago', 0, 'year'),
    { en: 'this year', nl: 'dit jaar', fr: 'cette année', de: 'dieses Jahr', es: 'este año' },
  ],
  [
    relative('ago', 1, 'month'),
    { en: 'last month', nl: 'vorige maand', fr: 'le mois dernier', de: 'letzten Monat', es: 'el mes pasado' },
  ],
  [relative('ago', 1, 'day'), { en: 'yesterday', nl: 'gisteren', fr: 'hier', de: 'gestern', es: 'ayer' }],
  [
    relative('ago', 3, 'quarter'),
    {
      en: '3 quarters ago',
      nl: '3 kwartalen geleden',
      fr: 'il y a 3 trimestres',
      de: 'vor 3 Quartalen',
      es: 'hace 3 trimestres',
    },
  ],
  [
    relative('more_than_ago', 3, 'month'),
    {
      en: 'more than 3 months ago',
      nl: 'meer dan 3 maanden geleden',
      fr: 'il y a plus de 3 mois',
      de: 'älter als 3 Monate',
      es: 'hace más de 3 meses',
    },
  ],
  [
    relative('next_full', 1, 'week'),
    { en: 'next week', nl: 'volgende week', fr: 'la semaine prochaine', de: 'nächste Woche', es: 'la próxima semana' },
  ],
  [
    relative('next_now', 3, 'day'),
    { en: 'next 3 days', nl: 'komende 3 dagen', fr: '3 prochains jours', de: 'nächste 3 Tage', es: 'próximos 3 días' },
  ],
  [
    parts('weekday', 6, 7),
    { en: 'weekends', nl: 'weekends', fr: 'week-ends', de: 'Wochenenden', es: 'fines de semana' },
  ],
  [
    parts('weekday', 1, 5),
    {
      en: 'Monday and Friday',
      nl: 'maandag en vrijdag',
      fr: 'lundi et vendredi',
      de: 'Montag und Freitag',
      es: 'lunes y viernes',
    },
  ],
  [parts('month', 12), { en: 'December', nl: 'december', fr: 'décembre', de: 'Dezember', es: 'diciembre' }],
  [parts('quarter', 4), { en: 'Q4', nl: 'Q4', fr: 'T4', de: 'Q4', es: 'T4' }],
  [
    parts('hour', 6, 7, 8),
    { en: '6:00 – 9:00', nl: '6:00 – 9:00', fr: '6:00 – 9:00', de: '6:00 – 9:00', es: '6:00 – 9:00' },
  ],
])('%o is written in each language', (span, written) => {
  const { en, nl, fr, de, es } = written;
  expect([
    writeSpan(span, 'en'),
    writeSpan(span, 'nl'),
    writeSpan(span, 'fr'),
    writeSpan(span, 'de'),
    writeSpan(span, 'es'),
  ]).toEqual([en, nl, fr, de, es]);
});
