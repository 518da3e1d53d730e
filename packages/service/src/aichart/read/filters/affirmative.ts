import type { Profile } from '../../profile.ts';
import type { FoundValues } from '../../values/found-values.ts';
import type { AffirmativeValues } from '../measures.ts';

/** Texts for "yes" in columns that say yes or no. */
export const affirmativeTexts: readonly string[] = 'yes true ja oui si wahr vrai waar verdadero y j o 1'.split(' ');

/** Returns the values that mean "yes": those among the members that were found, or "true" for a boolean. */
export const affirmativeValues =
  ({ columns }: Profile, { byText }: FoundValues): AffirmativeValues =>
  (column) =>
    columns[column]?.isBoolean === true
      ? ['true']
      : [
          ...new Set(
            affirmativeTexts.flatMap((text) =>
              (byText.get(text) ?? [])
                .filter((found) => found.column === column && found.distance === 0)
                .map(({ value }) => value),
            ),
          ),
        ];
