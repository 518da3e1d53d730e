import { plainName } from './names.ts';

/** A region by its ISO 3166-2 code, such as `US-CA`, with its names. */
export interface RegionName {
  readonly code: string;
  readonly names: readonly string[];
}

/** The country to which most of the members belong. */
export interface MainCountry {
  readonly code: string;
  /**
   * True if so many members are endings of region codes, such as `CA` of `US-CA`, that they are read as regions of this
   * country.
   */
  readonly hasEnds: boolean;
}

/** Finds regions by name. */
export interface RegionNames {
  readonly namesOf: (code: string) => readonly string[];
  /** Returns the country with the most matching regions; null if no region matches. */
  readonly mainCountry: (texts: readonly (readonly string[])[]) => MainCountry | null;
  /**
   * Returns the code of a region with any of these names, preferably in the main country; null if no region matches.
   */
  readonly find: (names: readonly string[], main: MainCountry) => string | null;
}

/** Minimum number of members that are endings of region codes. Fewer of them may be a coincidence. */
const fewestEnds = 3;

export const countryOf = (code: string): string => code.slice(0, 2);

/** Groups the codes of regions by key. A region may have several keys. */
function codesByKey(
  regions: readonly RegionName[],
  keysOf: (region: RegionName) => Iterable<string>,
): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, string[]>();
  for (const region of regions)
    for (const key of new Set(keysOf(region))) {
      const codes = byKey.get(key);
      if (codes === undefined) byKey.set(key, [region.code]);
      else codes.push(region.code);
    }
  return byKey;
}

/** Parses lines such as `US-CA|California`. */
export function readRegionNames(lines: readonly string[]): RegionNames {
  const regions = lines.map((line): RegionName => {
    const [code = '', names = ''] = line.split('|');
    return { code, names: names.split(';') };
  });
  const namesByCode = new Map(regions.map(({ code, names }) => [code, names]));
  const byName = codesByKey(regions, ({ code, names }) => [...names, code].map(plainName));
  const byEnd = codesByKey(regions, ({ code }) => [code.slice(3)]);
  const codesByName = (name: string): readonly string[] => byName.get(plainName(name)) ?? [];
  const ending = (name: string): readonly string[] => byEnd.get(name.trim().toUpperCase()) ?? [];
  return {
    namesOf: (code) => namesByCode.get(code) ?? [],
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
        const codes = names.flatMap(codesByName);
        if (codes.length > 0) add(codes, 'named');
        else add(names.flatMap(ending), 'ends');
      }
      const [best] = [...counts]
        .map(([code, count]) => {
          const hasEnds = count.ends >= fewestEnds;
          return { code, hasEnds, count: count.named + (hasEnds ? count.ends : 0) };
        })
        .toSorted((a, b) => b.count - a.count);
      return best === undefined || best.count === 0 ? null : best;
    },
    find: (names, { code: country, hasEnds }) => {
      const codes = names.flatMap(codesByName);
      const ends = hasEnds ? names.flatMap(ending) : [];
      return [...codes, ...ends].find((code) => countryOf(code) === country) ?? codes[0] ?? null;
    },
  };
}
