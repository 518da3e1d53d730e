import { isUuid, type Fault, type Json } from '@inlay/contract';
import { field, type Field } from '../../declare/fields.ts';
import { codeId } from '../../store/code-id.ts';
import { countryCodes } from '../data/countries.ts';
import { localeCodes } from '../data/locales.ts';

/** Converts the code of a record to the id of that record. Ids stay unchanged. */
const asId = (value: Json): Json =>
  typeof value !== 'string' ? value : isUuid(value) ? value.toLowerCase() : codeId(value);

const idOf = (codes: readonly string[], noun: string, description: string, example: string): Field => {
  const ids = new Set(codes.map(codeId));
  return field.text(description, {
    check: (value: Json, at: string, fault: Fault) => {
      const id = asId(value);
      if (typeof id === 'string' && !ids.has(id))
        fault(at, `must be the id or the code of a ${noun}, such as "${example}"`);
    },
    stored: asId,
    searchedAs: asId,
  });
};

/** Returns a reference to a locale. specification/resources#locale-and-country */
export const localeId = (): Field =>
  idOf(localeCodes, 'locale', 'Id of a locale; its ISO 639-1 code is accepted too.', 'en');
export const countryId = (): Field =>
  idOf(countryCodes, 'country', 'Id of a country; its ISO 3166-1 code is accepted too.', 'BE');
