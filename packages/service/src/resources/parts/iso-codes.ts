import type { Fault, Json } from '@inlay/contract';
import { field, type Field } from '../../resource/fields.ts';
import { countryCodes } from '../data/countries.ts';
import { localeCodes } from '../data/locales.ts';

const oneOf = (codes: readonly string[], says: string): NonNullable<Field['check']> => {
  const known = new Set(codes);
  return (value: Json, at: string, fault: Fault) =>
    typeof value === 'string' && !known.has(value) ? fault(at, says) : undefined;
};

const locale = oneOf(localeCodes, 'must be the id of a locale, such as "en"');
const country = oneOf(countryCodes, 'must be the id of a country, such as "BE"');

/** Fields that hold the id of a record of codes. */
export const localeId = (): Field =>
  field.text('ISO 639-1 language code, as in the resource locale.', { check: locale });
export const countryId = (): Field =>
  field.text('ISO 3166-1 country code, as in the resource country.', { check: country });
