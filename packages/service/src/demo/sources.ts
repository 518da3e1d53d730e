import type { JsonObject } from '@inlay/contract';
import type { FileKind } from '../resource/incoming/file.ts';
import { ordersCsv, visitsCsv } from './shop.ts';

export interface DemoColumn {
  readonly name: JsonObject;
  readonly format?: string;
  readonly aggregation_type?: string;
  readonly currency_id?: string;
}

/** A demo table. Its rows are public data in a bundled file, or generated up to yesterday. */
export interface DemoSource {
  readonly rows: { readonly file: string } | { readonly made: (nowMs: number) => Iterable<Buffer> };
  readonly format: FileKind;
  readonly name: JsonObject;
  readonly from: { readonly title: string; readonly address: string; readonly terms: string };
  readonly columns: Readonly<Record<string, DemoColumn>>;
  /** The column that row filters of tenants use. */
  readonly tenantColumn?: string;
}

const government = 'U.S. Government work, free of copyright within the United States';
const madeUp = {
  title: 'Made up for this demo: two shops for outdoor gear',
  address: 'https://creativecommons.org/publicdomain/zero/1.0/',
  terms: 'CC0 1.0',
} as const;
const name = (en: string, fr: string, nl: string, ar: string): JsonObject => ({ en, fr, nl, ar });

/** The demo tables, each with its origin and licence. */
export const sources = {
  orders: {
    rows: { made: ordersCsv },
    format: 'csv',
    name: name('Orders', 'Commandes', 'Bestellingen', 'الطلبات'),
    from: madeUp,
    columns: {
      ordered: { name: name('Ordered', 'Commandé', 'Besteld', 'تاريخ الطلب') },
      store: { name: name('Shop', 'Boutique', 'Winkel', 'المتجر') },
      country: { name: name('Country', 'Pays', 'Land', 'البلد') },
      category: { name: name('Category', 'Catégorie', 'Categorie', 'الفئة') },
      product: { name: name('Product', 'Produit', 'Product', 'المنتج') },
      channel: { name: name('Channel', 'Canal', 'Kanaal', 'القناة') },
      quantity: { name: name('Pieces', 'Pièces', 'Stuks', 'القطع'), format: ',.0f' },
      revenue: {
        name: name('Revenue', 'Chiffre d’affaires', 'Omzet', 'الإيرادات'),
        format: '$,.0f',
        currency_id: 'USD',
      },
      cost: { name: name('Cost', 'Coût', 'Kosten', 'التكلفة'), format: '$,.0f', currency_id: 'USD' },
      plan: { name: name('Plan', 'Objectif', 'Plan', 'الخطة'), format: '$,.0f', currency_id: 'USD' },
    },
    tenantColumn: 'store',
  },
  visits: {
    rows: { made: visitsCsv },
    format: 'csv',
    name: name('Visits', 'Visites', 'Bezoeken', 'الزيارات'),
    from: madeUp,
    columns: {
      month: { name: name('Month', 'Mois', 'Maand', 'الشهر') },
      store: { name: name('Shop', 'Boutique', 'Winkel', 'المتجر') },
      stage: { name: name('Stage', 'Étape', 'Stap', 'المرحلة') },
      visitors: { name: name('Visitors', 'Visiteurs', 'Bezoekers', 'الزوار'), format: ',.0f' },
    },
    tenantColumn: 'store',
  },
  flights: {
    rows: { file: 'flights.parquet' },
    format: 'parquet',
    name: name('Flights', 'Vols', 'Vluchten', 'الرحلات الجوية'),
    from: {
      title: 'U.S. Bureau of Transportation Statistics, on-time performance, January to June 2001',
      address: 'https://www.transtats.bts.gov/',
      terms: `${government}; collected under 14 CFR part 234`,
    },
    columns: {
      date: { name: name('Departure', 'Départ', 'Vertrek', 'المغادرة') },
      delay: {
        name: name('Delay (min)', 'Retard (min)', 'Vertraging (min)', 'التأخير (دقيقة)'),
        format: ',.1f',
        aggregation_type: 'average',
      },
      distance: {
        name: name('Distance (miles)', 'Distance (milles)', 'Afstand (mijl)', 'المسافة (ميل)'),
        format: ',.0f',
        aggregation_type: 'average',
      },
      origin: { name: name('Origin', 'Origine', 'Herkomst', 'المنشأ') },
      destination: { name: name('Destination', 'Destination', 'Bestemming', 'الوجهة') },
    },
    tenantColumn: 'origin',
  },
  airports: {
    rows: { file: 'airports.csv' },
    format: 'csv',
    name: name('Airports', 'Aéroports', 'Luchthavens', 'المطارات'),
    from: {
      title: 'Data.gov, Airports',
      address: 'https://catalog.data.gov/dataset/airports-5e97a',
      terms: government,
    },
    columns: {
      iata: { name: name('Code', 'Code', 'Code', 'الرمز') },
      name: { name: name('Airport', 'Aéroport', 'Luchthaven', 'المطار') },
      city: { name: name('City', 'Ville', 'Stad', 'المدينة') },
      state: { name: name('State', 'État', 'Staat', 'الولاية') },
      country: { name: name('Country', 'Pays', 'Land', 'البلد') },
      latitude: { name: name('Latitude', 'Latitude', 'Breedtegraad', 'خط العرض') },
      longitude: { name: name('Longitude', 'Longitude', 'Lengtegraad', 'خط الطول') },
    },
  },
  birdstrikes: {
    rows: { file: 'birdstrikes.csv' },
    format: 'csv',
    name: name('Bird strikes', 'Collisions aviaires', 'Vogelaanvaringen', 'اصطدامات الطيور'),
    from: { title: 'FAA Wildlife Strike Database', address: 'https://wildlife.faa.gov', terms: government },
    columns: {
      'Airport Name': { name: name('Airport', 'Aéroport', 'Luchthaven', 'المطار') },
      'Aircraft Make Model': { name: name('Aircraft', 'Appareil', 'Toestel', 'الطائرة') },
      'Effect Amount of damage': { name: name('Damage', 'Dégâts', 'Schade', 'الضرر') },
      'Flight Date': { name: name('Date', 'Date', 'Datum', 'التاريخ') },
      'Aircraft Airline Operator': { name: name('Airline', 'Compagnie', 'Maatschappij', 'شركة الطيران') },
      'Origin State': { name: name('State', 'État', 'Staat', 'الولاية') },
      'Phase of flight': { name: name('Phase of flight', 'Phase de vol', 'Vluchtfase', 'مرحلة الطيران') },
      'Wildlife Size': {
        name: name('Size of the animal', 'Taille de l’animal', 'Grootte van het dier', 'حجم الحيوان'),
      },
      'Wildlife Species': { name: name('Species', 'Espèce', 'Soort', 'النوع') },
      'Time of day': { name: name('Time of day', 'Moment de la journée', 'Dagdeel', 'وقت اليوم') },
      'Cost Other': { name: name('Other cost', 'Autres coûts', 'Overige kosten', 'تكاليف أخرى'), format: '$,.0f' },
      'Cost Repair': {
        name: name('Cost of repair', 'Coût de réparation', 'Reparatiekosten', 'تكلفة الإصلاح'),
        format: '$,.0f',
      },
      'Cost Total $': { name: name('Total cost', 'Coût total', 'Totale kosten', 'التكلفة الإجمالية'), format: '$,.0f' },
      'Speed IAS in knots': {
        name: name('Speed (knots)', 'Vitesse (nœuds)', 'Snelheid (knopen)', 'السرعة (عقدة)'),
        format: ',.0f',
        aggregation_type: 'average',
      },
    },
    tenantColumn: 'Origin State',
  },
  weather: {
    rows: { file: 'weather.csv' },
    format: 'csv',
    name: name('Weather', 'Météo', 'Weer', 'الطقس'),
    from: { title: 'NOAA, Climate Data Online', address: 'https://www.ncdc.noaa.gov/cdo-web/', terms: government },
    columns: {
      location: { name: name('Place', 'Lieu', 'Plaats', 'المكان') },
      date: { name: name('Date', 'Date', 'Datum', 'التاريخ') },
      precipitation: {
        name: name('Precipitation (mm)', 'Précipitations (mm)', 'Neerslag (mm)', 'الهطول (مم)'),
        format: ',.1f',
      },
      temp_max: {
        name: name('Highest (°C)', 'Maximale (°C)', 'Hoogste (°C)', 'العظمى (°م)'),
        format: ',.1f',
        aggregation_type: 'average',
      },
      temp_min: {
        name: name('Lowest (°C)', 'Minimale (°C)', 'Laagste (°C)', 'الصغرى (°م)'),
        format: ',.1f',
        aggregation_type: 'average',
      },
      wind: {
        name: name('Wind (m/s)', 'Vent (m/s)', 'Wind (m/s)', 'الرياح (م/ث)'),
        format: ',.1f',
        aggregation_type: 'average',
      },
      weather: { name: name('Weather', 'Temps', 'Weer', 'الطقس') },
    },
    tenantColumn: 'location',
  },
  unemployment: {
    rows: { file: 'unemployment-across-industries.json' },
    format: 'ndjson',
    name: name('Unemployment', 'Chômage', 'Werkloosheid', 'البطالة'),
    from: {
      title: 'U.S. Bureau of Labor Statistics, Current Population Survey, table A-31',
      address: 'https://www.bls.gov/web/empsit/cpseea31.htm',
      terms: government,
    },
    columns: {
      series: { name: name('Industry', 'Secteur', 'Sector', 'القطاع') },
      year: { name: name('Year', 'Année', 'Jaar', 'السنة') },
      month: { name: name('Month of the year', 'Mois de l’année', 'Maand van het jaar', 'شهر السنة') },
      count: {
        name: name('Unemployed (thousands)', 'Chômeurs (milliers)', 'Werklozen (duizend)', 'العاطلون (بالألف)'),
        format: ',.0f',
      },
      rate: {
        name: name('Rate (%)', 'Taux (%)', 'Percentage', 'المعدل (%)'),
        format: ',.1f',
        aggregation_type: 'average',
      },
      date: { name: name('Month', 'Mois', 'Maand', 'الشهر') },
    },
  },
  penguins: {
    rows: { file: 'penguins.json' },
    format: 'ndjson',
    name: name('Penguins', 'Manchots', 'Pinguïns', 'البطاريق'),
    from: {
      title: 'Palmer Station Antarctica LTER; Allison Horst, palmerpenguins',
      address: 'https://allisonhorst.github.io/palmerpenguins/',
      terms: 'CC0 1.0',
    },
    columns: {
      Species: { name: name('Species', 'Espèce', 'Soort', 'النوع') },
      Island: { name: name('Island', 'Île', 'Eiland', 'الجزيرة') },
      'Beak Length (mm)': {
        name: name('Beak length (mm)', 'Longueur du bec (mm)', 'Snavellengte (mm)', 'طول المنقار (مم)'),
        aggregation_type: 'average',
      },
      'Beak Depth (mm)': {
        name: name('Beak depth (mm)', 'Hauteur du bec (mm)', 'Snaveldiepte (mm)', 'عمق المنقار (مم)'),
        aggregation_type: 'average',
      },
      'Flipper Length (mm)': {
        name: name('Flipper length (mm)', 'Longueur de l’aileron (mm)', 'Vleugellengte (mm)', 'طول الجناح (مم)'),
        aggregation_type: 'average',
      },
      'Body Mass (g)': {
        name: name('Body mass (g)', 'Masse (g)', 'Massa (g)', 'الكتلة (غ)'),
        format: ',.0f',
        aggregation_type: 'average',
      },
      Sex: { name: name('Sex', 'Sexe', 'Geslacht', 'الجنس') },
    },
  },
} as const satisfies Readonly<Record<string, DemoSource>>;

export type SourceName = keyof typeof sources;

/** The demo tenants, each with its row filters and its look. */
export const tenants = {
  seattle: {
    name: 'Seattle',
    sees: {
      orders: ['Seattle'],
      visits: ['Seattle'],
      flights: ['SEA'],
      birdstrikes: ['Washington'],
      weather: ['Seattle'],
    },
    theme: { id: 'default' },
  },
  newyork: {
    name: 'New York',
    sees: {
      orders: ['New York'],
      visits: ['New York'],
      flights: ['JFK', 'LGA'],
      birdstrikes: ['New York'],
      weather: ['New York'],
    },
    theme: { id: 'paper' },
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly name: string; readonly sees: Partial<Record<SourceName, readonly string[]>>; readonly theme: JsonObject }
  >
>;

export type TenantName = keyof typeof tenants;
