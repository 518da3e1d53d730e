import type { JsonObject } from '@inlay/contract';
import type { DemoDashboard, DemoEntry } from './definition.ts';
import { shopDashboard } from './shop-dashboard.ts';
import type { SourceName } from './sources.ts';

const texts = (en: string, fr: string, nl: string, ar: string): JsonObject => ({ en, fr, nl, ar });
const columnsOf =
  (source: SourceName) =>
  (column: string, otherMembers: Omit<DemoEntry, 'of' | 'column'> = {}): DemoEntry => ({
    of: source,
    column,
    ...otherMembers,
  });
const [flight, bird, weather, work, penguin, airport] = [
  columnsOf('flights'),
  columnsOf('birdstrikes'),
  columnsOf('weather'),
  columnsOf('unemployment'),
  columnsOf('penguins'),
  columnsOf('airports'),
];
const top = (slot: string, limit: number): JsonObject => ({ sort: { by: slot, order: 'desc' }, limit });

/** The demo dashboards; together they show every item type. */
export const dashboards: readonly DemoDashboard[] = [
  shopDashboard,
  {
    name: texts('Flights', 'Vols', 'Vluchten', 'الرحلات الجوية'),
    items: [
      {
        type: 'evolution-number',
        at: [0, 0, 12, 11],
        title: texts('Flights a month', 'Vols par mois', 'Vluchten per maand', 'الرحلات شهريًا'),
        slots: { measure: [flight('distance', { by: 'count' })], evolution: [flight('date', { level: 3 })] },
      },
      {
        type: 'evolution-number',
        at: [12, 0, 12, 11],
        title: texts('Average delay', 'Retard moyen', 'Gemiddelde vertraging', 'متوسط التأخير'),
        slots: { measure: [flight('delay', { by: 'average' })], evolution: [flight('date', { level: 3 })] },
        options: { comparison: { lowerIsBetter: true } },
      },
      {
        type: 'date-filter',
        at: [24, 0, 24, 5],
        title: texts('Departure', 'Départ', 'Vertrek', 'المغادرة'),
        slots: { time: [flight('date')] },
      },
      {
        type: 'slider-filter',
        at: [24, 5, 24, 6],
        title: texts('Distance', 'Distance', 'Afstand', 'المسافة'),
        slots: { slidermetric: [flight('distance')] },
      },
      {
        type: 'combination-chart',
        at: [0, 11, 32, 18],
        title: texts(
          'Distance and delay by week',
          'Distance et retard par semaine',
          'Afstand en vertraging per week',
          'المسافة والتأخير حسب الأسبوع',
        ),
        slots: {
          'x-axis': [flight('date', { level: 4 })],
          measure: [flight('distance', { by: 'sum' }), flight('delay', { by: 'average' })],
        },
      },
      {
        type: 'slicer-filter',
        at: [32, 11, 16, 18],
        title: texts('Destination', 'Destination', 'Bestemming', 'الوجهة'),
        slots: { dimension: [flight('destination')], measure: [flight('distance', { by: 'count' })] },
        options: top('measure', 30),
      },
      {
        type: 'bar-chart',
        at: [0, 29, 16, 20],
        title: texts('Busiest cities', 'Villes les plus desservies', 'Drukste steden', 'أكثر المدن ازدحامًا'),
        slots: { 'y-axis': [airport('city')], measure: [flight('distance', { by: 'count' })] },
        options: top('measure', 12),
      },
      {
        type: 'line-chart',
        at: [16, 29, 32, 20],
        title: texts(
          'Average delay by day',
          'Retard moyen par jour',
          'Gemiddelde vertraging per dag',
          'متوسط التأخير اليومي',
        ),
        slots: { 'x-axis': [flight('date', { level: 5 })], measure: [flight('delay', { by: 'average' })] },
      },
      {
        type: 'scatter-plot',
        at: [0, 49, 24, 22],
        title: texts('Distance and delay', 'Distance et retard', 'Afstand en vertraging', 'المسافة والتأخير'),
        slots: {
          'x-axis': [flight('distance', { by: 'average' })],
          'y-axis': [flight('delay', { by: 'average' })],
          name: [flight('destination')],
          size: [flight('distance', { by: 'count' })],
        },
      },
      {
        type: 'column-chart',
        at: [24, 49, 24, 22],
        title: texts(
          'Average delay by distance',
          'Retard moyen par distance',
          'Gemiddelde vertraging per afstand',
          'متوسط التأخير حسب المسافة',
        ),
        slots: { 'x-axis': [flight('distance', { bins: 12 })], measure: [flight('delay', { by: 'average' })] },
      },
    ],
  },
  {
    name: texts('Birds and aircraft', 'Oiseaux et avions', 'Vogels en vliegtuigen', 'الطيور والطائرات'),
    items: [
      {
        type: 'dropdown-filter',
        at: [0, 0, 16, 5],
        title: texts('Damage', 'Dégâts', 'Schade', 'الضرر'),
        slots: { dimension: [bird('Effect Amount of damage')] },
      },
      {
        type: 'evolution-number',
        at: [0, 5, 16, 11],
        title: texts(
          'Cost of all strikes',
          'Coût de toutes les collisions',
          'Kosten van alle botsingen',
          'تكلفة جميع الاصطدامات',
        ),
        // Per year, most cities have no strike with costs.
        slots: { measure: [bird('Cost Total $', { by: 'sum' })] },
      },
      {
        type: 'search-filter',
        at: [16, 0, 32, 5],
        title: texts('Species', 'Espèces', 'Soorten', 'الأنواع'),
        slots: { dimension: [bird('Wildlife Species')] },
      },
      {
        type: 'donut-chart',
        at: [16, 5, 32, 11],
        title: texts('Time of day', 'Moment de la journée', 'Dagdeel', 'وقت اليوم'),
        slots: { category: [bird('Time of day')], measure: [bird('Cost Other', { by: 'count' })] },
      },
      {
        type: 'treemap-chart',
        at: [0, 16, 24, 22],
        title: texts('Species', 'Espèces', 'Soorten', 'الأنواع'),
        slots: {
          category: [bird('Wildlife Species')],
          measure: [bird('Cost Other', { by: 'count' })],
          color: [bird('Wildlife Size')],
        },
        options: top('measure', 40),
      },
      {
        type: 'sunburst-chart',
        at: [24, 16, 24, 22],
        title: texts(
          'Size and phase of flight',
          'Taille et phase de vol',
          'Grootte en vluchtfase',
          'الحجم ومرحلة الطيران',
        ),
        slots: {
          levels: [bird('Wildlife Size'), bird('Phase of flight')],
          measure: [bird('Cost Other', { by: 'count' })],
        },
      },
      {
        type: 'circle-pack-chart',
        at: [0, 38, 24, 22],
        title: texts('Airlines', 'Compagnies', 'Maatschappijen', 'شركات الطيران'),
        slots: {
          levels: [bird('Time of day'), bird('Aircraft Airline Operator')],
          measure: [bird('Cost Other', { by: 'count' })],
        },
        options: top('measure', 60),
      },
      {
        type: 'bubble-chart',
        at: [24, 38, 24, 22],
        title: texts('Cost by species', 'Coût par espèce', 'Kosten per soort', 'التكلفة حسب النوع'),
        slots: { category: [bird('Wildlife Species')], measure: [bird('Cost Total $', { by: 'sum' })] },
        options: top('measure', 25),
      },
      {
        type: 'regular-table',
        at: [0, 60, 48, 22],
        title: texts('Every strike', 'Toutes les collisions', 'Elke aanvaring', 'كل الاصطدامات'),
        slots: {
          columns: [
            bird('Flight Date'),
            bird('Airport Name'),
            bird('Wildlife Species'),
            bird('Phase of flight'),
            bird('Cost Total $', { by: 'none' }),
            bird('Speed IAS in knots', { by: 'none' }),
          ],
        },
        options: { limit: 2000 },
      },
    ],
  },
  {
    name: texts(
      'Weather, work and penguins',
      'Météo, travail et manchots',
      'Weer, werk en pinguïns',
      'الطقس والعمل والبطاريق',
    ),
    items: [
      {
        type: 'line-chart',
        at: [0, 0, 32, 18],
        title: texts('Temperature', 'Température', 'Temperatuur', 'درجة الحرارة'),
        slots: {
          'x-axis': [weather('date', { level: 3 })],
          measure: [weather('temp_max', { by: 'average' }), weather('temp_min', { by: 'average' })],
        },
      },
      {
        type: 'donut-chart',
        at: [32, 0, 16, 18],
        title: texts('Kinds of days', 'Types de jours', 'Soorten dagen', 'أنواع الأيام'),
        slots: { category: [weather('weather')], measure: [weather('wind', { by: 'count' })] },
      },
      {
        type: 'pivot-table',
        at: [0, 18, 24, 20],
        title: texts('Precipitation', 'Précipitations', 'Neerslag', 'الهطول'),
        slots: {
          row: [weather('date', { level: 1 })],
          column: [weather('weather')],
          measure: [weather('precipitation', { by: 'sum' })],
        },
      },
      {
        type: 'area-chart',
        at: [24, 18, 24, 20],
        title: texts('Unemployed by industry', 'Chômeurs par secteur', 'Werklozen per sector', 'العاطلون حسب القطاع'),
        slots: {
          'x-axis': [work('date', { level: 3 })],
          measure: [work('count', { by: 'sum' })],
          legend: [work('series')],
        },
      },
      {
        type: 'scatter-plot',
        at: [0, 38, 28, 22],
        title: texts('Penguins', 'Manchots', 'Pinguïns', 'البطاريق'),
        slots: {
          'x-axis': [penguin('Flipper Length (mm)', { by: 'average' })],
          'y-axis': [penguin('Body Mass (g)', { by: 'average' })],
          name: [penguin('Island'), penguin('Sex')],
          color: [penguin('Species')],
        },
      },
      {
        type: 'column-chart',
        at: [28, 38, 20, 22],
        title: texts('Penguins by island', 'Manchots par île', 'Pinguïns per eiland', 'البطاريق حسب الجزيرة'),
        slots: {
          'x-axis': [penguin('Island')],
          measure: [penguin('Body Mass (g)', { by: 'count' })],
          legend: [penguin('Species')],
        },
      },
    ],
  },
];
