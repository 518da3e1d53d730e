import { loggedIn, operator } from '../../access/roles.ts';
import { define, type Resource } from '../../resource/define.ts';
import { field, readOnly } from '../../resource/fields.ts';
import { times } from '../../resource/standard.ts';

const codes = (name: string, of: string, example: Resource['example']): Resource =>
  define({
    name,
    description: `${of}; read-only.`,
    codes: true,
    fields: {
      id: readOnly(field.text('Its ISO code.')),
      name: readOnly(field.multilingual('Name.', { searched: true })),
      ...times,
    },
    roles: { create: operator, get: loggedIn, update: operator, delete: operator },
    example,
  });

export const locale = codes('locale', 'A language, by its ISO 639-1 code', { id: 'en', name: { en: 'English' } });
export const country = codes('country', 'A country, by its ISO 3166-1 code', { id: 'BE', name: { en: 'Belgium' } });
