import { member, type JsonObject, inLanguage } from '@inlay/contract';

/** Returns the file name for a record in a language. */
export const fileName = (record: JsonObject, locale: string, type: string): string => {
  const name = inLanguage(member(record, 'name'), locale)
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/gu, '')
    .slice(0, 80);
  return `${name === '' ? 'export' : name}.${type}`;
};
