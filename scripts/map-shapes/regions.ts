import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { iso31662 } from 'iso-3166/2.js';
import { ringsOf, type Atlas, atlasLines } from './atlas.ts';
import { plainName } from '../../packages/embed/src/charts/map/names.ts';
import { englishNames } from './english-names.ts';
import { topologyOf } from './group.ts';
import { areaOf, pointsOf, simpler, type Point, type Topology } from './topology.ts';

/** A country whose regions are drawn, by the name of its file. */
interface Source {
  readonly country: string;
  /** Whether the file has parts of regions, which are joined. */
  readonly isFiner?: true;
}

const sources: Readonly<Record<string, Source>> = {
  argentina: { country: 'AR' },
  australia: { country: 'AU' },
  austria: { country: 'AT' },
  belgium: { country: 'BE' },
  brazil: { country: 'BR' },
  bulgaria: { country: 'BG' },
  canada: { country: 'CA' },
  chile: { country: 'CL' },

  china: { country: 'CN' },
  colombia: { country: 'CO' },
  czech_republic: { country: 'CZ' },
  denmark: { country: 'DK' },

  egypt: { country: 'EG' },
  finland: { country: 'FI' },
  france_regions: { country: 'FR' },
  germany: { country: 'DE' },
  greece: { country: 'GR' },
  india: { country: 'IN' },
  indonesia: { country: 'ID' },

  italy_regions: { country: 'IT' },
  japan: { country: 'JP' },

  korea: { country: 'KR' },

  malaysia: { country: 'MY' },
  mexico: { country: 'MX' },
  netherlands: { country: 'NL' },
  new_zealand: { country: 'NZ' },

  nigeria: { country: 'NG' },
  pakistan: { country: 'PK' },
  peru: { country: 'PE' },
  philippines_regions: { country: 'PH' },
  poland: { country: 'PL' },
  portugal: { country: 'PT' },
  romania: { country: 'RO' },
  russia: { country: 'RU' },
  saudi_arabia: { country: 'SA' },
  slovakia: { country: 'SK' },
  south_africa: { country: 'ZA' },
  spain: { country: 'ES', isFiner: true },
  sweden: { country: 'SE' },
  switzerland: { country: 'CH' },
  thailand: { country: 'TH' },
  turkey: { country: 'TR' },
  uk: { country: 'GB', isFiner: true },
  ukraine: { country: 'UA' },
  united_arab_emirates: { country: 'AE' },
  venezuela: { country: 'VE' },
};

/** Codes of the files that ISO 3166-2 has replaced or never had. */
const otherCodes: Readonly<Record<string, string>> = {
  'CZ-JC': 'CZ-31',
  'CZ-JM': 'CZ-64',
  'CZ-KA': 'CZ-41',
  'CZ-KR': 'CZ-52',
  'CZ-LI': 'CZ-51',
  'CZ-MO': 'CZ-80',
  'CZ-OL': 'CZ-71',
  'CZ-PA': 'CZ-53',
  'CZ-PL': 'CZ-32',
  'CZ-PR': 'CZ-10',
  'CZ-ST': 'CZ-20',
  'CZ-US': 'CZ-42',
  'CZ-VY': 'CZ-63',
  'CZ-ZL': 'CZ-72',
  'FR-COR': 'FR-20R',
  'GR-A1': 'GR-I',
  'MX-DIF': 'MX-CMX',
  'IN-CT': 'IN-CG',
  'IN-OR': 'IN-OD',
  'IN-TG': 'IN-TS',
  'IN-UT': 'IN-UK',
  'PL-DS': 'PL-02',
  'PL-KP': 'PL-04',
  'PL-LU': 'PL-06',
  'PL-LB': 'PL-08',
  'PL-LD': 'PL-10',
  'PL-MA': 'PL-12',
  'PL-MZ': 'PL-14',
  'PL-OP': 'PL-16',
  'PL-PK': 'PL-18',
  'PL-PD': 'PL-20',
  'PL-PM': 'PL-22',
  'PL-SL': 'PL-24',
  'PL-SK': 'PL-26',
  'PL-WN': 'PL-28',
  'PL-WP': 'PL-30',
  'PL-ZP': 'PL-32',
  'ZA-GT': 'ZA-GP',
  'ZA-NL': 'ZA-KZN',
};
/** Left out: countries of their own, and what the files do not show where it is. */
const without = /^(?:CN-(?:71|91|92)|FR-(?:GUA|GUF|LRE|MAY|MTQ)|.*~)$/u;
/** Islands that the files show nearer to their country, and how far they are away from there, in degrees. */
const moved: Readonly<Record<string, Point>> = { 'ES-CN': [-3, -7], 'PT-20': [-11, 0], 'PT-30': [-6, -2] };

interface Collection {
  readonly features: readonly {
    readonly properties: { readonly ISO: string; readonly NAME_1: string | null };
    readonly geometry: { readonly coordinates: unknown };
  }[];
}

const isPoint = (given: unknown): given is Point =>
  Array.isArray(given) && typeof given[0] === 'number' && typeof given[1] === 'number';
const isLine = (given: unknown): given is readonly Point[] => Array.isArray(given) && given.every(isPoint);
const linesIn = (given: unknown): readonly (readonly Point[])[] =>
  isLine(given) ? [given] : Array.isArray(given) ? given.flatMap(linesIn) : [];

const byCode = new Map<string, (typeof iso31662)[number]>(iso31662.map((one) => [one.code, one]));

/** Parts of the United Kingdom by their code; others are in England. */
const britain = {
  'GB-SCT':
    'ABD ABE AGB ANS CLK DGY DND EAY EDH EDU ELN ELS ERW FAL FIF GLG HLD IVC MLN MRY NAY NLK ORK PKN RFW SAY SCB SLK STG WDU WLN ZET',
  'GB-WLS': 'AGY BGE BGW CAY CGN CMN CRF CWY DEN FLN GWN MON MTY NTL NWP PEM POW RCT SWA TOF VGL WRX',
  'GB-NIR':
    'ABC AND ANN ANT ARD ARM BFS BLA BLY BNB CCG CGV CKF CKT CLR CSR DGN DOW DRS DRY FER FMO LBC LMV LMY LRN LSB MEA MFT MUL MYL NDN NMD NTA NYM OMH STB',
} as const;

const nationOf = (code: string): string =>
  Object.entries(britain).find(([, parts]) => parts.split(' ').includes(code.slice(3)))?.[0] ?? 'GB-ENG';

/** Returns the code of the region that another one is a part of. */
function wholeOf(code: string): string {
  if (code.startsWith('GB-')) return nationOf(code);
  const parent = byCode.get(code)?.parent;
  return parent === undefined || !parent.includes('-') ? code : wholeOf(parent);
}

/** Names of ISO 3166-2, each of several that it writes in one. */
const isoNames = (code: string): readonly string[] =>
  (byCode.get(code)?.name ?? '').split(/[[\]/]/u).map((name) => name.trim());

const step = (degrees: number): number => Math.round(degrees * 1000) / 1000;

/** What becomes of the regions of a file: their rings and names, by code. */
interface Regions {
  readonly rings: Map<string, (readonly Point[])[]>;
  readonly names: Map<string, Set<string>>;
}

function addRegions({ features }: Collection, { country, isFiner }: Source, { rings, names }: Regions): void {
  for (const { properties, geometry } of features) {
    const own = properties.ISO.trim();
    if (!own.startsWith(country) || without.test(own)) continue;
    const code = isFiner === true ? wholeOf(own) : (otherCodes[own] ?? own);
    const [dx, dy] = moved[code] ?? [0, 0];
    const lines = linesIn(geometry.coordinates).map((line) =>
      line.map(([x, y]): Point => [step(x + dx), step(y + dy)]),
    );
    rings.set(code, [...(rings.get(code) ?? []), ...lines]);
    const called = isFiner === true ? [] : [properties.NAME_1 ?? ''];
    names.set(code, new Set([...(names.get(code) ?? []), ...called, ...isoNames(code)]));
  }
}

/** Returns the states of the United States, from their Census Bureau. */
function addStates({ rings, names }: Regions): void {
  const atlas: Atlas = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('us-atlas/states-10m.json'), 'utf8'),
  );
  const arcs = atlasLines(atlas);
  for (const { properties, arcs: given } of atlas.objects['states']?.geometries ?? []) {
    const found = iso31662.find(({ code, name }) => code.startsWith('US-') && name === properties.name);
    if (found === undefined) continue;
    rings.set(
      found.code,
      ringsOf(given).map((ring) => pointsOf(arcs, ring)),
    );
    names.set(found.code, new Set([found.name]));
  }
}

/** Lines of a country are simplified the more the larger it is, as maps show it as a whole; areas in square degrees. */
function simplerCountry(topology: Topology): Topology {
  const area = topology.shapes
    .flatMap(({ rings }) => rings)
    .reduce((sum, ring) => sum + areaOf(pointsOf(topology.arcs, ring)), 0);
  return simpler(topology, Math.max(0.0008, area / 40_000), Math.max(0.002, area / 10_000));
}

/** The regions of a country. */
export interface CountryRegions {
  readonly country: string;
  readonly topology: Topology;
}

/** First-level regions by country, with their code of ISO 3166-2 and their names. `folder` has the unpacked package of the files. */
export function regions(folder: string): readonly CountryRegions[] {
  const found: Regions = { rings: new Map(), names: new Map() };
  for (const [name, source] of Object.entries(sources))
    addRegions(JSON.parse(readFileSync(join(folder, 'esm/countries', `${name}.geojson`), 'utf8')), source, found);
  addStates(found);
  const codes = [...found.rings.keys()].toSorted();
  const namesOf = (code: string): readonly string[] => [
    ...new Map(
      [...(found.names.get(code) ?? []), ...(englishNames[code] ?? '').split('|')].map((name) => [
        plainName(name),
        name,
      ]),
    ).values(),
  ];
  return [...new Set(codes.map((code) => code.slice(0, 2)))].map((country) => {
    const own = codes.filter((code) => code.startsWith(country));
    const topology = simplerCountry(topologyOf(new Map(own.map((code) => [code, found.rings.get(code) ?? []]))));
    const shapes = topology.shapes.map((shape) => ({
      ...shape,
      names: namesOf(shape.codes[0] ?? '').filter((name) => name !== ''),
    }));
    return { country, topology: { arcs: topology.arcs, shapes } };
  });
}
