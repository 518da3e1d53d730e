import { plainName } from './names.ts';

/** A region by its code of ISO 3166-2, such as `US-CA`, with its names. */
export interface RegionName {
  readonly code: string;
  readonly names: readonly string[];
}

/** The country that most members are regions of. */
export interface MainCountry {
  readonly code: string;
  /** Whether enough members are the ends of codes, such as `CA` for California, that these mean its regions. */
  readonly hasEnds: boolean;
}

/** The regions that texts name. */
export interface RegionNames {
  readonly namesOf: (code: string) => readonly string[];
  /** The country that most texts name a region of; null where they name none. */
  readonly mainCountry: (texts: readonly (readonly string[])[]) => MainCountry | null;
  /** The code of the region that one of some names means; those of the main country win. Null where there is none. */
  readonly find: (names: readonly string[], main: MainCountry) => string | null;
}

/** So many ends of codes are no accident. */
const fewestEnds = 3;

/** The code of the country of a region. */
export const countryOf = (code: string): string => code.slice(0, 2);

/** Regions by some key, of which each has several. */
function grouped(
  regions: readonly RegionName[],
  keysOf: (region: RegionName) => Iterable<string>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const region of regions)
    for (const key of new Set(keysOf(region))) {
      const codes = found.get(key);
      if (codes === undefined) found.set(key, [region.code]);
      else codes.push(region.code);
    }
  return found;
}

/** Reads regions, each as `US-CA|California`. */
export function readRegionNames(lines: readonly string[]): RegionNames {
  const regions = lines.map((line): RegionName => {
    const [code = '', names = ''] = line.split('|');
    return { code, names: names.split(';') };
  });
  const own = new Map(regions.map(({ code, names }) => [code, names]));
  const byName = grouped(regions, ({ code, names }) => [...names, code].map(plainName));
  const byEnd = grouped(regions, ({ code }) => [code.slice(3)]);
  const named = (name: string): readonly string[] => byName.get(plainName(name)) ?? [];
  const ending = (name: string): readonly string[] => byEnd.get(name.trim().toUpperCase()) ?? [];
  return {
    namesOf: (code) => own.get(code) ?? [],
    mainCountry: (texts) => {
      const counts = new Map<string, { named: number; ends: number }>();
      const add = (codes: readonly string[], kind: 'named' | 'ends'): void => {
        for (const country of new Set(codes.map(countryOf))) {
          const count = counts.get(country) ?? { named: 0, ends: 0 };
          count[kind] += 1;
          counts.set(country, count);
        }
      };
      for (const names of texts) {
        const codes = names.flatMap(named);
        if (codes.length > 0) add(codes, 'named');
        else add(names.flatMap(ending), 'ends');
      }
      const [best] = [...counts]
        .map(([code, count]) => {
          const hasEnds = count.ends >= fewestEnds;
          return { code, hasEnds, count: count.named + (hasEnds ? count.ends : 0) };
        })
        .toSorted((one, other) => other.count - one.count);
      return best === undefined || best.count === 0 ? null : best;
    },
    find: (names, { code: country, hasEnds }) => {
      const codes = names.flatMap(named);
      const ends = hasEnds ? names.flatMap(ending) : [];
      return [...codes, ...ends].find((code) => countryOf(code) === country) ?? codes[0] ?? null;
    },
  };
}
