import { isUuid, type Fault, type Json } from '@inlay/contract';
import { field, type Field } from '../../declare/fields.ts';
import { codeId } from '../../store/code-id.ts';
import { countryCodes } from '../data/countries.ts';
import { localeCodes } from '../data/locales.ts';

/** A value that names a record by its id or its code, as its id. */
const asId = (value: Json): Json =>
  typeof value !== 'string' ? value : isUuid(value) ? value.toLowerCase() : codeId(value);

const idOf = (codes: readonly string[], of: string, description: string, example: string): Field => {
  const ids = new Set(codes.map(codeId));
  return field.text(description, {
    check: (value: Json, at: string, fault: Fault) => {
      const id = asId(value);
      if (typeof id === 'string' && !ids.has(id))
        fault(at, `must be the id or the code of a ${of}, such as "${example}"`);
    },
    stored: asId,
    searchedAs: asId,
  });
};

/** The field that refers to a locale. specification/resources#locale-and-country */
export const localeId = (): Field =>
  idOf(localeCodes, 'locale', 'Id of a locale; its ISO 639-1 code is accepted too.', 'en');
/** The field that refers to a country. */
export const countryId = (): Field =>
  idOf(countryCodes, 'country', 'Id of a country; its ISO 3166-1 code is accepted too.', 'BE');
