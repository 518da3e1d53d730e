import type { DataItemType } from '@inlay/contract';
import type { Profile } from '../profile.ts';
import { familyOf, hasRole } from './families.ts';
import type { Group } from './hypothesis.ts';

/** Whether a type of chart needs somewhere to draw what it shows. */
export const isMap = (type: DataItemType): boolean => familyOf(type) === 'map';

/** Names of columns whose values maps know, in the languages of questions. */
const countryWord =
  /^(?:country|countries|nation|nations|nationality|land|lander|pays|pais|paises|landen|iso|iso2|iso3)$/u;

/** Whether the values of a column are places. */
export const isPlace = (profile: Profile, column: number): boolean => {
  const own = profile.columns[column];
  return own?.role === 'place' || own?.nameWords.some((word) => countryWord.test(word)) === true;
};

/** The column of a dataset that a map shows when nobody says: countries, else points, else other places; null where there is none. */
export function placeOf(profile: Profile, type: DataItemType): number | null {
  const worth = (column: number): number => {
    const own = profile.columns[column];
    if (own === undefined || own.type === 'numeric' || own.type === 'datetime' || !isPlace(profile, column)) return 0;
    if (own.type === 'spatial') return hasRole(type, 'point') && own.subtype === 'coordinates' ? 4 : 0;
    return own.nameWords.some((word) => countryWord.test(word)) ? 3 : 1;
  };
  const [best] = profile.columns
    .map((_, column) => ({ column, worth: worth(column) }))
    .filter((one) => one.worth > 0)
    .toSorted((one, other) => other.worth - one.worth);
  return best?.column ?? null;
}

/** Whether a map can show what a question groups by: a place, or nothing else than the dataset has a place for. */
export function hasPlace(profile: Profile, groups: readonly (Group | null)[], type: DataItemType): boolean {
  const texts = groups.flatMap((group) =>
    group !== null && ['hierarchy', 'spatial'].includes(profile.columns[group.column]?.type ?? '')
      ? [group.column]
      : [],
  );
  return texts.length === 0 ? placeOf(profile, type) !== null : texts.some((column) => isPlace(profile, column));
}
