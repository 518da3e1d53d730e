import type { DataItemType } from '@inlay/contract';
import type { Profile } from '../profile.ts';
import { familyOf, hasRole } from './families.ts';
import type { Group } from '../plan.ts';

/** True if a chart type is a map. */
export const isMap = (type: DataItemType): boolean => familyOf(type) === 'map';

/** Words in names of columns whose values are countries, in the languages of questions. */
const countryWord =
  /^(?:country|countries|nation|nations|nationality|land|lander|pays|pais|paises|landen|iso|iso2|iso3)$/u;

export const isPlace = (profile: Profile, column: number): boolean => {
  const profiledColumn = profile.columns[column];
  return profiledColumn?.role === 'place' || profiledColumn?.nameWords.some((word) => countryWord.test(word)) === true;
};

/**
 * Returns the default column of a map: points if the type can show them, else countries, else other places. Returns
 * null if the dataset has no places.
 */
export function placeOf(profile: Profile, type: DataItemType): number | null {
  const worth = (column: number): number => {
    const profiledColumn = profile.columns[column];
    if (
      profiledColumn === undefined ||
      profiledColumn.type === 'numeric' ||
      profiledColumn.type === 'datetime' ||
      !isPlace(profile, column)
    )
      return 0;
    if (profiledColumn.type === 'spatial')
      return hasRole(type, 'point') && profiledColumn.subtype === 'coordinates' ? 4 : 0;
    return profiledColumn.nameWords.some((word) => countryWord.test(word)) ? 3 : 1;
  };
  const [best] = profile.columns
    .map((_, column) => ({ column, worth: worth(column) }))
    .filter((candidate) => candidate.worth > 0)
    .toSorted((left, right) => right.worth - left.worth);
  return best?.column ?? null;
}

/**
 * True if a map can show the groups of a question: a group has places, or no group is a text but the dataset has a
 * column with places.
 */
export function hasPlace(profile: Profile, groups: readonly (Group | null)[], type: DataItemType): boolean {
  const texts = groups.flatMap((group) =>
    group !== null && ['hierarchy', 'spatial'].includes(profile.columns[group.column]?.type ?? '')
      ? [group.column]
      : [],
  );
  return texts.length === 0 ? placeOf(profile, type) !== null : texts.some((column) => isPlace(profile, column));
}
